import { searchFromState } from '@belvedere/api';
import type { Browser } from 'playwright-core';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser, openWorkspace, settled, shoot, type OpenWorkspace } from '../../browser.ts';

/* Links to dashboards that have another address since. */

let browser: Browser;
let opened: OpenWorkspace;
const dashboard = (title: string) => `version: 1
title: ${title}
model: trips
filters: [{ field: city }]
pages:
  - title: One
    tiles:
      all: { kind: kpi, title: All, value: { measure: rows }, at: [0, 0, 6, 4] }
`;
const notice = 'This dashboard has a new address';

beforeAll(async () => {
  browser = await launchBrowser();
  opened = await openWorkspace(
    browser,
    {
      'data/trips.csv': 'city,minutes\nAachen,3\nBern,4\nBern,5\n',
      'data/stops.csv': 'stop,size\nA,1\nB,2\n',
      'dashboards/trips-by-city.yaml': dashboard('By city'),
    },
    'By city',
  );
});
afterAll(async () => {
  await opened.close();
  await browser.close();
});

test('a link to a moved dashboard leads to it, with its filters and a notice', async () => {
  const { page, address } = opened;
  const search = new URLSearchParams(
    searchFromState({ page: 0, filters: { city: { oneOf: ['Bern'] } }, selections: {} }),
  );
  await page.goto(`${address}/d/trips-by-city?${search}`);
  await settled(page);
  const figure = () => page.locator('[data-tile=all]').textContent();
  expect(await figure()).toContain('2');
  const link = page.url();
  await page.goto(`${address}/d/trips-by-city/edit`);
  await page.getByLabel('Path (use / for folders)').fill('reports/trips-by-city');
  await page.getByRole('button', { name: 'Move', exact: true }).click();
  await page.waitForURL('**/d/reports%2Ftrips-by-city/edit');

  await page.goto(link);
  await page.waitForURL(/\/d\/reports(%2F|\/)trips-by-city/);
  await settled(page);
  await page.getByText(notice).waitFor();
  expect(await figure()).toContain('2');
  await shoot(page, 'moved-link');
  await page.goto(`${address}/d/reports%2Ftrips-by-city`);
  await settled(page);
  expect(await page.getByText(notice).count()).toBe(0);
});

test('a link to an overview leads to the dashboard that was saved of it', async () => {
  const { page, address, folder, put } = opened;
  await page.goto(`${address}/d/overview%2Fstops`);
  await settled(page);
  await put(
    'dashboards/stops.yaml',
    dashboard('Our stops').replace('trips', 'stops').replace('city', 'stop'),
  );
  // An open page follows, too.
  await page.waitForURL(/\/d\/stops$/);
  await page.getByText(notice).waitFor();
  await page.goto(`${address}/d/overview%2Fstops`);
  await page.waitForURL(/\/d\/stops$/);
  await rm(path.join(folder, 'dashboards', 'stops.yaml'));
});

test('an address that no dashboard ever had is not found', async () => {
  const { page, address } = opened;
  await page.goto(`${address}/d/never`);
  await page.getByText('not found', { exact: false }).first().waitFor();
});
