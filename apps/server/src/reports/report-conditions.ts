import type { ReportReason } from '@belvedere/api';
import { durationMs, type ReportFile } from '@belvedere/document';
import { addUnits, hasNoQuery, startOf, wallTimeIn } from '@belvedere/query';
import { partOf } from '../exports/tables/result-part.ts';
import { dataTime } from '../queries/data-times.ts';
import { filtersFor } from '../queries/tile-filters.ts';
import { knownModel, tilesOnPage, type DashboardContext } from '../queries/dashboard-query-context.ts';
import { modelVisibleTo } from '../queries/models/visible-models.ts';
import { queryTile } from '../queries/tiles/query-tile.ts';
import { modelsNamed } from '../workspace/workspace.ts';
import { onPage } from './report-filters.ts';

type Condition = NonNullable<ReportFile['onlyIf']>;

/**
 * Returns why a report is not sent now; undefined if it is. Whether there are rows is asked for each content,
 * see `hasRows`.
 * @param now wall-clock time, ms since 1970
 */
export async function unmetCondition(
  context: DashboardContext,
  { fresh, tile, above, below }: Condition,
  now: number,
): Promise<ReportReason | undefined> {
  if (fresh !== undefined && !(await isFresh(context, durationMs(fresh), now))) return 'not-fresh';
  if (tile === undefined) return undefined;
  const figure = await figureOf(context, tile);
  const holds =
    figure !== undefined &&
    (above === undefined || figure > above) &&
    (below === undefined || figure < below);
  return holds ? undefined : 'condition';
}

/**
 * Whether the data's newest time is recent enough. A date lasts until its end. Without a time in the data,
 * nothing says that it is.
 */
async function isFresh(context: DashboardContext, maxMs: number, now: number): Promise<boolean> {
  const { dashboard, queryContext } = context;
  const names = dashboard.model === undefined ? modelsNamed(dashboard) : [dashboard.model];
  const nowThere = wallTimeIn(queryContext.zone, now);
  let isKnown = false;
  for (const name of names) {
    if (!queryContext.workspace.models.has(name)) continue;
    const model = modelVisibleTo(queryContext, name);
    const newest = await dataTime(context, model);
    if (newest === undefined) continue;
    isKnown = true;
    const type =
      model.watermark?.type ?? (model.time === undefined ? undefined : model.dimensions[model.time]?.type);
    const until = type === 'date' ? addUnits('day', startOf('day', newest), 1) : newest;
    if (nowThere - until > maxMs) return false;
  }
  return isKnown;
}

/** The number of a KPI tile; undefined if the tile is hidden, is no KPI, or has no value. */
async function figureOf(context: DashboardContext, wanted: string): Promise<number | undefined> {
  for (const page of context.dashboard.pages.keys()) {
    const seen = onPage(context, page);
    const found = tilesOnPage(seen).find(([id]) => id === wanted);
    if (found?.[1].kind !== 'kpi') continue;
    const figure = partOf(await queryTile(seen, ...found, 'base'), 'main')?.values[0];
    return figure === undefined || Number.isNaN(figure) ? undefined : figure;
  }
  return undefined;
}

/** Whether any tile of these pages has rows under its filters. */
export async function hasRows(context: DashboardContext, pages: readonly number[]): Promise<boolean> {
  for (const page of pages) {
    const seen = onPage(context, page);
    for (const [tileId, tile] of tilesOnPage(seen)) {
      if (hasNoQuery(tile) || tile.kind === 'text') continue;
      const model = knownModel(seen, tile);
      if (!model) continue;
      const { base } = await filtersFor(seen, model, { tileId, tile });
      const { columns } = await seen.queries.run(
        { kind: 'groups', model: model.name, dimensions: [], measures: ['rows'], where: base },
        seen.queryContext,
      );
      if (Number(columns[0]?.values[0] ?? 0) > 0) return true;
    }
  }
  return false;
}

/**
 * Does nothing if any tile of these pages has a result.
 *
 * @throws the error of the first tile otherwise: a mail that shows nothing but errors helps no recipient
 */
export async function requireResult(context: DashboardContext, pages: readonly number[]): Promise<void> {
  const failures: unknown[] = [];
  for (const page of pages) {
    const seen = onPage(context, page);
    for (const [id, tile] of tilesOnPage(seen)) {
      if (hasNoQuery(tile) || tile.kind === 'text') continue;
      try {
        await queryTile(seen, id, tile, 'base');
        return;
      } catch (error) {
        failures.push(error);
      }
    }
  }
  if (failures.length > 0) throw failures[0];
}
