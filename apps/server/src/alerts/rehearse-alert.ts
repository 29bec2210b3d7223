import type { Point, Series } from '@belvedere/alert';
import { durationMs, type AlertFile } from '@belvedere/document';
import { addUnits, startOf, type Value } from '@belvedere/query';
import { dataTime } from '../queries/data-times.ts';
import { maxPeriodsOf, observe, watchedTile, type Observed, type ObserveOptions } from './observe.ts';

const rehearsedDays = 90;
const dayMs = 86_400_000;
/** A figure is queried once for each day. */
const atOnce = 4;

/**
 * Reads what an alert would have seen over the past 90 days: all complete periods of a series, and a figure as
 * its tile would have shown it at the end of each day.
 * @throws ProblemError, QueryError, EngineError as `observe`
 */
export async function rehearsedValues(alert: AlertFile, options: ObserveOptions): Promise<Observed> {
  if (alert.when.missing !== undefined) return pastAges(alert, options);
  const longer = withLongerRange(alert, options);
  const periods = rehearsedDays + maxPeriodsOf(alert);
  const seen = await observe(longer, { ...options, periods });
  if (seen.unit !== undefined) return seen;
  const { context, model } = watchedTile(alert, options);
  const newest = await dataTime(context, model);
  if (newest === undefined || model.time === undefined) return seen;
  const last = addUnits('day', startOf('day', newest), 1);
  const ends = Array.from({ length: rehearsedDays }, (_, i) => addUnits('day', last, i + 1 - rehearsedDays));
  const days: Observed[] = [];
  for (let i = 0; i < ends.length; i += atOnce)
    days.push(
      ...(await Promise.all(
        ends.slice(i, i + atOnce).map(asOf => observe(alert, { ...options, asOf: asOf })),
      )),
    );
  return { ...seen, series: joinedDays(days, ends) };
}

/** One series per group that occurs on any day. */
function joinedDays(days: readonly Observed[], ends: readonly number[]): Series[] {
  const labels = new Map(days.flatMap(({ series }) => series.map(({ group, label }) => [group, label])));
  return Array.from(labels, ([group, label]) => ({
    group,
    label,
    points: days.map(({ series }, i): Point => {
      const point = series.find(one => one.group === group)?.points.at(-1);
      const earlier = point?.earlier === undefined ? {} : { earlier: point.earlier };
      return { from: ends[i]! - dayMs, below: ends[i]!, value: point?.value ?? null, ...earlier };
    }),
  }));
}

/** A tile that shows only the last days is rehearsed over more of them, unless the alert sets the range. */
function withLongerRange(alert: AlertFile, options: ObserveOptions): AlertFile {
  const { watch } = alert;
  if ('model' in watch) return alert;
  const { context, tile } = watchedTile(alert, options);
  const field = 'x' in tile && tile.x && 'field' in tile.x ? tile.x.field : undefined;
  if (field === undefined || Object.hasOwn(watch.filters ?? {}, field)) return alert;
  const filter = context.dashboard.filters?.find(one => one.field === field);
  const range = filter?.default && 'last' in filter.default ? filter.default.last : undefined;
  const [, count, complete = '', unit] = /^(\d+) (complete )?(day|week)s?$/.exec(range ?? '') ?? [];
  if (filter?.locked || count === undefined) return alert;
  const days = Number(count) * (unit === 'week' ? 7 : 1);
  if (days >= rehearsedDays) return alert;
  return {
    ...alert,
    watch: { ...watch, filters: { ...watch.filters, [field]: { last: `${rehearsedDays} ${complete}days` } } },
  };
}

/** How old the newest data was at the end of each hour or day. */
async function pastAges(alert: AlertFile, options: ObserveOptions): Promise<Observed> {
  const seen = await observe(alert, options);
  const { context, model } = watchedTile(alert, options);
  const { time } = model;
  const newest = await dataTime(context, model);
  if (time === undefined || newest === undefined) return seen;
  const isDate = model.dimensions[time]?.type === 'date';
  const unit = isDate || durationMs(alert.when.missing!) >= 2 * dayMs ? 'day' : 'hour';
  const below = addUnits(unit, startOf(unit, newest), 1);
  const from = addUnits('day', below, -rehearsedDays);
  const { columns } = await context.queries.run(
    {
      kind: 'groups',
      model: model.name,
      dimensions: [{ field: time, timeUnit: unit }],
      measures: [],
      where: { kind: 'range', field: time, from, below },
    },
    context.queryContext,
  );
  const filled = new Set(columns[0]!.values as readonly Value[]);
  const points: Point[] = [];
  let end: number | undefined;
  for (let at = from; at < below; at = addUnits(unit, at, 1)) {
    const next = addUnits(unit, at, 1);
    if (filled.has(at)) end = next;
    if (end !== undefined) points.push({ from: at, below: next, value: next - end });
  }
  return { ...seen, unit, series: [{ group: '', label: '', points }] };
}
