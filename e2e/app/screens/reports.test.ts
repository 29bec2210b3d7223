import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  choose,
  launchBrowser,
  openWorkspace,
  shoot,
  violations,
  type OpenWorkspace,
} from '../../browser.ts';

/* Reports on one person's machine: there are no accounts, so they go to channels. */

let browser: Browser;
let opened: OpenWorkspace;

beforeAll(async () => {
  browser = await launchBrowser();
  opened = await openWorkspace(
    browser,
    {
      'belvedere.yaml': 'version: 1\ntitle: Trips\ntimezone: Asia/Tokyo\n',
      'data/trips.csv': 'day,city,minutes\n2024-01-01,A,10\n2024-01-02,B,20\n',
      'dashboards/trips.yaml':
        'version: 1\ntitle: Trips\nmodel: trips\npages:\n  - title: One\n    tiles:\n' +
        '      cities: { kind: bar, title: Cities, x: { measure: rows }, y: { field: city }, at: [0, 0, 12, 6] }\n',
    },
    'Trips',
  );
});
afterAll(async () => {
  await opened?.close();
  await browser?.close();
});

describe('reports', () => {
  test('an empty list says how to begin', async () => {
    const { page, address } = opened;
    await page.goto(`${address}/reports`);
    await page.getByText('No reports yet.').waitFor();
    expect(await violations(page)).toEqual([]);
    await shoot(page, 'reports-app-empty');
  });

  test('a dashboard leads to a report of it, whose time is shown in its zone and the local one', async () => {
    const { page, address } = opened;
    const body = {
      name: 'ops',
      target: { kind: 'mail', addresses: ['ops@example.org'] },
      limits: { perHour: 60, groupSeconds: 0 },
    };
    await page.evaluate(
      async channel =>
        fetch('/api/v1/channels', {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-belvedere': '1' },
          body: JSON.stringify(channel),
        }).then(answer => answer.text()),
      body,
    );
    await page.goto(`${address}/d/trips`);
    await page.getByRole('button', { name: 'Subscribe…' }).click();
    await page.waitForURL(/\/reports\/new\?dashboard=trips/);
    await page.getByText(/^Next: .*your time$/).waitFor();
    await page.getByRole('combobox', { name: 'Add a channel' }).fill('op');
    await page.getByRole('option', { name: 'ops' }).click();
    await page.getByRole('button', { name: 'Remove #ops' }).waitFor();
    await choose(page.getByRole('button', { name: 'Days' }), 'lastWorkingDay');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.waitForURL(/\/reports\/trips\/edit/);
    const text = await readFile(path.join(opened.folder, 'reports', 'trips.yaml'), 'utf8');
    expect(text).toContain('last working day');
    expect(text).toMatch(/channel: ops/);
    expect(text).not.toContain('owner');
  });

  test('an edit from outside reaches the list, an error with its line', async () => {
    const { page, address, put, folder } = opened;
    const text = await readFile(path.join(folder, 'reports', 'trips.yaml'), 'utf8');
    await put('reports/trips.yaml', `${text}filters:\n  citty: { oneOf: [A] }\n`);
    await page.goto(`${address}/reports/trips`);
    await page.getByText('did you mean `city`?').waitFor();
    await page.getByText('Has errors').waitFor();
    await put('reports/trips.yaml', text);
    await page.getByText('Scheduled', { exact: true }).waitFor();
    // The page may have requested a preview of the invalid text.
    const others = opened.faults.filter(fault => !fault.includes('422'));
    opened.faults.splice(0, Infinity, ...others);
  });

  test('the keyboard reaches everything, and a narrow screen has room for it', async () => {
    const { page, address } = opened;
    await page.setViewportSize({ width: 390, height: 800 });
    await page.goto(`${address}/reports`);
    await page.getByRole('link', { name: 'Trips' }).first().waitFor();
    await page.getByRole('checkbox', { name: 'Select Trips' }).focus();
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: 'Pause (1)' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('Paused', { exact: true }).waitFor();
    expect(await readFile(path.join(opened.folder, 'reports', 'trips.yaml'), 'utf8')).toContain(
      'paused: true',
    );
    expect(await violations(page)).toEqual([]);
    await shoot(page, 'reports-app-390');
    await page.setViewportSize({ width: 1440, height: 900 });
    expect(opened.faults).toEqual([]);
  });
});
