import type { DashboardState } from '@belvedere/api';
import type { ReportFile } from '@belvedere/document';
import { hasNoQuery } from '@belvedere/query';
import { filtersFor } from '../queries/tile-filters.ts';
import { knownModel, tilesOnPage, type DashboardContext } from '../queries/dashboard-query-context.ts';

type Filters = NonNullable<ReportFile['filters']>;

/** Returns a dashboard's state as a report shows it. @param own the filters of one list of recipients */
export function reportState(
  { filters, parameters }: Pick<ReportFile, 'filters' | 'parameters'>,
  own: Filters = {},
  page = 0,
): DashboardState {
  return {
    page,
    filters: { ...filters, ...own },
    selections: {},
    ...(parameters && { parameters }),
  };
}

/** Returns the indexes of the pages that a report shows. */
export function shownPages({ pages }: Pick<ReportFile, 'pages'>, { dashboard }: DashboardContext): number[] {
  const all = [...dashboard.pages.keys()];
  return pages ? all.filter(index => pages.includes(index + 1)) : all;
}

/** The same dashboard as seen from one of its pages. */
export function onPage(context: DashboardContext, page: number): DashboardContext {
  return { ...context, state: { ...context.state, page } };
}

/**
 * Whether each of these fields restricts every tile of the pages. If one does not, for example because a tile
 * has another model, a list of recipients would see rows that are meant for others.
 */
export async function restrictsAll(
  context: DashboardContext,
  pages: readonly number[],
  fields: readonly string[],
): Promise<boolean> {
  const { workspace } = context.queryContext;
  const main = workspace.models.get(context.dashboard.model ?? '')?.model;
  const models = new Set(main ? [main] : []);
  for (const page of pages)
    for (const [, tile] of tilesOnPage(onPage(context, page))) {
      if (hasNoQuery(tile)) continue;
      const model = knownModel(context, tile);
      if (model) models.add(model);
    }
  for (const model of models) {
    const { notApplied } = await filtersFor(context, model);
    if (fields.some(field => notApplied.includes(field))) return false;
  }
  return true;
}
