// The mail of a report of sixty tiles over a million rows: pictures of its page, a PDF and a workbook, beside the
// picture alone.
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { report } from './harness/figures.ts';
import { flightsAtSize, twelveTiles } from './harness/flights-at-size.ts';
import { median, startOn, timed } from './harness/running-server.ts';

const copies = 5;
const rowsOfCopy = 30;
const runs = 5;

/** The twelve tiles five times, one copy below the other. */
const sixtyTiles = Array.from({ length: copies }, (_, copy) =>
  twelveTiles
    .replaceAll(/^( {6}\w+):/gm, `$1_${copy}:`)
    .replaceAll(/at: \[(\d+), (\d+),/g, (_all, x, y) => `at: [${x}, ${Number(y) + copy * rowsOfCopy},`),
).join('');

const folder = await flightsAtSize(1e6);
await writeFile(
  path.join(folder, 'dashboards', 'sixty.yaml'),
  `version: 1\ntitle: Sixty\nmodel: flights\npages:\n  - title: One\n    tiles:${sixtyTiles}`,
);
const { server, client } = await startOn(folder);
const text = (more: string) =>
  `version: 1\ntitle: Sixty\ndashboard: sixty\nschedule: { at: "08:00" }\nto: [{ channel: Ops }]\n${more}`;
const draw = async (more: string) =>
  (await timed(() => client.previewReport({ body: { text: text(more) } })))[0];

const [firstMs, preview] = await timed(() =>
  client.previewReport({ body: { text: text('attach: [pdf, xlsx]\n') } }),
);
const whole: number[] = [];
const pictures: number[] = [];
for (let i = 0; i < runs; i++) {
  whole.push(await draw('attach: [pdf, xlsx]\n'));
  pictures.push(await draw(''));
}
const bytes = preview.html.length + preview.files.reduce((sum, file) => sum + file.bytes, 0);

await report('reports', [
  {
    name: 'mail of sixty tiles, with PDF and workbook, first',
    value: firstMs,
    unit: 'ms',
    target: '≤ 10000',
  },
  {
    name: 'mail of sixty tiles, with PDF and workbook, median',
    value: median(whole),
    unit: 'ms',
    target: '≤ 10000',
    peer: { name: 'picture alone', value: median(pictures) },
  },
  { name: 'size of that mail', value: bytes / 1e6, unit: 'MB', target: '≤ 15' },
]);
await server.close();
