import {
  signInAddress,
  WorkspaceLockedError,
  startServer,
  type ResolvedWorkspace,
  type RunningServer,
} from '@belvedere/server';
import { spawn } from 'node:child_process';
import { Command, InvalidArgumentError, Option } from 'commander';
import {
  pathHelp,
  workspaceAt,
  wholeNumber,
  withStateUrl,
  withTrust,
  type CommonOptions,
  type StateUrlOption,
  type TrustOption,
} from '../arguments.ts';
import { addSample } from '../prepare-sample.ts';
import { pagesFolder, project, version } from '../project.ts';
import { write } from '../output.ts';

const longestStopMs = 10_000;
const loopback = ['127.0.0.1', 'localhost', '::1'];

interface Options extends CommonOptions, TrustOption, StateUrlOption {
  readonly port?: number;
  readonly host: string;
  readonly open: boolean;
  readonly gallery?: true;
}

export const open = withStateUrl(withTrust(new Command('open')))
  .description('open a folder of data, a data file, or a workspace in the browser (the default command)')
  .argument('[path]', pathHelp)
  .addOption(
    new Option('--gallery', 'open the gallery instead of the sample: every kind of tile, with variants'),
  )
  .option('--port <number>', 'port to listen on; default: 4600, or the next free one', wholeNumber(0, 65_535))
  .option('--host <address>', 'address to listen on', readHost, loopback[0])
  .option('--no-open', 'do not open a browser')
  .addHelpText(
    'after',
    `
\`belvedere open PATH\` prints and opens a new address if the folder is already open in another Belvedere: each address signs in one browser.`,
  )
  .action(async (path: string | undefined, options: Options, self: Command) => {
    if (options.gallery && path !== undefined) self.error('error: --gallery cannot be used with a path.');
    const isSilent = options.quiet || options.json;
    const location = await workspaceAt(path, {
      sample: options.gallery ? 'gallery' : 'workspace',
      words: self.parent?.commands.map(one => one.name()) ?? [],
      trust: options.trust ?? false,
      stateUrl: options.stateUrl,
    });
    if (self.args.length > 1) self.error(`error: expected one path, not ${self.args.length}.`);
    const started = await startServer({
      location,
      host: options.host,
      port: options.port ?? 4600,
      movesOn: true,
      version,
      pagesFolder,
      addSample: place => addSample(project, place),
    }).catch((error: unknown) => {
      if (error instanceof WorkspaceLockedError) return error;
      throw error;
    });
    if (started instanceof WorkspaceLockedError)
      return openHeld(location, started, options, self.parent?.args[0] === self.name());
    const server = started;
    if (!isSilent && options.port !== 0 && server.port !== (options.port ?? 4600))
      console.error(`Port ${options.port ?? 4600} is busy; using ${server.port}.`);
    for (const notice of server.notices) console.error(notice);
    await sayAddress(server.openAddress, options);
    if (options.open) openBrowser(server.openAddress);
    if (!isSilent) reportReading(server);
    // The output's reader may have closed it. Logging that write error would cause another, endlessly.
    for (const output of [process.stdout, process.stderr]) output.on('error', () => {});
    // Last resort: a driver that fails on its server's response must not crash the whole server.
    process.on('uncaughtException', error =>
      console.error(new Date().toISOString(), 'Uncaught error:', error),
    );
    let isStopping = false;
    const stop = async () => {
      // Ctrl-C reaches this process twice, from the terminal and from `npm start`.
      if (isStopping) return;
      isStopping = true;
      setTimeout(() => process.exit(1), longestStopMs).unref();
      await server.close();
      process.exit(0);
    };
    void server.lost.then(holder => {
      const what =
        holder === undefined
          ? `The folder ${location.state} was removed`
          : `Another Belvedere has taken over this folder: ${holder}`;
      console.error(`${what}. This server stops; it has not written anything since.`);
      // Do not close the server, because another instance now has the folder open.
      process.exit(1);
    });
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop());
  });

/**
 * Requests a new sign-in address from the instance that has the folder open. `open` opens it; a plain start
 * fails and prints it.
 */
async function openHeld(
  location: ResolvedWorkspace,
  held: WorkspaceLockedError,
  options: Options,
  isAskedFor: boolean,
): Promise<never> {
  if (!isAskedFor)
    throw new WorkspaceLockedError(
      held.holder,
      await signInAddress(location.state, held).then(
        address => `${held.message} This address signs in one browser within ten minutes: ${address}`,
        () => held.message,
      ),
    );
  const address = await signInAddress(location.state, held);
  await sayAddress(address, options);
  if (options.open) openBrowser(address);
  process.exit(0);
}

async function sayAddress(address: string, options: Options): Promise<void> {
  await write(
    options.json
      ? `${JSON.stringify({ address, port: Number(new URL(address).port) })}\n`
      : `Belvedere is open at ${address}\n`,
  );
}

function readHost(host: string): string {
  if (!loopback.includes(host))
    throw new InvalidArgumentError(
      `It would accept connections from other machines, and this version has no accounts. Use ${loopback.join(', ')}.`,
    );
  return host;
}

/** Prints each table that could not be imported or has rejected rows, once, and missing translations. */
function reportReading({ store }: RunningServer): void {
  const said = new Set<string>();
  const look = () => {
    for (const { name, state, imported, problem } of store.current.tables.values()) {
      if (state === 'rejected' && !said.has(name)) {
        said.add(name);
        console.error(
          `${problem?.file ?? name}${problem?.line ? `, line ${problem.line}` : ''}: ${problem?.message ?? 'could not be read'}`,
        );
      } else if (state === 'ready' && imported && !said.has(name) && imported.report.rowsRejected > 0) {
        said.add(name);
        console.error(
          `${name}: ${imported.report.rowsKept} rows kept, ${imported.report.rowsRejected} rejected. See Data.`,
        );
      }
    }
  };
  look();
  store.subscribe(look);
  for (const { untranslated = [] } of store.current.dashboards.values()) {
    for (const [file, texts] of Object.entries(Object.groupBy(untranslated, text => text.file)))
      console.error(
        `${file}: ${texts!.length} ${texts!.length === 1 ? 'text' : 'texts'} not translated: ${texts!
          .slice(0, 5)
          .map(text => text.path)
          .join(', ')}${texts!.length > 5 ? ' …' : ''}`,
      );
  }
}

function openBrowser(address: string): void {
  const command =
    process.platform === 'darwin' ? 'open' : process.platform === 'win32' ? 'explorer' : 'xdg-open';
  const browser = spawn(command, [address], { stdio: 'ignore', detached: true });
  // A missing browser is not an error, because the address is printed.
  browser.on('error', () => {});
  browser.unref();
}
