import { isCount, type Model } from '@belvedere/model';
import type { Workspace, WorkspaceDashboard, WorkspaceModel } from '../workspace.ts';

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
  const hasCharts = document.pages.some(page =>
    Object.values(page.tiles).some(({ kind }) => kind !== 'table'),
  );
  return [isSubject(model) ? 1 : hasCharts ? 2 : 3, tables.get(model.table)?.imported?.profile.rows ?? 0];
}

/** Whether a model measures or dates something. */
function isSubject({ time, measures }: Model): boolean {
  return time !== undefined || Object.values(measures).some(one => !isCount(one));
}

/**
 * Compares models as lists of choices show them, so that the first is a good default: saved ones by label, then
 * inferred ones in the order of their overviews on Home, and last those of look-up tables.
 */
export function modelOrder({
  tables,
}: Pick<Workspace, 'tables'>): (a: WorkspaceModel, b: WorkspaceModel) => number {
  const groupOf = ({ model, isGuessed, isLookup }: WorkspaceModel) =>
    !isGuessed ? 0 : isLookup ? 3 : isSubject(model) ? 1 : 2;
  const rowsOf = ({ model, isGuessed }: WorkspaceModel) =>
    isGuessed ? (tables.get(model.table)?.imported?.profile.rows ?? 0) : 0;
  return (a, b) =>
    groupOf(a) - groupOf(b) || rowsOf(b) - rowsOf(a) || (a.model.label < b.model.label ? -1 : 1);
}
