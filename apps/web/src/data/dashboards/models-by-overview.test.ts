import { expect, test } from 'vitest';
import { modelsByOverview } from './models-by-overview.ts';

test('models are in the order of their overviews on Home, after those without one', () => {
  const models = [{ name: 'categories' }, { name: 'order_details' }, { name: 'orders' }, { name: 'margins' }];
  const dashboards = [
    { origin: 'saved', models: ['categories'] },
    { origin: 'overview', models: ['order_details'] },
    { origin: 'overview', models: ['orders'] },
    { origin: 'overview', models: ['categories'] },
  ] as const;
  expect(
    modelsByOverview(
      models,
      dashboards.map(one => ({ ...one, models: [...one.models] })),
    ).map(({ name }) => name),
  ).toEqual(['margins', 'order_details', 'orders', 'categories']);
});
