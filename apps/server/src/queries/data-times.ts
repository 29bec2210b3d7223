import { isTemporal, type Model } from '@belvedere/model';
import { addUnits, startOf, type Clock } from '@belvedere/query';
import type { DashboardContext } from './dashboard-query-context.ts';
import { knownExtent } from './models/column-profiles.ts';

/** The end of the last day that the data has, for comparisons of periods that go on after it. */
export async function dataEnd(
  context: Pick<DashboardContext, 'queries' | 'queryContext'>,
  model: Model,
): Promise<number | undefined> {
  const newest = await dataTime(context, model);
  return newest === undefined ? undefined : addUnits('day', startOf('day', newest), 1);
}

/** The beginning of the first day that the data has. */
export async function dataStart(
  context: Pick<DashboardContext, 'queries' | 'queryContext'>,
  model: Model,
): Promise<number | undefined> {
  const oldest = (await timeExtent(context, model))[0];
  return oldest === undefined ? undefined : startOf('day', oldest);
}

/**
 * “Now” is the newest time in the data, so “the last 90 days” of data that ended in 2001 are days of 2001.
 */
export async function clockOf(
  context: Pick<DashboardContext, 'queries' | 'queryContext'>,
  model: Model,
): Promise<Clock> {
  return { now: (await dataTime(context, model)) ?? Date.now(), calendar: context.queryContext.calendar };
}

/** The data's newest time as wall-clock time: the watermark if the model has one, else the newest value. */
export async function dataTime(
  context: Pick<DashboardContext, 'queries' | 'queryContext'>,
  model: Model,
): Promise<number | undefined> {
  const newest = await newestTime(context, model);
  const { asOf } = context.queryContext;
  return newest === undefined || asOf === undefined ? newest : Math.min(newest, asOf - 1);
}

async function newestTime(
  context: Pick<DashboardContext, 'queries' | 'queryContext'>,
  model: Model,
): Promise<number | undefined> {
  if (model.watermark && isTemporal(model.watermark.type)) {
    const {
      columns: [marked],
    } = await context.queries.run({ kind: 'watermark', model: model.name }, context.queryContext);
    const value = marked?.values[0];
    if (typeof value === 'number') return value;
  }
  return (await timeExtent(context, model))[1];
}

/** Oldest and newest value of the model's time, each undefined if there is none. */
async function timeExtent(
  context: Pick<DashboardContext, 'queries' | 'queryContext'>,
  model: Model,
): Promise<readonly [number | undefined, number | undefined]> {
  if (!model.time) return [undefined, undefined];
  const known = knownExtent(context.queryContext.workspace, model, model.time);
  if (known) return known;
  const result = await context.queries.run(
    {
      kind: 'groups',
      model: model.name,
      dimensions: [],
      measures: [],
      extents: [model.time],
      where: { kind: 'everything' },
    },
    context.queryContext,
  );
  const edge = (column: number) => {
    const value = result.columns[column]?.values[0];
    return typeof value === 'number' ? value : undefined;
  };
  return [edge(0), edge(1)];
}
