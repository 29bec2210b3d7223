import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  drag,
  launchBrowser,
  openWorkspace,
  settled,
  shoot,
  violations,
  type OpenWorkspace,
} from '../../browser.ts';

let browser: Browser;
let opened: OpenWorkspace;

beforeAll(async () => {
  browser = await launchBrowser();
  opened = await openWorkspace(
    browser,
    {
      'belvedere.yaml': 'version: 1\ntitle: Trips\ntimezone: UTC\n',
      'data/trips.csv': `day,city,minutes\n${Array.from({ length: 360 }, (_, i) => `2024-${String(Math.floor(i / 30) + 1).padStart(2, '0')}-${String((i % 28) + 1).padStart(2, '0')},${['A', 'B'][i % 2]},${(i * 37) % 180}`).join('\n')}\n`,
      'dashboards/trips.yaml':
        'version: 1\ntitle: Trips\nmodel: trips\npages:\n  - title: One\n    tiles:\n      course: { kind: line, title: Trips each month, x: { field: day, timeUnit: month }, y: { measure: rows }, at: [0, 0, 12, 8] }\n      amounts: { kind: bar, title: Each week, x: { field: day, timeUnit: week }, y: { measure: rows }, at: [12, 0, 12, 8] }\n      cities: { kind: bar, title: Cities, x: { measure: rows }, y: { field: city }, at: [0, 8, 12, 6] }\n',
    },
    'Trips',
  );
  await opened.page.goto(`${opened.address}/d/trips`);
  await settled(opened.page);
});
afterAll(async () => {
  await opened.close();
  await browser.close();
});

const menuOf = async ({ page }: OpenWorkspace, tile: string) => {
  await page.locator(`[data-tile=${tile}]`).hover();
  await page.locator(`[data-tile=${tile}]`).getByRole('button', { name: 'More' }).click();
};
const picture = async ({ page, address }: OpenWorkspace, tile = 'course') =>
  (await page.request.get(`${address}/api/v1/dashboards/trips/export?format=svg&tile=${tile}`)).text();

describe('event notes', () => {
  test('are written on a selection, and shown on every time chart, in files too', async () => {
    const { page } = opened;
    await drag(page, 'course', [0.4, 0.5], [0.6, 0.5]);
    await settled(page);
    await menuOf(opened, 'course');
    await page.getByRole('menuitem', { name: 'Add event note…' }).click();
    const dialog = page.getByRole('dialog');
    const from = await dialog.getByLabel('Date or start date').inputValue();
    expect(from).toMatch(/^2024-0\d-\d\d$/);
    expect((await dialog.getByLabel('End date (optional)').inputValue()) > from).toBe(true);
    expect(await violations(page)).toEqual([]);
    await dialog.getByLabel('Date or start date').fill('2024-05-01');
    await dialog.getByLabel('End date (optional)').fill('2024-04-01');
    await dialog.getByRole('textbox', { name: 'Event' }).fill('Strike');
    await dialog.getByText('The end date is before the start date.').waitFor();
    expect(await dialog.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    await dialog.getByLabel('End date (optional)').fill('2024-05-31');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByRole('listitem').getByText('Strike').waitFor();
    expect(await dialog.getByRole('listitem').textContent()).toContain('May 2024');
    // A note on a single day has no end date.
    await dialog.getByLabel('Date or start date').fill('2024-09-10');
    await dialog.getByRole('textbox', { name: 'Event' }).fill('New line to B');
    await page.keyboard.press('Enter');
    await dialog.getByRole('listitem').nth(1).waitFor();
    await shoot(page, 'notes-dialog-light-1440');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.locator('[data-tile=course] [role=application]').hover({ position: { x: 230, y: 100 } });
    await expect
      .poll(() => page.locator('[data-tile=course] .enter.shadow-float').textContent())
      .toMatch(/^May 2024.*Strike$/);
    await shoot(page, 'notes-light-1440', { isWhole: false });
    for (const tile of ['course', 'amounts'])
      expect(await picture(opened, tile)).toMatch(/Strike.*New line to B|New line to B.*Strike/s);
    expect(await picture(opened, 'cities')).not.toContain('Strike');
    expect(opened.faults).toEqual([]);
  });

  test('are announced to users who move through a chart by keyboard', async () => {
    const { page } = opened;
    await page.locator('[data-tile=course] [role=application]').focus();
    for (let i = 0; i < 5; i++) await page.keyboard.press('ArrowRight');
    expect(await page.locator('[data-tile=course] [aria-live]').textContent()).toBe(
      'May 2024: Trips 30, Change from previous 0 (0.0%), Strike',
    );
  });

  test('appear, change and disappear in other windows at once, and can be restored', async () => {
    const { page, address } = opened;
    const other = await page.context().newPage();
    await other.goto(`${address}/d/trips`);
    await settled(other);
    const seenThere = async () => {
      await other.locator('[data-tile=amounts]').hover();
      await other.locator('[data-tile=amounts]').getByRole('button', { name: 'More' }).click();
      const name = await other.getByRole('menuitem', { name: /event note/i }).textContent();
      await other.keyboard.press('Escape');
      return name;
    };
    expect(await seenThere()).toBe('Event notes (2)…');
    await menuOf(opened, 'amounts');
    await page.getByRole('menuitem', { name: 'Event notes (2)…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Edit “Strike”' }).click();
    expect(await dialog.getByLabel('End date (optional)').inputValue()).toBe('2024-05-31');
    await dialog.getByRole('textbox', { name: 'Event' }).fill('Strike of drivers');
    await page.keyboard.press('Enter');
    await dialog.getByRole('listitem').getByText('Strike of drivers').waitFor();
    await dialog.getByRole('button', { name: 'Delete “New line to B”' }).click();
    await expect.poll(() => dialog.getByRole('listitem').count()).toBe(1);
    await expect.poll(seenThere).toBe('Event notes (1)…');
    await dialog.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => dialog.getByRole('listitem').count()).toBe(2);
    await page.keyboard.press('Escape');
    await other.close();
    expect(opened.faults).toEqual([]);
  });

  test('pass axe on a phone, in the dark theme', async () => {
    const { page } = opened;
    await page.setViewportSize({ width: 390, height: 844 });
    await page.evaluate(() => localStorage.setItem('belvedere-theme', 'dark'));
    await page.reload();
    await settled(page);
    await menuOf(opened, 'course');
    await page.getByRole('menuitem', { name: 'Event notes (2)…' }).click();
    await page.getByRole('dialog').getByRole('listitem').first().waitFor();
    expect(await violations(page)).toEqual([]);
    await shoot(page, 'notes-dialog-dark-390');
    await page.keyboard.press('Escape');
    expect(opened.faults).toEqual([]);
  });

  test('move with their dashboard, and report invalid entries', async () => {
    const { page, address } = opened;
    const post = (call: string, body: object) =>
      page.evaluate(
        async ([to, text]) => {
          const response = await fetch(`/api/v1/dashboards/${to!}`, {
            method: 'POST',
            body: text!,
            headers: { 'x-belvedere': '1', 'content-type': 'application/json' },
          });
          return [response.status, ((await response.json()) as { detail?: string }).detail];
        },
        [call, JSON.stringify(body)],
      );
    expect(await post('trips/event-notes', { from: 'yesterday', text: 'x' })).toEqual([
      400,
      expect.stringContaining('2024-03-09'),
    ]);
    expect(await post('trips/event-notes', { from: '2024-02-01', below: '2024-01-01', text: 'x' })).toEqual([
      400,
      expect.stringContaining('The end must be after the start.'),
    ]);
    expect((await post('trips/event-notes', { from: '2024-02-01', text: '  ' }))[0]).toBe(400);
    expect((await post('nothing/event-notes', { from: '2024-02-01', text: 'x' }))[0]).toBe(404);
    expect((await post('trips/move', { to: 'all/trips' }))[0]).toBe(200);
    const moved = (await (await page.request.get(`${address}/api/v1/dashboards/all%2Ftrips`)).json()) as {
      notes: { text: string }[];
    };
    expect(moved.notes.map(({ text }) => text)).toEqual(['Strike of drivers', 'New line to B']);
    // A new dashboard with the name of one in the trash has none of its notes.
    const answer = (method: string, body?: object) =>
      page.evaluate(
        async ([how, text]) => {
          const response = await fetch('/api/v1/dashboards/all%2Ftrips', {
            method: how!,
            headers: { 'x-belvedere': '1', ...(text && { 'content-type': 'application/json' }) },
            ...(text && { body: text }),
          });
          return [
            response.status,
            (await response.json()) as { notes?: unknown[]; document?: object },
          ] as const;
        },
        [method, body && JSON.stringify(body)] as const,
      );
    const [, { document }] = await answer('GET');
    expect((await answer('DELETE'))[0]).toBe(200);
    expect((await answer('PUT', { document }))[0]).toBe(200);
    expect((await answer('GET'))[1].notes).toEqual([]);
  });
});
