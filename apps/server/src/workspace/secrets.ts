import { constants } from 'node:fs';
import { mkdir, open, readFile } from 'node:fs/promises';
import path from 'node:path';
import { EngineError } from '@belvedere/engine';
import { mayWrite } from './create-file.ts';

/**
 * Looks up what `${env:NAME}` or `${file:PATH}` stands for; paths start at the workspace's folder. Done at each connecting, so that a
 * secret that was changed is found, and kept nowhere.
 * @throws EngineError source-refused where there is nothing of that name
 */
export async function secretFor(reference: string | undefined, root: string): Promise<string> {
  if (reference === undefined) return '';
  const [, kind, name] = /^\$\{(env|file):(.*)\}$/s.exec(reference) ?? [];
  if (kind === 'env') {
    const value = process.env[name!];
    if (value === undefined) throw new EngineError('source-refused', `The environment has no variable \`${name}\`, which this source's password is to come from.`);
    return value;
  }
  try {
    return (await readFile(path.resolve(root, name!), 'utf8')).replace(/\r?\n$/, '');
  } catch {
    throw new EngineError('source-refused', `The file \`${name}\`, which this source's password is to come from, cannot be read.`);
  }
}

/** Puts a secret that somebody typed where only this account may read it. @returns the reference that stands for it in a file */
export async function keepSecret(state: string, root: string, name: string, secret: string): Promise<string> {
  mayWrite(root);
  const folder = path.join(state, 'secrets');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = path.join(folder, name);
  const handle = await open(file, constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW, 0o600);
  try {
    await handle.chmod(0o600);
    await handle.writeFile(secret);
    await handle.sync();
  } finally {
    await handle.close();
  }
  const relative = path.relative(root, file);
  return `\${file:${relative.startsWith('..') ? file : relative}}`;
}
