import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { mkdir, open, readFile } from 'node:fs/promises';
import path from 'node:path';
import { replaceFile } from '../../auth/secrets/replace-file.ts';
import { userStateFolder } from '../user-state.ts';

const variable = 'BELVEDERE_SECRET_KEY';
const keyFile = 'secret.key';
const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;
/** The prefix of encrypted secrets, which identifies the version. */
const version = 'belvedere-secret-1:';

/**
 * Encrypts a secret (AES-256-GCM) with this installation's key, so that a backup or copy of the workspace
 * alone cannot be decrypted.
 * @param name the name of its file, which decryption requires
 */
export async function encryptSecret(secret: string, name: string, root: string): Promise<string> {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', (await instanceKeys(root))[0]!, nonce);
  cipher.setAAD(Buffer.from(name));
  const encrypted = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
  return `${version}${Buffer.concat([nonce, cipher.getAuthTag(), encrypted]).toString('base64url')}\n`;
}

/** @throws Error if it was encrypted with another key or name, or was changed */
export async function decryptSecret(text: string, name: string, root: string): Promise<string> {
  if (!text.startsWith(version)) throw new Error('not encrypted');
  const bytes = Buffer.from(text.slice(version.length).trim(), 'base64url');
  const keys = await instanceKeys(root);
  for (const [i, key] of keys.entries())
    try {
      return decrypted(bytes, name, key);
    } catch (error) {
      if (i === keys.length - 1) throw error;
    }
  throw new Error('no key');
}

function decrypted(bytes: Buffer, name: string, key: Buffer): string {
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes), {
    authTagLength: tagBytes,
  });
  decipher.setAAD(Buffer.from(name));
  decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
  return Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()]).toString(
    'utf8',
  );
}

/**
 * Puts a new key before the one in the user's state directory. The earlier ones stay: other workspaces of this
 * account have secrets that only they open. False if the key is given by a variable, or there is none yet.
 */
export async function rotateInstanceKey(root: string): Promise<boolean> {
  const folder = await userStateFolder(root);
  if (process.env[variable] !== undefined || process.env[`${variable}_FILE`] !== undefined) return false;
  if (folder === undefined) return false;
  const file = path.join(folder, keyFile);
  const kept = await readFile(file, 'utf8').catch(() => undefined);
  if (kept === undefined) return false;
  await replaceFile(file, `${randomBytes(keyBytes).toString('base64')}\n${kept}`);
  return true;
}

/**
 * Returns the key from `BELVEDERE_SECRET_KEY`, or from the file that `BELVEDERE_SECRET_KEY_FILE` names, in
 * base64; else one created once in the user's state directory, readable by this account only. Earlier keys, one
 * a line, follow it: they only decrypt.
 * @throws Error if it does not have 256 bits, or cannot be stored outside the workspace
 */
async function instanceKeys(root: string): Promise<Buffer[]> {
  const { [variable]: given, [`${variable}_FILE`]: givenFile } = process.env;
  if (given !== undefined) return ofRightLength(given, variable);
  if (givenFile !== undefined) return ofRightLength(await readFile(givenFile, 'utf8'), givenFile);
  const folder = await userStateFolder(root);
  if (folder === undefined)
    throw new Error(
      `the user’s state directory is inside the workspace, where the key must not be. Set ${variable} to 32 random bytes in base64`,
    );
  const file = path.join(folder, keyFile);
  const kept = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return makeKey(folder, file);
    throw error;
  });
  return ofRightLength(kept, 'The key in the user’s state directory');
}

async function makeKey(folder: string, file: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const key = `${randomBytes(keyBytes).toString('base64')}\n`;
  try {
    const handle = await open(
      file,
      constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW,
      0o600,
    );
    try {
      await handle.writeFile(key);
      await handle.sync();
    } finally {
      await handle.close();
    }
    return key;
  } catch (error) {
    // Another server of this account created it at the same moment.
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return readFile(file, 'utf8');
    throw error;
  }
}

function ofRightLength(text: string, from: string): Buffer[] {
  return text
    .trim()
    .split('\n')
    .map(line => {
      const key = Buffer.from(line.trim(), 'base64');
      if (key.length !== keyBytes) throw new Error(`${from} is not a base64 key of ${keyBytes} bytes`);
      return key;
    });
}
