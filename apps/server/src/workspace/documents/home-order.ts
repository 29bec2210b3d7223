import { addsUp, addsUpMoney, isCount, type Model } from '@belvedere/model';
import type { Workspace, WorkspaceDashboard, WorkspaceModel } from '../workspace.ts';

/**
 * Compares dashboards as Home lists them: saved ones by title, then overviews of tables that date and measure
 * something, those with the most rows first, then those that do one of the two, those that only count, those of
 * look-up tables, and last those with nothing but rows.
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
  dashboard: WorkspaceDashboard,
  workspace: Pick<Workspace, 'models' | 'tables'>,
): readonly [group: number, rows: number] {
  const { origin, document } = dashboard;
  if (origin === 'saved') return [0, 0];
  const model = workspace.models.get(document?.model ?? '')?.model;
  if (!document || !model) return [6, 0];
  const rows = rowsOf(model, workspace);
  if (!hasCharts(dashboard)) return [5, rows];
  if (isLookupOverview(dashboard, workspace)) return [4, rows];
  const measures = Object.values(model.measures).some(addsUp);
  if (model.time !== undefined && measures) return [1, rows];
  return [isSubject(model) ? 2 : 3, rows];
}

/** Unrelated tables with fewer rows than this that only count are lists of codes, such as the states of a country. */
const minRowsOfSubject = 100;

/**
 * Whether an overview is generated from a table that only describes or connects others. Such a table has
 * nothing to chart, or neither a time nor amounts and is referred to, tiny, or has only references. Lists inside the
 * rows of another table describe it unless they add up money.
 */
export function isLookupOverview(
  dashboard: WorkspaceDashboard,
  workspace: Pick<Workspace, 'models' | 'tables'>,
): boolean {
  const { origin, document } = dashboard;
  const found = workspace.models.get(document?.model ?? '');
  if (origin === 'saved' || !found) return false;
  if (!hasCharts(dashboard)) return true;
  const { model, isLookup } = found;
  const measures = Object.values(model.measures);
  // Of lists inside the rows of another table, those are subjects that are sold or paid, such as an order's lines.
  if (workspace.tables.get(model.table)?.imported?.parent && !measures.some(addsUpMoney)) return true;
  if (model.time !== undefined || measures.some(addsUp)) return false;
  if (isLookup) return true;
  return measures.every(isCount) && (isBridge(model) || rowsOf(model, workspace) < minRowsOfSubject);
}

/** Whether a table has only references to others, as the tracks of playlists do. */
function isBridge({ joins, dimensions }: Model): boolean {
  const references = new Set(Object.values(joins).flatMap(({ on }) => on.map(({ column }) => column)));
  const own = Object.values(dimensions).flatMap(({ expression }) =>
    expression.kind === 'column' && expression.join === undefined ? [expression.name] : [],
  );
  return references.size > 0 && own.every(column => references.has(column));
}

function hasCharts({ document }: WorkspaceDashboard): boolean {
  return (
    document?.pages.some(page => Object.values(page.tiles).some(({ kind }) => kind !== 'table')) === true
  );
}

function rowsOf({ table }: Model, { tables }: Pick<Workspace, 'tables'>): number {
  return tables.get(table)?.imported?.profile.rows ?? 0;
}

/** Whether a model measures or dates something. */
function isSubject({ time, measures }: Model): boolean {
  return time !== undefined || Object.values(measures).some(one => !isCount(one));
}

/**
 * Compares models as lists of choices show them, so that the first is a good default: saved ones by label, then
 * inferred ones in the order of their overviews on Home, and last those of look-up tables.
 */
export function modelOrder(
  workspace: Pick<Workspace, 'tables'>,
): (a: WorkspaceModel, b: WorkspaceModel) => number {
  const groupOf = ({ model, isGuessed, isLookup }: WorkspaceModel) =>
    !isGuessed ? 0 : isLookup ? 3 : isSubject(model) ? 1 : 2;
  const guessedRows = ({ model, isGuessed }: WorkspaceModel) => (isGuessed ? rowsOf(model, workspace) : 0);
  return (a, b) =>
    groupOf(a) - groupOf(b) || guessedRows(b) - guessedRows(a) || (a.model.label < b.model.label ? -1 : 1);
}
