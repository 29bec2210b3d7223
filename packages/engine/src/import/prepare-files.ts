import type { TableFile } from '@belvedere/document';
import { isUtf8 } from 'node:buffer';
import { mkdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { readFileStart, readRegularFile } from '../regular-file.ts';
import { withDoubledQuotes } from './csv/escaped-quotes.ts';
import { firstLine, sameName, type FirstLine } from './csv/first-lines.ts';
import { maxHeaderBytes } from './csv/csv-header.ts';
import { maxLineBytes } from './csv/csv-options.ts';
import { allWithColumnsByPosition, columnsBegin } from './csv/fixed-width.ts';
import { withOneLineEnd } from './csv/line-ends.ts';
import { findOverlongLine } from './csv/line-length-limit.ts';
import { decodeText } from './csv/decode-text.ts';
import { preambleIn, preambleLines, skippedLines } from './csv/preamble.ts';
import type { UnpackedBytes } from './archives/unpacked-bytes.ts';
import { ImportError } from './report.ts';

/** One of several files, in a form that the engine can read. */
export interface PreparedFile {
  readonly original: string;
  /** The file itself, or a copy in UTF-8 with uniform line ends. */
  readonly file: string;
  /** The folder for copies of the file. */
  readonly folder: string;
  readonly encoding: string;
  readonly notes: readonly string[];
  /** The number of lines above its header. */
  readonly skip: number;
  /** Whether its lines end in CR LF. */
  readonly hasCr: boolean;
  readonly line: FirstLine;
  /** Whether the line is known to occur only once. */
  readonly isOnce?: boolean;
}

/** Files of the same format: with equal headers, or without headers and with equal numbers of values. */
export interface FileGroup {
  readonly files: readonly PreparedFile[];
  /** Whether the first line is a header, if known. */
  readonly hasHeader: boolean | undefined;
}

/**
 * Files are prepared concurrently, because most time is spent on I/O. This keeps the engine's threads and
 * ours busy.
 */
const atOnce = 8;

/**
 * Converts files to a form that the engine can read, with copies where necessary. Empty files are omitted.
 * @param onFile called before each file, with its number from 1
 * @throws ImportError with the name of the unreadable file
 */
export async function prepareFiles(
  files: readonly string[],
  folder: string,
  produced: UnpackedBytes,
  reading: TableFile | undefined,
  onFile: (number: number) => void,
): Promise<PreparedFile[]> {
  const prepared: (PreparedFile | undefined)[] = [];
  let next = 0;
  const work = async () => {
    for (let i = next++; i < files.length; i = next++) {
      onFile(i + 1);
      prepared[i] = await prepare(files[i]!, path.join(folder, `file-${i}`), produced, reading);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return prepared.filter(file => file !== undefined);
}

async function prepare(
  original: string,
  folder: string,
  produced: UnpackedBytes,
  reading: TableFile | undefined,
): Promise<PreparedFile | undefined> {
  const { size } = await stat(original);
  if (size === 0) return undefined;
  const small = size <= smallBytes ? await asItIs(original, folder, reading) : undefined;
  if (small) return small;
  await mkdir(folder, { recursive: true });
  const plain = await decodeText(original, folder, produced, reading?.encoding);
  const lined = await withOneLineEnd(plain.file, folder, produced);
  const overlong = await findOverlongLine(lined.file, maxLineBytes);
  if (overlong !== undefined)
    throw new ImportError(
      original,
      overlong,
      `Line ${overlong} of this file is longer than ${maxLineBytes / 2 ** 20} MiB, the maximum for a row. Shorten or remove it.`,
    );
  const skip = reading?.skip ?? (await preambleLines(lined.file));
  const lines = (await readFileStart(lined.file, maxHeaderBytes)).toString('utf8').split('\n').slice(skip);
  const line = lines.find(one => one.trim() !== '');
  if (line === undefined) return undefined;
  const notes = [...plain.notes, ...lined.notes, ...skipped(skip)];
  return {
    original,
    file: lined.file,
    folder,
    encoding: plain.encoding,
    notes,
    skip,
    hasCr: line.endsWith('\r'),
    line: firstLine(line.replace(/\r$/, '')),
  };
}

const smallBytes = 512 * 1024;
const [lf, cr] = [0x0a, 0x0d];

/**
 * Handles a small file that the engine can read unchanged. Of thousands of files, nearly all are like this,
 * and opening a file again costs more than reading it.
 */
async function asItIs(
  original: string,
  folder: string,
  reading: TableFile | undefined,
): Promise<PreparedFile | undefined> {
  if (/\.(gz|zst)$/i.test(original) || (reading?.encoding ?? 'UTF-8') !== 'UTF-8') return undefined;
  const bytes = await readRegularFile(original);
  if (
    bytes.length > 2 * smallBytes ||
    !isUtf8(bytes) ||
    bytes.includes(0) ||
    bytes.includes('\ufeff') ||
    !hasOneLineEnd(bytes)
  )
    return undefined;
  const text = bytes.toString('utf8');
  const skip = reading?.skip ?? preambleIn(text);
  const line = text
    .split('\n', skip + 1000)
    .slice(skip)
    .find(one => one.trim() !== '');
  if (line === undefined) return undefined;
  const hasCr = line.endsWith('\r');
  const header = Buffer.from(hasCr ? line.slice(0, -1) : line);
  const isOnce = !bytes.includes(header, bytes.indexOf(header) + header.length);
  return {
    original,
    file: original,
    folder,
    encoding: 'UTF-8',
    notes: skipped(skip),
    skip,
    hasCr,
    line: firstLine(String(header)),
    isOnce,
  };
}

function hasOneLineEnd(bytes: Buffer): boolean {
  if (!bytes.includes(cr)) return true;
  for (let at = bytes.indexOf(cr); at >= 0; at = bytes.indexOf(cr, at + 1))
    if (bytes[at + 1] !== lf) return false;
  for (let at = bytes.indexOf(lf); at >= 0; at = bytes.indexOf(lf, at + 1))
    if (bytes[at - 1] !== cr) return false;
  return true;
}

/**
 * The same files with commas between their columns, if these begin at the same places in all of them instead
 * of being delimited.
 */
export async function withDelimiters(
  files: readonly PreparedFile[],
  produced: UnpackedBytes,
): Promise<readonly PreparedFile[]> {
  const copies = await allWithColumnsByPosition(files, produced);
  if (!copies) return files;
  return Promise.all(
    files.map(async (one, i) => {
      const { file, starts } = copies[i]!;
      const lines = (await readFileStart(file, maxHeaderBytes)).toString('utf8').split('\n');
      const line = firstLine(lines.slice(one.skip).find(text => text.trim() !== '') ?? '');
      return { ...one, file, line, hasCr: false, notes: [...one.notes, columnsBegin(starts)] };
    }),
  );
}

function skipped(lines: number): string[] {
  return lines > 0 ? [skippedLines(lines)] : [];
}

/** Groups files that a single statement can read, largest groups first. */
export function inGroups(files: readonly PreparedFile[], header: boolean | undefined): FileGroup[] {
  const byLine = [
    ...Map.groupBy(files, ({ skip, hasCr, line }) =>
      header === false ? `${skip} ${hasCr} ${line.cells.length}` : `${skip} ${hasCr} ${line.text}`,
    ).values(),
  ];
  if (header !== undefined)
    return byLine
      .map(group => ({ files: group, hasHeader: header }))
      .toSorted((one, other) => other.files.length - one.files.length);
  // A first line that several files share is a header. So is a first line with column names of another file's
  // header.
  const isHeader = (group: readonly PreparedFile[]) =>
    group[0]!.line.isOfNames &&
    (group.length > 1 ||
      files.some(
        other => other !== group[0] && other.line.isOfNames && haveNamesInCommon(other.line, group[0]!.line),
      ));
  const [named, others] = [byLine.filter(isHeader), byLine.filter(group => !isHeader(group)).flat()];
  const unnamed = [
    ...Map.groupBy(
      others,
      ({ skip, hasCr, line }) => `${skip} ${hasCr} ${line.isOfNames ? line.text : line.cells.length}`,
    ).values(),
  ];
  return [
    ...named.map(group => ({ files: group, hasHeader: true })),
    ...unnamed.map(group => ({ files: group, hasHeader: undefined })),
  ].toSorted((one, other) => other.files.length - one.files.length);
}

function haveNamesInCommon(one: FirstLine, other: FirstLine): boolean {
  const names = new Set(one.cells.map(sameName));
  return other.cells.some(cell => names.has(sameName(cell)));
}

const sampledFiles = 64;
const sampledBytes = 64 * 1024;

/** Writes a file with the beginnings of a group's files, for detecting their common format. */
export async function sampleOf({ files, hasHeader }: FileGroup, file: string): Promise<string> {
  const step = Math.max(1, files.length / sampledFiles);
  const some = Array.from(
    { length: Math.min(files.length, sampledFiles) },
    (_, i) => files[Math.floor(i * step)]!,
  );
  const parts: string[] = [];
  for (const [i, one] of some.entries()) {
    const start = await readFileStart(one.file, i === 0 ? 4 * sampledBytes : sampledBytes);
    const isWhole = start.length < (i === 0 ? 4 * sampledBytes : sampledBytes);
    const lines = start.toString('utf8').replaceAll('\r\n', '\n').split('\n').slice(one.skip);
    const from = i > 0 && hasHeader ? lines.findIndex(line => line.trim() !== '') + 1 : 0;
    const text = lines.slice(from, isWhole ? undefined : -1).join('\n');
    // An unclosed quote at the end would swallow the next sample.
    if (i > 0 && text.split('"').length % 2 === 0) continue;
    parts.push(text.endsWith('\n') || text === '' ? text : `${text}\n`);
  }
  await writeFile(file, parts.join(''));
  return file;
}

/** Creates the folder for a file's copies; most files need none. */
export async function folderOf({ folder }: PreparedFile): Promise<string> {
  await mkdir(folder, { recursive: true });
  return folder;
}

/** The same files with doubled quotes inside of quotes. */
export async function withQuotesDoubled(
  group: FileGroup,
  produced: UnpackedBytes,
  quote: string,
): Promise<FileGroup> {
  const files: PreparedFile[] = [];
  for (const one of group.files)
    files.push({
      ...one,
      isOnce: false,
      file: await withDoubledQuotes(one.file, await folderOf(one), produced, quote),
    });
  return { ...group, files };
}
