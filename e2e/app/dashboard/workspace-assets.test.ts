import { mkdir, mkdtemp, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser, openPage, settled, startCli, type Opened } from '../../browser.ts';

/**
 * Pictures and maps of a workspace are shown, colored and selectable. The server returns nothing else of the
 * folder.
 */

const square = (id: string, x: number) => ({
  type: 'Feature',
  id,
  properties: { name: `District ${id}` },
  geometry: {
    type: 'Polygon',
    coordinates: [
      [
        [x, 0],
        [x, 1],
        [x + 1, 1],
        [x + 1, 0],
        [x, 0],
      ],
    ],
  },
});
// The smallest PNG there is: one transparent pixel.
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

let cli: Awaited<ReturnType<typeof startCli>>;
let browser: Browser;
let opened: Opened;

beforeAll(async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-own-'));
  for (const name of ['data', 'dashboards', 'images', 'maps']) await mkdir(path.join(folder, name));
  await writeFile(
    path.join(folder, 'data', 'visits.csv'),
    'district,visits\nA,10\nB,30\nDistrict C,20\nElsewhere,5\n',
  );
  await writeFile(path.join(folder, 'images', 'logo.png'), pixel);
  await writeFile(
    path.join(folder, 'images', 'drawn.svg'),
    '<svg xmlns="http://www.w3.org/2000/svg"><script>top.location="http://127.0.0.1:1/"</script></svg>',
  );
  await writeFile(path.join(folder, 'secret.png'), pixel);
  await symlink(path.join(folder, 'secret.png'), path.join(folder, 'images', 'linked.png'));
  await writeFile(
    path.join(folder, 'maps', 'districts.geojson'),
    JSON.stringify({ type: 'FeatureCollection', features: [square('A', 0), square('B', 1), square('C', 2)] }),
  );
  await writeFile(
    path.join(folder, 'dashboards', 'town.yaml'),
    `
version: 1
title: Town
model: visits
pages:
  - title: One
    tiles:
      logo: { kind: image, file: logo.png, alt: The town's arms, at: [0, 0, 4, 4] }
      map: { kind: map, title: Visits, shape: districts.geojson, region: { field: district }, color: { field: visits, aggregate: sum }, at: [4, 0, 12, 10] }
      total: { kind: kpi, title: All visits, value: { field: visits, aggregate: sum }, at: [16, 0, 8, 4] }
`,
  );
  await writeFile(
    path.join(folder, 'images', 'plain.svg'),
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><rect width="10" height="10" fill="#008000"/></svg>',
  );
  await writeFile(
    path.join(folder, 'images', 'leads.svg'),
    '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"><image xlink:href="http://127.0.0.1:1/x.png" width="9" height="9"/></svg>',
  );
  await writeFile(
    path.join(folder, 'dashboards', 'arms.yaml'),
    `
version: 1
title: Arms
pages:
  - title: One
    tiles:
      logo: { kind: image, file: logo.png, alt: The arms as dots, at: [0, 0, 6, 4] }
      plain: { kind: image, file: plain.svg, alt: The arms in green, at: [6, 0, 6, 4] }
      drawn: { kind: image, file: drawn.svg, alt: Arms with a script, at: [12, 0, 4, 4] }
      leads: { kind: image, file: leads.svg, alt: Arms from elsewhere, at: [16, 0, 4, 4] }
      gone: { kind: image, file: gone.png, alt: Arms that are lost, at: [20, 0, 4, 4] }
`,
  );
  await writeFile(path.join(folder, 'maps', 'none.json'), '{"type":"Topology"}');
  await writeFile(
    path.join(folder, 'dashboards', 'none.yaml'),
    'version: 1\ntitle: None\nmodel: visits\npages:\n  - title: One\n    tiles:\n      map: { kind: map, shape: none.json, region: { field: district }, color: { field: visits, aggregate: sum } }\n      total: { kind: kpi, value: { field: visits, aggregate: sum } }\n',
  );
  cli = await startCli([folder]);
  browser = await launchBrowser();
  opened = await openPage(browser, cli.url);
  await opened.page.goto(`${opened.address}/d/town`);
  await settled(opened.page);
});

afterAll(async () => {
  await opened?.close();
  await browser?.close();
  await cli?.stop();
});

test('a picture is shown with its alternative text', async () => {
  const image = opened.page.getByRole('img', { name: "The town's arms" });
  await expect.poll(() => image.evaluate(element => (element as HTMLImageElement).naturalWidth)).toBe(1);
});

test('pictures are in print and offline exports; external references stay out, with a text instead', async () => {
  const taken = async (format: string) =>
    (
      await opened.page.request.get(`${opened.address}/api/v1/dashboards/arms/export?format=${format}`)
    ).body();
  const svg = String(await taken('svg'));
  expect(svg.match(/<image [^>]*href="data:image\/png;base64,/g)).toHaveLength(2);
  for (const words of ['Arms with a script', 'Arms from elsewhere', 'Arms that are lost'])
    expect(svg).toContain(words);
  expect(svg).not.toMatch(/127\.0\.0\.1|<script|The arms/);
  expect(String(await taken('pdf')).match(/\/Subtype \/Image/g)!.length).toBeGreaterThanOrEqual(2);
  const png = (await taken('png')).toString('base64');
  const green = await opened.page.evaluate(async data => {
    const picture = await createImageBitmap(
      new Blob([Uint8Array.from(atob(data), letter => letter.charCodeAt(0))]),
    );
    const context = new OffscreenCanvas(picture.width, picture.height).getContext('2d')!;
    context.drawImage(picture, 0, 0);
    const { data: pixels } = context.getImageData(0, 0, picture.width, picture.height);
    let count = 0;
    for (let i = 0; i < pixels.length; i += 4)
      if (pixels[i] === 0 && pixels[i + 1] === 128 && pixels[i + 2] === 0) count++;
    return count;
  }, png);
  expect(green).toBeGreaterThan(1000);
  const file = path.join(await mkdtemp(path.join(os.tmpdir(), 'belvedere-offline-')), 'arms.html');
  await writeFile(file, await taken('html'));
  const page = await opened.page.context().newPage();
  const asked: string[] = [];
  page.on('request', request => asked.push(request.url()));
  await page.goto(`file://${file}`);
  for (const [name, width] of [
    ['The arms as dots', 1],
    ['The arms in green', 1],
  ] as const)
    await expect
      .poll(() =>
        page.getByRole('img', { name }).evaluate(element => (element as HTMLImageElement).naturalWidth),
      )
      .toBeGreaterThanOrEqual(width);
  for (const words of ['Arms with a script', 'Arms from elsewhere', 'Arms that are lost'])
    await page.getByText(words).waitFor();
  expect(asked.filter(address => !address.startsWith('file:') && !address.startsWith('data:'))).toEqual([]);
  await page.close();
});

test('a custom map is coloured by names and ids, and a click on a district selects it', async () => {
  const map = opened.page.locator('[data-tile=map] [role=application]');
  expect(await map.getAttribute('aria-label')).toMatch(
    /Sum of visits for 4 values\. Largest: B, 30\. Smallest: Elsewhere, 5/,
  );
  const drawn = await opened.page.request.get(
    `${opened.address}/api/v1/dashboards/town/export?format=svg&tile=map`,
  );
  expect(await drawn.text()).toMatch(/1 value is not on the map/);
  const box = (await map.boundingBox())!;
  await map.click({ position: { x: box.width / 2, y: box.height / 2 - 6 } });
  await expect.poll(() => new URL(opened.page.url()).searchParams.get('s.map')).toBe('district:["B"]');
  await settled(opened.page);
  expect(await opened.page.locator('[data-tile=total]').textContent()).toMatch(/30/);
});

test('a map that cannot be loaded is named in its tile; the next page loads it again', async () => {
  const { page } = opened;
  await page.route('**/api/v1/maps/**', route => route.fulfill({ status: 404 }));
  await page.goto(`${opened.address}/d/town`);
  const problem = page
    .locator('[data-tile=map]')
    .getByText('The map “districts.geojson” could not be loaded');
  await problem.waitFor();
  await page.unroute('**/api/v1/maps/**');
  await page.reload();
  await settled(page);
  expect(await problem.count()).toBe(0);
});

test('a custom map works offline: it is coloured there, and a click on a district updates the figure', async () => {
  const file = path.join(await mkdtemp(path.join(os.tmpdir(), 'belvedere-offline-')), 'town.html');
  await writeFile(
    file,
    await (
      await opened.page.request.get(`${opened.address}/api/v1/dashboards/town/export?format=html`)
    ).body(),
  );
  const page = await opened.page.context().newPage();
  const asked: string[] = [];
  page.on('request', request => asked.push(request.url()));
  await page.goto(`file://${file}`);
  const map = page.locator('[data-tile=map] [role=application]');
  await map.waitFor();
  const box = (await map.boundingBox())!;
  await map.click({ position: { x: box.width / 2, y: box.height / 2 - 6 } });
  await expect.poll(() => page.locator('[data-tile=total]').textContent()).toMatch(/30/);
  expect(
    asked.filter(
      address => !address.startsWith('file:') && !address.startsWith('data:') && !address.startsWith('blob:'),
    ),
  ).toEqual([]);
  await page.close();
});

test('an invalid map leaves an offline page its other tiles', async () => {
  const file = path.join(await mkdtemp(path.join(os.tmpdir(), 'belvedere-offline-')), 'none.html');
  await writeFile(
    file,
    await (
      await opened.page.request.get(`${opened.address}/api/v1/dashboards/none/export?format=html`)
    ).body(),
  );
  const page = await opened.page.context().newPage();
  await page.goto(`file://${file}`);
  await expect.poll(() => page.locator('[data-tile=total]').textContent()).toMatch(/65/);
  await page.close();
});

test.each([
  ['images/linked.png', 404],
  ['images/..%2Fsecret.png', 404],
  ['images/logo.txt', 404],
  ['maps/..%2Fdashboards%2Ftown.yaml', 404],
  ['images/logo.png', 200],
  ['images/drawn.svg', 200],
])('/api/v1/%s: %d, in a sandbox', async (file, status) => {
  const response = await opened.page.request.get(`${opened.address}/api/v1/${file}`);
  expect(response.status()).toBe(status);
  if (status === 200)
    expect(response.headers()['content-security-policy']).toMatch(
      /default-src 'none'.*frame-ancestors 'none'; sandbox/,
    );
});

test('the page had no errors', () => {
  expect(opened.faults).toEqual([]);
});
