import { DuckDBInstance } from '@duckdb/node-api';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { prepareSample } from '../../apps/cli/src/prepare-sample.ts';
import { project } from '../../e2e/browser.ts';

/** Number of flights in one copy. Each later copy starts where the previous one ends, half a year later. */
const copyRows = 3_000_000;

/** Twelve linked tiles: histograms, a heatmap, time series, a density plot, categories, KPIs, a table. */
export const twelveTiles = `
      hours: { kind: bar, x: { field: hour }, y: { measure: flights }, at: [0, 0, 6, 8] }
      delays: { kind: bar, x: { field: delay, bin: { step: 5 }, scale: { domain: [-45, 135] } }, y: { measure: flights }, at: [6, 0, 6, 8] }
      distances: { kind: bar, x: { field: distance, bin: { step: 100 }, scale: { domain: [0, 2800] } }, y: { measure: flights }, at: [12, 0, 6, 8] }
      days: { kind: area, x: { field: date, timeUnit: day }, y: { measure: flights }, at: [18, 0, 6, 8] }
      mean: { kind: line, x: { field: date, timeUnit: week }, y: { measure: avg_delay }, at: [0, 8, 6, 8] }
      heat: { kind: heatmap, x: { field: hour }, y: { field: delay, bin: { step: 10 }, scale: { domain: [-40, 120] } }, color: { measure: flights }, at: [6, 8, 6, 8] }
      carriers: { kind: bar, x: { measure: flights }, y: { field: carrier, limit: 14 }, at: [12, 8, 6, 8] }
      from: { kind: bar, x: { measure: flights }, y: { field: origin, limit: 12 }, at: [18, 8, 6, 8] }
      to: { kind: bar, x: { measure: avg_delay }, y: { field: destination, limit: 12 }, at: [0, 16, 6, 8] }
      count: { kind: kpi, value: { measure: flights }, at: [6, 16, 6, 4] }
      late: { kind: kpi, value: { measure: on_time }, at: [12, 16, 6, 4] }
      rows: { kind: table, columns: [date, origin, destination, carrier, delay, distance], at: [6, 20, 18, 10] }
`;

/** The line of weeks also counts the rows of their days, to know which weeks are incomplete. */
export const queriesOfTwelveTiles = 13;

/** Eight more tiles of the same kinds. */
export const twentyTiles = `${twelveTiles}
      b1: { kind: bar, x: { field: delay, bin: { step: 10 }, scale: { domain: [-60, 180] } }, y: { measure: flights }, at: [0, 30, 6, 8] }
      b2: { kind: bar, x: { field: distance, bin: { step: 200 }, scale: { domain: [0, 3000] } }, y: { measure: avg_delay }, at: [6, 30, 6, 8] }
      b3: { kind: bar, x: { field: hour }, y: { measure: on_time }, at: [12, 30, 6, 8] }
      b4: { kind: bar, x: { measure: on_time }, y: { field: carrier, limit: 14 }, at: [18, 30, 6, 8] }
      l1: { kind: line, x: { field: date, timeUnit: month }, y: { measure: on_time }, at: [0, 38, 6, 8] }
      a1: { kind: area, x: { field: date, timeUnit: month }, y: { measure: flights }, at: [6, 38, 6, 8] }
      h1: { kind: heatmap, x: { field: hour }, y: { field: carrier, limit: 14 }, color: { measure: avg_delay }, at: [12, 38, 6, 8] }
      k1: { kind: kpi, value: { measure: avg_delay }, at: [18, 38, 6, 4] }
`;

const model = `version: 1
label: Flights
table: flights
time: date
dimensions:
  date: { label: Departure }
  hour: { expr: extract(hour from date), label: Hour of departure }
  delay: { label: Arrival delay }
  distance: { label: Distance }
  carrier: { label: Carrier }
  origin: { label: Origin }
  destination: { label: Destination }
measures:
  flights: { expr: count(*), format: integer }
  avg_delay: { expr: avg(delay), unit: min, format: .1f }
  on_time: { expr: 1.0 * count(*) filter (where delay < 15) / count(delay), format: percent }
`;

/** Number of users with different permissions: each sees the flights of two carriers. */
export const scopes = 50;
const guarded = `${model}policies:
  - { name: own carriers, groups: [airlines], where: "carrier in (:user.carriers)" }
`;
const carrier = (place: number) => `C${String(place % 14).padStart(2, '0')}`;
const people = `version: 1\npeople:\n${Array.from({ length: scopes }, (_, i) => `  p${i}: { groups: [airlines], attributes: { carriers: [${carrier(i)}, ${carrier((i % 14) + 1 + Math.floor(i / 14))}] } }\n`).join('')}`;

/**
 * Returns a workspace folder with the given number of flights in `.cache/bench`, created from `vega-datasets`
 * as Parquet the first time.
 */
export async function flightsAtSize(rows: number, tiles: string = twelveTiles): Promise<string> {
  const folder = path.join(project, '.cache', 'bench', `flights-${rows}`);
  const data = path.join(folder, 'data', 'flights');
  for (const name of ['models', 'dashboards', 'tests'])
    await mkdir(path.join(folder, name), { recursive: true });
  await mkdir(data, { recursive: true });
  await writeFile(path.join(folder, 'belvedere.yaml'), 'version: 1\ntitle: Bench\ntimezone: UTC\n');
  await writeFile(path.join(folder, 'models', 'flights.yaml'), model);
  await writeFile(
    path.join(folder, 'dashboards', 'bench.yaml'),
    `version: 1\ntitle: Bench\nmodel: flights\npages:\n  - title: One\n    tiles:${tiles}`,
  );
  await writeFile(path.join(folder, 'models', 'guarded.yaml'), guarded);
  await writeFile(path.join(folder, 'tests', 'people.yaml'), people);
  await writeFile(
    path.join(folder, 'dashboards', 'guarded.yaml'),
    `version: 1\ntitle: Guarded\nmodel: guarded\npages:\n  - title: One\n    tiles:${twelveTiles}`,
  );
  // A folder counts as one table if it has several similar files.
  const inFile = Math.min(copyRows, Math.ceil(rows / 2));
  await writeFile(
    path.join(folder, 'dashboards', 'twenty.yaml'),
    `version: 1\ntitle: Twenty\nmodel: flights\npages:\n  - title: One\n    tiles:${twentyTiles}`,
  );
  const copies = Math.ceil(rows / inFile);
  if ((await readdir(data)).length === copies) return folder;
  const original = path.join(await prepareSample(project), 'data', 'flights.parquet');
  const instance = await DuckDBInstance.create(':memory:', { preserve_insertion_order: 'true' });
  const connection = await instance.connect();
  await connection.run(`create table flights as select * from '${original}' order by date`);
  for (let copy = 0; copy < copies; copy++) {
    const draft = path.join(folder, 'part.parquet');
    await connection.run(`copy (select date + to_days(${copy * 181}) as date, delay::smallint as delay, distance::smallint as distance, origin, destination, 'C' || lpad((hash(origin, destination, ${copy}) % 14)::varchar, 2, '0') as carrier
      from flights limit ${Math.min(inFile, rows - copy * inFile)}) to '${draft}' (format parquet, compression zstd, row_group_size 1000000)`);
    await rename(draft, path.join(data, `part-${String(copy).padStart(3, '0')}.parquet`));
  }
  connection.closeSync();
  instance.closeSync();
  await rm(path.join(folder, 'part.parquet'), { force: true });
  return folder;
}
