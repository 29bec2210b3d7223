import { keptDetail } from '@belvedere/api';
import { assembleDashboard } from '../assemble-dashboard.ts';
import type { Workspace, WorkspaceDashboard } from '../workspace.ts';
import type { Documents } from './read-documents.ts';

/** Returns a dashboard with its errors as they are among the models of `granted`: they name no other models. */
export function withVisibleProblems(
  found: WorkspaceDashboard,
  { dashboards, translations }: Pick<Documents, 'dashboards' | 'translations'>,
  granted: Workspace,
): WorkspaceDashboard {
  const text = dashboards.get(found.id);
  if (!text || found.problems.length === 0) return found;
  const seen = assembleDashboard(found.id, text, translations.get(found.id), granted);
  const position = ({ file, path: at }: { readonly file: string; readonly path: string }) => `${file} ${at}`;
  const visible = new Map(seen.problems.map(problem => [position(problem), problem]));
  return {
    ...found,
    problems: found.problems.map(({ suggestion: _, ...problem }) => ({
      ...(visible.get(position(problem)) ?? { ...problem, message: keptDetail }),
    })),
    brokenTiles: Object.fromEntries(
      Object.keys(found.brokenTiles).map(tile => [tile, seen.brokenTiles[tile] ?? keptDetail]),
    ),
  };
}
