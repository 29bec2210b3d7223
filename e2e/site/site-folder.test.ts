import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { launchBrowser, openPage } from '../browser.ts';
import { randomFrom } from '../random/random-from.ts';
import { filesOf, runBuild, textOf } from './run-build.ts';
import { serveSite } from './serve-site.ts';

let cache: string;
let folder: string;
let out: string;
const put = async (file: string, text: string) => {
  await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
  await writeFile(path.join(folder, file), text);
};
const built = (...args: string[]) => runBuild(cache, [out, folder, ...args]);

const rows = Array.from(
  { length: 400 },
  (_, i) => `2024-0${1 + (i % 6)}-0${1 + (i % 9)},${['Bonn', 'Oslo', 'Rome'][i % 3]},${i / 8},canarycell${i}`,
);
const dashboard = (title: string) => `version: 1
title: ${title}
description: By city and month
model: canarymodel
pages:
  - title: One
    tiles:
      total: { kind: kpi, value: { measure: money }, at: [0, 0, 6, 4] }
      cities: { kind: bar, x: { measure: money }, y: { field: city }, at: [6, 0, 6, 4] }
      months: { kind: line, x: { field: placed, timeUnit: month }, y: { measure: money }, at: [12, 0, 12, 8] }
`;

beforeAll(async () => {
  cache = await mkdtemp(path.join(os.tmpdir(), 'belvedere-site-cache-'));
});
afterAll(() => rm(cache, { recursive: true, force: true }));

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-site-'));
  out = path.join(await mkdtemp(path.join(os.tmpdir(), 'belvedere-site-out-')), 'site');
  await put('belvedere.yaml', 'version: 1\ntitle: Small shop\n');
  await put('data/canaryfile.csv', `placed,city,amount,canaryfield\n${rows.join('\n')}\n`);
  await put(
    'models/canarymodel.yaml',
    'version: 1\nlabel: Orders\ntable: canaryfile\ntime: placed\ndimensions: { placed: {}, city: {}, amount: {}, canaryfield: {} }\n' +
      'measures: { money: { expr: sum(amount) }, canarymeasure: { expr: count(distinct canaryfield) } }\n',
  );
  await put('dashboards/sales.yaml', dashboard('Sales & <more>'));
  await put('dashboards/team/stock.yaml', dashboard('Stock'));
});

describe('belvedere build', () => {
  test('writes the same bytes for the same workspace, and keeps the files of unchanged pages', async () => {
    const first = await built();
    expect(first.code, first.stderr).toBe(0);
    const before = await filesOf(out);
    const other = `${out}-2`;
    expect((await runBuild(cache, [other, folder])).code).toBe(0);
    expect(hashes(await filesOf(other))).toEqual(hashes(before));

    await put('dashboards/team/stock.yaml', dashboard('Stock of today'));
    const again = await built('--json');
    const { written, kept, pages } = JSON.parse(again.stdout) as {
      written: number;
      kept: number;
      pages: { dashboard: string; isKept: boolean; isQueried: boolean }[];
    };
    expect({ written, kept }).toEqual({ written: 1, kept: 1 });
    // Pages of the same definition and data are not even queried.
    expect(pages.map(one => [one.dashboard, one.isKept, one.isQueried])).toEqual([
      ['sales', true, false],
      ['team/stock', false, true],
    ]);
    const after = await filesOf(out);
    const same = [...after].filter(([name, { hash }]) => before.get(name)?.hash === hash);
    expect(same.length).toBeGreaterThan(50);
    for (const [name, { mtimeMs }] of same)
      expect([name, mtimeMs]).toEqual([name, before.get(name)!.mtimeMs]);

    const queried = async (...options: string[]) => {
      const { stdout, stderr } = await built('--json', ...options);
      expect(stderr).not.toContain('error');
      return (JSON.parse(stdout) as { pages: { isQueried: boolean }[] }).pages.map(one => one.isQueried);
    };
    expect(await queried()).toEqual([false, false]);
    // Other data, another option, and a page that was changed by hand are.
    await put('data/canaryfile.csv', `placed,city,amount,canaryfield\n${rows.slice(1).join('\n')}\n`);
    expect(await queried()).toEqual([true, true]);
    expect(await queried('--locale', 'de')).toEqual([true, true]);
    // Filters that did not fit may fit now.
    expect(await queried('--locale', 'de', '--max-size', '99')).toEqual([true, true]);
    expect(await queried('--locale', 'de')).toEqual([true, true]);
    await writeFile(path.join(out, 'd/sales/index.html'), 'changed');
    expect(await queried('--locale', 'de')).toEqual([true, false]);
    expect(await readFile(path.join(out, 'd/sales/index.html'), 'utf8')).toContain('Sales');
  });

  test('writes the same last digits of sums of doubles, however many threads add them up', async () => {
    // Threads of DuckDB take 122,880 rows at a time.
    const random = randomFrom(45);
    const amounts = Array.from({ length: 250_000 }, (_, i) => `2024-01-0${1 + (i % 9)},Bonn,${random()},x`);
    await put('data/canaryfile.csv', `placed,city,amount,canaryfield\n${amounts.join('\n')}\n`);
    const other = `${out}-2`;
    for (const into of [out, other])
      expect((await runBuild(cache, [into, folder, '--dashboard', 'sales'])).code).toBe(0);
    expect(hashes(await filesOf(other))).toEqual(hashes(await filesOf(out)));
  });

  test('contains no names of files, tables, models, people or fields that the dashboard does not show', async () => {
    await put(
      'dashboards/canaryother.yaml',
      dashboard('canarytitle').replace('field: city', 'field: canaryfield'),
    );
    await put(
      'tests/people.yaml',
      'version: 1\npeople: { canaryperson: { attributes: { city: canaryvalue } } }\n',
    );
    const { code, stderr } = await built('--dashboard', 'sales', '--dashboard', 'team/stock');
    expect(code, stderr).toBe(0);
    const text = await textOf(out);
    expect(text.includes('Bonn')).toBe(true);
    expect(text.match(/canary\w*/g)).toBeNull();
    expect(text.includes(folder)).toBe(false);
    expect(text.match(/\bselect\b|\bsum\(/i)).toBeNull();
  });

  test('shows hostile translations as texts, and links of theirs only to pages and mail', async () => {
    const attacks = [
      '<img src=x onerror="window.attacked=1">',
      '</script><script>window.attacked=1</script>',
      '"><svg onload=window.attacked=1>',
      '<!--<script>',
      "'-alert(1)-'",
      '\u2028window.attacked=1',
      '${window.attacked=1}{{window.attacked=1}}',
      '\u202Esehsad',
    ];
    const all = attacks.join(' ');
    const links =
      '[a](javascript:window.attacked=1) [b](JaVaScRiPt&#58;window.attacked=1) [c](data:text/html,<script>) ' +
      '[d](//evil.example/x) [e](vbscript:x) ![f](https://evil.example/pixel.png) [g](https://good.example/)';
    const quoted = (text: string) => JSON.stringify(text);
    await put(
      'dashboards/sales.yaml',
      dashboard('Sales').replace('pages:', 'filters: [{ field: city, label: City }]\npages:') +
        '      words: { kind: text, text: Hello, at: [0, 8, 24, 4] }\n',
    );
    await put(
      'dashboards/sales.de.yaml',
      `version: 1\ntitle: ${quoted(all.slice(0, 180))}\ndescription: ${quoted(`${all} ${links}`)}\n` +
        `filters: { city: ${quoted(attacks[0]!)} }\npages: [${quoted(attacks[1]!)}]\ntiles:\n` +
        `  total: { title: ${quoted(attacks[2]!)}, subtitle: ${quoted(attacks[0]!)}, description: ${quoted(all)} }\n` +
        `  cities: { title: ${quoted(attacks[3]!)}, alt: ${quoted(attacks[0]!)}, axes: { x: ${quoted(attacks[1]!)} } }\n` +
        `  words: { text: ${quoted(`${all}\n\n${links}`)} }\n`,
    );
    const { code, stderr } = await built('--locale', 'de', '--dashboard', 'sales');
    expect(code, stderr).toBe(0);
    for (const file of ['index.html', 'd/sales/index.html']) {
      const html = await readFile(path.join(out, file), 'utf8');
      expect([
        file,
        html.match(/<img|<svg|<!--|<\/script><script>window|href="(javascript|data|vbscript)/i),
      ]).toEqual([file, null]);
      expect(html).toContain('attacked');
    }
    const served = await serveSite(out);
    const browser = await launchBrowser();
    try {
      for (const at of ['/', '/d/sales/']) {
        const { page, faults } = await openPage(browser, 'about:blank');
        const elsewhere: string[] = [];
        page.on('request', request => {
          if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(served.origin))
            elsewhere.push(request.url());
        });
        page.on('dialog', dialog => elsewhere.push(dialog.message()));
        await page.goto(served.origin + at);
        await page.getByText('onerror=').first().waitFor();
        await page.waitForTimeout(500);
        const found = await page.evaluate(() => ({
          attacked: 'attacked' in globalThis,
          links: Array.from(document.querySelectorAll('a'), ({ href }) => new URL(href).protocol),
          foreign: Array.from(document.querySelectorAll('a'), ({ href }) => new URL(href).hostname),
          images: Array.from(
            document.querySelectorAll('img[src="x"], img[src*=evil], svg[onload]'),
            one => one.outerHTML,
          ),
        }));
        expect([at, found.attacked, found.images]).toEqual([at, false, []]);
        expect(found.links.filter(protocol => !/^(https?|mailto):$/.test(protocol))).toEqual([]);
        expect(found.foreign).not.toContain('evil.example');
        expect([at, elsewhere, faults]).toEqual([at, [], []]);
        await page.context().close();
      }
    } finally {
      await browser.close();
      served.stop();
    }
  });

  test('publishes nothing outside the defaults of filters that are locked, or built without filters', async () => {
    const filtered = (filter: string) =>
      dashboard('Sales').replace(
        'pages:',
        `filters:\n  - { field: city, default: { oneOf: [Bonn] }${filter} }\npages:`,
      );
    const cities = async (filter: string, ...options: string[]) => {
      await put('dashboards/sales.yaml', filtered(filter));
      const { code, stderr } = await built('--dashboard', 'sales', ...options);
      expect(code, stderr).toBe(0);
      const texts = await Promise.all(
        [...(await filesOf(out)).keys()]
          .filter(file => file.endsWith('.bin'))
          .map(async file => gunzipSync(await readFile(path.join(out, file))).toString('latin1')),
      );
      return ['Bonn', 'Oslo'].filter(city => texts.some(text => text.includes(city)));
    };
    expect(await cities('')).toEqual(['Bonn', 'Oslo']);
    expect(await cities(', locked: true')).toEqual(['Bonn']);
    expect(await cities('', '--no-filters')).toEqual(['Bonn']);
  });

  test('has Home, pages, previews of links, a sitemap, and links under its base', async () => {
    const { code, stderr } = await built(
      '--title',
      'Shop figures',
      '--base',
      '/shop/',
      '--url',
      'https://example.org/shop',
      '--locale',
      'de-DE',
    );
    expect(code, stderr).toBe(0);
    const page = await readFile(path.join(out, 'd', 'team', 'stock', 'index.html'), 'utf8');
    expect(page).toContain('<title>Stock · Shop figures</title>');
    expect(page).toContain('<html lang="de"');
    expect(page).toMatch(/og:image" content="https:\/\/example.org\/shop\/assets\/picture-\w+\.png"/);
    expect(page).toMatch(/src="\/shop\/assets\/site-[\w-]+\.js"/);
    const picture = /assets\/picture-\w+\.png/.exec(page)![0];
    expect((await readFile(path.join(out, picture))).subarray(1, 4).toString()).toBe('PNG');
    // Home has small pictures, without the titles of tiles.
    const home = await readFile(path.join(out, 'index.html'), 'utf8');
    expect(home).not.toContain(picture);
    expect(home).toContain('<a href="/shop/d/sales/">Sales &#38; &#60;more&#62;</a>');
    expect(home).not.toContain('<more>');
    expect(await readFile(path.join(out, 'sitemap.xml'), 'utf8')).toContain(
      '<loc>https://example.org/shop/d/team/stock/</loc>',
    );
    expect(await readFile(path.join(out, '404.html'), 'utf8')).toContain('href="/shop/"');
  });

  test('refuses broken dashboards and failing tiles by file and line, and replaces nothing', async () => {
    expect((await built()).code).toBe(0);
    const before = hashes(await filesOf(out));
    await put('dashboards/sales.yaml', dashboard('Sales').replace('field: city', 'field: town'));
    const { code, stderr } = await built();
    expect(code).toBe(1);
    expect(stderr).toMatch(/dashboards\/sales\.yaml:9:\d+: .*town/);
    expect(hashes(await filesOf(out))).toEqual(before);
  });

  test('refuses a page above --max-size and names its largest tile, and replaces nothing', async () => {
    expect((await built('--dashboard', 'sales')).code).toBe(0);
    const before = hashes(await filesOf(out));
    const random = randomFrom(1);
    const wide = Array.from(
      { length: 60_000 },
      () => `${[random(), random(), random()].map(one => Math.floor(one * 1000)).join()},${random()}`,
    );
    await put('data/wide.csv', `a,b,c,noise\n${wide.join('\n')}\n`);
    await put(
      'models/wide.yaml',
      'version: 1\ntable: wide\ndimensions: { a: {}, b: {}, c: {} }\nmeasures: { noise: { expr: avg(noise) } }\n',
    );
    const tiles = Object.entries({ a: 10, b: 10, c: 1 }).map(
      ([field, step]) =>
        `      by_${field}: { kind: bar, x: { field: ${field}, bin: { step: ${step} } }, y: { measure: noise }, at: [0, 0, 12, 8] }\n`,
    );
    await put(
      'dashboards/sales.yaml',
      `version: 1\ntitle: Wide\nmodel: wide\npages:\n  - title: One\n    tiles:\n${tiles.join('')}`,
    );
    const { code, stderr } = await built('--dashboard', 'sales', '--max-size', '1');
    expect(code, stderr).toBe(1);
    expect(stderr).toMatch(/page of `sales` is larger than 1\.0 MB\. Its largest tile, `by_c`, takes/);
    expect(hashes(await filesOf(out))).toEqual(before);
    for (const size of ['0', '2001', '1.5', 'x'])
      expect([size, (await built('--max-size', size)).code]).not.toEqual([size, 0]);
  });

  test('refuses dashboards over row policies, unless a user of tests is named', async () => {
    const model = await readFile(path.join(folder, 'models/canarymodel.yaml'), 'utf8');
    await put(
      'models/canarymodel.yaml',
      `${model}policies: [{ name: own city, groups: [shops], where: "city = :user.city" }]\n`,
    );
    await put(
      'tests/people.yaml',
      'version: 1\npeople: { ana: { groups: [shops], attributes: { city: Oslo } } }\n',
    );
    // An unprotected model of the same table is protected too.
    await put(
      'models/open.yaml',
      'version: 1\ntable: canaryfile\ndimensions: { placed: {}, city: {} }\nmeasures: { money: { expr: sum(amount) } }\n',
    );
    await put('dashboards/sales.yaml', dashboard('Sales').replace('canarymodel', 'open'));
    const refused = await built();
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(/`sales` shows `open`.*`team\/stock` shows `canarymodel`.*--as NAME/s);
    await expect(filesOf(out)).rejects.toThrow(/ENOENT/);
    expect((await built('--as', 'bob')).stderr).toMatch(/User `bob` not found in `tests\/`/);
    const asAna = await built('--as', 'ana', '--dashboard', 'team/stock');
    expect(asAna.code, asAna.stderr).toBe(0);
    const text = await textOf(out);
    expect(text.includes('Oslo')).toBe(true);
    expect(text.match(/Bonn|Rome|\bana\b|own city/)).toBeNull();
  });

  test('replaces no folder that it did not write, and none in the workspace', async () => {
    await mkdir(out);
    await writeFile(path.join(out, 'thesis.txt'), 'ten years of work');
    const refused = await built();
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(/did not write/) });
    expect([...(await filesOf(out)).keys()]).toEqual(['thesis.txt']);
    const inside = await runBuild(cache, [path.join(folder, 'site'), folder]);
    expect(inside).toMatchObject({ code: 1, stderr: expect.stringMatching(/lies in the workspace/) });
    expect(await runBuild(cache, [path.dirname(folder), folder])).toMatchObject({ code: 1 });
  });
});

function hashes(files: Awaited<ReturnType<typeof filesOf>>): Record<string, string> {
  return Object.fromEntries([...files].map(([name, { hash }]) => [name, hash]));
}
