import { signInAddress, WorkspaceLockedError, startServer, type ResolvedWorkspace } from '@belvedere/server';
import { spawn } from 'node:child_process';
import { Command, InvalidArgumentError, Option } from 'commander';
import {
  loopback,
  pathHelp,
  workspaceAt,
  wholeNumber,
  withStateUrl,
  withTrust,
  type CommonOptions,
  type StateUrlOption,
  type TrustOption,
} from '../arguments.ts';
import { keepServing } from '../keep-serving.ts';
import { addSample } from '../prepare-sample.ts';
import { pagesFolder, project, version } from '../project.ts';
import { write } from '../output.ts';

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
    keepServing(server, location, isSilent ?? false);
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
      await signInAddress(location, held).then(
        address => `${held.message} This address signs in one browser within ten minutes: ${address}`,
        () => held.message,
      ),
    );
  const address = await signInAddress(location, held);
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
      `Other machines could connect without signing in. Use ${loopback.join(', ')}, or \`belvedere serve\`, which has accounts.`,
    );
  return host;
}

function openBrowser(address: string): void {
  const command =
    process.platform === 'darwin' ? 'open' : process.platform === 'win32' ? 'explorer' : 'xdg-open';
  const browser = spawn(command, [address], { stdio: 'ignore', detached: true });
  // A missing browser is not an error, because the address is printed.
  browser.on('error', () => {});
  browser.unref();
}
