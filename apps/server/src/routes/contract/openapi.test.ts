import { contract } from '@belvedere/api';
import { expect, test } from 'vitest';
import { headingOfPath } from './openapi.ts';

test('every path has a heading in the description', () => {
  for (const { path } of Object.values(contract)) expect(headingOfPath(path)).toBeTruthy();
  expect(headingOfPath('/api/v1/dashboards/:id/query')).toBe('Dashboards');
  expect(() => headingOfPath('/api/v1/unheard-of')).toThrow('no heading');
});
