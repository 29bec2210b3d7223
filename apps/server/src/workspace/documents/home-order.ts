import { isCount } from '@belvedere/model';
import type { Workspace, WorkspaceDashboard } from '../workspace.ts';

/**
 * Compares dashboards as Home lists them: saved ones by title, then overviews of tables that measure or date
 * something, the most rows first, then those of tables that only count, and last those with nothing but rows,
 * as code lists have.
 */
export function homeOrder(
  workspace: Pick<Workspace, 'models' | 'tables'>,
): (a: WorkspaceDashboard, b: WorkspaceDashboard) => number {
  const ranks = new Map<WorkspaceDashboard, readonly [number, number]>();
  const rankOf = (dashboard: WorkspaceDashboard) => {
    if (!ranks.has(dashboard)) ranks.set(dashboard, ranked(dashboard, workspace));
    return ranks.get(dashboard)!;
  };
  return (a, b) => {
    const [group, rows] = rankOf(a);
    const [otherGroup, otherRows] = rankOf(b);
    return group - otherGroup || otherRows - rows || (a.title < b.title ? -1 : 1);
  };
}

/** A group and, of overviews, how many rows its table has. */
function ranked(
  { origin, document }: WorkspaceDashboard,
  { models, tables }: Pick<Workspace, 'models' | 'tables'>,
): readonly [group: number, rows: number] {
  if (origin === 'saved') return [0, 0];
  const model = models.get(document?.model ?? '')?.model;
  if (!document || !model) return [4, 0];
  const isSubject = model.time !== undefined || Object.values(model.measures).some(one => !isCount(one));
  const hasCharts = document.pages.some(page =>
    Object.values(page.tiles).some(({ kind }) => kind !== 'table'),
  );
  return [isSubject ? 1 : hasCharts ? 2 : 3, tables.get(model.table)?.imported?.profile.rows ?? 0];
}
