import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openReports, type ReportFixture } from '../reports/report-fixture.ts';
import { sightOf } from './sight.ts';

let fixture: ReportFixture;
beforeAll(async () => {
  fixture = await openReports();
});
beforeEach(() => fixture.reset());
afterAll(() => fixture?.close());

const sight = (user: string): string => {
  const workspace = fixture.workspace();
  const caller = fixture.parts.directory.callerOf(user, workspace)!;
  return sightOf(caller, workspace.dashboards.get('sales')!.document!, workspace);
};

test('the sight of a dashboard is equal for all users with equal rows and fields', async () => {
  expect(sight('nora')).toBe(sight('nils'));
  expect(sight('nora')).not.toBe(sight('sven'));
  expect(sight('ed')).not.toBe(sight('olga'));
  const before = sight('sven');
  fixture.users.set('sven', { ...fixture.users.get('sven')!, attributes: { regions: ['north'] } });
  expect(sight('sven')).not.toBe(before);
  expect(sight('sven')).toBe(sight('nora'));
});
