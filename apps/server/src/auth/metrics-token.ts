import { readFile } from 'node:fs/promises';
import { storedSecret, shortestSecret } from './stored-secret.ts';

/** What lets a monitoring system read `/metrics`, and where it comes from. */
export interface MetricsToken {
  readonly token: string;
  /** The file that holds it, or the environment variable that gives it. */
  readonly from: string;
}

const variable = 'BELVEDERE_METRICS_TOKEN';

/**
 * The token of `BELVEDERE_METRICS_TOKEN`, or of the file that `BELVEDERE_METRICS_TOKEN_FILE` names; else one that is made once and kept.
 * @param state the folder of the instance's own records
 * @throws Error for a token from the environment that is too short, or a file that cannot be read
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
