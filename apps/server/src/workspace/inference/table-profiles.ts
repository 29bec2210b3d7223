import { timeColumn, type Relationship, type TableProfile } from '@belvedere/model';
import { schemaInSource } from '../assemble-model.ts';
import { relatedTo, type Related } from '../documents/inferred-models.ts';
import type { SourceState } from '../sources/source.ts';
import type { TableState } from '../workspace.ts';

/** The profiles of the files' tables that have been read, by name. */
export function profilesOfFiles(tables: ReadonlyMap<string, TableState>): ReadonlyMap<string, TableProfile> {
  return new Map(
    [...tables].flatMap(([name, table]) => (table.imported ? [[name, table.imported.profile] as const] : [])),
  );
}

/** The profiles of a database's tables that have been described, by name. */
export function profilesOfSource({ tables }: SourceState): ReadonlyMap<string, TableProfile> {
  return new Map(tables.flatMap(({ called, profile }) => (profile ? [[called, profile] as const] : [])));
}

/**
 * The tables that a database's table refers to. Only keys that the database guarantees count as unique: others were
 * unique when they were counted, and rows may have been added since.
 */
export function relatedInSource(
  source: SourceState,
  profile: TableProfile,
  relationships: readonly Relationship[],
): Related {
  const schemaOf = (name: string) => schemaInSource(source, name);
  const related = relatedTo(profile, relationships, profilesOfSource(source), schemaOf);
  return { ...related, schemas: related.schemas.map(({ name }) => schemaOf(name)) };
}

/** Whether rows of a table happened at some time; dates of birth or hiring are none. */
export function hasOwnTime(profile: TableProfile | undefined): boolean {
  const time = profile && timeColumn(profile);
  return time !== undefined && !/birth|hire|updated|modified/i.test(time.name);
}
