import { contract } from '@belvedere/api';
import { Validator } from '@seriousme/openapi-schema-validator';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser, openPage, shoot, startCli, violations, type Opened } from '../browser.ts';

let folder: string;
let cli: Awaited<ReturnType<typeof startCli>>;
let browser: Browser;
let opened: Opened;

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-described-'));
  await writeFile(path.join(folder, 'small.csv'), 'day,size\n2024-01-01,1\n');
  cli = await startCli([folder]);
  browser = await launchBrowser();
  opened = await openPage(browser, cli.url);
});
afterAll(async () => {
  await browser.close();
  await cli.stop();
  await rm(folder, { recursive: true, force: true });
});

interface Described {
  readonly paths: Readonly<
    Record<
      string,
      Readonly<
        Record<
          string,
          {
            readonly operationId: string;
            readonly responses: Readonly<Record<string, { readonly content: object }>>;
          }
        >
      >
    >
  >;
}

const address = (route: string) => new URL(route, cli.url).href;
const described = async () =>
  (await (await opened.page.request.get(address('/api/openapi.json'))).json()) as Described;

test('the API’s description is OpenAPI 3.1, and all of its references resolve', async () => {
  const description = await described();
  const validator = new Validator();
  expect(
    await validator.validate(structuredClone(description) as unknown as Record<string, unknown>),
  ).toEqual({ valid: true });
  expect(validator.version).toBe('3.1');
  const referred = [...JSON.stringify(description).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(match => match[1]!);
  expect(referred.length).toBeGreaterThan(20);
  expect(
    referred.filter(
      ref =>
        ref
          .split('/')
          .reduce<unknown>(
            (found, part) => (found as Record<string, unknown> | undefined)?.[part],
            description,
          ) === undefined,
    ),
  ).toEqual([]);
});

test('every operation is under one heading, and a body that is not JSON has its type', async () => {
  const description = (await described()) as unknown as {
    tags: readonly { name: string }[];
    paths: Readonly<
      Record<string, Readonly<Record<string, { operationId: string; tags?: string[]; requestBody?: object }>>>
    >;
  };
  const headings = description.tags.map(({ name }) => name);
  const calls = Object.values(description.paths).flatMap(methods => Object.values(methods));
  expect(
    calls
      .filter(({ tags = [] }) => tags.length !== 1 || !headings.includes(tags[0]!))
      .map(one => one.operationId),
  ).toEqual([]);
  const bodyOf = (name: string) => calls.find(({ operationId }) => operationId === name)?.requestBody;
  expect(bodyOf('appendRows')).toMatchObject({ content: { 'application/x-ndjson': {} } });
  expect(bodyOf('putUpload')).toMatchObject({ content: { 'application/octet-stream': {} } });
});

test('the description names the header If-Match where versions are compared, and nowhere else', async () => {
  const written = JSON.stringify(await described());
  const comparing = Object.values(contract).filter(definition => 'replaces' in definition);
  expect(written.match(/"name":"if-match"/g)).toHaveLength(comparing.length);
});

test('the description has every operation of the contract and no other, with its responses and errors', async () => {
  const calls = Object.values((await described()).paths).flatMap(methods => Object.values(methods));
  expect(calls.map(({ operationId }) => operationId).toSorted()).toEqual(Object.keys(contract).toSorted());
  for (const { operationId, responses } of calls) {
    const { response } = contract[operationId as keyof typeof contract];
    expect([
      operationId,
      Object.keys(responses['200']!.content),
      Object.keys(responses['default']!.content),
    ]).toEqual([
      operationId,
      [typeof response === 'string' ? response : 'application/json'],
      ['application/problem+json'],
    ]);
  }
});

test.each([
  [1440, 900],
  [390, 844],
])('the API’s page has every operation, links to each, and fits a width of %i', async (width, height) => {
  const { page } = opened;
  await page.setViewportSize({ width, height });
  await page.goto(address('/api/docs'));
  expect(await page.locator('main section').evaluateAll(sections => sections.map(({ id }) => id))).toEqual(
    expect.arrayContaining(Object.keys(contract)),
  );
  await page.getByRole('link', { name: 'POST /dashboards/{id}/query' }).click();
  await page.locator('#queryTiles').getByRole('link', { name: 'DashboardStateInput' }).click();
  expect(await page.locator('#DashboardStateInput').boundingBox()).toMatchObject({
    y: expect.toSatisfy((y: number) => y >= 0 && y < height) as number,
  });
  expect(await page.locator('body').textContent()).not.toContain('`');
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  expect(await violations(page)).toEqual([]);
  await page.evaluate(() => scrollTo(0, 0));
  await shoot(page, `api-docs-${width}`);
});
