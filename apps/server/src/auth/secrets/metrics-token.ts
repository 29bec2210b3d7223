import { readFile } from 'node:fs/promises';
import type { ResolvedWorkspace } from '../../workspace/resolve-workspace.ts';
import { keyedHash, localSecret } from './local-secret.ts';
import { accountsSecret, readSecret, storedSecret, shortestSecret } from './stored-secret.ts';

/** The token for reading `/metrics`, and its origin. */
export interface MetricsToken {
  readonly token: string;
  /** The file or environment variable that holds the token. */
  readonly from: string;
}

const variable = 'BELVEDERE_METRICS_TOKEN';

type Location = Pick<ResolvedWorkspace, 'root' | 'state'>;

/**
 * Returns the token of `BELVEDERE_METRICS_TOKEN`, or of the file that `BELVEDERE_METRICS_TOKEN_FILE` names;
 * else one that is created once and kept.
 *
 * @param local in local mode, the secret of this account: a token that came with a folder is not enough
 * @throws Error if the environment's token is too short, or its file is unreadable
 */
export async function metricsToken({ state }: Location, local: string | undefined): Promise<MetricsToken> {
  const { [variable]: given, [`${variable}_FILE`]: givenFile } = process.env;
  if (given !== undefined) return longEnough({ token: given, from: variable });
  if (givenFile !== undefined)
    return longEnough({ token: (await readFile(givenFile, 'utf8')).trim(), from: givenFile });
  const { token, file } = await storedSecret(state, '.metrics-token');
  return { token: local === undefined ? token : keyedHash(token, local), from: file };
}

/** The command that starts the server: `serve` has accounts, `open` has none. */
export type ServerCommand = 'serve' | 'open';

/**
 * Returns the token that the server of a folder takes.
 * @param command default: `serve` if the folder has ever been served with accounts
 */
export async function metricsTokenOf(
  location: Location,
  command?: ServerCommand,
): Promise<MetricsToken & { readonly command: ServerCommand }> {
  const isServed = (await readSecret(location.state, accountsSecret)) !== undefined;
  const by = command ?? (isServed ? 'serve' : 'open');
  const found = await metricsToken(location, by === 'serve' ? undefined : await localSecret(location));
  return { ...found, command: by };
}

function longEnough(found: MetricsToken): MetricsToken {
  if (found.token.length >= shortestSecret) return found;
  throw new Error(
    `The metrics token from ${found.from} is too short. Use at least ${shortestSecret} characters.`,
  );
}
