import { expect, test } from 'vitest';
import { embedAddress } from './embed-address.ts';

test.each([
  ['/embed/sales', { dashboard: 'sales' }],
  ['/embed/sales/', { dashboard: 'sales' }],
  ['/embed/north/sales', { dashboard: 'north/sales' }],
  ['/embed/north%2Fsales', { dashboard: 'north/sales' }],
  ['/embed/sales/tiles/by_day', { dashboard: 'sales', tile: 'by_day' }],
  ['/embed/north/sales/tiles/by_day', { dashboard: 'north/sales', tile: 'by_day' }],
  // A folder of this name needs `%2F`.
  ['/embed/north%2Ftiles%2Fsales', { dashboard: 'north/tiles/sales' }],
  ['/embed/%C3%BCbersicht', { dashboard: 'übersicht' }],
  ['/embed/%', { dashboard: '' }],
  ['/embed/', { dashboard: '' }],
])('%s names %j', (pathname, named) => {
  expect(embedAddress(pathname)).toEqual(named);
});
