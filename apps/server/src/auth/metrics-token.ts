import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { chmod, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** What lets a monitoring system read `/metrics`, and where it comes from. */
export interface MetricsToken {
  readonly token: string;
  /** The file that holds it, or the environment variable that gives it. */
  readonly from: string;
}

const variable = 'BELVEDERE_METRICS_TOKEN';
const shortest = 32;

/**
 * The token of `BELVEDERE_METRICS_TOKEN`, or of the file that `BELVEDERE_METRICS_TOKEN_FILE` names; else one of 256 bits that is made once and
 * kept beside the other secrets, for this account alone. One that others could read is made anew.
 * @param state the folder of the instance's own records
 * @throws Error for a token from the environment that is too short, or a file that cannot be read
 */
export async function metricsToken(state: string): Promise<MetricsToken> {
  const { [variable]: given, [`${variable}_FILE`]: givenFile } = process.env;
  if (given !== undefined) return longEnough({ token: given, from: variable });
  if (givenFile !== undefined) return longEnough({ token: (await readFile(givenFile, 'utf8')).trim(), from: givenFile });
  const folder = path.join(state, 'secrets');
  // No source may be called so: each has its secret here under its own name.
  const file = path.join(folder, '.metrics-token');
  const kept = await ownSecret(file);
  if (kept !== undefined && kept.length >= shortest) return { token: kept, from: file };
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await rm(file, { force: true });
  const token = randomBytes(32).toString('base64url');
  await writeFile(file, `${token}\n`, { mode: 0o600, flag: 'wx' });
  await chmod(file, 0o600);
  return { token, from: file };
}

/** Compares in constant time, whatever the lengths. @param authorization the header of that name */
export function isBearer(authorization: string | undefined, token: string): boolean {
  const given = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return given !== undefined && timingSafeEqual(digest(given), digest(token));
}

function longEnough(found: MetricsToken): MetricsToken {
  if (found.token.length >= shortest) return found;
  throw new Error(`The metrics token from ${found.from} is too short: it needs ${shortest} characters or more.`);
}

async function ownSecret(file: string): Promise<string | undefined> {
  try {
    const isOthers = process.platform !== 'win32' && ((await stat(file)).mode & 0o077) !== 0;
    return isOthers ? undefined : (await readFile(file, 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
