import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser, openWorkspace, shoot, violations, type OpenWorkspace } from '../../browser.ts';

/* The screen of jobs, as an admin sees it. */

let browser: Browser;
let opened: OpenWorkspace;
let page: Page;
beforeAll(async () => {
  browser = await launchBrowser();
  opened = await openWorkspace(
    browser,
    {
      'belvedere.yaml': 'version: 1\ntitle: Shop\n',
      'data/orders.csv': 'day,amount\n2026-01-01,10\n',
      'alerts/many.yaml':
        'version: 1\ntitle: Many rows\nwatch: { model: orders, measure: rows }\nwhen: { above: 0 }\ncheck: 1 minute\n',
    },
    'Shop',
  );
  page = opened.page;
});
afterAll(async () => {
  await opened?.close();
  await browser?.close();
});

test('jobs are listed with their state, by state and kind, and a kind is paused', async () => {
  await page.goto(`${opened.address}/settings/jobs`);
  const list = page.getByRole('list', { name: 'Jobs', exact: true });
  await list.getByText('Alert Many rows').first().waitFor();
  await list.getByText('Done', { exact: true }).first().waitFor();
  const link = list.getByRole('link', { name: 'Alert Many rows' }).first();
  expect(await link.getAttribute('href')).toBe('/alerts/many');
  await page.getByRole('button', { name: 'Pause jobs of type “Alert”' }).click();
  await page.getByRole('button', { name: 'Resume jobs of type “Alert”' }).waitFor();
  await page.getByText('Paused', { exact: true }).waitFor();
  expect(await violations(page)).toEqual([]);
  await shoot(page, 'jobs');
  await page.getByRole('button', { name: 'Status' }).click();
  await page.getByRole('option', { name: 'Failed' }).click();
  await page.getByText('No jobs.').waitFor();
  await page.getByRole('button', { name: 'Resume jobs of type “Alert”' }).click();
  await page.getByRole('button', { name: 'Pause jobs of type “Alert”' }).waitFor();
});

test('on a phone, in the dark, nothing is cut', async () => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto(`${opened.address}/settings/jobs`);
  await page.getByText('Alert Many rows').first().waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  expect(await violations(page)).toEqual([]);
  await shoot(page, 'jobs-phone-dark');
});
