import { createTarPacker } from 'modern-tar';
import { createWriteStream } from 'node:fs';
import { open, readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { ProblemError } from '../http/problems.ts';
import type { StateSnapshot } from '../state/database/snapshot-rows.ts';
import { openStateSnapshot } from '../state/database/state-snapshot.ts';
import { documentFiles } from '../workspace/documents/read-documents.ts';
import type { ResolvedWorkspace } from '../workspace/resolve-workspace.ts';
import {
  aboutName,
  endName,
  filesFolder,
  recordsName,
  secretsFolder,
  type BackupAbout,
  type BackupEnd,
} from './backup-file.ts';
import { filesToKeep } from './files-to-keep.ts';

export interface BackupOptions {
  readonly location: ResolvedWorkspace;
  /** The version of this program. */
  readonly program: string;
  /** Whether the files of the data folder are kept, too. */
  readonly hasData: boolean;
  /** Runs work between two saves, so that documents and records are of one moment. */
  readonly betweenSaves: <T>(work: () => Promise<T>) => Promise<T>;
}

/** What was written. */
export interface WrittenBackup {
  readonly files: number;
  /** Links and other files that are not regular, which were left out. */
  readonly skipped: readonly string[];
}

type Pack = ReturnType<typeof createTarPacker>['controller'];

/**
 * Writes a backup of a workspace as a gzipped tar file: its documents and records as they were between two
 * saves, its secrets and its other files. Saves wait only while documents are read into memory.
 *
 * @throws ProblemError `state-unavailable` if a file changes while it is read, or the disk is full
 */
export async function writeBackup(options: BackupOptions, out: Writable): Promise<WrittenBackup> {
  const { location, betweenSaves } = options;
  const { snapshot, documents } = await betweenSaves(async () => ({
    snapshot: await openStateSnapshot({ folder: location.state, url: location.stateUrl }),
    documents: await readAll(location.root, await documentFiles(location.root)),
  }));
  const records = path.join(location.state, `backup-${process.pid}-${Date.now()}.part`);
  try {
    if (snapshot) await writeRecords(snapshot, records);
    const { readable, controller } = createTarPacker();
    const sent = pipeline(Readable.fromWeb(readable as never), createGzip(), out);
    const [written] = await Promise.all([
      pack(
        controller,
        options,
        documents,
        snapshot && { migration: snapshot.migration, file: records },
      ).catch((error: Error) => {
        controller.error(error);
        throw error;
      }),
      sent,
    ]);
    return written;
  } finally {
    await snapshot?.close();
    await rm(records, { force: true });
  }
}

async function pack(
  controller: Pack,
  { location, program, hasData }: BackupOptions,
  documents: ReadonlyMap<string, Buffer>,
  records: { readonly migration: string; readonly file: string } | undefined,
): Promise<WrittenBackup> {
  const { root, data, state } = location;
  await addJson(controller, aboutName, {
    format: 1,
    program,
    at: new Date().toISOString(),
    ...(records && { migration: records.migration }),
    hasData,
  } satisfies BackupAbout);
  if (records) await addFile(controller, recordsName, records.file);
  const secrets = path.join(state, 'secrets');
  for (const entry of await readdir(secrets, { withFileTypes: true }).catch(() => []))
    if (entry.isFile()) await addFile(controller, secretsFolder + entry.name, path.join(secrets, entry.name));
  for (const [file, bytes] of documents) await addBytes(controller, filesFolder + file, bytes);
  const isData = (file: string) => file === data || file.startsWith(data + path.sep);
  const { files, skipped } = await filesToKeep(root, file => hasData || !isData(file));
  const others = files.filter(file => !documents.has(file));
  for (const file of others) await addFile(controller, filesFolder + file, path.join(root, file));
  const count = documents.size + others.length;
  await addJson(controller, endName, { files: count } satisfies BackupEnd);
  controller.finalize();
  return { files: count, skipped };
}

async function readAll(root: string, files: readonly string[]): Promise<ReadonlyMap<string, Buffer>> {
  const texts = new Map<string, Buffer>();
  for (const file of files) texts.set(file, await readFile(path.join(root, file)));
  return texts;
}

async function writeRecords(snapshot: StateSnapshot, file: string): Promise<void> {
  const lines = async function* () {
    for await (const line of snapshot.lines()) yield `${line}\n`;
  };
  await pipeline(Readable.from(lines()), createWriteStream(file, { mode: 0o600 }));
}

const addJson = (controller: Pack, name: string, value: object) =>
  addBytes(controller, name, Buffer.from(`${JSON.stringify(value)}\n`));

async function addBytes(controller: Pack, name: string, bytes: Buffer): Promise<void> {
  const writer = controller.add({ name, size: bytes.length, mode: 0o600 }).getWriter();
  if (bytes.length > 0) await writer.write(new Uint8Array(bytes));
  await writer.close();
}

/** Adds a file as long as it is now; what is appended meanwhile is left out. */
async function addFile(controller: Pack, name: string, file: string): Promise<void> {
  const handle = await open(file, 'r');
  try {
    const { size, mtime, mtimeMs } = await handle.stat();
    const writer = controller.add({ name, size, mode: 0o600, mtime }).getWriter();
    let written = 0;
    if (size > 0)
      for await (const bytes of handle.createReadStream({ end: size - 1, autoClose: false })) {
        written += (bytes as Buffer).length;
        await writer.write(bytes as Uint8Array);
      }
    if (written !== size || (await handle.stat()).mtimeMs !== mtimeMs)
      throw new ProblemError('state-unavailable', `\`${file}\` changed while it was copied. Try again.`);
    await writer.close();
  } finally {
    await handle.close();
  }
}
