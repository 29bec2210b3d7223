import { Importer, openDuckDb, type FileEngine } from '@belvedere/engine';
import { appendFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { limits } from '../limits.ts';
import { Confirmations } from './sources/confirmations.ts';
import { WorkspaceStore } from './workspace-store.ts';

describe('a workspace during an import', () => {
  let root: string;
  let engine: FileEngine;
  let importer: Importer;
  let store: WorkspaceStore;
  let attaching = Promise.withResolvers<void>();
  let mayGoOn = Promise.withResolvers<void>();

  beforeAll(async () => {
    root = await mkdtemp(path.join(os.tmpdir(), 'belvedere-store-'));
    const tables = path.join(root, '.belvedere', 'tables');
    for (const folder of ['data', '.belvedere/tables'])
      await mkdir(path.join(root, folder), { recursive: true });
    await writeFile(path.join(root, 'data', 'local.csv'), 'n,word\n1,a\n2,b\n');
    const memory = { memoryBytes: limits.engineMemoryBytes, threads: limits.engineThreads };
    importer = new Importer({ tablesFolder: tables, root, ...memory });
    engine = openDuckDb({
      tablesFolder: tables,
      spillFolder: path.join(root, '.belvedere', 'spill'),
      ...memory,
      codedRows: limits.codedRows,
      patientRows: limits.patientRows,
      codedBytes: limits.codedBytes,
    });
    // The engine takes its time over a new table.
    const slow: FileEngine = {
      ...engine,
      attach: async (alias, file, called) => {
        attaching.resolve();
        await mayGoOn.promise;
        await engine.attach(alias, file, called);
      },
    };
    store = new WorkspaceStore(
      { root, data: path.join(root, 'data'), tables, state: path.join(root, '.belvedere') },
      slow,
      importer,
      new Confirmations(root, false),
      { title: 'Store', zone: 'UTC' },
    );
    await store.open();
  });
  afterAll(async () => {
    await store?.close();
    await engine?.close();
    await rm(root, { recursive: true, force: true });
  });

  test('has the table at every moment, even while the import is being installed', async () => {
    await attaching.promise;
    // Something else changes at that very moment.
    await store.refresh();
    expect([...store.current.tables.keys()]).toEqual(['local']);
    expect(store.current.tables.get('local')!.state).not.toBe('ready');
    // Its overview has the same title before and after.
    const title = () => store.current.dashboards.get('overview/local')?.title;
    expect(title()).toBe('Local');
    mayGoOn.resolve();
    await expect.poll(() => store.current.tables.get('local')!.state).toBe('ready');
    expect(title()).toBe('Local');
  });

  test('serves the previous version of a table until the new one is ready', async () => {
    [attaching, mayGoOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const before = store.current.tables.get('local')!.alias;
    await writeFile(path.join(root, 'data', 'local.csv'), 'n,word\n1,a\n2,b\n3,c\n');
    await store.reload();
    await attaching.promise;
    await store.refresh();
    expect(store.current.tables.get('local')!.alias).toBe(before);
    mayGoOn.resolve();
    await expect.poll(() => store.current.tables.get('local')!.imported!.profile.rows).toBe(3);
    expect(store.current.tables.get('local')!.alias).not.toBe(before);
  });

  test('finds new files after a failed scan', async () => {
    const readBefore = importer.readBefore.bind(importer);
    importer.readBefore = () => Promise.reject(new Error('the disk was slow'));
    await writeFile(path.join(root, 'data', 'other.csv'), 'n\n1\n');
    await expect(store.reload()).rejects.toThrow('the disk was slow');
    importer.readBefore = readBefore;
    await store.reload();
    expect([...store.current.tables.keys()].toSorted()).toEqual(['local', 'other']);
  });

  test('never reports a table as missing from SQL at its arrival', async () => {
    await mkdir(path.join(root, 'models'), { recursive: true });
    await writeFile(
      path.join(root, 'models', 'summed.yaml'),
      'version: 1\nsql: select sum(n) as total from coming\n',
    );
    await store.refresh();
    await expect
      .poll(() => store.current.problems.map(({ message }) => message))
      .toEqual([expect.stringContaining('coming') as string]);
    const said = new Set<string>();
    await writeFile(path.join(root, 'data', 'coming.csv'), 'n\n1\n');
    await store.reload();
    const stop = store.subscribe(() => store.current.problems.forEach(({ message }) => said.add(message)));
    await expect.poll(() => store.current.models.has('summed')).toBe(true);
    stop();
    expect([...said]).toEqual([]);
  });

  test('shows a table whose file never stops growing, in versions that lag behind', async () => {
    const file = path.join(root, 'data', 'log.csv');
    await writeFile(file, 'n\n0\n');
    const run = importer.import.bind(importer);
    importer.import = async (...request) => {
      await new Promise(resolve => setTimeout(resolve, 400));
      return run(...request);
    };
    let lines = 0;
    const growing = setInterval(() => void appendFile(file, `${++lines}\n`), 50);
    const rows = () => store.current.tables.get('log')?.imported?.profile.rows ?? 0;
    try {
      await expect.poll(rows).toBeGreaterThan(1);
      const before = rows();
      await expect.poll(rows).toBeGreaterThan(before);
    } finally {
      clearInterval(growing);
      importer.import = run;
    }
    // The last line arrives too, although nothing changes after it.
    await expect.poll(rows).toBe(lines + 1);
  });

  test('reads documents one scan after another, so that the last one read is current', async () => {
    // Only a scan of the documents updates the extracts; a scan of the tables, which may run beside it, does not.
    const update = store.extracts.update.bind(store.extracts);
    let [running, most, ended] = [0, 0, 0];
    store.extracts.update = async wanted => {
      most = Math.max(most, ++running);
      await new Promise(resolve => setTimeout(resolve, 20));
      await update(wanted);
      running--;
      ended++;
    };
    await Promise.all([store.refresh(), store.refresh()]);
    store.extracts.update = update;
    // The watcher may have asked for a third.
    expect(ended).toBeGreaterThanOrEqual(2);
    expect(most).toBe(1);
  });
});
