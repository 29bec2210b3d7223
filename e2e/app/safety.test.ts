import { contract } from '@belvedere/api';
import { EngineError, openDuckDb } from '@belvedere/engine';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { allRead, collect, runBelvedere, type Running } from '../running-belvedere.ts';

let folder: string;
let running: Running;
const state = { page: 0, filters: {}, selections: {} };

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-safety-'));
  await writeFile(
    path.join(folder, 'things.csv'),
    `when,kind,amount\n${Array.from({ length: 2000 }, (_, i) => `2024-0${(i % 6) + 1}-1${i % 9},${'abcdef'[i % 6]},${i}`).join('\n')}\n`,
  );
  running = await runBelvedere(folder);
  await allRead(running);
});
afterAll(async () => {
  await running.close();
  await rm(folder, { recursive: true, force: true });
});

/** A request with headers that fetch does not allow, such as another Host. */
function raw(
  route: string,
  headers: Record<string, string>,
): Promise<{ status: number; body: string; headers: http.IncomingHttpHeaders }> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(running.server.address);
    http
      .get({ hostname, port, path: route, headers }, response => {
        let body = '';
        response.on('data', chunk => (body += String(chunk)));
        response.on('end', () => resolve({ status: response.statusCode!, body, headers: response.headers }));
      })
      .on('error', reject);
  });
}

describe('requests without a session', () => {
  /** Those for signing in exist for teams only. */
  const forUsers = Object.entries(contract).filter(([, { access }]) => access.on !== 'anyone');

  test.each(forUsers.map(([name, { method, path: route }]) => ({ name, method, route })))(
    '$name is refused',
    async ({ method, route }) => {
      const url = running.server.address + route.replace(/:\w+/g, 'x');
      const response = await fetch(url, {
        method,
        headers: { 'x-belvedere': '1', 'content-type': 'application/json' },
        ...(method !== 'GET' && { body: '{}' }),
      });
      expect([response.status, ((await response.json()) as { type: string }).type]).toEqual([
        401,
        'not-signed-in',
      ]);
    },
  );

  test.each(['/metrics', '/readyz', '/api/openapi.json', '/api/docs', '/api/schema/dashboard.json'])(
    '%s is refused',
    async route => {
      expect((await fetch(running.server.address + route)).status).toBe(401);
    },
  );

  test('may query the server’s health, and nothing more', async () => {
    expect(await (await fetch(`${running.server.address}/healthz`)).json()).toEqual({ ok: true });
  });

  test('include those with a made-up session or token', async () => {
    expect(
      (
        await fetch(`${running.server.address}/api/v1/session`, {
          headers: { cookie: `belvedere-${running.server.port}=made-up` },
        })
      ).status,
    ).toBe(401);
    expect((await fetch(`${running.server.address}/open/made-up`, { redirect: 'manual' })).status).toBe(401);
  });
});

describe('requests', () => {
  test('for another host are refused, whatever they contain (DNS rebinding)', async () => {
    for (const route of ['/', '/healthz', '/api/v1/session'])
      expect((await raw(route, { host: 'evil.example' })).status).toBe(403);
  });

  test.each([
    ['without the header that forms cannot send', {}],
    ['from another site', { 'x-belvedere': '1', origin: 'https://evil.example' }],
    ['that a browser calls cross-site', { 'x-belvedere': '1', 'sec-fetch-site': 'cross-site' }],
  ])('%s may neither change nor query anything', async (_, headers) => {
    const response = await running.send(`${running.server.address}/api/v1/validate`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers } as Record<string, string>,
      body: JSON.stringify({ kind: 'dashboard', text: 'version: 1' }),
    });
    expect(response.status).toBe(403);
  });

  test.each([
    ['an unknown key', '{"state":{"page":0,"filters":{},"selections":{},"sql":"select 1"}}', 'state'],
    ['a wrong type', '{"state":{"page":"0","filters":{},"selections":{}}}', 'state.page'],
    ['a missing part', '{}', 'state'],
    ['a prototype', '{"__proto__":{"admin":true},"state":{"page":0,"filters":{},"selections":{}}}', ''],
    ['no JSON', '{', ''],
  ])('with %s are refused by name', async (_, body, field) => {
    const response = await running.send(
      `${running.server.address}/api/v1/dashboards/overview%2Fthings/query`,
      { method: 'POST', headers: { 'content-type': 'application/json', 'x-belvedere': '1' }, body },
    );
    expect(response.status).toBe(400);
    expect(((await response.json()) as { detail: string }).detail).toContain(field);
  });

  test('get a content security policy without foreign scripts, styles or frames', async () => {
    const { headers } = await raw('/', { host: `127.0.0.1:${running.server.port}` });
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|\*|https?:/);
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['referrer-policy']).toBe('no-referrer');
    expect(headers['access-control-allow-origin']).toBeUndefined();
  });

  test('have responses that no browser stores, except documents and pictures', async () => {
    const headersOf = async (route: string) =>
      (await running.send(`${running.server.address}${route}`)).headers;
    const cacheOf = async (route: string) => (await headersOf(route)).get('cache-control');
    for (const route of ['session', 'models', 'tables/things', 'nothing'])
      expect([route, await cacheOf(`/api/v1/${route}`)]).toEqual([route, expect.stringMatching(/^no-store/)]);
    expect(await cacheOf('/api/v1/dashboards')).toBe('private, no-cache');
    // A thumbnail is for one session: the next user of the browser may see other rows.
    const thumbnail = await headersOf('/api/v1/dashboards/overview%2Fthings/thumbnail');
    expect(thumbnail.get('cache-control')).toBe('private, max-age=60');
    expect(thumbnail.get('vary')).toContain('cookie');
  });

  test.each([
    ['both lengths', 'POST / HTTP/1.1', ['Content-Length: 4', 'Transfer-Encoding: chunked'], 400],
    ['a method to trace', 'TRACE / HTTP/1.1', [], 403],
    ['no request line', 'nonsense', [], 400],
    ['an address with a broken escape', 'GET /%E0%A4%A HTTP/1.1', [], 400],
  ])('with %s are refused, and no page shows the response in a frame', async (_, line, more, status) => {
    const { port } = running.server;
    const text = await new Promise<string>((resolve, reject) => {
      let received = '';
      const socket = net.connect(port, '127.0.0.1', () =>
        socket.write([line, `Host: 127.0.0.1:${port}`, 'Connection: close', ...more, '', ''].join('\r\n')),
      );
      socket.on('data', chunk => (received += String(chunk)));
      socket.on('close', () => resolve(received));
      socket.on('error', reject);
    });
    expect(text).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(text).toMatch(/content-security-policy: .*frame-ancestors 'none'/i);
    expect(text).toMatch(/x-content-type-options: nosniff/i);
  });

  test.each([
    ['DELETE', '/api/v1/models/things/query', 404, 'DELETE is not allowed at this address. Use POST.'],
    ['PUT', '/api/v1/dashboards', 404, 'PUT is not allowed at this address. Use GET.'],
    ['OPTIONS', '/api/v1/models', 404, 'OPTIONS is not allowed at this address. Use GET.'],
    ['POST', '/d/any', 404, 'Nothing found at this address.'],
    ['GET', '/api/nothing', 404, 'Nothing found at this address.'],
    ['GET', '/api/v1/dashboards/%E0%A4%A', 400, 'Invalid address'],
  ])('%s %s is not found, as a problem', async (method, route, status, said) => {
    const response = await fetch(running.server.address + route, {
      method,
      headers: { 'x-belvedere': '1', cookie: running.cookie },
    });
    expect([response.status, response.headers.get('content-type')]).toEqual([
      status,
      'application/problem+json',
    ]);
    expect(((await response.json()) as { detail: string }).detail).toContain(said);
  });

  test('cannot leave the folder of pages', async () => {
    for (const route of ['/../package.json', '/..%2f..%2fpackage.json', '/assets/..%2f..%2fvite.config.ts']) {
      const { body } = await raw(route, { host: `127.0.0.1:${running.server.port}` });
      expect(body).not.toMatch(/belvedere\/|defineConfig/);
    }
  });
});

describe('a request', () => {
  const post = (
    route: string,
    body: string | Uint8Array<ArrayBuffer>,
    type = 'application/json',
    method = 'POST',
  ) =>
    running.send(`${running.server.address}${route}`, {
      method,
      headers: { 'x-belvedere': '1', 'content-type': type, origin: running.server.address },
      body,
    });
  const refusal = async (response: Response) => {
    const { type, detail } = (await response.json()) as { type: string; detail: string };
    return [response.status, type, detail];
  };

  test('with a duplicate, reserved or too deep property is refused with its name; brackets in texts do not count as levels', async () => {
    expect(
      await refusal(await post('/api/v1/validate', '{"kind":"dashboard","text":"a","text":"b"}')),
    ).toEqual([400, 'request-invalid', 'Duplicate key `text` in the request.']);
    expect(
      await refusal(await post('/api/v1/validate', '{"kind":"dashboard","text":"a","__proto__":{}}')),
    ).toEqual([400, 'request-invalid', '`__proto__` is not an allowed key in a request.']);
    expect(
      await refusal(await post('/api/v1/validate', `{"kind":${'['.repeat(40)}1${']'.repeat(40)},"text":""}`)),
    ).toEqual([400, 'request-invalid', 'The request nests values more than 32 levels deep.']);
    expect(
      (
        await post(
          '/api/v1/validate',
          JSON.stringify({ kind: 'dashboard', text: `title: "${'['.repeat(1000)}"` }),
        )
      ).status,
    ).toBe(200);
  });

  test('or an upload’s chunk over the limit is refused with a message', async () => {
    expect(
      await refusal(
        await post('/api/v1/validate', JSON.stringify({ kind: 'dashboard', text: 'x'.repeat(1_100_000) })),
      ),
    ).toEqual([413, 'request-too-large', expect.stringContaining('the maximum is 1 MiB')]);
    expect(
      await refusal(
        await post(
          '/api/v1/uploads/big.csv?size=9000000&offset=0',
          new Uint8Array(9_000_000),
          'application/octet-stream',
          'PUT',
        ),
      ),
    ).toEqual([413, 'upload-refused', expect.stringContaining('8 MiB')]);
  });

  test.each([
    '1+'.repeat(2000) + '1',
    'sum(amount)' + ' + sum(amount)'.repeat(2000),
    '('.repeat(5000) + '1' + ')'.repeat(5000),
  ])('with an expression that is too large has its problem as the response: %s', async expr => {
    const { checked } = await running.client.putModelDraft({
      params: { name: 'things' },
      body: {
        text: `version: 1\ntable: things\nmeasures: { m: { expr: '${expr}' } }\n`,
        after: (await running.client.getModelText({ params: { name: 'things' } })).draft?.version ?? 0,
      },
    });
    expect(JSON.stringify(checked)).toMatch(/expression|Expr|characters|long/i);
  });
});

describe('filters and names that look like SQL', () => {
  test.each(["' or 1=1 --", '"; drop table data; --', '$1', '\\', "a' union select 1 --"])(
    '%s is a value like any other',
    async text => {
      const answer = await running.client.postQuery({
        params: { name: 'things' },
        body: { measures: ['rows'], where: { kind: { oneOf: [text] } } },
      });
      expect(answer.rows).toEqual([[0]]);
      await expect(
        running.client.postQuery({ params: { name: 'things' }, body: { measures: [text.slice(0, 60)] } }),
      ).rejects.toMatchObject({ problem: { type: 'field-unknown' } });
    },
  );
});

describe('the engine', () => {
  const engine = () =>
    openDuckDb({
      tablesFolder: folder,
      spillFolder: path.join(folder, 'spill'),
      memoryBytes: 2 ** 30,
      threads: 2,
      codedRows: Infinity,
      patientRows: Infinity,
      codedBytes: 0,
    });
  const options = { as: 'values', timeoutMs: 10_000, maxRows: 10 } as const;

  test.each([
    "select * from read_csv('/etc/passwd')",
    "select * from read_text('/etc/hostname')",
    "select * from glob('/*')",
    "attach '/tmp/x.duckdb' as x",
    "copy (select 1) to '/tmp/belvedere-out.csv'",
    "set memory_limit = '1TB'",
    'install httpfs',
    'select 1; select 2',
    'create table t as select 1',
  ])('refuses: %s', async text => {
    const duckdb = engine();
    await mkdir(path.join(folder, 'spill'), { recursive: true });
    await expect(duckdb.run({ text, parameters: [] }, options)).rejects.toMatchObject({
      code: 'query-failed',
    });
    expect(existsSync('/tmp/belvedere-out.csv')).toBe(false);
    await duckdb.close();
  });

  // A query that was interrupted while its result was read ended as if complete: one in a hundred had an
  // empty result, which was cached.
  test('cancels a query at any moment, or returns its complete result: never a part of it', async () => {
    const duckdb = engine();
    for (let round = 0; round < 120; round++) {
      const controller = new AbortController();
      const asked = Array.from({ length: 8 }, () =>
        duckdb
          .run(
            { text: 'select count(*) from range(3000000) t(i) where i % 3 = 1', parameters: [] },
            { ...options, signal: controller.signal },
          )
          .then(
            answer => answer.columns[0]!.values[0],
            (error: { code: string }) => error.code,
          ),
      );
      await new Promise(resolve => setTimeout(resolve, round / 2));
      controller.abort();
      for (const outcome of await Promise.all(asked))
        expect(['query-cancelled', 1_000_000], `after ${round / 2} ms`).toContain(outcome);
    }
    await duckdb.close();
  });

  test('stops a query at its time limit, and runs the next one', async () => {
    const duckdb = engine();
    const began = performance.now();
    await expect(
      duckdb.run(
        {
          text: 'select count(*) from range(10000000) a, range(1000000) b where a.range + b.range = -1',
          parameters: [],
        },
        { ...options, timeoutMs: 500 },
      ),
    ).rejects.toMatchObject({ code: 'query-timeout' });
    expect(performance.now() - began).toBeLessThan(500 + 2000 + 2500);
    expect((await duckdb.run({ text: 'select 42', parameters: [] }, options)).columns[0]!.values).toEqual([
      42,
    ]);
    await duckdb.close();
  });

  test('kills a process that ignores an interrupt, and repeats the queries of others', async () => {
    const duckdb = engine();
    const deaf = duckdb.run(
      { text: "select length(repeat('x', 2000000000))", parameters: [] },
      { ...options, timeoutMs: 300 },
    );
    const other = duckdb.run({ text: 'select sum(range) from range(1000000)', parameters: [] }, options);
    await expect(deaf.catch((error: EngineError) => error.code)).resolves.toMatch(
      /query-timeout|query-failed|^[^q]/,
    );
    expect(Number((await other).columns[0]!.values[0])).toBe(499_999_500_000);
    await duckdb.close();
  });

  test('restarts when its process dies', async () => {
    const duckdb = engine();
    await duckdb.run({ text: 'select 1', parameters: [] }, options);
    for (let round = 0; round < 3; round++) {
      process.kill((await duckdb.worker.pid)!, 'SIGKILL');
      expect((await duckdb.run({ text: 'select 7', parameters: [] }, options)).columns[0]!.values).toEqual([
        7,
      ]);
    }
    expect(duckdb.status.restarts).toBe(3);
    await duckdb.close();
  });

  test('never truncates a result silently', async () => {
    const duckdb = engine();
    await expect(
      duckdb.run({ text: 'select * from range(11)', parameters: [] }, options),
    ).rejects.toMatchObject({ code: 'query-too-large' });
    await duckdb.close();
  });
});

describe('many readers', () => {
  test('of one dashboard cost no more queries than a single one', async () => {
    const body = { state: { ...state, filters: { kind: { oneOf: ['a', 'b'] } } } };
    const before = (await running.client.getSystem({})).executions;
    const all = await Promise.all(
      Array.from({ length: 40 }, async () =>
        collect(await running.client.queryTiles({ params: { id: 'overview/things' }, body })),
      ),
    );
    const once = (await running.client.getSystem({})).executions - before;
    await collect(await running.client.queryTiles({ params: { id: 'overview/things' }, body }));
    expect((await running.client.getSystem({})).executions - before).toBe(once);
    expect(
      new Set(
        all.map(frames =>
          JSON.stringify(
            frames
              .map(frame => [(frame.header as { tile?: string }).tile, [...(frame.cells?.parts[0] ?? [])]])
              .toSorted(),
          ),
        ),
      ).size,
    ).toBe(1);
  });

  test('cancel their queries by disconnecting', async () => {
    const gone = Array.from({ length: 30 }, (_, i) => {
      const controller = new AbortController();
      const asked = running.client
        .queryTiles(
          {
            params: { id: 'overview/things' },
            body: { state: { ...state, filters: { amount: { from: i } } } },
          },
          { signal: controller.signal },
        )
        .catch(() => {});
      setTimeout(() => controller.abort(), 20);
      return asked;
    });
    await Promise.all(gone);
    await new Promise(resolve => setTimeout(resolve, 2000));
    const { running: still, waiting } = await running.client.getSystem({});
    expect([still, waiting]).toEqual([0, 0]);
  });
});

describe('crafted files', () => {
  test('end in a message with the file’s name, without affecting the server', async () => {
    const place = await mkdtemp(path.join(os.tmpdir(), 'belvedere-crafted-'));
    await writeFile(path.join(place, 'good.csv'), 'a,b\n1,2\n');
    await writeFile(path.join(place, 'deep.json'), `${'['.repeat(50_000)}${']'.repeat(50_000)}`);
    await writeFile(path.join(place, 'torn.parquet'), 'PAR1 this is not one PAR1');
    await writeFile(path.join(place, 'empty.csv'), '');
    await writeFile(path.join(place, 'bad.csv.gz'), 'no gzip');
    await writeFile(path.join(place, 'half.ndjson'), '{"a":1}\n{"a":\n{"a":3}\n');
    const other = await runBelvedere(place);
    try {
      await allRead(other);
      const { tables } = await other.client.listTables({});
      const found = Object.fromEntries(
        tables.map(table => [table.name, [table.state, table.problem?.message ? 'said' : '']]),
      );
      expect(found['good']).toEqual(['ready', '']);
      // A document nested fifty thousand levels deep is refused or kept as text, and breaks nothing.
      expect(['ready', 'rejected']).toContain(found['deep']![0]);
      for (const name of ['torn', 'empty', 'bad'])
        expect([name, ...found[name]!]).toEqual([name, 'rejected', 'said']);
      const half = await other.client.getTable({ params: { table: 'half' } });
      expect([
        half.report!.rowsRead,
        half.report!.rowsKept,
        half.report!.rejected.map(row => row.line),
      ]).toEqual([3, 2, [2]]);
    } finally {
      await other.close();
      await rm(place, { recursive: true, force: true });
    }
  });
});
