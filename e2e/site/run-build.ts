import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { project } from '../browser.ts';

export interface BuildRun {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `belvedere build` as a user does, with a cache of its own. */
export async function runBuild(cache: string, args: readonly string[]): Promise<BuildRun> {
  const child = spawn(
    process.execPath,
    [path.join(project, 'apps', 'cli', 'src', 'main.ts'), 'build', ...args],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, XDG_CACHE_HOME: cache, XDG_STATE_HOME: path.join(cache, 'state') },
    },
  );
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].on('data', (data: Buffer) => (texts[name] += String(data)));
  const code = await new Promise<number | null>(resolve => child.on('exit', resolve));
  return { code, ...texts };
}

/** The files of a site, by their paths, with the hash of their bytes and the time they were written. */
export async function filesOf(
  folder: string,
): Promise<ReadonlyMap<string, { readonly hash: string; readonly mtimeMs: number }>> {
  const names = (await readdir(folder, { recursive: true })).toSorted();
  const found = await Promise.all(
    names.map(async name => {
      const file = path.join(folder, name);
      const { mtimeMs, ...kind } = await stat(file).then(one => ({
        mtimeMs: one.mtimeMs,
        isFile: one.isFile(),
      }));
      if (!kind.isFile) return [];
      const hash = createHash('sha256')
        .update(await readFile(file))
        .digest('hex');
      return [[name, { hash, mtimeMs }] as const];
    }),
  );
  return new Map(found.flat());
}

/** What a site says of its workspace: the names of its files, and their texts, unpacked, without the program. */
export async function textOf(folder: string): Promise<string> {
  const names = [...(await filesOf(folder)).keys()].filter(name => !/\.(js|css|woff2|png)$/.test(name));
  const texts = await Promise.all(
    names.map(async name => {
      const bytes = await readFile(path.join(folder, name));
      const text = name.endsWith('.bin') ? gunzipSync(bytes).toString('latin1') : bytes.toString('latin1');
      return `${name}\n${text}`;
    }),
  );
  return texts.join('\n');
}
