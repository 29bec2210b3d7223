import { ExportFormat } from '@belvedere/api';
import { EngineError } from '@belvedere/engine';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { owner } from '../access/caller.ts';
import { ProblemError } from '../http/problems.ts';
import { tilesOnPage } from '../queries/dashboard-query-context.ts';
import type { QueryService } from '../queries/query-service.ts';
import { openReports, type ReportFixture } from '../reports/report-fixture.ts';
import { openForExport } from '../routes/dashboards/exports.ts';
import { exportDashboard, tileImage, type ExportRequest } from './export-dashboard.ts';

const tiles: Readonly<Record<string, string>> = {
  total: '{ kind: kpi, value: { measure: total } }',
  shops: '{ kind: table, columns: [shop, amount] }',
  sums: '{ kind: table, columns: [shop, total] }',
  bars: '{ kind: bar, x: { field: shop }, y: { measure: total } }',
  cross: '{ kind: pivot, rows: [{ field: shop }], values: [{ measure: total }] }',
  words: '{ kind: text, text: "Sales were {{total}}." }',
};

let fixture: ReportFixture;
beforeAll(async () => {
  fixture = await openReports({
    'models/sales.yaml':
      'version: 1\ntable: sales\ndimensions: { shop: {}, amount: {} }\nmeasures: { total: { expr: sum(amount) } }\n',
    ...Object.fromEntries(
      Object.entries(tiles).map(([id, tile]) => [
        `dashboards/with-${id}.yaml`,
        `version: 1\ntitle: With ${id}\nmodel: sales\npages: [{ title: One, tiles: { ${id}: ${tile} } }]\n`,
      ]),
    ),
  });
});
afterAll(() => fixture.close());

/** A dashboard of one tile, whose queries end with an error. */
function failingWith(error: Error, tile: string) {
  const { workspace } = fixture.parts;
  const fail = () => Promise.reject(error);
  const queries = {
    run: fail,
    stream: () => ({ [Symbol.asyncIterator]: () => ({ next: fail }) }),
  } as unknown as QueryService;
  const dashboard = workspace().dashboards.get(`with-${tile}`)!;
  expect(dashboard.problems).toEqual([]);
  return openForExport(
    {
      caller: owner,
      dashboard,
      state: { page: 0, filters: {}, selections: {} },
      workspace: workspace(),
      language: 'en',
      locale: 'en',
      isOffline: false,
    },
    { queries, notesOf: async () => [] },
  );
}

async function exported(error: Error, tile: string, changed: Partial<ExportRequest>) {
  const { context, opened } = await failingWith(error, tile);
  const { root, writer, pagesFolder } = fixture.parts;
  return exportDashboard(
    context,
    { format: 'svg', rows: 'all', locale: 'en', theme: 'light', root, pagesFolder, opened, ...changed },
    writer,
  );
}

const timeout = new EngineError('query-timeout', 'It took longer than 30 s.');
const overloaded = new ProblemError('overloaded', 'Too many queries are waiting.', { retryAfterSeconds: 3 });
const withoutTable: readonly string[] = ['csv', 'parquet', 'xlsx'];
const cases = ExportFormat.options.flatMap(format =>
  Object.keys(tiles)
    .filter(tile => tile !== 'words' || !withoutTable.includes(format))
    .flatMap(tile => [timeout, overloaded].map(error => ({ format, tile, error, why: error.message }))),
);

test.each(cases)('an export as $format without a result for the tile $tile names it: $why', async asked => {
  const { format, tile, error } = asked;
  await expect(exported(error, tile, { format, tile })).rejects.toMatchObject({
    type: error instanceof ProblemError ? error.type : error.code,
    message: `The export has no result for the tile \`${tile}\`. ${error.message}`,
    retryAfterSeconds: error instanceof ProblemError ? error.retryAfterSeconds : undefined,
  });
});

test.each(['png', 'svg', 'pdf', 'xlsx'] as const)(
  'so does an export of the whole page as %s',
  async format => {
    await expect(exported(timeout, 'bars', { format })).rejects.toThrow('no result for the tile `bars`');
  },
);

test('a picture for a message is not drawn without its result', async () => {
  const { context } = await failingWith(timeout, 'total');
  const { root, writer } = fixture.parts;
  const drawing = tileImage(context, tilesOnPage(context)[0]!, { width: 640, locale: 'en', root }, writer);
  await expect(drawing).rejects.toThrow('no result for the tile `total`');
});

test('a tile that always fails is drawn with its error', async () => {
  const { body } = await exported(new EngineError('column-gone', '`size` is missing.'), 'total', {});
  expect(String(body)).toContain('is missing');
});

test('an interrupted query is drawn where a picture without it is better than none', async () => {
  const { body } = await exported(timeout, 'total', { drawsInterruptions: true });
  expect(String(body)).toContain('longer than 30');
});
