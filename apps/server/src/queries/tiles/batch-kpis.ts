import type { Tile } from '@belvedere/document';
import type { QueryResult } from '@belvedere/engine';
import type { Model } from '@belvedere/model';
import {
  allOf,
  hasNoQuery,
  comparisonFilter,
  measureOf,
  partialKey,
  decomposeMeasures,
  tileShape,
  type Filter,
} from '@belvedere/query';
import { problemFrom } from '../../http/problems.ts';
import { dataEnd } from '../data-times.ts';
import { filtersFor } from '../tile-filters.ts';
import { tileModel, tilesOnPage, type DashboardContext } from '../dashboard-query-context.ts';

/**
 * Returns the partial aggregates of a KPI tile, in the order of its decomposed measures.
 * A database would scan all rows once for each KPI of a page. KPIs over the same rows therefore send one
 * shared query with the measures of all of them.
 */
export async function queryKpi(
  context: DashboardContext,
  model: Model,
  measures: readonly string[],
  where: Filter,
): Promise<QueryResult> {
  const run = (names: readonly string[]) =>
    context.queries.run(
      { kind: 'cells', model: model.name, axes: [], measures: names, where },
      context.queryContext,
    );
  // The column index counts codes in one pass for any set of measures, and it may not cover every measure of
  // the page.
  if ((model.source === 'files' && model.sql === undefined) || !isQuick(model, measures))
    return run(measures);
  const together = await measuresOf(context, model, where);
  if (!measures.every(name => together.includes(name))) return run(measures);
  try {
    return ownParts(await run(together), model, together, measures);
  } catch (error) {
    // One measure's failure must not fail the others.
    if (together.length > measures.length && errorsByTile.has(problemFrom(error).type)) return run(measures);
    throw error;
  }
}

/** Errors that a single measure's expression can cause, without affecting other measures. */
const errorsByTile: ReadonlySet<string> = new Set([
  'query-failed',
  'column-gone',
  'type-mismatch',
  'function-unsupported',
  'expression-invalid',
]);

/** Returns the measures of every KPI and gauge on the page over the same rows, in the tiles' order. */
async function measuresOf(context: DashboardContext, model: Model, where: Filter): Promise<string[]> {
  const wanted = JSON.stringify(where);
  const measures = await Promise.all(
    tilesOnPage(context).map(([tileId, tile]) => measuresOfTile(tileId, tile).catch(() => [])),
  );
  return [...new Set(measures.flat())];

  /** @throws for a tile with an error; that tile reports it itself */
  async function measuresOfTile(tileId: string, tile: Tile): Promise<readonly string[]> {
    if (
      hasNoQuery(tile) ||
      (tile.kind !== 'kpi' && tile.kind !== 'gauge') ||
      tileModel(context, tile) !== model
    )
      return [];
    const shape = tileShape(tile, model);
    if (shape.kind !== 'cells') return [];
    const { base, selected } = await filtersFor(context, model, { tileId, tile });
    const both = allOf([base, selected]);
    const end = shape.compare && (await dataEnd(context, model));
    const wheres = [base, both].flatMap(filter => [
      filter,
      ...(shape.compare ? [comparisonFilter(filter, model, shape.compare, end)?.filter] : []),
    ]);
    return wheres.some(filter => filter && JSON.stringify(filter) === wanted)
      ? shape.measures.filter(name => isQuick(model, [name]))
      : [];
  }
}

/**
 * Medians and distinct counts take a database many times as long as sums, so other KPIs never wait for them.
 */
function isQuick(model: Model, measures: readonly string[]): boolean {
  return decomposeMeasures(measures.map(name => measureOf(model, name))).parts.every(
    part => part.merge !== 'none',
  );
}

function ownParts(
  result: QueryResult,
  model: Model,
  together: readonly string[],
  measures: readonly string[],
): QueryResult {
  const partsOf = (names: readonly string[]) =>
    decomposeMeasures(names.map(name => measureOf(model, name))).parts;
  const all = partsOf(together).map(partialKey);
  return {
    ...result,
    columns: partsOf(measures).map((part, i) => ({
      ...result.columns[all.indexOf(partialKey(part))]!,
      name: `part${i}`,
    })),
  };
}
