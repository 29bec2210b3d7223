import { createServer, type Server } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ApiError } from '@belvedere/api';
import { openDatabase } from '@belvedere/engine';
import { runTeam } from '../team/running-team.ts';
import { runBelvedere, type Running } from '../running-belvedere.ts';
import { startHostileListener, type HostileListener } from '../servers/hostile-listener.ts';

/**
 * Testing a connection reports what is wrong with it, and nothing of another service's response (SAFETY 46,
 * 51).
 */

const canary = 'canary-93ae';
const kinds = ['postgres', 'mysql', 'clickhouse'] as const;
const http = (status: number, headers: string, body: string) =>
  `HTTP/1.1 ${status} Told\r\n${headers}content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`;
/** Responses of services of other kinds. */
const answers = {
  'a page': http(200, '', `${canary}\t0\n`),
  'a page that begins with a number': http(200, '', `1.2.3\n${canary}\n`),
  'an error of its own': http(500, '', `Stack trace of ${canary}`),
  'an error that looks like ClickHouse’s': http(404, '', `Code: 999. DB::Exception: ${canary}. (UNKNOWN)`),
  'nothing that it understands': `-ERR ${canary}\r\n`,
  // ErrorResponse of the PostgreSQL protocol, with a code that Belvedere does not know.
  'an error of PostgreSQL': `E\0\0\0${String.fromCharCode(4 + 20 + canary.length)}SFATAL\0CXX000\0M${canary}\0\0`,
};

let folder: string;
let running: Running;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-connection-tests-'));
  await writeFile(path.join(folder, 'belvedere.yaml'), 'version: 1\n');
});
beforeEach(async () => {
  // The number of tests per server and minute is limited.
  await running?.close();
  running = await runBelvedere(folder);
});
afterAll(async () => {
  await running?.close();
  await rm(folder, { recursive: true, force: true });
});

const tried = async (kind: (typeof kinds)[number], port: number, host = '127.0.0.1') => {
  const error: unknown = await running.client
    .testSource({ body: { kind, host, port, database: 'd', user: 'u', password: 'p' } })
    .then(
      () => undefined,
      (failed: unknown) => failed,
    );
  if (!(error instanceof ApiError)) throw new Error(`nothing was wrong, or ${String(error)}`);
  return error.problem;
};

describe.each(kinds)('a connection as %s', kind => {
  test('to a service of any kind reveals nothing of its response', { timeout: 60_000 }, async () => {
    // Several at once, since each may wait five seconds for the rest of an answer.
    const problems = await Promise.all(
      Object.entries(answers).map(async ([name, answer]) => {
        const listener = await startHostileListener(answer);
        try {
          return [name, await tried(kind, listener.port)] as const;
        } finally {
          await listener.close();
        }
      }),
    );
    for (const [name, problem] of problems) {
      expect(JSON.stringify(problem), name).not.toContain(canary);
      expect(problem.type, name).toMatch(/^source-(unreachable|refused)$/);
    }
  });

  test('to a closed port of this machine reports that nothing listens', async () => {
    const { port, close } = await startHostileListener();
    await close();
    expect((await tried(kind, port)).detail).toBe(`Could not connect: nothing listens at 127.0.0.1:${port}.`);
  });
});

test('a connection test follows no redirect', async () => {
  const target = await startHostileListener(http(200, '', '1.2.3\t2\n'));
  const listener: HostileListener = await startHostileListener(
    http(302, `location: http://127.0.0.1:${target.port}/\r\n`, canary),
  );
  try {
    expect(JSON.stringify(await tried('clickhouse', listener.port))).not.toContain(canary);
    expect([listener.connections > 0, target.connections]).toEqual([true, 0]);
  } finally {
    await Promise.all([listener.close(), target.close()]);
  }
});

test('connection tests of other machines have one message for a closed port, a service and an unknown name', async () => {
  // Another address of this machine acts as another machine, which no rule knows.
  const server: Server = createServer((_, reply) => reply.end(canary));
  await new Promise<void>(resolve => server.listen(0, '127.0.0.2', resolve));
  const { port } = server.address() as AddressInfo;
  const said = async (host: string, at: number) => {
    const engine = await openDatabase('clickhouse', {
      host,
      port: at,
      database: 'd',
      user: 'u',
      password: 'p',
      tls: 'off',
    });
    return engine
      .check()
      .then(
        () => 'reached',
        (error: Error) => error.message,
      )
      .finally(() => engine.close());
  };
  try {
    const words = await Promise.all([
      said('127.0.0.2', port),
      said('127.0.0.3', port),
      said('no.such.host.invalid', port),
    ]);
    expect(new Set(words.map(message => message.replace(/at \S+:/, 'at ADDRESS:')))).toEqual(
      new Set([
        `Could not connect: no ClickHouse responded at ADDRESS:${port}. Check the host, the port and the firewall.`,
      ]),
    );
  } finally {
    await new Promise(resolve => server.close(resolve));
  }
});

test('in a team, neither words nor times tell ports of any kind apart, by tests or by saved sources', async () => {
  const team = await runTeam({ 'belvedere.yaml': 'version: 1\n' });
  const admin = await team.join('Ada', 'admin');
  const silent = net.createServer(() => {});
  await new Promise<void>(resolve => silent.listen(0, '127.0.0.1', resolve));
  const closed = await startHostileListener();
  await closed.close();
  const page = await startHostileListener(answers['a page']);
  const ports = [closed.port, (silent.address() as AddressInfo).port, page.port];
  try {
    const results = await Promise.all([
      ...kinds.flatMap(kind =>
        ports.map(async port => {
          const began = performance.now();
          const message = await admin.client
            .testSource({ body: { kind, host: '127.0.0.1', port, database: 'd', user: 'u', password: 'p' } })
            .then(
              () => 'reached',
              (error: unknown) => (error as ApiError).problem.detail!,
            );
          return { kind, message: message.replace(`:${port}.`, ':PORT.'), took: performance.now() - began };
        }),
      ),
      ...ports.map(async (port, i) => {
        const began = performance.now();
        const params = { name: `saved_${i}` };
        await admin.client.saveSource({
          params,
          body: { kind: 'postgres', host: '127.0.0.1', port, database: 'd', user: 'u', password: 'p' },
        });
        let found = await admin.client.getSource({ params });
        while (found.state !== 'failed') {
          await new Promise(resolve => setTimeout(resolve, 100));
          found = await admin.client.getSource({ params });
        }
        return {
          kind: 'postgres',
          message: found.problem!.message.replace(`:${port}.`, ':PORT.'),
          took: performance.now() - began,
        };
      }),
    ]);
    for (const kind of kinds)
      expect(new Set(results.flatMap(one => (one.kind === kind ? one.message : []))).size, kind).toBe(1);
    const times = results.map(({ took }) => took);
    expect(Math.min(...times)).toBeGreaterThan(11_900);
    expect(Math.max(...times) - Math.min(...times)).toBeLessThan(5000);
  } finally {
    await team.close();
    await page.close();
    silent.close();
  }
});

test('connection tests are limited in number, whichever route they use', async () => {
  const { port, close } = await startHostileListener();
  await close();
  for (let i = 0; i < 20; i++) expect((await tried('postgres', port)).type).toBe('source-unreachable');
  expect(await tried('postgres', port)).toMatchObject({ type: 'rate-limited', status: 429 });
  await expect(
    running.client.saveSource({
      params: { name: 'shop' },
      body: { kind: 'postgres', host: '127.0.0.1', port, database: 'd', user: 'u' },
    }),
  ).rejects.toMatchObject({ problem: { type: 'rate-limited' } });
});
