import type { Browser, Page } from 'playwright-core';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  choose,
  figure,
  launchBrowser,
  openPage,
  settled,
  shoot,
  startCli,
  violations,
  type Opened,
  illustrate,
} from '../browser.ts';

let browser: Browser;
let folder: string;
let cli: Awaited<ReturnType<typeof startCli>>;
let opened: Opened;

const trips = `# Who knows what a trip is?
version: 1
table: trips
time: day
dimensions:
  day: {}
  city: { label: City }   # the one it went to
measures:
  minutes: { expr: sum(minutes), unit: min }
`;

beforeAll(async () => {
  browser = await launchBrowser();
  folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-model-editor-'));
  await writeFile(path.join(folder, 'belvedere.yaml'), 'version: 1\ntitle: Trips\ntimezone: UTC\n');
  for (const name of ['data', 'models']) await mkdir(path.join(folder, name));
  await writeFile(
    path.join(folder, 'data', 'trips.csv'),
    `day,city,minutes,price\n${Array.from({ length: 400 }, (_, i) => `2024-${String((i % 12) + 1).padStart(2, '0')}-${String((i % 28) + 1).padStart(2, '0')},${['A', 'B', 'C', 'D', 'A'][i % 5]},${(i * 37) % 180},${((i * 13) % 90) + 0.5}`).join('\n')}\n`,
  );
  await writeFile(
    path.join(folder, 'data', 'cities.csv'),
    'city,country\nA,Austria\nB,Belgium\nB,Brazil\nC,Chile\n',
  );
  await writeFile(path.join(folder, 'models', 'trips.yaml'), trips);
  cli = await startCli([folder]);
  opened = await openPage(browser, cli.url);
  await opened.page.getByText('cities').first().waitFor();
});
afterAll(async () => {
  await opened.close();
  await browser.close();
  await cli.stop();
  await rm(folder, { recursive: true, force: true });
});

const onDisk = () => readFile(path.join(folder, 'models', 'trips.yaml'), 'utf8');
const state = (page: Page) => page.getByTestId('draft-state');
const preview = (page: Page) => page.getByTestId('preview');
const panel = (page: Page) => page.getByTestId('entry-panel');
const begin = async (page: Page, model = 'trips') => {
  await page.goto(`${opened.address}/models/${model}`);
  await page.locator('[data-entry]').first().waitFor();
};
const save = async (page: Page) => {
  await page.keyboard.press('Control+s');
  await page.getByLabel('Change description').fill('tried');
  await page.keyboard.press('Enter');
  await expect.poll(() => state(page).textContent()).toBe('Saved');
};

describe('a model edited with the mouse', () => {
  test('is opened from its table, without a change', async () => {
    const { page } = opened;
    await page.goto(`${opened.address}/data/files/trips`);
    await page.getByRole('link', { name: 'Edit model' }).click();
    await page.locator('[data-entry="measures.minutes"]').waitFor();
    expect(await state(page).textContent()).toBe('No changes');
    expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    expect(await onDisk()).toBe(trips);
  });

  test('gets another column and a sum, each previewed before anything is saved', async () => {
    const { page } = opened;
    await page.locator('[data-column=price]').click();
    await expect.poll(() => preview(page).textContent()).toContain('90 distinct values in 400 rows');
    await page.getByRole('button', { name: 'Add a measure that sums price' }).click();
    await expect.poll(() => preview(page).textContent()).toContain('across all rows');
    const total = Array.from({ length: 400 }, (_, i) => ((i * 13) % 90) + 0.5).reduce(
      (sum, value) => sum + value,
      0,
    );
    await expect
      .poll(() => preview(page).locator('p').first().textContent())
      .toBe(total.toLocaleString('en'));
    await choose(panel(page).getByLabel('Format'), 'currency');
    await expect.poll(() => preview(page).locator('p').first().textContent()).toMatch(/^\$/);
    await expect.poll(() => state(page).textContent()).toBe('Draft');
    expect(await onDisk()).toBe(trips);
    await shoot(page, 'model-measure-light-1440');
    await illustrate(page, 'models/measure');
  });

  test('shows an error beside a wrong expression, with a suggestion; a fix is previewed at once', async () => {
    const { page } = opened;
    await page.getByRole('button', { name: 'Add measure' }).click();
    await panel(page).getByLabel('Expression').fill('avg(minuets)');
    await expect
      .poll(() => panel(page).getByRole('alert').textContent())
      .toContain('There is no column `minuets`; did you mean `minutes`?');
    await expect
      .poll(() => page.locator('[data-entry="measures.measure"] [aria-label^="There is no column"]').count())
      .toBe(1);
    await panel(page).getByLabel('Expression').fill('avg(minutes)');
    await expect.poll(() => preview(page).textContent()).toContain('across all rows');
    // Including a change from one valid expression to another.
    await panel(page).getByLabel('Expression').fill('max(minutes)');
    await expect
      .poll(() => preview(page).locator('p').first().textContent())
      .toBe(String(Math.max(...Array.from({ length: 400 }, (_, i) => (i * 37) % 180))));
    await panel(page).getByLabel('Expression').fill('avg(minutes)');
    await expect.poll(() => preview(page).locator('p').first().textContent()).toMatch(/\./);
    await panel(page).getByLabel('Name in YAML').fill('mean_minutes');
    await page.keyboard.press('Enter');
    await page.locator('[data-entry="measures.mean_minutes"]').waitFor();
  });

  test('shows how many rows of a join find a match, and the duplicate keys', async () => {
    const { page } = opened;
    await page.getByRole('button', { name: 'Add join' }).click();
    await expect.poll(() => preview(page).textContent()).toContain('240 of 400 rows match one of 4');
    expect(await preview(page).textContent()).toContain('B (2)');
    await page.locator('[data-column="cities.country"]').click();
    await expect.poll(() => preview(page).textContent()).toContain('2 distinct values in 400 rows');
    expect(await preview(page).textContent()).toContain('40.0% null');
    await shoot(page, 'model-join-light-1440');
  });

  test('can undo and redo each step; saving keeps the text of untouched parts', async () => {
    const { page } = opened;
    await page.getByRole('button', { name: 'Undo: Add' }).click();
    await expect.poll(() => page.locator('[data-entry="dimensions.cities_country"]').count()).toBe(0);
    await page.getByRole('button', { name: 'Redo: Add' }).click();
    await page.locator('[data-entry="dimensions.cities_country"]').waitFor();
    await save(page);
    const text = await onDisk();
    expect(text.startsWith('# Who knows what a trip is?\nversion: 1\ntable: trips\ntime: day\n')).toBe(true);
    expect(text).toContain('  city: { label: City }   # the one it went to\n');
    expect(text).toContain('  mean_minutes: { expr: avg(minutes) }\n');
    expect(text).toContain('cities: { table: cities, on: { city: city } }');
    expect(text).toContain('  cities_country: { column: cities.country }\n');
  });

  test('a renamed dimension keeps its column, the model’s time and its dashboards, which are listed', async () => {
    const { page } = opened;
    const dashboard = path.join(folder, 'dashboards', 'days.yaml');
    await mkdir(path.dirname(dashboard), { recursive: true });
    await writeFile(
      dashboard,
      'version: 1\ntitle: Day by day\nmodel: trips\npages:\n  - title: One\n    tiles:\n      # all of them\n      days: { kind: line, x: { field: day, timeUnit: day }, y: { measure: rows } }\n',
    );
    await expect
      .poll(async () =>
        (
          (await (await page.request.get(`${opened.address}/api/v1/dashboards`)).json()) as {
            dashboards: { id: string }[];
          }
        ).dashboards.map(({ id }) => id),
      )
      .toContain('days');
    await page.locator('[data-entry="dimensions.day"]').click();
    await panel(page).getByLabel('Name in YAML').fill('on_day');
    await page.keyboard.press('Enter');
    await page.locator('[data-entry="dimensions.on_day"]').waitFor();
    await expect.poll(() => preview(page).textContent()).toContain('Jan 1, 2024');
    await page.keyboard.press('Control+s');
    await page.getByRole('dialog').getByText('day → on_day').waitFor();
    expect(await page.getByRole('dialog').textContent()).toContain(
      'Update the dashboard that uses itDay by day',
    );
    await shoot(page, 'model-follow-light-1440');
    await page.getByLabel('Change description').press('Enter');
    await expect.poll(() => state(page).textContent()).toBe('Saved');
    expect(await readFile(dashboard, 'utf8')).toContain(
      '      # all of them\n      days: { kind: line, x: { field: on_day, timeUnit: day }, y: { measure: rows } }\n',
    );
    expect(await onDisk()).toMatch(/time: on_day\n/);
    expect(await onDisk()).toMatch(/ {2}on_day: \{ column: day \}\n/);
  });

  test('has earlier revisions in its history, and restores them as a step', async () => {
    const { page } = opened;
    await page.getByRole('button', { name: 'History' }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /Changed on disk/ })
      .last()
      .click();
    await page.getByRole('dialog').getByRole('button', { name: 'Restore this version' }).click();
    await expect.poll(() => page.locator('[data-entry="measures.mean_minutes"]').count()).toBe(0);
    await page.getByRole('button', { name: /^Undo: / }).click();
    await page.locator('[data-entry="measures.mean_minutes"]').waitFor();
    expect(await page.locator('[data-entry="dimensions.on_day"]').count()).toBe(1);
  });

  test('defines a hierarchy that drill-downs follow, and filters that every dashboard shows and can clear', async () => {
    const { page } = opened;
    // The columns are known without the server, whose model has no country at the moment.
    await page.getByRole('button', { name: /^Redo: / }).click();
    await page.locator('[data-entry="dimensions.day"]').click();
    await expect.poll(() => preview(page).textContent()).toContain('Jan 1, 2024');
    let release = () => {};
    const held = new Promise<void>(resolve => (release = resolve));
    await page.route('**/api/v1/models/trips/draft', async route => {
      await held;
      await route.continue();
    });
    await page.getByRole('button', { name: /^Undo: / }).click();
    await page.getByRole('button', { name: 'Add hierarchy' }).click();
    await expect
      .poll(() => page.locator('[data-entry="hierarchies.levels"] code').textContent())
      .toBe('city › cities_country');
    release();
    await page.unrouteAll({ behavior: 'wait' });
    await expect
      .poll(() =>
        preview(page)
          .locator('li')
          .allInnerTexts()
          .then(levels => levels.map(level => level.replace('\n', ' '))),
      )
      .toEqual(['city 4 values', 'cities_country 2 values']);
    await page.getByRole('button', { name: 'Add filter' }).click();
    await page.getByRole('list', { name: 'Values' }).getByText('A', { exact: true }).click();
    await page.getByRole('list', { name: 'Values' }).getByText('(empty)').click();
    await expect.poll(() => page.locator('[data-entry="filters.city"] code').textContent()).toContain('A');
    await shoot(page, 'model-filter-light-1440');
    await save(page);
    expect(await onDisk()).toContain('  levels: [city, cities_country]\n');
    expect(await onDisk()).toContain('  city: { noneOf: [A] }\n');
    await mkdir(path.join(folder, 'dashboards'), { recursive: true });
    await writeFile(
      path.join(folder, 'dashboards', 'where.yaml'),
      'version: 1\ntitle: Where\nmodel: trips\npages:\n  - title: One\n    tiles:\n      all: { kind: kpi, value: { measure: rows }, at: [0, 0, 6, 4] }\n      cities: { kind: bar, x: { measure: rows }, y: { field: city }, at: [6, 0, 12, 8] }\n',
    );
    await page.waitForTimeout(400);
    await page.goto(`${opened.address}/d/where`);
    await settled(page);
    expect(await figure(page, 'all')).toBe('240');
    await page.getByRole('button', { name: 'Clear the City filter' }).click();
    await expect.poll(() => figure(page, 'all')).toBe('400');
    await page.reload();
    await settled(page);
    expect(await figure(page, 'all')).toBe('400');
    await page.getByRole('button', { name: 'Reset' }).click();
    await expect.poll(() => figure(page, 'all')).toBe('240');
    const chart = page.locator('[data-tile=cities]').getByRole('application');
    await chart.focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.locator('[data-tile=cities]').hover();
    await page.locator('[data-tile=cities]').getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Drill down' }).click();
    await expect.poll(() => page.url()).toContain('d.cities=');
    await begin(page);
  });

  test('a new filter on any field begins unfiltered, and is shown so on dashboards', async () => {
    const { page } = opened;
    await begin(page);
    const rows = page.locator('[data-entry^="filters."]');
    const add = page.getByRole('button', { name: 'Add filter' });
    while ((await add.count()) > 0 && (await rows.count()) < 8) {
      const before = await rows.count();
      await add.click();
      await expect.poll(() => rows.count()).toBe(before + 1);
    }
    expect(await rows.locator('code').allTextContents()).toEqual([
      'all except A',
      'all except (empty)',
      'All',
      'All',
    ]);
    await save(page);
    expect(await onDisk()).toContain('  price: {}\n');
    await page.goto(`${opened.address}/d/where?f.price=..`);
    await settled(page);
    expect(await figure(page, 'all')).toBe('240');
    expect(opened.faults).toEqual([]);
    await begin(page);
  });

  test('hidden fields are not offered, and still work', async () => {
    const { page } = opened;
    await page.locator('[data-entry="measures.mean_minutes"]').click();
    await panel(page).getByText('Hidden').click();
    await save(page);
    await page.goto(`${opened.address}/explore/trips`);
    await page.getByRole('button', { name: 'Save to dashboard' }).waitFor();
    const models = (await (await page.request.get(`${opened.address}/api/v1/models/trips`)).json()) as {
      measures: { name: string; isHidden?: boolean }[];
    };
    expect(models.measures.find(measure => measure.name === 'mean_minutes')?.isHidden).toBe(true);
    await page.locator('[data-shelf=y] button[aria-haspopup=listbox]').click();
    await page.getByRole('option').first().waitFor();
    expect(await page.locator('[role=option][data-key="=mean_minutes"]').count()).toBe(0);
    await page.keyboard.press('Escape');
  });
});

describe('a model edited as text', () => {
  const typeIn = async (page: Page) => {
    await page.getByRole('tab', { name: 'YAML' }).click();
    await page.locator('.cm-content').click();
  };

  /** A new line under another, as deep as it. */
  const below = async (page: Page, line: string) => {
    await page.locator('.cm-line', { hasText: line }).last().click();
    // Moves away from the text, where the key would open the completion.
    await page.mouse.move(700, 700);
    // To the end of the visual line, then, if it is wrapped, to the end of the whole line.
    await page.keyboard.press('End');
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
  };

  test('columns, functions and keys are completed where they are valid; the page follows the text', async () => {
    const { page } = opened;
    await begin(page);
    await typeIn(page);
    await below(page, 'mean_minutes');
    await page.keyboard.type('longest: { expr: ma');
    await page.locator('.cm-tooltip-autocomplete li', { hasText: 'max' }).first().waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.type('x(minu');
    await page.locator('.cm-tooltip-autocomplete li', { hasText: 'minutes' }).first().waitFor();
    await page.waitForTimeout(150);
    await page.keyboard.press('Enter');
    await page.keyboard.press('End');
    await page.locator('[data-entry="measures.longest"]').waitFor();
    await expect.poll(() => preview(page).textContent()).toContain('179');
    await shoot(page, 'model-text-light-1440');
  });

  test('an unknown name is marked, and corrected by a click', async () => {
    const { page } = opened;
    await below(page, 'longest');
    await page.keyboard.type('cheapest: { expr: min(prise');
    await page.keyboard.press('Escape');
    // Once the server has reported the errors, and nothing is drawn again.
    await page
      .locator('[data-entry="measures.cheapest"] [aria-label^="There is no column `prise`"]')
      .waitFor();
    await page.locator('.cm-lintRange-error', { hasText: /^prise$/ }).hover();
    await page.getByRole('button', { name: 'Change to price' }).click();
    await expect
      .poll(() => page.locator('[data-entry="measures.cheapest"]').textContent())
      .toContain('min(price)');
    await save(page);
    expect(await onDisk()).toMatch(/cheapest: \{ expr: min\(price\) ?\}/);
  });

  test('a change on the disk is merged with the draft', async () => {
    const { page } = opened;
    await page.locator('[data-entry="measures.minutes"]').click();
    await panel(page).getByLabel('Label').fill('Minutes on the way');
    await expect.poll(() => state(page).textContent()).toBe('Draft');
    await writeFile(
      path.join(folder, 'models', 'trips.yaml'),
      (await onDisk()).replace('{ label: City }', '{ label: Town }'),
    );
    await page.getByText('The file was changed elsewhere.').waitFor();
    await save(page);
    expect(await onDisk()).toContain('{ label: Town }   # the one it went to');
    expect(await onDisk()).toContain('label: Minutes on the way');
  });
});

test('an inferred model is a draft without a file until it is saved, with or without changes', async () => {
  const { page } = opened;
  await begin(page, 'cities');
  expect(await state(page).textContent()).toBe('Generated, not saved');
  await save(page);
  expect(await readFile(path.join(folder, 'models', 'cities.yaml'), 'utf8')).toContain('table: cities');
});

describe('a calculated field', () => {
  const field = (page: Page) => page.getByRole('dialog', { name: 'Add calculated field' });

  test('is completed, checked and previewed in Explore, and saved in the model', async () => {
    const { page } = opened;
    const before = await onDisk();
    await page.goto(`${opened.address}/explore/trips`);
    await page.getByRole('button', { name: 'Add field…' }).click();
    await field(page).getByLabel('Name').fill('Price per minute');
    await field(page).getByLabel('Expression').pressSequentially('sum(pri');
    await page.getByRole('option', { name: 'price' }).waitFor();
    await page.keyboard.press('Enter');
    await page.keyboard.type(') / sum(minuets)');
    await field(page).getByText('There is no column `minuets`; did you mean `minutes`?').waitFor();
    expect(await field(page).getByRole('button', { name: 'Add field' }).isDisabled()).toBe(true);
    await field(page).getByLabel('Expression').fill('sum(price) / sum(minutes)');
    await field(page).getByText('across all rows').waitFor();
    expect(await violations(page)).toEqual([]);
    await shoot(page, 'calculated-field-light-1440');
    await field(page).getByRole('button', { name: 'Add field' }).click();
    await field(page).waitFor({ state: 'hidden' });
    const line = '  price_per_minute: { expr: sum(price) / sum(minutes) }\n';
    expect((await onDisk()).split(line).join('')).toBe(before);
    expect(await onDisk()).toContain(line);
    await page.getByRole('button', { name: 'Add Price per minute to the chart' }).click();
    await expect.poll(() => page.locator('[data-shelf=y]').textContent()).toContain('Price per minute');
  });

  test('without an aggregate is a dimension; the dashboard editor lists and focuses it', async () => {
    const { page } = opened;
    await mkdir(path.join(folder, 'dashboards'), { recursive: true });
    await writeFile(
      path.join(folder, 'dashboards', 'own.yaml'),
      'version: 1\ntitle: Own\nmodel: trips\npages:\n  - title: One\n    tiles: {}\n',
    );
    await page.goto(`${opened.address}/d/own/edit`);
    await page.getByRole('button', { name: 'Add field…' }).click();
    await field(page).getByLabel('Name').fill('Price per minute');
    await field(page).getByText('A field of the model has this name.').waitFor();
    await field(page).getByLabel('Name').fill('Is long');
    await field(page).getByLabel('Expression').fill('minutes > 90');
    await expect.poll(() => preview(page).textContent()).toContain('2 distinct values in 400 rows');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Add field…' }).click();
    await field(page).getByLabel('Name').fill('Is long');
    await field(page).getByLabel('Expression').fill('minutes > 90');
    await field(page).getByRole('button', { name: 'Add field' }).click();
    await page.locator('[data-field=is_long]:focus').waitFor();
    expect(await onDisk()).toMatch(/is_long: \{ expr: ('?)minutes > 90\1 \}/);
  });
});

test('an unknown model has a page that says so', async () => {
  const { page } = opened;
  await page.goto(`${opened.address}/models/nothing`);
  await page.getByRole('heading', { name: 'Page not found' }).waitFor();
});

test.each([
  ['dark', 1440],
  ['light', 390],
  ['dark', 390],
] as const)('accessibility: %s, %i px', async (theme, width) => {
  const narrow = await openPage(browser, `${opened.address}/`, { width, height: 900, touch: width < 500 });
  const { page } = narrow;
  await page.context().addCookies(await opened.page.context().cookies());
  await page.emulateMedia({ colorScheme: theme });
  await page.goto(`${opened.address}/models/trips`);
  await page.locator('[data-entry="measures.minutes"]').click();
  if (width < 500) {
    const more = page.getByRole('button', { name: 'More actions' });
    await more.click();
    await page.getByRole('menuitem', { name: 'History' }).click();
    await page.getByRole('dialog', { name: 'History' }).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => more.evaluate(button => button === document.activeElement)).toBe(true);
    await page.getByRole('button', { name: 'Properties' }).click();
  }
  await preview(page).waitFor();
  await page.waitForTimeout(300);
  await shoot(page, `model-${theme}-${width}`);
  expect(await violations(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  await narrow.close();
});

test('the console is empty', () => {
  expect(opened.faults).toEqual([]);
});

test('a model that was never valid lists nothing, and opens its text', async () => {
  const { page } = opened;
  const policies = 'policies:\n  - { name: Own city, everyone: true, where: "city = :user.city" }\n';
  await writeFile(path.join(folder, 'models', 'rides.yaml'), `version: 1\ntable trips\n${policies}`);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${opened.address}/models/rides`);
  await page.getByRole('heading', { name: 'No valid version yet' }).waitFor();
  expect(await page.getByText('No policies yet').count()).toBe(0);
  expect(await page.getByText('This is the last valid version').count()).toBe(0);
  await shoot(page, 'model-invalid-light-390');
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByRole('button', { name: 'Open YAML' }).click();
  await page.locator('.cm-content').getByText('Own city').waitFor();
  await shoot(page, 'model-invalid-light-1440');
  await writeFile(path.join(folder, 'models', 'rides.yaml'), `version: 1\ntable: trips\n${policies}`);
  await page.reload();
  await page.locator('[data-entry="policies.0"]').waitFor();
});
