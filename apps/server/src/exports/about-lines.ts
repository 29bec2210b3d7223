import {
  chartMessagesIn,
  describeCondition,
  describeSelection,
  describeTimes,
  formatDay,
} from '@belvedere/chart';
import type { Model } from '@belvedere/model';
import { hasNoQuery, resolvePeriod, type FieldFilter, type Period } from '@belvedere/query';
import { titleOf } from '../presenters/tile-title.ts';
import { clockOf, dataTime } from '../queries/data-times.ts';
import { shownConditions } from '../queries/tile-filters.ts';
import { tileModel, type DashboardContext } from '../queries/dashboard-query-context.ts';
import { modelOf } from '../queries/models/visible-models.ts';
import type { AboutLines } from './formats/write-xlsx.ts';

/** Describes an exported file: its origin, its filters, and how new its data is. */
export async function aboutLines(
  context: DashboardContext,
  title: string,
  locale: string,
): Promise<AboutLines> {
  const { dashboard, queryContext } = context;
  const model =
    dashboard.model && queryContext.workspace.models.has(dashboard.model)
      ? modelOf(queryContext.workspace, dashboard.model)
      : undefined;
  const newest = model && (await dataTime(context, model).catch(() => undefined));
  const words = chartMessagesIn(locale).about;
  const filters = model ? await filterTexts(context, model, locale) : [];
  const selected = selectionTexts(context, locale);
  return [
    ['Belvedere', title],
    [words.dashboard, dashboard.title],
    [words.filters, filters.length > 0 ? filters.join(' · ') : '–'],
    ...(selected.length > 0 ? [[words.selected, selected.join(' · ')] as const] : []),
    [words.zone, queryContext.zone],
    ...(newest === undefined ? [] : [[words.dataTime, formatDay(newest, locale)] as const]),
    [words.made, `${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC`],
  ];
}

const isPeriod = (condition: FieldFilter): condition is Period => 'last' in condition || 'this' in condition;

/** Describes each condition as the page's filter bar does, relative ranges with their dates. */
async function filterTexts(context: DashboardContext, model: Model, locale: string): Promise<string[]> {
  const conditions = shownConditions(context, model);
  const clock = conditions.some(({ condition }) => isPeriod(condition))
    ? await clockOf(context, model)
    : undefined;
  return conditions.map(({ field, label, condition }) => {
    const text = describeCondition(condition, locale, model.dimensions[field]?.format);
    if (!clock || !isPeriod(condition)) return `${label}: ${text}`;
    const { from, below } = resolvePeriod(condition, clock);
    return `${label}: ${text} (${describeTimes(from, below, locale)})`;
  });
}

/** Describes each tile's selection as the page's filter bar does. */
function selectionTexts(context: DashboardContext, locale: string): string[] {
  const tiles = new Map(context.dashboard.pages.flatMap(page => Object.entries(page.tiles)));
  return Object.entries(context.state.selections).flatMap(([id, boxes]) => {
    const tile = tiles.get(id);
    if (!tile || boxes.length === 0 || hasNoQuery(tile)) return [];
    const model = tileModel(context, tile);
    const text = describeSelection(boxes, locale, field => model.dimensions[field]?.format);
    return [`${titleOf(tile, model, locale) || id}: ${text}`];
  });
}
