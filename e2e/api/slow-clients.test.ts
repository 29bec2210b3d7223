import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { metricsTokenOf, resolveWorkspace } from '@belvedere/server';
import { limits } from '../../apps/server/src/limits.ts';
import { allRead, runBelvedere, type Running } from '../running-belvedere.ts';

/**
 * Clients that send requests and then do not read, with real sockets: they delay nobody else, and hold
 * nothing of the server for long.
 */

let folder: string;
let running: Running;
const sockets = new Set<net.Socket>();
/** The server's ends of the connections, by the ports of the clients'. */
const served = new Map<number, net.Socket>();

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-slow-'));
  for (const name of ['data', 'dashboards']) await mkdir(path.join(folder, name));
  // More than the kernel's buffers between two sockets hold, in every format: random text does not get
  // shorter.
  const lines = Array.from({ length: 500_000 }, (_, i) => `${i},${randomBytes(24).toString('base64url')}`);
  await writeFile(path.join(folder, 'data', 'parcels.csv'), ['number,code', ...lines].join('\n'));
  await writeFile(
    path.join(folder, 'dashboards', 'parcels.yaml'),
    'version: 1\ntitle: Parcels\nmodel: parcels\npages:\n  - title: One\n    tiles:\n      list: { kind: table, columns: [number, code] }\n',
  );
  running = await runBelvedere(folder);
  running.server.app.server.on('connection', (socket: net.Socket) => served.set(socket.remotePort!, socket));
  await allRead(running);
}, 240_000);
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await running.close();
  await rm(folder, { recursive: true, force: true });
});

/** A client that sends a request and reads nothing of the response until told to. */
function silent(method: string, address: string, body?: object): net.Socket {
  const { host, hostname, port } = new URL(running.server.address);
  const text = body ? JSON.stringify(body) : '';
  const socket = net.connect({ host: hostname, port: Number(port) });
  sockets.add(socket.on('error', () => {}));
  socket.pause();
  const headers = [
    `Host: ${host}`,
    `Cookie: ${running.cookie}`,
    'X-Belvedere: 1',
    ...(body ? ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(text)}`] : []),
  ];
  socket.write(`${method} ${address} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n${text}`);
  return socket;
}

/** All that comes before the connection ends. */
async function rest(socket: net.Socket): Promise<number> {
  let bytes = 0;
  socket.on('data', (data: Buffer) => (bytes += data.length));
  socket.resume();
  await new Promise(resolve => socket.once('close', resolve));
  return bytes;
}

async function until(holds: () => boolean, what: string, longestMs = 60_000): Promise<void> {
  const end = Date.now() + longestMs;
  while (!holds()) {
    if (Date.now() > end) throw new Error(`${what} did not come about`);
    await new Promise(resolve => setTimeout(resolve, 50));
  }
}

const exporting = () => running.server.queries.queues.exports.running;
const servedTo = async (client: net.Socket) => {
  await until(() => client.localPort !== undefined && served.has(client.localPort), 'a connection');
  return served.get(client.localPort!)!;
};
const state = encodeURIComponent(JSON.stringify({ page: 0, filters: {}, selections: {} }));
const file = (format: string) =>
  `/api/v1/dashboards/parcels/export?format=${format}&tile=list&state=${state}`;
const sql = { sql: 'select range as number, md5(range::varchar) as code from range(3000000)' };

describe('a client that stops reading', () => {
  test('frees its export slot for the next export', async () => {
    const clients = Array.from({ length: limits.runningExports }, () => silent('GET', file('csv')));
    await until(() => exporting() === limits.runningExports, 'exports in every place');
    await until(() => exporting() === 0, 'the end of all of them', 4 * limits.stalledMs);
    const next = await running.send(`${running.server.address}${file('csv')}`);
    expect(next.status).toBe(200);
    const reader = next.body!.getReader();
    expect((await reader.read()).value!.length).toBeGreaterThan(0);
    await reader.cancel();
    for (const client of clients) expect(await rest(client)).toBeLessThan(16_000_000);
  }, 180_000);

  test('is disconnected, whatever it asked for, and what worked for it ends', async () => {
    const requests = {
      'a Parquet file': ['GET', file('parquet')],
      'a workbook': ['GET', `${file('xlsx')}&rows=all`],
      'a full SQL result': ['POST', '/api/v1/sources/files/sql/export', { ...sql, format: 'csv' }],
      'a response in one piece': [
        'POST',
        '/api/v1/sources/files/sql',
        { sql: 'select repeat(md5(range::varchar), 60) as text from range(10000)', limit: 10_000 },
      ],
    } as const;
    await Promise.all(
      Object.entries(requests).map(async ([what, [method, address, body]]) => {
        const socket = await servedTo(silent(method, address, body));
        await until(() => socket.writableLength > 0, `more of ${what} than the kernel holds`, 120_000);
        const began = performance.now();
        await until(() => socket.destroyed, `the end of ${what}`, 120_000 + 4 * limits.stalledMs);
        expect(performance.now() - began, what).toBeGreaterThan(0.7 * limits.stalledMs);
      }),
    );
    await until(
      () => exporting() === 0 && running.server.engine.status.running === 0,
      'the end of what worked for them',
    );
  }, 300_000);

  test('for less than the limit receives everything', async () => {
    const client = silent('POST', '/api/v1/sources/files/sql/export', { ...sql, format: 'csv' });
    let bytes = 0;
    client.on('data', (data: Buffer) => (bytes += data.length));
    client.pause();
    await new Promise(resolve => setTimeout(resolve, 0.6 * limits.stalledMs));
    client.resume();
    await until(() => bytes > 100_000_000, 'all rows', 120_000);
  }, 180_000);
});

describe('event streams', () => {
  const events = async (cookie: string) => {
    const controller = new AbortController();
    const { status } = await fetch(`${running.server.address}/api/v1/events`, {
      headers: { cookie },
      signal: controller.signal,
    });
    return { status, close: () => controller.abort() };
  };

  test('are limited for each browser', async () => {
    const all = await Promise.all(
      Array.from({ length: limits.eventStreams + 2 }, () => events(running.cookie)),
    );
    expect(all.map(({ status }) => status).toSorted()).toEqual([
      ...Array<number>(limits.eventStreams).fill(200),
      429,
      429,
    ]);
    for (const { close } of all) close();
    await expect
      .poll(async () => {
        const again = await events(running.cookie);
        again.close();
        return again.status;
      })
      .toBe(200);
  });

  test('end for a client that does not read its queued events', async () => {
    const socket = await servedTo(silent('GET', '/api/v1/events'));
    await until(() => socket.bytesWritten > 0, 'a beginning');
    let most = 0;
    // Far more than the system takes on its way between two processes.
    for (let i = 0; i < 4000 && !socket.destroyed; i++) {
      running.server.store.tell({ kind: 'importing', table: 'x'.repeat(20_000), percent: i % 100 });
      most = Math.max(most, socket.writableLength);
      await new Promise(resolve => setImmediate(resolve));
    }
    expect(socket.destroyed).toBe(true);
    expect(most).toBeLessThan(limits.eventBytes + 2 ** 17);
  }, 180_000);
});

describe('/metrics', () => {
  const metrics = (authorization?: string, address = '/metrics') =>
    fetch(`${running.server.address}${address}`, {
      headers: authorization === undefined ? {} : { authorization },
    });

  test('requires the token, which only this account can read and which grants nothing else', async () => {
    const kept = path.join(folder, '.belvedere', 'secrets', '.metrics-token');
    expect((await stat(kept)).mode & 0o777).toBe(0o600);
    const location = await resolveWorkspace(folder);
    const { token, from, command } = await metricsTokenOf(location);
    expect([from, command]).toEqual([kept, 'open']);
    expect((await metrics(`Bearer ${token}`)).status).toBe(200);
    expect(await (await metrics(`Bearer ${token}`)).text()).toContain('belvedere_queries_running');
    for (const wrong of [
      undefined,
      '',
      'Bearer',
      `Bearer ${token}x`,
      `Bearer ${token.slice(1)}`,
      `Basic ${token}`,
      token,
      // A folder from elsewhere could bring a file whose text its author knows.
      `Bearer ${(await readFile(kept, 'utf8')).trim()}`,
    ])
      expect((await metrics(wrong)).status, String(wrong)).toBe(401);
    for (const address of ['/readyz', '/api/v1/session', '/api/v1/dashboards', '/api/openapi.json'])
      expect((await metrics(`Bearer ${token}`, address)).status, address).toBe(401);
  });
});
