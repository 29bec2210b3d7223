import type { DashboardSummary } from '@belvedere/api';
import { hasTag, keeps, type HomeFilter, type Viewer } from './home-filters.ts';

/** The number of dashboards with thumbnails. */
const maxCards = 8;

/** The dashboards that a user asks Home for. */
export interface HomeSelection {
  readonly folder: string | undefined;
  readonly filter: HomeFilter | undefined;
  readonly tag: string | undefined;
}

/** Whether a selection of Home keeps a dashboard. */
export function isSelected(
  dashboard: DashboardSummary,
  { folder, filter, tag }: HomeSelection,
  viewer: Viewer,
): boolean {
  return (
    (folder === undefined || dashboard.folder === folder || dashboard.folder.startsWith(`${folder}/`)) &&
    (filter === undefined || keeps(filter, dashboard, viewer)) &&
    (tag === undefined || hasTag(dashboard, tag))
  );
}

/** What Home shows: each dashboard once, as a card or in the table. */
interface HomeList {
  readonly cards: readonly DashboardSummary[];
  readonly others: readonly DashboardSummary[];
  /** The overviews of look-up tables among the others, which are folded at first. */
  readonly folded: readonly DashboardSummary[];
}

/** The user's own order: favourites first, then recent ones, then the others. */
interface HomeOrder {
  readonly favourites: readonly string[];
  /** The IDs of dashboards, the newest first. */
  readonly recent: readonly string[];
}

/**
 * Divides the dashboards into cards and rows. Only the whole list has cards.
 * @param all the dashboards of the workspace
 * @param found those of them that are searched for or selected; undefined for the whole list
 */
export function homeList(
  all: readonly DashboardSummary[],
  found: readonly DashboardSummary[] | undefined,
  { favourites, recent }: HomeOrder,
): HomeList {
  if (found) return { cards: [], others: found, folded: [] };
  const rank = ({ id }: DashboardSummary) =>
    favourites.includes(id) ? favourites.indexOf(id) - 1000 : recent.includes(id) ? recent.indexOf(id) : 1000;
  const isFolded = (dashboard: DashboardSummary) =>
    isLookup(dashboard) && !favourites.includes(dashboard.id) && !all.every(isLookup);
  const saved = all.filter(dashboard => dashboard.origin === 'saved');
  const cards = (saved.length > 0 ? saved : all)
    .filter(dashboard => !isFolded(dashboard))
    .toSorted((one, other) => rank(one) - rank(other))
    .slice(0, maxCards);
  const others = all.filter(one => !cards.includes(one));
  return { cards, others, folded: cards.length > 0 ? others.filter(isFolded) : [] };
}

/** Whether this is the overview of a table that only describes or connects others, as a code list. */
const isLookup = (dashboard: DashboardSummary) => dashboard.isLookup === true;

/** Each folder that dashboards are in, with how many there are in it and below it. */
export function foldersOf(dashboards: readonly DashboardSummary[]): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const { folder } of dashboards) {
    const steps = folder === '' ? [] : folder.split('/');
    steps.forEach((_, i) =>
      counts.set(steps.slice(0, i + 1).join('/'), (counts.get(steps.slice(0, i + 1).join('/')) ?? 0) + 1),
    );
  }
  return [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1));
}
