import type { Dashboard } from '@belvedere/document';
import type { ImportedTable } from '@belvedere/engine';
import {
  buildModel,
  inferJoins,
  inferModel,
  inferOverview,
  type JoinedTable,
  type Model,
  type Relationship,
  type TableModelFile,
  type TableProfile,
  type TableSchema,
} from '@belvedere/model';
import { setTimeout as turn } from 'node:timers/promises';
import { contentHash } from './content-hash.ts';

/*
 * What is guessed is kept for as long as what it is guessed from: a workspace is put together at every change of anything, and a
 * table of ten thousand columns takes a good part of a second to guess about.
 */
const models = new WeakMap<
  TableProfile,
  {
    readonly name: string;
    readonly model: Model | undefined;
    readonly parent: TableSchema | undefined;
    readonly related: Related;
  }
>();
const overviews = new WeakMap<
  Model,
  { readonly profile: TableProfile; readonly version: string; readonly overview: Overview }
>();

export interface Overview {
  readonly document: Dashboard;
  readonly revision: string;
}

/**
 * Guesses what a table that has just been read will be shown by, a part at a time, so that others are
 * answered in between.
 */
export async function inferAhead(
  name: string,
  profile: TableProfile,
  schema: TableSchema,
  version: string,
  parent?: Parent,
): Promise<void> {
  const model = inferredModel(name, profile, schema, { ...(parent && { parent }) });
  await turn();
  if (model) inferredOverview(model, profile, version);
  await turn();
}

/** What a table's model joins, with the schemas that its expressions are checked against. */
export interface Related {
  readonly joined: readonly JoinedTable[];
  readonly schemas: readonly TableSchema[];
}

const unrelated: Related = { joined: [], schemas: [] };

/**
 * The tables that a table refers to, among those that have been read.
 * @param parent the table whose lists it was made of: how these belong together is known without measuring
 */
export function relatedTo(
  profile: TableProfile,
  relationships: readonly Relationship[],
  profiles: ReadonlyMap<string, TableProfile>,
  schemaOf: (table: string) => TableSchema,
  parent?: string,
): Related {
  const others = relationships.filter(({ from, to }) => from.table !== profile.name || to.table !== parent);
  if (!others.some(({ from, verdict }) => from.table === profile.name && verdict === 'used'))
    return unrelated;
  const joined = inferJoins(profile, others, profiles);
  return {
    joined,
    schemas: [...new Set(joined.map(({ profile: { name } }) => name))].map(name =>
      withKeys(
        schemaOf(name),
        joined.filter(one => one.profile.name === name).map(({ join }) => Object.values(join.on)),
      ),
    ),
  };
}

/**
 * Keys of used relationships were measured as unique, also those of tables too large to be counted when they
 * are read.
 */
function withKeys(schema: TableSchema, keys: readonly (readonly string[])[]): TableSchema {
  const single = keys.flatMap(columns => (columns.length === 1 ? columns : []));
  const together = keys.filter(columns => columns.length > 1);
  return {
    ...schema,
    unique: [...new Set([...(schema.unique ?? []), ...single])],
    uniqueTogether: [...(schema.uniqueTogether ?? []), ...together],
  };
}

/** The profiles of the tables that a model joins, by the names of its joins. */
export function profilesOf({ joined }: Related): Readonly<Record<string, TableProfile>> {
  return Object.fromEntries(joined.map(({ name, profile }) => [name, profile]));
}

function isSameRelated(one: Related, other: Related): boolean {
  return (
    one.joined.length === other.joined.length &&
    one.joined.every(({ name, profile, join }, i) => {
      const same = other.joined[i]!;
      return (
        name === same.name && profile === same.profile && JSON.stringify(join) === JSON.stringify(same.join)
      );
    })
  );
}

/** The file of a model as it is guessed. */
export function inferredFile(
  profile: TableProfile,
  { joined }: Related = unrelated,
  parent?: Parent,
): TableModelFile {
  const file = inferModel(profile, joined);
  return parent ? { ...file, joins: { ...parent.joins, ...file.joins } } : file;
}

/** The table whose lists a table was made of, and how their rows belong together. */
export interface Parent {
  readonly schema: TableSchema;
  readonly joins: NonNullable<TableModelFile['joins']>;
}

/** @param schemaNamed the table of a name, where it has been read */
export function parentOf(
  { parent }: ImportedTable,
  schemaNamed: (table: string) => TableSchema | undefined,
): Parent | undefined {
  const schema = parent && schemaNamed(parent.table);
  return (
    schema && {
      schema,
      joins: { [parent.table]: { table: parent.table, on: { [parent.column]: parent.equals } } },
    }
  );
}

/** The model `name` of a table without a model file, in `source` or among the files. */
export function inferredModel(
  name: string,
  profile: TableProfile,
  schema: TableSchema,
  {
    source,
    parent,
    related = unrelated,
  }: { readonly source?: string; readonly parent?: Parent; readonly related?: Related } = {},
): Model | undefined {
  const known = models.get(profile);
  if (known?.name === name && known.parent === parent?.schema && isSameRelated(known.related, related))
    return known.model;
  const file = { ...inferredFile(profile, related, parent), ...(source !== undefined && { source }) };
  const schemas = [...related.schemas, schema, ...(parent ? [parent.schema] : [])];
  const { model } = buildModel(name, file, schemas);
  models.set(profile, { name, model, parent: parent?.schema, related });
  return model;
}

/** The dashboard of a model that no dashboard was made for; `version` is that of its data. */
export function inferredOverview(
  model: Model,
  profile: TableProfile,
  version: string,
  related: Readonly<Record<string, TableProfile>> = {},
): Overview {
  const known = overviews.get(model);
  if (known?.profile === profile && known.version === version) return known.overview;
  const document = inferOverview(model, profile, related);
  const overview = { document, revision: contentHash(JSON.stringify(document) + version) };
  overviews.set(model, { profile, version, overview });
  return overview;
}
