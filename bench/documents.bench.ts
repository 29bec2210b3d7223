// A workspace of documents made to be slow, each near a limit of documents: the longest parse, and the longest
// that the server's event loop waits while they are read at start, read again after a change of every file, and
// sent by editors.
import type { Client } from '@belvedere/api';
import { readContent } from '@belvedere/document';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { randomFrom } from '../e2e/random/random-from.ts';
import { report, type Figure } from './harness/figures.ts';
import { startOn, type BenchServer } from './harness/running-server.ts';
import { slowDocuments, type SlowDocument } from './harness/slow-documents.ts';

const seed = Number(process.env['BELVEDERE_SEED'] ?? Date.now() % 2 ** 31);
console.log(`documents: BELVEDERE_SEED=${seed} repeats this run`);
const documents = slowDocuments(40, randomFrom(seed));
const resolutionMs = 10;
const target = '≤ 200';

interface Turns {
  /** How late the loop's timers were at most, other programs of this machine included. */
  readonly lagMs: number;
  /** The most processor time of this thread between two of its turns. */
  readonly ownMs: number;
}

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** Runs some work and measures the longest turn of the loop meanwhile. */
async function longestTurn<T>(work: () => Promise<T>): Promise<readonly [T, Turns]> {
  // One turn before, so that earlier work of this bench does not count.
  await new Promise(resolve => setTimeout(resolve, 2 * resolutionMs));
  const lag = monitorEventLoopDelay({ resolution: resolutionMs });
  let ownMs = 0;
  let last = cpuMs();
  const timer = setInterval(() => {
    const now = cpuMs();
    ownMs = Math.max(ownMs, now - last);
    last = now;
  }, 1);
  lag.enable();
  const result = await work();
  await new Promise(resolve => setTimeout(resolve, 2 * resolutionMs));
  lag.disable();
  clearInterval(timer);
  return [result, { lagMs: lag.max / 1e6 - resolutionMs, ownMs }];
}

/** The processor time that a parse takes. */
function parseMs({ kind, file, text }: SlowDocument): number {
  const began = cpuMs();
  readContent(kind, text, file);
  return cpuMs() - began;
}

async function untilRevision({ server }: BenchServer, after: number): Promise<void> {
  while (server.store.current.revision <= after) await new Promise(resolve => setTimeout(resolve, 20));
  await server.store.refresh();
}

/** Sends a document in each way in which an editor does. Those that are refused count as sent. */
async function sendAs(client: Client, { kind, text }: SlowDocument): Promise<void> {
  const own = await client.getDashboardText({ params: { id: 'own' } });
  const saved = { text, base: own.hash, after: own.draft?.version ?? 0 };
  const model = await client.getModelText({ params: { name: 'things' } });
  const ways: readonly (() => Promise<unknown>)[] = [
    () => client.validate({ body: { kind, text } }),
    ...(kind === 'dashboard'
      ? [
          () => client.putDraft({ params: { id: 'own' }, body: saved }),
          () => client.getDashboard({ params: { id: 'draft:own' }, query: {} }),
          () => client.saveDashboardText({ params: { id: 'own' }, body: { text }, ifMatch: own.hash }),
        ]
      : []),
    ...(kind === 'model'
      ? [
          () =>
            client.putModelDraft({
              params: { name: 'things' },
              body: { text, after: model.draft?.version ?? 0 },
            }),
          () => client.saveModelText({ params: { name: 'things' }, body: { text }, ifMatch: model.hash }),
        ]
      : []),
  ];
  for (const way of ways)
    await way().catch((error: unknown) => {
      const status = (error as { problem?: { status: number } }).problem?.status ?? 0;
      if (status < 400 || status >= 500) throw error;
    });
}

const folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-documents-'));
process.env['XDG_CACHE_HOME'] = path.join(folder, 'cache');
process.env['XDG_STATE_HOME'] = path.join(folder, 'state');
const workspace = path.join(folder, 'workspace');
const write = async (file: string, text: string) => {
  await mkdir(path.dirname(path.join(workspace, file)), { recursive: true });
  await writeFile(path.join(workspace, file), text);
};
await write('data/things.csv', 'a,b\n1,x\n2,y\n');
await write(
  'dashboards/own.yaml',
  'version: 1\ntitle: Own\nmodel: things\npages:\n  - title: One\n    tiles:\n      n: { kind: kpi, value: { measure: rows } }\n',
);
await write('models/things.yaml', 'version: 1\ntable: things\n');
// Loads the server's modules, which no request waits for.
await (await startOn(workspace)).server.close();
for (const { file, text } of documents) await write(file, text);

const parses = documents.map(document => Math.min(...Array.from({ length: 3 }, () => parseMs(document))));
const [running, atStart] = await longestTurn(() => startOn(workspace));
const [, afterChange] = await longestTurn(async () => {
  const { revision } = running.server.store.current;
  for (const { file, text } of documents) await write(file, `${text}\n# Changed.\n`);
  await untilRevision(running, revision);
});
const [, whileSent] = await longestTurn(async () => {
  for (const document of documents) await sendAs(running.client, document);
});
const figuresOf = (when: string, { lagMs, ownMs }: Turns): readonly Figure[] => [
  { name: `${when}: the server's longest turn, in processor time`, value: ownMs, unit: 'ms', target },
  { name: `${when}: longest lag of the loop`, value: lagMs, unit: 'ms', target },
];
await report('documents', [
  { name: 'longest parse of a document', value: Math.max(...parses), unit: 'ms', target },
  ...figuresOf('at start', atStart),
  ...figuresOf('after a change of all files', afterChange),
  ...figuresOf('while an editor sends them', whileSent),
]);
await running.server.close();
await rm(folder, { recursive: true, force: true });
process.exit(0);
