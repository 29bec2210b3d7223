import type { CellsHeader, Frame } from '@belvedere/api';
import { CircuitBreaker, openDatabase, type RunOptions } from '@belvedere/engine';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { allRead, collect, runBelvedere, sourcesReady, type Running } from '../../running-belvedere.ts';
import { startTcpProxy, type TcpProxy } from '../../servers/tcp-proxy.ts';
import { loadPostgres, type LoadedEngine, type StatedTable } from '../loaded-engines.ts';
import { sourceFile } from '../workspace-on.ts';

/** SAFETY part 2, F12 to F18, in a workspace: what users see while its database has trouble. */

const many: StatedTable = {
  name: 'many',
  columns: [
    { name: 'n', type: 'integer' },
    { name: 'word', type: 'text' },
  ],
  rows: Array.from({ length: 20_000 }, (_, i) => [i, `word ${i % 97}`]),
};
const usual: RunOptions = { as: 'values', timeoutMs: 20_000, maxRows: 100_000 };

describe('a workspace with a failing database', () => {
  let loaded: LoadedEngine;
  let proxy: TcpProxy;
  let folder: string;
  let running: Running;

  beforeAll(async () => {
    loaded = await loadPostgres([many]);
    await loaded.keeper(
      "create role reader login password 'one'; grant select on all tables in schema public to reader",
    );
    proxy = await startTcpProxy(loaded.server!);
    folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-faults-'));
    for (const name of ['data', 'sources', 'models', 'dashboards']) await mkdir(path.join(folder, name));
    await writeFile(path.join(folder, 'belvedere.yaml'), 'version: 1\ntimezone: UTC\n');
    await writeFile(path.join(folder, 'data', 'local.csv'), 'n,word\n1,a\n2,b\n');
    await writeFile(
      path.join(folder, 'sources', 'warehouse.yaml'),
      sourceFile({ server: { ...loaded.server!, port: proxy.port } }),
    );
    await writeFile(
      path.join(folder, 'models', 'many.yaml'),
      'version: 1\nsource: warehouse\ntable: many\ndimensions: { n: {}, word: {} }\nmeasures: { total: { expr: sum(n) } }\n',
    );
    await writeFile(
      path.join(folder, 'models', 'local.yaml'),
      'version: 1\ntable: local\ndimensions: { n: {}, word: {} }\n',
    );
    await writeFile(
      path.join(folder, 'dashboards', 'both.yaml'),
      'version: 1\ntitle: Both\nmodel: many\npages:\n  - title: One\n    tiles:\n      far: { kind: kpi, value: { measure: total } }\n      words: { kind: bar, x: { measure: rows }, y: { field: word } }\n      near: { kind: kpi, model: local, value: { measure: rows } }\n',
    );
    await proxy.set({ kind: 'down' });
    running = await runBelvedere(folder, { isTrusted: true });
    await allRead(running);
    await sourcesReady(running);
  });
  afterAll(async () => {
    await running?.close();
    await proxy?.close();
    await loaded?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const source = () => running.server.store.current.sources.get('warehouse')!;
  const answers = async (): Promise<readonly Frame[]> =>
    collect(
      await running.client.queryTiles({
        params: { id: 'both' },
        body: { state: { page: 0, filters: {}, selections: {} } },
      }),
    );
  const frameOf = (frames: readonly Frame[], tile: string) =>
    frames.find(frame => 'tile' in frame.header && frame.header.tile === tile)!;
  const valueOf = (frame: Frame) => frame.cells?.parts[0]![0];
  const until = async (what: () => boolean, ms = 20_000) => {
    const end = Date.now() + ms;
    while (!what()) {
      if (Date.now() > end) throw new Error('waited too long');
      await new Promise(resolve => setTimeout(resolve, 50));
    }
  };

  test(
    'F12: a database down at the start is failed with its reason, and ready once it is up; the rest works',
    { timeout: 60_000 },
    async () => {
      expect([source().state, source().problem?.code]).toEqual(['failed', 'source-unreachable']);
      expect(valueOf(frameOf(await answers(), 'near'))).toBe(2);
      await proxy.set({ kind: 'fair' });
      await running.server.store.sources.retry('warehouse');
      await until(() => source().state === 'ready' && running.server.store.current.models.has('many'));
      const frames = await answers();
      expect(valueOf(frameOf(frames, 'far'))).toBe(199_990_000);
      expect(valueOf(frameOf(frames, 'near'))).toBe(2);
    },
  );

  test('F12: a database down during a query: the last result is shown with its time, and three failures are enough', async () => {
    await answers();
    await proxy.set({ kind: 'down' });
    running.server.queries.cache.clear();
    running.server.streams.clear();
    const frames = await answers();
    const far = frameOf(frames, 'far');
    expect(valueOf(far)).toBe(199_990_000);
    expect((far.header as CellsHeader).notes.map(note => note.kind)).toContain('last-answer');
    expect(valueOf(frameOf(frames, 'near'))).toBe(2);
    for (let i = 0; i < 6; i++) await answers();
    const before = proxy.connections;
    for (let i = 0; i < 5; i++) await answers();
    expect(proxy.connections).toBe(before);
    await proxy.set({ kind: 'fair' });
    await running.server.store.sources.retry('warehouse');
    await until(() => source().state === 'ready');
    expect((frameOf(await answers(), 'far').header as CellsHeader).notes).toEqual([]);
  });

  test('F12: a database down during a selection: only the selection fails', async () => {
    running.server.streams.clear();
    await answers();
    await proxy.set({ kind: 'down' });
    const selected = async (word: string) =>
      collect(
        await running.client.queryTiles({
          params: { id: 'both' },
          body: {
            state: { page: 0, filters: {}, selections: { words: [{ word: { oneOf: [word] } }] } },
            tiles: ['far'],
            scope: 'both',
          },
        }),
      );
    const told = (await selected('word 1')).flatMap(({ header }) =>
      header.kind === 'cells' || header.kind === 'problem' ? [[header.kind, header.scope]] : [],
    );
    expect(told).toEqual([
      ['cells', 'base'],
      ['problem', 'filtered'],
    ]);
    await proxy.set({ kind: 'fair' });
    await running.server.store.sources.retry('warehouse');
    await until(() => source().state === 'ready');
    expect(
      valueOf(
        (await selected('word 1')).find(
          ({ header }) => header.kind === 'cells' && header.scope === 'filtered',
        )!,
      ),
    ).toBe(many.rows.reduce((sum, [n, word]) => sum + (word === 'word 1' ? Number(n) : 0), 0));
  });

  test('F16: a slow database does not slow down the rest', async () => {
    await proxy.set({ kind: 'slow', ms: 2_000 });
    running.server.queries.cache.clear();
    running.server.streams.clear();
    let isSlowDone = false;
    const slow = answers().finally(() => (isSlowDone = true));
    const near = await collect(
      await running.client.queryTiles({
        params: { id: 'both' },
        body: { state: { page: 0, filters: { n: { from: 2 } }, selections: {} }, tiles: ['near'] },
      }),
    );
    expect(valueOf(frameOf(near, 'near'))).toBe(1);
    expect(isSlowDone).toBe(false);
    await proxy.set({ kind: 'fair' });
    await slow;
  });

  test('F17: a missing column is named by the tile that uses it, with its probable new name in the drift; other tiles work', async () => {
    await loaded.keeper('alter table many rename column word to words');
    running.server.queries.cache.clear();
    running.server.streams.clear();
    const frames = await answers();
    expect(valueOf(frameOf(frames, 'far'))).toBe(199_990_000);
    const problem = frameOf(frames, 'words').header;
    expect(problem).toMatchObject({ kind: 'problem', problem: { type: 'column-gone', status: 422 } });
    expect(JSON.stringify(problem)).toContain('word');
    await running.server.store.sources.retry('warehouse');
    await until(() => source().drift.length > 0);
    expect(source().drift).toEqual([
      'The column `many.word` no longer exists; it may now be called `words`.',
    ]);
    await loaded.keeper('alter table many rename column words to word');
    await running.server.store.sources.retry('warehouse');
    await until(() => source().tables[0]!.columns.some(column => column.name === 'word'));
  });

  test('a table that the login may not read fails its own queries only, without delaying others', async () => {
    await loaded.keeper('create table secret (n int)');
    const reader = await openDatabase('postgres', {
      ...loaded.server!,
      user: 'reader',
      password: 'one',
      tls: 'off',
    });
    const circuit = new CircuitBreaker();
    for (let i = 0; i < 4; i++)
      await expect(
        circuit.run(() => reader.run({ text: 'select n from secret', parameters: [] }, usual)),
      ).rejects.toMatchObject({
        code: 'query-failed',
        message: expect.stringContaining('lacks the permission to read'),
      });
    expect(
      (await circuit.run(() => reader.run({ text: 'select count(*) as n from many', parameters: [] }, usual)))
        .columns[0]!.values,
    ).toEqual([20_000]);
    await reader.close();
  });

  test(
    'F18: a changed password is a refused login, which is not retried again and again',
    { timeout: 30_000 },
    async () => {
      const refused = await openDatabase('postgres', {
        ...loaded.server!,
        port: proxy.port,
        user: 'nobody',
        tls: 'off',
      });
      await expect(refused.check()).rejects.toMatchObject({ code: 'source-refused' });
      await refused.close();
      const text = sourceFile({ server: { ...loaded.server!, port: proxy.port, user: 'nobody' } });
      const before = proxy.connections;
      await writeFile(path.join(folder, 'sources', 'warehouse.yaml'), text);
      // The source may still be closed because of earlier failures; only the new connection counts.
      await until(() => source().state === 'failed' && source().problem?.code === 'source-refused');
      for (let i = 0; i < 10; i++) {
        await answers();
        await new Promise(resolve => setTimeout(resolve, 300));
      }
      expect(proxy.connections - before).toBeLessThanOrEqual(3);
    },
  );
});
