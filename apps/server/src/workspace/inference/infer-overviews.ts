import { labelFrom } from '@belvedere/document';
import type { Steps } from '@belvedere/model';
import { inferredOverview, profilesOf } from '../documents/inferred-models.ts';
import type { SourceState } from '../sources/source.ts';
import type { TableState, WorkspaceDashboard, WorkspaceModel } from '../workspace.ts';
import type { InferredModel } from './infer-models.ts';

/** Generates overviews of files' tables, also of those that are still being imported, each in a step. */
export function* inferFileOverviews(
  tables: ReadonlyMap<string, TableState>,
  models: ReadonlyMap<string, WorkspaceModel>,
  inferred: ReadonlyMap<string, InferredModel>,
): Steps<WorkspaceDashboard[]> {
  const overviews: WorkspaceDashboard[] = [];
  for (const { name, state, imported } of tables.values()) {
    yield;
    const { model } = models.get(name) ?? {};
    if (imported && model) {
      const overview = inferredOverview(
        model,
        imported.profile,
        imported.fingerprint,
        joinedProfiles(inferred.get(name)),
      );
      overviews.push({ ...readyOverview(name, overview), updated: imported.readAt });
    } else if (state === 'waiting' || state === 'importing')
      overviews.push({
        id: `overview/${name}`,
        origin: 'overview',
        state: 'importing',
        title: labelFrom(name),
        problems: [],
        brokenTiles: {},
        revision: 'importing',
      });
  }
  return overviews;
}

/** Generates overviews of databases' tables, each in a step. */
export function* inferSourceOverviews(
  inferred: ReadonlyMap<string, InferredModel>,
  sources: ReadonlyMap<string, SourceState>,
): Steps<WorkspaceDashboard[]> {
  const overviews: WorkspaceDashboard[] = [];
  for (const [name, { found, profile, related }] of inferred) {
    yield;
    const version = String(sources.get(found.model.source)?.dataVersion);
    overviews.push(readyOverview(name, inferredOverview(found.model, profile, version, profilesOf(related))));
  }
  return overviews;
}

function joinedProfiles(inferred: InferredModel | undefined) {
  return inferred && profilesOf(inferred.related);
}

function readyOverview(name: string, overview: ReturnType<typeof inferredOverview>): WorkspaceDashboard {
  return {
    id: `overview/${name}`,
    origin: 'overview',
    state: 'ready',
    ...overview,
    title: overview.document.title,
    problems: [],
    brokenTiles: {},
  };
}
