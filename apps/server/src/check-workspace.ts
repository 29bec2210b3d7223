import { didYouMean, documentLimits, formatDocument, migrateDocument, writeDocument, type DocumentProblem } from '@belvedere/document';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { everything } from '@belvedere/query';
import type { Answers } from './answers/answer-question.ts';
import { answerTile } from './answers/answer-tile.ts';
import { askerOf } from './answers/asker.ts';
import { dashboardContext, tilesOnPage } from './answers/dashboard-context.ts';
import { owner, type Caller } from './auth/caller.ts';
import { modelReadBy } from './permissions/row-policies.ts';
import { openFolder, type OpenFolder } from './open-folder.ts';
import { problemFrom, ProblemError } from './problems.ts';
import { checkedId, schemaAddress } from './workspace/dashboard-store.ts';
import { createFile, replaceFile } from './workspace/create-file.ts';
import type { OpenPlace } from './workspace/find-place.ts';
import type { WorkspaceStore } from './workspace/workspace-store.ts';
import { HeldFolderError } from './workspace/hold-folder.ts';

/** What is wrong with a workspace's documents, in the order of their files. */
export interface WorkspaceCheck {
  readonly documents: number;
  readonly problems: readonly Pick<DocumentProblem, 'file' | 'line' | 'column' | 'message'>[];
}

const longestReadingMs = 10 * 60_000;
const documentFolders = ['dashboards', 'models', 'sources', 'tables', 'tests'];

/**
 * Checks every document of a folder against its schema and against the data, as the server does.
 * @param runs asks every tile of every dashboard too, and runs the tests of row policies
 */
export async function checkWorkspace(place: OpenPlace, runs: boolean): Promise<WorkspaceCheck> {
  return withFolder(place, async ({ store, answers }) => {
    const { current, documents } = store;
    const problems = [...current.problems, ...[...current.dashboards.values()].flatMap(dashboard => (dashboard.origin === 'saved' ? dashboard.problems : []))];
    const failed: WorkspaceCheck['problems'][number][] = [];
    if (runs) {
      for (const [id, { file, read }] of documents.dashboards) {
        const dashboard = current.dashboards.get(id);
        if (!read.ok || !dashboard?.document) continue;
        for (const [page] of dashboard.document.pages.entries()) {
          const context = dashboardContext(dashboard, { page, filters: {}, selections: {} }, askerOf(current, dashboard.document, owner), answers);
          for (const [tile, spec] of tilesOnPage(context)) {
            if (tile in dashboard.brokenTiles) continue;
            const message = await answerTile(context, tile, spec, 'both').then(() => undefined, (error: unknown) => problemFrom(error).detail ?? String(error));
            if (message !== undefined) failed.push({ file, ...read.locate(['pages', page, 'tiles', tile]), message });
          }
        }
      }
    }
    if (runs) failed.push(...(await failedPolicyTests(store, answers)));
    const unread = [...current.tables.values()].flatMap(({ problem }) => (problem ? [{ file: problem.file, line: problem.line ?? 1, column: 1, message: problem.message }] : []));
    const all = [...problems, ...failed, ...unread].map(({ file, line, column, message }) => ({ file, line, column, message }));
    return { documents: (await documentFiles(place.root)).length, problems: all.toSorted((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line)) };
  });
}

/** Tests of row policies that do not hold with the data as it is. */
async function failedPolicyTests({ current, documents }: WorkspaceStore, answers: Answers): Promise<WorkspaceCheck['problems']> {
  const rowsFor = async (model: string, caller: Caller) => {
    const answer = await answers.ask({ kind: 'groups', model, dimensions: [], measures: ['rows'], where: everything }, askerOf(current, undefined, caller));
    return Number(answer.columns[0]!.values[0]);
  };
  const failed: WorkspaceCheck['problems'][number][] = [];
  for (const { file, read } of documents.tests) {
    for (const [i, test] of (read.ok ? (read.value.tests ?? []) : []).entries()) {
      const person = current.people.get(test.as);
      const found = current.models.get(test.model);
      if (!person || !found) continue;
      const caller: Caller = { name: test.as, reads: person };
      const own = modelReadBy(found.model, caller);
      const fail = (key: string, message: string) => failed.push({ file, ...read.locate(['tests', i, key]), message });
      try {
        const [rows, all] = await Promise.all([rowsFor(test.model, caller), rowsFor(test.model, owner)]);
        if (rows !== test.rows) fail('rows', `${test.as} sees ${count(rows)} of the ${count(all)} rows of \`${test.model}\`, not ${count(test.rows)}.`);
        if (test.of !== undefined && all !== test.of) fail('of', `\`${test.model}\` has ${count(all)} rows, not ${count(test.of)}.`);
      } catch (error) {
        fail('model', problemFrom(error).detail ?? String(error));
      }
      for (const name of test.hidden ?? []) if (Object.hasOwn(own.dimensions, name) || Object.hasOwn(own.measures, name)) fail('hidden', `${test.as} sees \`${name}\` of \`${test.model}\`.`);
    }
  }
  return failed;
}

function count(rows: number): string {
  return rows.toLocaleString('en');
}

/** What may be done to every document of a folder: bring it into one style, or into today's version. */
const rewritings = { format: formatDocument, migrate: migrateDocument };

/**
 * Does to every document of a folder what changes its text and not its meaning.
 * @param writes else it is only told which would change
 * @returns the files that changed, or would
 */
export async function rewriteWorkspace(place: OpenPlace, rewriting: keyof typeof rewritings, writes: boolean): Promise<string[]> {
  const changed: string[] = [];
  for (const file of await documentFiles(place.root)) {
    const text = await readFile(path.join(place.root, file), 'utf8');
    if (text.length > documentLimits.bytes) continue;
    const rewritten = rewritings[rewriting](text);
    if (rewritten === text) continue;
    changed.push(file);
    if (writes) await replaceFile(place.root, file.split('/'), rewritten);
  }
  return changed;
}

/** A new dashboard's file: the overview of a table, to be gone on from. @throws ProblemError where there is no such table, or such a file already */
export async function newDashboard(place: OpenPlace, id: string, about: string | undefined): Promise<string> {
  checkedId(id);
  return withFolder(place, async ({ store }) => {
    const overviews = [...store.current.dashboards.values()].filter(dashboard => dashboard.origin === 'overview' && dashboard.document);
    const found = about === undefined ? overviews[0] : overviews.find(dashboard => dashboard.id === `overview/${about}`);
    const models = [...store.current.models.keys()];
    if (about !== undefined && !models.includes(about)) throw new ProblemError('not-found', `There is no model \`${about}\`${didYouMean(about, models) || `; there are ${models.slice(0, 12).join(', ') || 'none'}.`}`);
    const title = id.split('/').at(-1)!;
    const { description: _, ...document } = found?.document ?? { version: 1 as const, title, ...(about !== undefined && { model: about }), pages: [{ title: 'Page 1', tiles: {} }] };
    const file = `dashboards/${id}.yaml`;
    await createFile(place.root, file.split('/'), writeDocument({ ...document, title }, schemaAddress));
    return file;
  });
}

/** A folder that is open elsewhere is looked at beside it, with records of our own. */
async function withFolder<T>(place: OpenPlace, work: (folder: OpenFolder) => Promise<T>): Promise<T> {
  const own = await mkdtemp(path.join(os.tmpdir(), 'belvedere-check-'));
  const opened = await openFolder(place).catch((error: unknown) => {
    if (error instanceof HeldFolderError) return openFolder({ ...place, state: own });
    throw error;
  });
  try {
    await opened.store.open();
    const began = Date.now();
    while (isComing(opened.store)) {
      if (Date.now() - began > longestReadingMs) throw new ProblemError('still-reading', `The data is still being read after ${longestReadingMs / 60_000} minutes.`);
      await new Promise(resolve => setTimeout(resolve, 100));
    }
    return await work(opened);
  } finally {
    await opened.store.close();
    await opened.engine.close();
    await opened.hold.release();
    await rm(own, { recursive: true, force: true });
  }
}

/** Whether something of the workspace is not known yet: tables, sources, what the SQL of models gives. */
function isComing({ current, documents }: WorkspaceStore): boolean {
  return [...current.tables.values()].some(table => table.state === 'reading' || table.state === 'waiting')
    || [...current.sources.values()].some(source => source.state === 'unchecked' || source.state === 'connecting')
    || [...current.modelsReading].some(name => {
      const read = documents.models.get(name)?.read;
      return read?.ok && read.value.sql !== undefined;
    });
}

async function documentFiles(root: string): Promise<string[]> {
  const found = await Promise.all(
    documentFolders.map(async folder => {
      const entries = await readdir(path.join(root, folder), { withFileTypes: true, recursive: true }).catch(() => []);
      return entries.filter(entry => entry.isFile() && /\.ya?ml$/.test(entry.name) && !entry.name.startsWith('.')).map(entry => path.relative(root, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'));
    }),
  );
  const own = await readdir(root).catch((): string[] => []);
  return [...(own.includes('belvedere.yaml') ? ['belvedere.yaml'] : []), ...found.flat()].toSorted();
}
