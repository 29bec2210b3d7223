import { ApiError, createClient, type Client } from '@belvedere/api';
import { ProblemError } from '@belvedere/server';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { loopback } from './arguments.ts';
import { readOrigin } from './public-url.ts';

/** The options of commands that can use a server instead of a folder. */
export interface ServerOptions {
  readonly server?: string;
  readonly token?: string;
}

/** Options that a server decides itself. */
const folderOptions = { trust: '--trust', stateUrl: '--state-url' };

/** Adds the options to use a server. */
export function withServer(command: Command): Command {
  return command
    .addOption(
      new Option('--server <address>', 'a server of a team to use instead of a folder: `https://HOST`')
        .env('BELVEDERE_SERVER')
        .argParser(readServer),
    )
    .addOption(
      new Option(
        '--token <token>',
        'an access token of that server; other users of this machine may see it, so the variable is better',
      ).env('BELVEDERE_TOKEN'),
    );
}

/**
 * Returns a client of the server to use; undefined for a folder.
 *
 * @param path the folder that was given, if any. It takes precedence over BELVEDERE_SERVER
 * @throws ProblemError `request-invalid` for a path or an option of folders beside `--server`, or without a token
 */
export function serverOf(
  options: ServerOptions,
  path: string | undefined,
  command: Command,
): Client | undefined {
  if (options.server === undefined) return undefined;
  if (path !== undefined) {
    if (command.getOptionValueSource('server') === 'env') return undefined;
    throw new ProblemError('request-invalid', `Give either the path \`${path}\` or --server.`);
  }
  for (const [name, option] of Object.entries(folderOptions))
    if (command.getOptionValueSource(name) === 'cli')
      throw new ProblemError(
        'request-invalid',
        `${option} is for a folder. Leave it out with --server: the server has its own settings.`,
      );
  const { server, send } = connectionOf(options);
  return createClient(server, send);
}

/**
 * Returns how to reach the server, for a command that needs one.
 * @throws ProblemError `request-invalid` without a server or a token
 */
export function connectionOf({ server, token }: ServerOptions): { server: string; send: typeof fetch } {
  if (server === undefined)
    throw new ProblemError('request-invalid', 'This command needs a server: give --server https://HOST.');
  if (token === undefined || token === '')
    throw new ProblemError(
      'request-invalid',
      `${server} needs an access token: set BELVEDERE_TOKEN. Create one there under Settings › Profile.`,
    );
  return { server, send: sendWith(server, token) };
}

/** @throws ApiError `source-unreachable` if no server answers */
function sendWith(server: string, token: string): typeof fetch {
  return async (input, init) => {
    try {
      return await fetch(input, {
        ...init,
        headers: { ...(init?.headers as Record<string, string>), authorization: `Bearer ${token}` },
        // The token is for this server only.
        redirect: 'error',
      });
    } catch (error) {
      const { message, cause } = error as Error;
      const { code, message: why } = (cause ?? {}) as NodeJS.ErrnoException;
      const reason = code ?? why ?? message;
      throw new ApiError({
        type: 'source-unreachable',
        title: 'The server does not answer',
        status: 503,
        detail: `${server} does not answer (${reason}). Check the address, and whether the server runs.`,
      });
    }
  };
}

/** @throws InvalidArgumentError for an address over which others could read the token */
function readServer(text: string): string {
  const origin = readOrigin(text.replace(/\/$/, ''));
  const { protocol, hostname } = new URL(origin);
  if (protocol === 'http:' && !loopback.includes(hostname.replace(/^\[|\]$/g, '')))
    throw new InvalidArgumentError('Use https, since others could read the token on the way.');
  return origin;
}
