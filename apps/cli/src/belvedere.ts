// `belvedere [PATH]`: opens a folder, a file, a workspace, or the sample.
import { checkWorkspace, findPlace, HeldFolderError, newDashboard, ProblemError, renderDashboard, rewriteWorkspace, startServer, type RunningServer } from '@belvedere/server';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArguments, usage, UsageError, type Arguments } from './arguments.ts';
import { prepareSample } from './prepare-sample.ts';

const project = path.resolve(import.meta.dirname, '..', '..', '..');
const pagesFolder = path.join(project, 'apps', 'web', 'dist');
const { version } = JSON.parse(readFileSync(path.join(project, 'package.json'), 'utf8')) as { version: string };

try {
  const args = parseArguments(process.argv.slice(2));
  if (args.help) console.log(usage);
  else if (args.version) console.log(version);
  else if (args.render) await render(args, args.render);
  else if (args.check) await check(args, args.check.runs);
  else if (args.rewrite) await rewrite(args, args.rewrite);
  else if (args.create) await create(args, args.create);
  else await open(args);
} catch (error) {
  fail(error);
}

async function placeOf({ path: given, gallery }: Arguments) {
  return findPlace(given ?? (await prepareSample(project, gallery ? 'gallery' : 'workspace')), given === undefined);
}

/** As compilers say it, so that editors and CI lead to the place. */
async function check(args: Arguments, runs: boolean): Promise<void> {
  const { documents, problems } = await checkWorkspace(await placeOf(args), runs);
  for (const { file, line, column, message } of problems) console.log(`${file}:${line}:${column}: ${message}`);
  if (!args.quiet) console.error(`${documents} ${documents === 1 ? 'document' : 'documents'}, ${problems.length} ${problems.length === 1 ? 'error' : 'errors'}`);
  process.exit(problems.length === 0 ? 0 : 1);
}

async function rewrite(args: Arguments, { how, writes }: NonNullable<Arguments['rewrite']>): Promise<void> {
  const changed = await rewriteWorkspace(await placeOf(args), how, writes);
  for (const file of changed) console.log(file);
  process.exit(writes || changed.length === 0 ? 0 : 1);
}

async function create(args: Arguments, { dashboard, about }: NonNullable<Arguments['create']>): Promise<void> {
  console.log(await newDashboard(await placeOf(args), dashboard, about));
  process.exit(0);
}

async function render(args: Arguments, wish: NonNullable<Arguments['render']>): Promise<void> {
  let said = '';
  await renderDashboard(
    await placeOf(args),
    { ...wish, pagesFolder },
    async ({ name, body }) => {
      const file = wish.out ?? name;
      // Half a file is none.
      await writeFile(`${file}.part`, body);
      await rename(`${file}.part`, file);
      console.log(file);
    },
    tables => {
      const now = `Reading ${tables.join(', ')} …`;
      if (!args.quiet && now !== said) console.error(now);
      said = now;
    },
  );
  process.exit(0);
}

async function open(args: Arguments): Promise<void> {
  const place = await placeOf(args);
  const server = await startServer({ place, host: args.host, port: args.port ?? 4600, movesOn: true, version, pagesFolder });
  if (!args.quiet && args.port !== 0 && server.port !== (args.port ?? 4600)) console.error(`Port ${args.port ?? 4600} is busy; using ${server.port}.`);
  console.log(`Belvedere is open at ${server.openAddress}`);
  if (args.open) openBrowser(server.openAddress);
  if (!args.quiet) reportReading(server);
  // The last resort: a driver that trips over what its server sent must not take everybody down.
  process.on('uncaughtException', error => console.error(new Date().toISOString(), 'A fault that nobody caught:', error));
  const stop = async () => {
    await server.close();
    process.exit(0);
  };
  process.once('SIGINT', () => void stop());
  process.once('SIGTERM', () => void stop());
}

/** Says on the console which files are being read, once each, and which could not be. */
function reportReading({ store }: RunningServer): void {
  const said = new Set<string>();
  const look = () => {
    for (const { name, state, imported, problem } of store.current.tables.values()) {
      if (state === 'rejected' && !said.has(name)) {
        said.add(name);
        console.error(`${problem?.file ?? name}${problem?.line ? `, line ${problem.line}` : ''}: ${problem?.message ?? 'could not be read'}`);
      } else if (state === 'ready' && imported && !said.has(name) && imported.report.rowsRejected > 0) {
        said.add(name);
        console.error(`${name}: ${imported.report.rowsKept} rows kept, ${imported.report.rowsRejected} rejected; see Data.`);
      }
    }
  };
  look();
  store.subscribe(look);
  for (const { untranslated = [] } of store.current.dashboards.values()) {
    for (const [file, texts] of Object.entries(Object.groupBy(untranslated, text => text.file))) console.error(`${file}: ${texts!.length} ${texts!.length === 1 ? 'text' : 'texts'} not translated: ${texts!.slice(0, 5).map(text => text.path).join(', ')}${texts!.length > 5 ? ' …' : ''}`);
  }
}

function openBrowser(address: string): void {
  const command = process.platform === 'darwin' ? 'open' : process.platform === 'win32' ? 'explorer' : 'xdg-open';
  const browser = spawn(command, [address], { stdio: 'ignore', detached: true });
  // No browser to open is no reason to stop: the address is printed.
  browser.on('error', () => {});
  browser.unref();
}

function fail(error: unknown): never {
  if (error instanceof UsageError) console.error(`${error.message}\n\n${usage}`);
  else if (error instanceof HeldFolderError || error instanceof ProblemError) console.error(error.message);
  else if ((error as NodeJS.ErrnoException).code === 'ENOENT') console.error(`There is no file or folder ${(error as NodeJS.ErrnoException).path ?? ''}.`);
  else if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') console.error('Every port tried is busy. Name a free one with --port.');
  else console.error(error);
  process.exit(error instanceof UsageError ? 2 : 1);
}
