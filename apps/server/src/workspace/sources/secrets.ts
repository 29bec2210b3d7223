import { secretNamed, secretsFolder } from '@belvedere/document';
import { EngineError } from '@belvedere/engine';
import { createHash, randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { mkdir, open, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ProblemError } from '../../http/problems.ts';
import { mayWrite } from '../documents/create-file.ts';
import { replaceFile } from '../../auth/secrets/replace-file.ts';
import { decryptSecret, encryptSecret, rotateInstanceKey } from './encrypt-secret.ts';
import type { Target } from './source-access.ts';

const maxBytes = 64 * 1024;
/**
 * How much of a target's hash a name has: 128 bits, so that no other target can be found with the same. Earlier
 * versions wrote 16 digits.
 */
const targetDigits = 32;

/** The source of a secret, and the target that receives it. */
export interface SecretUse {
  readonly root: string;
  readonly source: string;
  readonly target: Target;
}

/**
 * Resolves `${env:NAME}` or `${file:.belvedere/secrets/NAME}`. Runs at each connection, so that a changed
 * secret applies, and caches nothing.
 * A secret typed for a server or user other than `target` is not returned, but deleted (SAFETY 48).
 * @throws EngineError `source-refused` if it does not exist, or was typed for another target
 */
export async function secretFor(
  reference: string | undefined,
  { root, source, target }: SecretUse,
): Promise<string> {
  if (reference === undefined) return '';
  const { from, name } = secretNamed(reference);
  if (from === 'env') {
    const value = process.env[name];
    if (value === undefined)
      throw new EngineError(
        'source-refused',
        `The environment variable \`${name}\`, which has this source’s password, is not set.`,
      );
    return value;
  }
  const typed = typedFor(name);
  if (typed !== undefined && (typed.source !== source || !hashOf(target).startsWith(typed.target))) {
    if (typed.source === source) await dropSecret(root, name);
    throw new EngineError(
      'source-refused',
      'The password was entered for another connection, so it is not sent to this one. Enter it again: “Change the connection” on the source’s page.',
    );
  }
  let text: string;
  try {
    text = await readSecretFile(root, name);
  } catch (cause) {
    throw new EngineError(
      'source-refused',
      `The file \`${secretsFolder}/${name}\`, which has this source’s password, cannot be read. It must be a file in that folder, not a link.`,
      { cause },
    );
  }
  if (typed === undefined) return text.replace(/\r?\n$/, '');
  try {
    return await decryptSecret(text, name, root);
  } catch (cause) {
    throw new EngineError(
      'source-refused',
      'The password was entered on another machine or account, whose key is not available here. Enter it again: “Change the connection” on the source’s page.',
      { cause },
    );
  }
}

/** A typed secret, encrypted and stored so that only this account can read it. */
export interface StoredSecret {
  /** The reference to it in a source's file. */
  readonly reference: string;
  readonly name: string;
}

/**
 * Stores a typed secret under a unique name, which contains a hash of its target. The source's file decides
 * by reference which secret is in use.
 * @throws ProblemError `state-unavailable`
 */
export async function storeSecret(
  secret: string,
  { root, source, target }: SecretUse,
): Promise<StoredSecret> {
  mayWrite(root);
  const name = `${source}.${hashOf(target).slice(0, targetDigits)}.${randomBytes(4).toString('hex')}`;
  try {
    const encrypted = await encryptSecret(secret, name, root);
    await mkdir(path.join(root, secretsFolder), { recursive: true, mode: 0o700 });
    const folder = await folderOf(root);
    await writeFile(path.join(folder, '.gitignore'), '*\n', { flag: 'wx' }).catch(
      (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error;
      },
    );
    const handle = await open(
      path.join(folder, name),
      constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW,
      0o600,
    );
    try {
      await handle.writeFile(encrypted);
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (cause) {
    await dropSecret(root, name);
    throw new ProblemError('state-unavailable', `Could not save the password: ${(cause as Error).message}`, {
      cause,
    });
  }
  return { reference: `\${file:${secretsFolder}/${name}}`, name };
}

/**
 * Encrypts all typed secrets of a workspace with a new key, each by itself: until then, the earlier key opens it.
 *
 * @returns how many, and how many no key of this account opens
 */
export async function reencryptSecrets(
  root: string,
): Promise<{ readonly done: number; readonly left: number }> {
  const counts = { done: 0, left: 0 };
  const folder = await folderOf(root).catch(() => undefined);
  const names = (folder === undefined ? [] : await readdir(folder)).filter(name => typedFor(name));
  if (folder === undefined || names.length === 0 || !(await rotateInstanceKey(root))) return counts;
  for (const name of names) {
    const secret = await readSecretFile(root, name)
      .then(text => decryptSecret(text, name, root))
      .catch(() => undefined);
    if (secret !== undefined)
      await replaceFile(path.join(folder, name), await encryptSecret(secret, name, root));
    counts[secret === undefined ? 'left' : 'done']++;
  }
  return counts;
}

/** Deletes a secret that was typed for a source. Any other file stays. */
export async function dropTyped(
  reference: string | undefined,
  { root, source }: Pick<SecretUse, 'root' | 'source'>,
): Promise<void> {
  if (reference === undefined) return;
  const { from, name } = secretNamed(reference);
  if (from === 'file' && typedFor(name)?.source === source) await dropSecret(root, name);
}

async function dropSecret(root: string, name: string): Promise<void> {
  const folder = await folderOf(root).catch(() => undefined);
  if (folder !== undefined) await rm(path.join(folder, name), { force: true });
}

/** @throws Error if the folder is a link, or lies behind one, since it would lead outside the workspace */
async function folderOf(root: string): Promise<string> {
  const folder = path.join(await realpath(root), secretsFolder);
  if ((await realpath(folder)) !== folder) throw new Error(`\`${secretsFolder}\` is a link`);
  return folder;
}

/** Reads a file of the secrets folder. @throws Error unless it is a regular file of that very folder */
export async function readSecretFile(root: string, name: string): Promise<string> {
  const folder = await folderOf(root);
  const handle = await open(
    path.join(folder, name),
    constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK,
  );
  try {
    const stats = await handle.stat();
    if (!stats.isFile() || stats.nlink > 1 || stats.size > maxBytes)
      throw new Error('not a regular file, or too large');
    return await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
}

/**
 * Returns the source and target of a stored secret from its name; undefined for a file that was added by
 * hand.
 */
function typedFor(name: string): { readonly source: string; readonly target: string } | undefined {
  const [, source, target] = /^([a-z][a-z0-9_]*)\.([0-9a-f]{32}|[0-9a-f]{16})\.[0-9a-f]{8}$/.exec(name) ?? [];
  return source === undefined ? undefined : { source, target: target! };
}

function hashOf(target: Target): string {
  return createHash('sha256').update(JSON.stringify(target)).digest('hex');
}
