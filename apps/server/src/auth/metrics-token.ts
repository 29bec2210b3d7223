import { readFile } from 'node:fs/promises';
import { storedSecret, shortestSecret } from './stored-secret.ts';

/** The token for reading `/metrics`, and its origin. */
export interface MetricsToken {
  readonly token: string;
  /** The file or environment variable that holds the token. */
  readonly from: string;
}

const variable = 'BELVEDERE_METRICS_TOKEN';

/**
 * Returns the token of `BELVEDERE_METRICS_TOKEN`, or of the file that `BELVEDERE_METRICS_TOKEN_FILE` names;
 * else one that is created once and kept.
 * @param state the folder of the instance's own records
 * @throws Error if the environment's token is too short, or its file is unreadable
 */
export async function metricsToken(state: string): Promise<MetricsToken> {
  const { [variable]: given, [`${variable}_FILE`]: givenFile } = process.env;
  if (given !== undefined) return longEnough({ token: given, from: variable });
  if (givenFile !== undefined)
    return longEnough({ token: (await readFile(givenFile, 'utf8')).trim(), from: givenFile });
  const { token, file } = await storedSecret(state, '.metrics-token');
  return { token, from: file };
}

function longEnough(found: MetricsToken): MetricsToken {
  if (found.token.length >= shortestSecret) return found;
  throw new Error(
    `The metrics token from ${found.from} is too short. Use at least ${shortestSecret} characters.`,
  );
}
