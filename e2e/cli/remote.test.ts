import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TokenScope } from '@belvedere/api';
import { project } from '../browser.ts';
import { allRead } from '../running-belvedere.ts';
import { runTeam, type RunningTeam } from '../team/running-team.ts';

/* Commands with a server instead of a folder. */

const dashboard = `version: 1
title: Sales
model: orders
pages:
  - title: One
    tiles:
      count: { kind: kpi, value: { measure: rows }, at: [0, 0, 6, 3] }
      cities: { kind: table, columns: [city, rows], at: [6, 0, 12, 6] }
`;
let team: RunningTeam;
let folder: string;
beforeAll(async () => {
  team = await runTeam({
    'belvedere.yaml': 'version: 1\ntitle: Shop\n',
    'data/orders.csv': 'city,amount\nAachen,1\nBonn,2\nBonn,3\n',
    'data/visits.csv': `day,visits\n${Array.from({ length: 40 }, (_, i) => `${i},${i % 10 === 3 ? 'closed' : i}`).join('\n')}\n`,
    'models/orders.yaml':
      'version: 1\ntable: orders\ndimensions: { city: {} }\nmeasures: { rows: { expr: count(*) } }\n',
    'dashboards/sales.yaml': dashboard,
    'dashboards/broken.yaml': dashboard.replace('measure: rows', 'measure: rose'),
  });
  await allRead(team);
  folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-remote-'));
});
afterAll(async () => {
  await team?.close();
  await rm(folder, { recursive: true, force: true });
});

const tokenOf = async (scope: TokenScope) =>
  (await team.owner.client.createOwnToken({ body: { name: `cli ${Math.random()}`, scope } })).secret;

/** Runs a command in an empty folder. */
async function belvedere(token: string | undefined, ...words: readonly string[]) {
  const { BELVEDERE_TOKEN: _, ...env } = process.env;
  const program = spawn(process.execPath, [path.join(project, 'apps/cli/src/main.ts'), ...words], {
    cwd: folder,
    env: { ...env, ...(token !== undefined && { BELVEDERE_TOKEN: token }) },
  });
  const [out, err]: [Buffer[], Buffer[]] = [[], []];
  program.stdout.on('data', (piece: Buffer) => out.push(piece));
  program.stderr.on('data', (piece: Buffer) => err.push(piece));
  const status = await new Promise<number | null>(resolve => program.on('close', resolve));
  return {
    status,
    out: Buffer.concat(out),
    text: Buffer.concat(out).toString().trim(),
    err: Buffer.concat(err).toString().trim(),
  };
}
const at = () => ['--server', team.server.address];

test('ask queries a model of the server', async () => {
  const words = ['ask', 'orders', '-m', 'rows', '-b', 'city', '-w', 'city=Bonn', '--csv'];
  const { text, err } = await belvedere(await tokenOf('explore'), ...words, ...at());
  expect(err).toBe('');
  expect(text.split(/\r?\n/)).toEqual(['city,rows', 'Bonn,2']);
});

test('render writes the file under the name that the server gives it', async () => {
  const { err, text } = await belvedere(
    await tokenOf('read'),
    'render',
    'sales',
    '--format',
    'png',
    '--tile',
    'count',
    ...at(),
  );
  expect(err).toBe('');
  expect(await readdir(folder)).toEqual([text]);
  const picture = await readFile(path.join(folder, text));
  expect(picture.subarray(1, 4).toString()).toBe('PNG');
});

test('render takes filters, and writes to standard output', async () => {
  const words = ['render', 'sales', '-f', 'csv', '--tile', 'cities', '-w', 'city=Aachen', '-o', '-'];
  const { text, err } = await belvedere(await tokenOf('explore'), ...words, ...at());
  expect(err).toBe('');
  expect(text).toContain('Aachen');
  expect(text).not.toContain('Bonn');
});

test('check prints the problems of the server’s documents', async () => {
  const { status, text } = await belvedere(await tokenOf('write'), 'check', ...at());
  expect(status).toBe(1);
  expect(text).toMatch(/^dashboards\/broken\.yaml:7:\d+: .*rose/);
  expect(text).toContain(
    'data/visits.csv:5: warning: “visits” is imported as text because of “closed” (4 times); 36 of 40 values',
  );
});

test('append adds rows to a table, and says which line is wrong', async () => {
  const file = path.join(folder, 'readings.ndjson');
  const line = (n: number) => `{"sensor":"a","value":${n}}\n`;
  await writeFile(file, Array.from({ length: 12_000 }, (_, n) => line(n)).join(''));
  const token = await tokenOf('write');
  expect(await belvedere(token, 'append', 'readings', file, ...at())).toMatchObject({
    err: '',
    text: '12,000 rows added to `readings`.',
  });
  await writeFile(file, `${Array.from({ length: 6000 }, (_, n) => line(n)).join('')}\n[1]\n${line(1)}`);
  expect(await belvedere(token, 'append', 'readings', file, ...at())).toMatchObject({
    status: 1,
    text: '',
    err: expect.stringMatching(/^Line 6002: A row must be .* 5,000 rows before it were added\.$/) as string,
  });
  const { client } = team.owner;
  await expect
    .poll(async () => (await client.listTables({})).tables.find(({ name }) => name === 'readings')?.rows)
    .toBe(17_000);
  expect(await belvedere(token, 'append', 'orders', file, ...at())).toMatchObject({
    status: 1,
    err: expect.stringContaining('`orders` is read from `orders.csv`') as string,
  });
  expect((await belvedere(token, 'append', 'new', 'none.ndjson', ...at())).err).toContain('none.ndjson');
  const explorer = await belvedere(await tokenOf('explore'), 'append', 'readings', file, ...at());
  expect(explorer.err).toMatch(/scope `explore`; this needs one with `write`/);
  expect((await belvedere(token, 'append', 'readings', file)).err).toContain('give --server');
});

test.each<[what: string, words: (secret: string) => string[], token: TokenScope | undefined, says: RegExp]>([
  ['no token', () => ['check', ...at()], undefined, /needs an access token: set BELVEDERE_TOKEN/],
  ['a wrong token', () => ['check', ...at(), '--token', 'belvedere_no'], 'read', /token is not valid/],
  [
    'too small a scope',
    () => ['ask', 'orders', ...at()],
    'read',
    /scope `read`; this needs one with `explore`/,
  ],
  ['an unknown dashboard', () => ['render', 'none', ...at()], 'read', /not found/],
  ['--trust too', () => ['check', '--trust', ...at()], 'read', /--trust is for a folder/],
  ['a path too', () => ['check', '.', ...at()], 'read', /Give either the path `\.` or --server/],
  ['no server', () => ['check', '--server', 'http://127.0.0.1:9'], 'read', /127\.0\.0\.1:9 does not answer/],
  ['http', () => ['check', '--server', 'http://belvedere.example.org'], 'read', /Use https/],
])('with %s, it says so and exits with an error', async (_, words, scope, says) => {
  const secret = scope && (await tokenOf(scope));
  const { status, err, text } = await belvedere(secret, ...words(secret ?? ''));
  expect(status).toBeGreaterThan(0);
  expect(err).toMatch(says);
  expect(text).toBe('');
  if (secret) expect(err).not.toContain(secret);
});
