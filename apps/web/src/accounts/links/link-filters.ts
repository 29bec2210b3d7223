import type { DashboardState, GuestView } from '@belvedere/api';
import type { DashboardFilter } from '@belvedere/document';
import type { FieldFilter } from '@belvedere/query';

/** What guests may change of a filter. */
export type FilterChange = GuestView['filters'][string]['change'];

/** What a filter is set to now: by the page, else by the dashboard; null for all values. */
export function valueNow(
  filter: DashboardFilter,
  { filters }: Pick<DashboardState, 'filters'>,
): FieldFilter | null {
  if (filter.locked !== true && Object.hasOwn(filters, filter.field)) return filters[filter.field] ?? null;
  return filter.default ?? null;
}

/** What can be chosen for a filter: where all values are shown, there is nothing to stay within. */
export function changesFor(filter: DashboardFilter, value: FieldFilter | null): readonly FilterChange[] {
  if (filter.locked === true) return ['no'];
  return value === null ? ['no', 'any'] : ['no', 'within', 'any'];
}

/** The filters of a link as they were chosen, with what they are set to now. */
export function linkFilters(
  filters: readonly DashboardFilter[],
  chosen: Readonly<Record<string, FilterChange>>,
  state: Pick<DashboardState, 'filters'>,
): GuestView['filters'] {
  return Object.fromEntries(
    filters.map(filter => {
      const value = valueNow(filter, state);
      const wanted = chosen[filter.field] ?? 'no';
      const change = changesFor(filter, value).includes(wanted) ? wanted : 'no';
      if (change === 'any') return [filter.field, { change }];
      if (change === 'within' && value !== null) return [filter.field, { change, value }];
      return [filter.field, { change: 'no', value }];
    }),
  );
}
