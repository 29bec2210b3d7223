import { spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { project, startCli, userState } from '../browser.ts';

/**
 * Signing in by a new address: `belvedere open` requests it with a secret that only this user account can
 * read.
 */

let folder: string;
let cli: Awaited<ReturnType<typeof startCli>>;
let origin: string;
let startedBeforeMs: number;
const secretFile = () => path.join(folder, '.belvedere', 'secrets', '.open-token');
/** Made of the file's token and the secret of this account, which is outside the folder. */
const openingSecret = async () => {
  const local = await readFile(path.join(userState, 'belvedere', 'secrets', '.local-secret'), 'utf8');
  return createHmac('sha256', local.trim())
    .update((await readFile(secretFile(), 'utf8')).trim())
    .digest('base64url');
};

/** A header that proves the secret to the server. */
const proof = async (of: { from?: string; path?: string; atMs?: number; secret?: string } = {}) => {
  const { from = origin, path: to = '/open', atMs = Date.now(), secret = await openingSecret() } = of;
  const made = createHmac('sha256', secret).update(`opening\n${from}\n${to}\n${atMs}`).digest('base64url');
  return { authorization: `Bearer ${atMs}.${made}` };
};

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-fresh-'));
  await mkdir(path.join(folder, 'data'));
  await writeFile(path.join(folder, 'belvedere.yaml'), 'version: 1\ntitle: Small\n');
  await writeFile(path.join(folder, 'data', 'small.csv'), 'colour,size\nred,1\nblue,2\n');
  startedBeforeMs = Date.now();
  cli = await startCli([folder]);
  ({ origin } = new URL(cli.url));
});
afterAll(async () => {
  await cli.stop();
  await rm(folder, { recursive: true, force: true });
});

const belvedere = (...words: readonly string[]) => belvedereWith(userState, ...words);
const belvedereWith = (state: string, ...words: readonly string[]) => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [path.join(project, 'apps', 'cli', 'src', 'main.ts'), ...words],
    { encoding: 'utf8', env: { ...process.env, XDG_STATE_HOME: state } },
  );
  return { status, out: stdout, err: stderr };
};
const opened = (url: string, headers: Record<string, string> = {}) =>
  fetch(url, { redirect: 'manual', headers });
const sessionOf = (response: Response) => response.headers.get('set-cookie')?.split(';')[0];
const isSignedIn = async (cookie: string | undefined) =>
  (await fetch(`${origin}/api/v1/session`, { headers: { cookie: cookie ?? '' } })).status === 200;
const ask = (headers: Readonly<Record<string, string>>) =>
  fetch(`${origin}/open`, { method: 'POST', headers });

test('the printed address may be opened by a link preview first; it expires when a browser uses its session', async () => {
  const [preview, browser] = [sessionOf(await opened(cli.url)), sessionOf(await opened(cli.url))];
  expect([await isSignedIn(browser), await isSignedIn(preview)]).toEqual([true, false]);
  expect((await opened(cli.url)).status).toBe(401);
  // The signed-in browser continues to the pages.
  expect((await opened(cli.url, { cookie: browser! })).headers.get('location')).toBe('/');
});

test('an expired address is explained as a page in the user’s language, and to programs as a problem', async () => {
  const page = await opened(cli.url, { accept: 'text/html,*/*', 'accept-language': 'de-DE,de' });
  expect([page.status, page.headers.get('content-type'), page.headers.get('cache-control')]).toEqual([
    401,
    'text/html; charset=utf-8',
    'no-store',
  ]);
  expect(await page.text()).toContain('Diese Adresse gilt nicht mehr.');
  const problem = await opened(cli.url, { accept: 'application/json' });
  expect([problem.status, problem.headers.get('content-type')]).toEqual([401, 'application/problem+json']);
  expect(await problem.json()).toMatchObject({
    type: 'not-signed-in',
    detail: expect.stringContaining('npm start -- open PATH') as string,
  });
});

test('`open` prints a fresh address of the running Belvedere, which signs one browser in', async () => {
  const { status, out, err } = belvedere('open', folder, '--no-open');
  expect([status, err]).toEqual([0, '']);
  const [, address] = /^Belvedere is open at (\S+)\n$/.exec(out)!;
  expect(new URL(address!).origin).toBe(origin);
  expect(await isSignedIn(sessionOf(await opened(address!)))).toBe(true);
  expect((await opened(address!)).status).toBe(401);
  expect(JSON.parse(belvedere('open', folder, '--no-open', '--json').out)).toEqual({
    address: expect.stringContaining(`${origin}/open/`) as string,
    port: Number(new URL(origin).port),
  });
});

test('`open` with another state directory says that the server takes no requests of it', () => {
  const { status, err } = belvedereWith(path.join(folder, 'other'), 'open', folder, '--no-open');
  expect([status, err]).toEqual([1, expect.stringContaining('does not take requests of this account')]);
});

test('a second start on the folder is refused, with an address to sign in', async () => {
  const { status, out, err } = belvedere(folder, '--no-open', '--port', '0');
  expect([status, out]).toEqual([1, '']);
  expect(err).toContain(
    `This folder is open in another Belvedere: process ${cli.process.pid}, at ${origin}/.`,
  );
  const [address] = new RegExp(`${origin}/open/\\S+`).exec(err)!;
  expect(await isSignedIn(sessionOf(await opened(address)))).toBe(true);
});

describe('a fresh address', () => {
  test('is issued for the secret, which only this account can read', async () => {
    expect([
      (await stat(secretFile())).mode & 0o777,
      (await stat(path.dirname(secretFile()))).mode & 0o777,
    ]).toEqual([0o600, 0o700]);
    const given = await ask({ ...(await proof()), 'x-belvedere': '1' });
    expect([given.status, given.headers.get('cache-control'), await given.json()]).toEqual([
      200,
      'no-store',
      { path: expect.stringMatching(/^\/open\/[\w-]{32}$/) as string },
    ]);
  });

  test('is refused to all other requests, signed in or not, and to other sites', async () => {
    const metrics = (await readFile(path.join(path.dirname(secretFile()), '.metrics-token'), 'utf8')).trim();
    const { out } = belvedere('open', folder, '--no-open', '--json');
    const cookie = sessionOf(await opened((JSON.parse(out) as { address: string }).address))!;
    const others: readonly Readonly<Record<string, string>>[] = [
      {},
      { authorization: 'Bearer made-up' },
      { authorization: `Bearer ${metrics}` },
      // What a folder from elsewhere could have brought.
      await proof({ secret: (await readFile(secretFile(), 'utf8')).trim() }),
      // The secret itself, and proofs for another server, path or time, or from before the server started.
      { authorization: `Bearer ${await openingSecret()}` },
      await proof({ from: 'http://127.0.0.1:1' }),
      await proof({ path: '/backup' }),
      await proof({ atMs: Date.now() + 120_000 }),
      await proof({ atMs: startedBeforeMs }),
      { cookie },
    ];
    const refused = await Promise.all(others.map(headers => ask({ 'x-belvedere': '1', ...headers })));
    expect(refused.map(({ status }) => status)).toEqual(others.map(() => 401));
    const authorization = (await proof()).authorization;
    const [plain, foreign] = await Promise.all([
      ask({ authorization }),
      ask({ authorization, 'x-belvedere': '1', origin: 'https://evil.example' }),
    ]);
    expect([plain.status, foreign.status]).toEqual([403, 403]);
  });

  test('is all that the secret grants', async () => {
    const headers = await proof();
    const answers = await Promise.all(
      ['/metrics', '/readyz', '/api/v1/session', '/api/docs'].map(route =>
        fetch(origin + route, { headers }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
  });

  test('is not requested with a secret that other accounts can read', async () => {
    await chmod(secretFile(), 0o644);
    const { status, out, err } = belvedere('open', folder, '--no-open');
    await chmod(secretFile(), 0o600);
    expect([status, out]).toEqual([1, '']);
    expect(err).toContain('does not take requests of this account. Restart it.');
  });

  test('is issued twenty times a minute at most', async () => {
    const headers = {
      ...(await proof()),
      'x-belvedere': '1',
    };
    const statuses = new Set<number>();
    for (let i = 0; i < 21; i++) statuses.add((await ask(headers)).status);
    expect(statuses).toContain(429);
  });
});
