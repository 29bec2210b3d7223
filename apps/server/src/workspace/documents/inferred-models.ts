import type { Dashboard } from '@belvedere/document';
import type { ImportedTable } from '@belvedere/engine';
import {
  buildModel,
  inferModel,
  inferOverview,
  type Model,
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
  { readonly name: string; readonly model: Model | undefined; readonly parent: TableSchema | undefined }
>();
const overviews = new WeakMap<
  Model,
  { readonly profile: TableProfile; readonly version: string; readonly overview: Overview }
>();

export interface Overview {
  readonly document: Dashboard;
  readonly revision: string;
}

/** Guesses what a table that has just been read will be shown by, a part at a time, so that others are answered in between. */
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

/** The model `name` of a table nobody has described, in `source` or among the files. */
export function inferredModel(
  name: string,
  profile: TableProfile,
  schema: TableSchema,
  { source, parent }: { readonly source?: string; readonly parent?: Parent } = {},
): Model | undefined {
  const known = models.get(profile);
  if (known?.name === name && known.parent === parent?.schema) return known.model;
  const file = {
    ...inferModel(profile),
    ...(source !== undefined && { source }),
    ...(parent && { joins: parent.joins }),
  };
  const { model } = buildModel(name, file, [schema, ...(parent ? [parent.schema] : [])]);
  models.set(profile, { name, model, parent: parent?.schema });
  return model;
}

/** The dashboard of a model that no dashboard was made for; `version` is that of its data. */
export function inferredOverview(model: Model, profile: TableProfile, version: string): Overview {
  const known = overviews.get(model);
  if (known?.profile === profile && known.version === version) return known.overview;
  const document = inferOverview(model, profile);
  const overview = { document, revision: contentHash(JSON.stringify(document) + version) };
  overviews.set(model, { profile, version, overview });
  return overview;
}
