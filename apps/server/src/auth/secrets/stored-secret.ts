import { createHash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import { chmod, link, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { replaceFile } from './replace-file.ts';

export interface StoredSecret {
  readonly token: string;
  /** The token, and those before it while the keys are being rotated. */
  readonly all: SealingSecrets;
  readonly file: string;
}

/** The secret that seals texts, and earlier ones that open them. */
export type SealingSecrets = readonly [current: string, ...earlier: string[]];

/** The name of the secret that a server with accounts creates at its first start. */
export const accountsSecret = '.accounts-secret';

/** Belvedere never creates shorter ones. */
export const shortestSecret = 32;

/**
 * Returns a 256-bit token, created once and stored beside the other secrets, readable by this account only.
 * Replaces a token that other accounts could read.
 * @param state the folder of the instance's own records
 * @param name begins with a dot, which no source's name may: each source's secret is stored here under its
 * name
 */
export async function storedSecret(state: string, name: `.${string}`): Promise<StoredSecret> {
  const folder = path.join(state, 'secrets');
  const file = path.join(folder, name);
  const kept = await readSecrets(state, name);
  if (kept) return { token: kept[0], all: kept, file };
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // Written beside it and then given its name, so that no other server reads a part of it, or replaces it.
  const draft = `${file}.${randomUUID()}.part`;
  const own = newSecret();
  await writeFile(draft, `${own}\n`, { mode: 0o600, flag: 'wx' });
  try {
    await chmod(draft, 0o600);
    await link(draft, file).catch(async (error: NodeJS.ErrnoException) => {
      // Another server of this account created it at the same moment, unless other accounts could read it.
      if (error.code !== 'EEXIST' || !(await readSecrets(state, name))) await rename(draft, file);
    });
  } finally {
    await rm(draft, { force: true });
  }
  // On a file system without permissions it cannot be read again, and lasts as long as the process.
  const made = (await readSecrets(state, name)) ?? ([own] as const);
  return { token: made[0], all: made, file };
}

const newSecret = () => randomBytes(32).toString('base64url');

/** Puts a new secret before the stored one, which still opens what it has sealed. @returns all of them */
export async function rotateSecret(state: string, name: `.${string}`): Promise<SealingSecrets> {
  const { all, file } = await storedSecret(state, name);
  const secrets: SealingSecrets = [newSecret(), ...all];
  await replaceFile(file, `${secrets.join('\n')}\n`);
  return secrets;
}

/** Deletes all stored secrets but the current one. */
export async function dropEarlierSecrets(state: string, name: `.${string}`): Promise<void> {
  const { token, file } = await storedSecret(state, name);
  await replaceFile(file, `${token}\n`);
}

/** Returns the token stored under a name; undefined if there is none, or if other accounts could read it. */
export async function readSecret(state: string, name: `.${string}`): Promise<string | undefined> {
  return (await readSecrets(state, name))?.[0];
}

async function readSecrets(state: string, name: `.${string}`): Promise<SealingSecrets | undefined> {
  const file = path.join(state, 'secrets', name);
  try {
    if (process.platform !== 'win32' && ((await stat(file)).mode & 0o077) !== 0) return undefined;
    const [token, ...earlier] = (await readFile(file, 'utf8')).trim().split('\n');
    return token !== undefined && token.length >= shortestSecret ? [token, ...earlier] : undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Compares in constant time, whatever the lengths. @param authorization the `authorization` header */
export function isBearer(authorization: string | undefined, token: string): boolean {
  const given = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return given !== undefined && timingSafeEqual(digest(given), digest(token));
}
