import { calendarOf } from '@belvedere/document';
import type { Model } from '@belvedere/model';
import type { Answer } from '@belvedere/engine';
import { addUnits, allOf, type AxisRequest, type Filter } from '@belvedere/query';
import { expect, test } from 'vitest';
import { settleAxes } from './settle-axes.ts';

const model = { name: 'flights', dimensions: { day: { name: 'day', label: 'Day', type: 'date' }, at: { name: 'at', label: 'At', type: 'instant' } }, measures: {} } as unknown as Model;
const on = (field: string, from?: string, below?: string): Filter => ({ kind: 'range', field, ...(from && { from: Date.parse(from) }), ...(below && { below: Date.parse(below) }) });
const request = (field: string): AxisRequest => ({ channel: 'x', field, kind: 'times', encoding: { field }, limit: 2000 });
const nothingIsAsked = { ask: () => Promise.reject<Answer>(new Error('asked')), knownExtent: () => undefined, knownDistinct: () => undefined, calendar: calendarOf({}) };
const settled = async (field: string, ...filters: Filter[]) => {
  const { axes: [axis] } = await settleAxes([request(field)], 'rows', model, allOf(filters), nothingIsAsked);
  if (axis?.kind !== 'times') throw new Error('another kind');
  return [axis.unit, new Date(axis.from).toISOString().slice(0, 16), new Date(addUnits(axis.unit, axis.from, axis.count)).toISOString().slice(0, 16)];
};

test('an axis of time is of what all its filters leave: of a dashboard’s quarter and a stretch of it, the stretch', async () => {
  const quarter = on('day', '2001-04-01', '2001-07-01');
  const stretch = on('day', '2001-05-10', '2001-06-01');
  for (const filters of [[quarter, stretch], [stretch, quarter], [stretch, on('day', '2001-04-01'), on('at', '1990-01-01', '1991-01-01')]]) expect(await settled('day', ...filters)).toEqual(['day', '2001-05-10T00:00', '2001-06-01T00:00']);
});

test('dates have no hours, however few they are; times do', async () => {
  expect(await settled('day', on('day', '2001-05-10', '2001-05-12'))).toEqual(['day', '2001-05-10T00:00', '2001-05-12T00:00']);
  expect(await settled('at', on('at', '2001-05-10', '2001-05-12'))).toEqual(['hour', '2001-05-10T00:00', '2001-05-12T00:00']);
});
