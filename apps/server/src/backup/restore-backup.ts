import { entriesInTar, linesOf } from '@belvedere/engine';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readdir, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { z } from 'zod';
import { ProblemError } from '../http/problems.ts';
import { restoreState } from '../state/database/state-snapshot.ts';
import { storageProblem } from '../operations/storage-problem.ts';
import { resolveWorkspace } from '../workspace/resolve-workspace.ts';
import { aboutName, endName, filesFolder, recordsName, secretsFolder } from './backup-file.ts';

const About = z.object({
  format: z.literal(1),
  program: z.string(),
  at: z.string(),
  migration: z.string().optional(),
  hasData: z.boolean(),
});
const longestAbout = 64 * 1024;
/** Types of regular files in a tar file, by newer and older programs. */
const fileTypes = new Set(['0', '\0']);
const End = z.object({ files: z.number().int() });

export interface RestoredBackup {
  readonly folder: string;
  /** When the backup was made. */
  readonly at: string;
  readonly files: number;
  readonly hasData: boolean;
}

/**
 * Restores a backup to a folder that does not exist yet or is empty: all of it, or nothing.
 *
 * @param stateUrl restores the records to this PostgreSQL database, whatever kind they came from
 * @throws ProblemError `request-invalid` if the folder is not empty, or the file is no whole backup;
 * `state-unavailable` if the database has records, or the backup is of a newer version
 */
export async function restoreBackup(
  file: string,
  folder: string,
  stateUrl?: string,
): Promise<RestoredBackup> {
  const target = path.resolve(folder);
  if ((await readdir(target).catch(() => [])).length > 0)
    throw new ProblemError('request-invalid', `\`${folder}\` is not empty. Name a new folder.`);
  const draft = `${target}.restoring-${process.pid}`;
  const state = path.join(draft, '.belvedere');
  try {
    await mkdir(state, { recursive: true, mode: 0o700 });
    const { about, files } = await unpack(file, draft, state);
    const records = path.join(state, recordsName);
    if (about.migration !== undefined)
      await restoreState(
        { folder: state, url: stateUrl },
        about.migration,
        linesOf(createReadStream(records)),
      );
    await rm(records, { force: true });
    await rmdir(target).catch(() => {});
    await rename(draft, target);
    await placeState(target);
    return { folder: target, at: about.at, files, hasData: about.hasData };
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    if (error instanceof ProblemError) throw error;
    throw storageProblem(error, `Could not restore to \`${folder}\``) ?? notWhole(file, error);
  }
}

/** A folder of data without documents has its records elsewhere. */
async function placeState(target: string): Promise<void> {
  const { state } = await resolveWorkspace(target);
  const restored = path.join(target, '.belvedere');
  if (path.resolve(state) === restored) return;
  await mkdir(path.dirname(state), { recursive: true, mode: 0o700 });
  await rm(state, { recursive: true, force: true });
  await rename(restored, state);
}

async function unpack(file: string, draft: string, state: string) {
  await stat(file).catch(() => {
    throw new ProblemError('not-found', `No such file: \`${file}\`.`);
  });
  let about: z.infer<typeof About> | undefined;
  let end: z.infer<typeof End> | undefined;
  let files = 0;
  const gunzip = createGunzip();
  const unzipped = pipeline(createReadStream(file), gunzip);
  unzipped.catch(() => {});
  for await (const { name, type, body } of entriesInTar(gunzip)) {
    if (!fileTypes.has(type) || end) throw notWhole(file);
    if (name === aboutName || name === endName) {
      const text = await shortText(body);
      if (text === undefined) throw notWhole(file);
      if (name === aboutName) about = About.parse(JSON.parse(text));
      else end = End.parse(JSON.parse(text));
      continue;
    }
    if (!about) throw notWhole(file);
    const at = placeOf(name, draft, state);
    if (at === undefined) throw notWhole(file);
    if (name.startsWith(filesFolder)) files++;
    await mkdir(path.dirname(at), { recursive: true, mode: at.startsWith(state) ? 0o700 : 0o755 });
    const mode = at.startsWith(state) ? 0o600 : 0o644;
    await writeFile(at, '', { flag: 'wx', mode });
    await pipeline(body, createWriteStream(at, { mode }));
  }
  await unzipped;
  if (!about || end?.files !== files) throw notWhole(file);
  return { about, files };
}

/**
 * The text of an entry that describes the backup; undefined if it is far too long, as in an archive made to fill
 * memory.
 */
async function shortText(body: AsyncIterable<Buffer>): Promise<string | undefined> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of body) {
    bytes += part.length;
    if (bytes > longestAbout) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

/** Where an entry belongs; undefined if it belongs nowhere: a name must not lead out of its folder. */
function placeOf(name: string, draft: string, state: string): string | undefined {
  const isPlain = (within: string) =>
    within !== '' &&
    !within.includes('\\') &&
    !within.includes('\0') &&
    within.split('/').every(step => step !== '' && step !== '.' && step !== '..');
  if (name === recordsName) return path.join(state, recordsName);
  if (name.startsWith(secretsFolder)) {
    const within = name.slice(secretsFolder.length);
    return isPlain(within) && !within.includes('/') ? path.join(state, 'secrets', within) : undefined;
  }
  const within = name.slice(filesFolder.length);
  const isOwn = /^\.(?:belvedere|git)(?:\/|$)/i.test(within);
  return name.startsWith(filesFolder) && isPlain(within) && !isOwn ? path.join(draft, within) : undefined;
}

function notWhole(file: string, cause?: unknown): ProblemError {
  return new ProblemError(
    'request-invalid',
    `\`${file}\` is not a whole backup of Belvedere. Nothing was restored.`,
    { cause },
  );
}
