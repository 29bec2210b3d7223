import type { DashboardSummary } from '@belvedere/api';

const homeFilters = ['favourites', 'shared', 'mine', 'verified', 'unused'] as const;
export type HomeFilter = (typeof homeFilters)[number];

/** The current user. */
export interface Viewer {
  readonly userId: string;
  /** The IDs of their favourites. */
  readonly favourites: readonly string[];
}

/** More tags than these are found by the search alone. */
const maxTags = 12;

/** Whether a filter of Home keeps a dashboard. */
export function keeps(filter: HomeFilter, { id, record }: DashboardSummary, viewer: Viewer): boolean {
  switch (filter) {
    case 'favourites':
      return viewer.favourites.includes(id);
    case 'shared':
      return record?.isSharedWithCaller === true;
    case 'mine':
      return record?.owner?.id === viewer.userId;
    case 'verified':
      return record?.verified !== undefined;
    case 'unused':
      return record?.isUnused === true;
  }
}

/** Returns the filters that keep some dashboards but not all, with how many. */
export function filtersFor(
  dashboards: readonly DashboardSummary[],
  viewer: Viewer,
): readonly (readonly [HomeFilter, number])[] {
  return homeFilters
    .map(filter => [filter, dashboards.filter(one => keeps(filter, one, viewer)).length] as const)
    .filter(([, count]) => count > 0 && count < dashboards.length);
}

/** Whether a dashboard has a tag, in any case. */
export function hasTag(dashboard: DashboardSummary, tag: string): boolean {
  return dashboard.tags?.some(one => one.toLowerCase() === tag.toLowerCase()) ?? false;
}

/** Returns the most frequent tags, with how many dashboards have each; those equal but for case are one. */
export function tagsOf(dashboards: readonly DashboardSummary[]): readonly (readonly [string, number])[] {
  const counts = new Map<string, { readonly tag: string; count: number }>();
  for (const tag of dashboards.flatMap(({ tags }) => tags ?? [])) {
    const found = counts.get(tag.toLowerCase()) ?? { tag, count: 0 };
    found.count++;
    counts.set(tag.toLowerCase(), found);
  }
  return [...counts.values()]
    .toSorted((a, b) => b.count - a.count || a.tag.localeCompare(b.tag))
    .slice(0, maxTags)
    .map(({ tag, count }) => [tag, count] as const);
}
