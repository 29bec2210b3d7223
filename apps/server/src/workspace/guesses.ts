import type { Dashboard } from '@belvedere/document';
import { buildModel, guessModel, guessOverview, type Model, type TableProfile, type TableSchema } from '@belvedere/model';
import { setTimeout as turn } from 'node:timers/promises';
import { contentHash } from './content-hash.ts';

/*
 * What is guessed is kept for as long as what it is guessed from: a workspace is put together at every change of anything, and a
 * table of ten thousand columns takes a good part of a second to guess about.
 */
const models = new WeakMap<TableProfile, { readonly name: string; readonly model: Model | undefined }>();
const overviews = new WeakMap<Model, { readonly profile: TableProfile; readonly version: string; readonly overview: Overview }>();

export interface Overview {
  readonly document: Dashboard;
  readonly revision: string;
}

/** Guesses what a table that has just been read will be shown by, a part at a time, so that others are answered in between. */
export async function guessAhead(name: string, profile: TableProfile, schema: TableSchema, version: string): Promise<void> {
  const model = guessedModel(name, profile, schema);
  await turn();
  if (model) guessedOverview(model, profile, version);
  await turn();
}

/** The model `name` of a table nobody has described, in `source` or among the files. */
export function guessedModel(name: string, profile: TableProfile, schema: TableSchema, source?: string): Model | undefined {
  const known = models.get(profile);
  if (known?.name === name) return known.model;
  const { model } = buildModel(name, { ...guessModel(profile), ...(source !== undefined && { source }) }, [schema]);
  models.set(profile, { name, model });
  return model;
}

/** The dashboard of a model that no dashboard was made for; `version` is that of its data. */
export function guessedOverview(model: Model, profile: TableProfile, version: string): Overview {
  const known = overviews.get(model);
  if (known?.profile === profile && known.version === version) return known.overview;
  const document = guessOverview(model, profile);
  const overview = { document, revision: contentHash(JSON.stringify(document) + version) };
  overviews.set(model, { profile, version, overview });
  return overview;
}
