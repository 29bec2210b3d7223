import { freeName } from '@belvedere/document';
import { lookupTables, type Model, type Relationship, type Steps, type TableProfile } from '@belvedere/model';
import { schemaIn, schemaInSource, schemaOf } from '../assemble-model.ts';
import { inferredModel, parentOf, relatedTo, type Related } from '../documents/inferred-models.ts';
import type { Documents } from '../documents/read-documents.ts';
import type { SourceState } from '../sources/source.ts';
import type { TableState, WorkspaceModel } from '../workspace.ts';
import { hasOwnTime, profilesOfFiles, profilesOfSource, relatedInSource } from './table-profiles.ts';

/** A table without a model of its own, with the model inferred from it. */
export interface InferredModel {
  readonly found: WorkspaceModel;
  readonly profile: TableProfile;
  /** The tables that it refers to, whose fields are in the model. */
  readonly related: Related;
}

/** Infers a model for each imported table without a model file, each in a step. */
export function* inferFileModels(
  documents: Pick<Documents, 'models'>,
  tables: ReadonlyMap<string, TableState>,
  relationships: readonly Relationship[],
): Steps<Map<string, InferredModel>> {
  const profiles = profilesOfFiles(tables);
  const lookups = lookupTables(relationships, name => hasOwnTime(profiles.get(name)));
  const inferred = new Map<string, InferredModel>();
  for (const { name, imported } of tables.values()) {
    yield;
    if (!imported || documents.models.has(name)) continue;
    const { profile } = imported;
    const parent = parentOf(imported, called => schemaIn(tables, called));
    const related = relatedTo(
      profile,
      relationships,
      profiles,
      called => schemaIn(tables, called)!,
      imported.parent?.table,
    );
    const model = inferredModel(name, profile, schemaOf(imported), { ...(parent && { parent }), related });
    if (model) inferred.set(name, { found: foundModel(model, lookups.has(name)), profile, related });
  }
  return inferred;
}

/** Infers a model for each described table of a database that no model describes, each in a step. */
export function* inferSourceModels(
  source: SourceState,
  relationships: readonly Relationship[],
  models: ReadonlyMap<string, WorkspaceModel>,
  names: Set<string>,
): Steps<Map<string, InferredModel>> {
  const isDescribed = new Set(
    [...models.values()].filter(({ model }) => model.source === source.name).map(({ model }) => model.table),
  );
  const profiles = profilesOfSource(source);
  const lookups = lookupTables(relationships, name => hasOwnTime(profiles.get(name)));
  const inferred = new Map<string, InferredModel>();
  for (const [called, profile] of profiles) {
    yield;
    if (isDescribed.has(called)) continue;
    const name = freeName(`${source.name}_${called}`, names);
    const related = relatedInSource(source, profile, relationships);
    const schema = schemaInSource(source, called);
    const model = inferredModel(name, profile, schema, { source: source.name, related });
    if (model) inferred.set(name, { found: foundModel(model, lookups.has(called)), profile, related });
  }
  return inferred;
}

function foundModel(model: Model, isLookup: boolean): WorkspaceModel {
  return { model, isGuessed: true, problems: [], ...(isLookup && { isLookup: true as const }) };
}
