import type { DashboardState } from '@belvedere/api';
import type { DashboardContext } from '../queries/dashboard-query-context.ts';

/** Returns the dashboard's state as seen from each of its pages, or from those with these indexes. */
export function pagesOf(context: DashboardContext, wanted?: readonly number[]): DashboardContext[] {
  const pages = [...context.dashboard.pages.keys()].filter(page => wanted?.includes(page) ?? true);
  return pages.map(page => ({
    ...context,
    state: { ...context.state, page } satisfies DashboardState,
  }));
}
