import { buildModel } from '@belvedere/model';
import { expect, test } from 'vitest';
import { measureOf } from './tile-measure.ts';

const { model } = buildModel('trips', { version: 1, table: 'trips', dimensions: { delay: { label: 'Delay', format: '.1f' }, city: {} }, measures: { trips: { expr: 'count(*)' } } }, [{ name: 'trips', columns: [{ name: 'delay', type: 'integer' }, { name: 'city', type: 'text' }] }]);

test.each([['trips', 'Trips', 'count'], ['mean(delay)', 'Mean of delay', 'avg'], ['median(delay)', 'Median of delay', 'median'], ['q1(delay)', 'First quartile of delay', 'quantile'], ['p95(delay)', '95th percentile of delay', 'quantile'], ['distinct(city)', 'Different values of city', 'count'], ['count()', 'Rows', 'count']] as const)('%s is called %s and asks for %s', (name, label, call) => {
  const measure = measureOf(model!, name);
  expect([measure.name, measure.label]).toEqual([name, label]);
  expect(measure.expression).toMatchObject({ kind: 'call', name: call });
});

test('a field’s format holds for what is made of its values, not for how many there are', () => {
  expect([measureOf(model!, 'mean(delay)').format, measureOf(model!, 'distinct(delay)').format]).toEqual(['.1f', 'integer']);
});

test.each([['sum(city)', /no number/], ['mean(dely)', /did you mean `delay`/], ['trps', /did you mean `trips`/], ['mode(delay)', /no aggregate/]] as const)('%s is refused in words', (name, words) => {
  expect(() => measureOf(model!, name)).toThrow(words);
});
