import { expect, test } from 'vitest';
import { problemAddress } from './problem-address.ts';

test.each([
  ['documents', 'dashboards/sales.yaml', '/d/sales/edit'],
  ['documents', 'dashboards/North/a b.yaml', '/d/North%2Fa%20b/edit'],
  ['documents', 'models/orders.yml', '/models/orders'],
  ['documents', 'access.yaml', undefined],
  ['documents', 'belvedere.yaml', undefined],
  ['import', 'visits', '/data/files/visits'],
])('a problem of %s in %s is fixed on its own screen', (kind, name, address) => {
  expect(problemAddress(kind, name)).toBe(address);
});
