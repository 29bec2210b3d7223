import { execFileSync } from 'node:child_process';
import { link, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { allRead, runBelvedere, type Running } from '../running-belvedere.ts';

/**
 * A folder of a hostile author: pipes, sockets and links in each place where Belvedere reads files, and a
 * secret outside the folder.
 */

const canary = 'CANARY-5508-SECRET';
let outside: string;
let folder: string;
let running: Running;
let socket: Server;
const within = (...parts: string[]) => path.join(folder, ...parts);
const pipe = (...parts: string[]) => execFileSync('mkfifo', [within(...parts)]);

beforeAll(async () => {
  outside = await mkdtemp(path.join(os.tmpdir(), 'belvedere-outside-'));
  folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-hostile-'));
  const documents = ['dashboards', 'models', 'tables', 'tests', 'sources'];
  const folders = [...documents, 'data', 'images', 'maps', 'fonts', '.belvedere/tables'];
  for (const name of folders) await mkdir(within(name), { recursive: true });
  await writeFile(path.join(outside, 'secret.csv'), `word\n${canary}\n`);
  await writeFile(path.join(outside, 'secret.yaml'), `version: 1\ntitle: ${canary}\npages: []\n`);
  await writeFile(path.join(outside, 'secret.png'), canary);
  await writeFile(within('data', 'good.csv'), 'word\nfine\n');
  pipe('belvedere.yaml');
  const pipes = [
    'data/pipe.csv',
    'data/pipe.duckdb',
    'images/pipe.png',
    'maps/pipe.json',
    'fonts/pipe.ttf',
    '.belvedere/tables/pipe.duckdb.json',
  ];
  for (const name of pipes) pipe(name);
  for (const name of documents) {
    pipe(name, 'pipe.yaml');
    await symlink(path.join(outside, 'secret.yaml'), within(name, 'linked.yaml'));
    await link(path.join(outside, 'secret.yaml'), within(name, 'hard.yaml'));
  }
  for (const [name, ending] of [
    ['data', 'csv'],
    ['images', 'png'],
  ]) {
    await symlink(path.join(outside, `secret.${ending}`), within(name!, `linked.${ending}`));
    await link(path.join(outside, `secret.${ending}`), within(name!, `hard.${ending}`));
  }
  await symlink('/dev/zero', within('images', 'endless.png'));
  await writeFile(
    within('sources', 'taken.yaml'),
    `version: 1\nkind: sqlite\nconnection: { path: data/taken.sqlite }\n`,
  );
  await symlink(path.join(outside, 'secret.csv'), within('data', 'taken.sqlite'));
  socket = createServer();
  await new Promise<void>(resolve => socket.listen(within('images', 'socket.png'), resolve));
  running = await runBelvedere(folder);
  await allRead(running);
});

afterAll(async () => {
  socket?.close();
  for (const made of [folder, outside]) await rm(made, { recursive: true, force: true });
});

describe('a hostile folder', () => {
  test('is opened, and its valid file is a table', async () => {
    expect((await running.client.listTables({})).tables.map(({ name, state }) => [name, state])).toEqual([
      ['good', 'ready'],
    ]);
  });

  test('has every ignored file listed, with the reason and no path of the machine', async () => {
    const { skippedFiles } = await running.client.listTables({});
    const reasons = new Map(skippedFiles.map(({ file, reason }) => [file, reason]));
    for (const file of ['data/pipe.csv', 'data/pipe.duckdb'])
      expect(reasons.get(file)).toBe('It is not a regular file.');
    for (const file of ['data/linked.csv', 'data/taken.sqlite'])
      expect(reasons.get(file)).toContain('symbolic link');
    expect(reasons.get('data/hard.csv')).toContain('more than one hard link');
    expect(JSON.stringify(skippedFiles)).not.toContain(os.tmpdir());
  });

  test('has no document read through a link, and each link listed as a problem', () => {
    const { problems, dashboards } = running.server.store.current;
    for (const name of ['dashboards', 'models', 'tables', 'tests', 'sources']) {
      for (const file of ['pipe', 'linked', 'hard'])
        expect(problems.map(problem => problem.file)).toContain(`${name}/${file}.yaml`);
    }
    expect(problems.map(problem => problem.file)).toContain('belvedere.yaml');
    expect(JSON.stringify([...dashboards])).not.toContain(canary);
  });

  // Node has four threads for files: five pipes would stop them all.
  test('serves no picture that is a pipe, a socket, a device or a link, and keeps running', async () => {
    const names = ['pipe', 'pipe', 'pipe', 'pipe', 'pipe', 'socket', 'endless', 'linked', 'hard'];
    const answers = await Promise.all(
      names.map(name => running.send(`${running.server.address}/api/v1/images/${name}.png`)),
    );
    expect(answers.map(({ status }) => status)).toEqual(names.map(() => 404));
    expect((await Promise.all(answers.map(answer => answer.text()))).join()).not.toContain(canary);
    expect((await running.send(`${running.server.address}/api/v1/maps/pipe.json`)).status).toBe(404);
    expect(
      (await running.client.getTableRows({ params: { table: 'good' }, query: { limit: 5 } })).rows,
    ).toEqual([['fine']]);
  });

  test('is closed at once', async () => {
    const begun = performance.now();
    await running.close();
    expect(performance.now() - begun).toBeLessThan(60_000);
  });
});

test('a data folder that is a link is ignored, and listed', async () => {
  const workspace = await mkdtemp(path.join(os.tmpdir(), 'belvedere-linked-'));
  await mkdir(path.join(workspace, 'models'));
  await symlink(outside, path.join(workspace, 'data'));
  const opened = await runBelvedere(workspace);
  const { tables, skippedFiles } = await opened.client.listTables({});
  expect(tables).toEqual([]);
  expect(skippedFiles).toEqual([{ file: 'data', reason: expect.stringContaining('symbolic link') }]);
  await opened.close();
  await rm(workspace, { recursive: true });
});
