import { createClient, type Client } from '@belvedere/api';
import { discover, Importer } from '@belvedere/engine';
import { DuckDBInstance } from '@duckdb/node-api';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { startCli } from '../browser.ts';
import { hostileFiles, hostileKinds, originalFiles } from './hostile-files.ts';
import { randomFrom } from '../random/random-from.ts';

/**
 * Files that try to read a secret outside their folder, intact and damaged at random: the secret appears
 * nowhere, and the server keeps running.
 */

const seed = Number(process.env['BELVEDERE_SEED']);
const files = Number(process.env['BELVEDERE_MUTATIONS'] ?? 200);
/** Through a whole server, where each table is also profiled, modelled and related to others. */
const filesOfServer = Math.max(60, files / 10);
const canary = 'CANARY-2846-SECRET';

/** A folder with a secret beside it, and `count` hostile files in its `data`. */
async function hostileFolder(count: number) {
  console.log(`mutated files seed ${seed}: BELVEDERE_SEED=${seed} repeats this run`);
  const outside = await mkdtemp(path.join(os.tmpdir(), 'belvedere-outside-'));
  const folder = path.join(outside, 'workspace');
  for (const name of ['data', 'models']) await mkdir(path.join(folder, name), { recursive: true });
  await writeFile(path.join(outside, 'secret.csv'), `word\n${canary}\n`);
  // The files name the secret by a link: a message that quotes a file's own text is no leak, one with the
  // real path is.
  const links = await mkdtemp(path.join(os.tmpdir(), 'belvedere-links-'));
  await symlink(outside, path.join(links, 'folder'));
  const originals = await originalFiles(path.join(folder, 'seeds'), path.join(links, 'folder', 'secret.csv'));
  const some = hostileFiles(originals, randomFrom(seed));
  for (let i = 0; i < count; i++) {
    const { kind, bytes } = some.next().value;
    await writeFile(path.join(folder, 'data', `file${i}x.${kind}`), bytes);
  }
  return {
    folder,
    outside,
    remove: async () => {
      await rm(outside, { recursive: true, force: true });
      await rm(links, { recursive: true, force: true });
    },
  };
}

test(`none of ${files} imported files has data from outside`, { timeout: 60 * 60_000 }, async () => {
  const { folder, outside, remove } = await hostileFolder(files);
  const { tables } = await discover(path.join(folder, 'data'));
  expect(tables.length).toBe(files);
  const outcomes: string[] = [];
  const messages: string[] = [];
  const imported = new Set<string>();
  const folders = ['one', 'two'].map(name => path.join(folder, name));
  await Promise.all(
    folders.map(async (tablesFolder, half) => {
      const importer = new Importer({ tablesFolder, root: folder, memoryBytes: 2 ** 30, threads: 1 });
      // All at once, since a process ends with its queue.
      const imports = tables
        .filter((_, i) => i % 2 === half)
        .map(async found => {
          const made = await importer.import(found, () => {});
          imported.add(path.extname(found.files[0]!).slice(1));
          return JSON.stringify(made.map(({ database: _, ...said }) => said));
        });
      for (const end of await Promise.allSettled(imports)) {
        if (end.status === 'fulfilled') outcomes.push(end.value);
        else messages.push((end.reason as Error).message);
      }
      await importer.close();
    }),
  );
  const rows = (await Promise.all(folders.map(rowsOfAll))).flat();
  expect([...outcomes, ...messages, ...rows].filter(text => text.includes(canary))).toEqual([]);
  expect(messages.filter(text => text.includes(outside))).toEqual([]);
  // Some of each kind are good, else nothing would have been tried.
  expect(imported).toEqual(new Set(hostileKinds));
  const leftBehind = (await Promise.all(folders.map(one => readdir(one)))).flat();
  expect(leftBehind.filter(name => name.startsWith('work-'))).toEqual([]);
  await remove();
});

test(
  `a server shows nothing from outside of ${filesOfServer} hostile files`,
  { timeout: 60 * 60_000 },
  async () => {
    const { folder, outside, remove } = await hostileFolder(filesOfServer);
    const cli = await startCli([folder]);
    const client = await signIn(cli.url);
    const unread = async () =>
      (await client.listTables({})).tables.filter(
        ({ state }) => state === 'waiting' || state === 'importing',
      );
    await expect.poll(unread, { timeout: 50 * 60_000, interval: 1000 }).toEqual([]);
    const { tables, skippedFiles } = await client.listTables({});
    const ready = tables.filter(({ state }) => state === 'ready').map(({ name }) => name);
    const said = [JSON.stringify({ tables, skippedFiles })];
    for (const table of ready) said.push(JSON.stringify(await client.getTable({ params: { table } })));
    for (const table of ready.slice(0, 40)) {
      const rows = client.getTableRows({ params: { table }, query: { limit: 50 } });
      said.push(JSON.stringify(await rows.catch((problem: Error) => problem.message)));
    }
    said.push(...(await rowsOfAll(path.join(folder, '.belvedere', 'tables'))));
    expect(said.filter(text => text.includes(canary))).toEqual([]);
    // Some of them are good, and each of the others says what is wrong, without a path of the machine.
    for (const kind of hostileKinds)
      expect(tables.some(({ state, files: of }) => state === 'ready' && of![0]!.endsWith(kind))).toBe(true);
    expect(new Set(tables.filter(({ state }) => state !== 'ready').map(({ state }) => state))).toEqual(
      new Set(['rejected']),
    );
    expect(tables.filter(({ problem }) => problem?.message.includes(outside) ?? false)).toEqual([]);
    expect(cli.process.exitCode).toBeNull();
    expect(await cli.stop()).toBe(0);
    expect(cli.output()).not.toContain(canary);
    expect(
      (await readdir(path.join(folder, '.belvedere', 'tables'))).filter(name => name.startsWith('work-')),
    ).toEqual([]);
    await remove();
  },
);

/** As a browser does it, let in by the printed address. */
async function signIn(url: string): Promise<Client> {
  const opened = await fetch(url, { redirect: 'manual' });
  const cookie = opened.headers.get('set-cookie')!.split(';')[0]!;
  const headersOf = (init: RequestInit | undefined) => ({
    ...(init?.headers as Record<string, string>),
    cookie,
  });
  return createClient(new URL(url).origin, (input, init) =>
    fetch(input, { ...init, headers: headersOf(init) }),
  );
}

/** Every value of every imported table, in each response of the server. */
async function rowsOfAll(folder: string): Promise<string[]> {
  const texts: string[] = [];
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  for (const name of (await readdir(folder)).filter(candidate => candidate.endsWith('.duckdb'))) {
    await connection.run(`attach '${path.join(folder, name)}' as it (read_only)`);
    texts.push(
      JSON.stringify(
        (await connection.runAndReadAll('select to_json(data)::varchar from it.data')).getRows(),
      ),
    );
    await connection.run('detach it');
    texts.push(await readFile(path.join(folder, `${name}.json`), 'utf8'));
  }
  return texts;
}
