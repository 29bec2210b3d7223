import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { linesOf } from '../../lines-of.ts';
import { readFileStart, streamRegularFile } from '../../regular-file.ts';
import type { UnpackedBytes } from '../archives/unpacked-bytes.ts';

/** A copy with commas, which has the same line numbers. */
export interface FixedWidth {
  readonly file: string;
  /** Where the columns begin, in characters from 0. */
  readonly starts: readonly number[];
}

const startBytes = 256 * 1024;
const [fewestLines, fewestColumns] = [3, 3];
/** Enough to tell the columns by; all lines are checked when they are copied. */
const [maxLines, maxCharacters] = [2000, 4096];
const [sampledFiles, linesOfEach] = [64, 100];
const delimiters = [',', ';', '\t', '|'] as const;
const number = /^[-+]?[\d.,]*\d$/;
/** As programs print below a header. */
const isRule = (line: string) => /^[-=+ ]+$/.test(line) && /[-=]/.test(line);

/**
 * Copies a text file whose columns begin at the same place in each line, with commas between them; undefined for
 * other files. Places that are blank in every line separate columns: at least two of them, or one beside a column
 * of numbers.
 * @param skip the number of lines above the header
 */
export async function withColumnsByPosition(
  file: string,
  skip: number,
  folder: string,
  produced: UnpackedBytes,
): Promise<FixedWidth | undefined> {
  const layout = layoutOf((await filledLines(file, skip)).slice(0, maxLines));
  return layout && withColumns(file, skip, layout, folder, produced);
}

/**
 * The same for several files of one table, whose columns begin at the same places in all of them. Undefined
 * if one of them has other columns.
 * @param files each with the number of lines above its header, and the folder for its copy
 */
export async function allWithColumnsByPosition(
  files: readonly { readonly file: string; readonly skip: number; readonly folder: string }[],
  produced: UnpackedBytes,
): Promise<readonly FixedWidth[] | undefined> {
  const [first] = files;
  if (!first) return undefined;
  const lines = (await filledLines(first.file, first.skip)).slice(0, maxLines);
  if (hasDelimiter(lines)) return undefined;
  const step = Math.max(1, files.length / sampledFiles);
  for (let at = step; at < files.length; at += step) {
    const { file, skip } = files[Math.floor(at)]!;
    const [header, ...rest] = await filledLines(file, skip);
    lines.push(
      ...(header === undefined || header === lines[0] ? [] : [header]),
      ...rest.slice(0, linesOfEach),
    );
  }
  const layout = layoutOf(lines);
  if (!layout) return undefined;
  const copies: FixedWidth[] = [];
  for (const { file, skip, folder } of files) {
    await mkdir(folder, { recursive: true });
    const copy = await withColumns(file, skip, layout, folder, produced);
    if (!copy) return undefined;
    copies.push(copy);
  }
  return copies;
}

/** The lines at a file's beginning that are not blank, as far as they are whole. */
async function filledLines(file: string, skip: number): Promise<string[]> {
  const start = await readFileStart(file, startBytes);
  const whole = start.toString('utf8').replaceAll('\r\n', '\n').split('\n');
  const lines = (start.length < startBytes ? whole : whole.slice(0, -1)).slice(skip);
  return lines.filter(line => line.trim() !== '');
}

async function withColumns(
  file: string,
  skip: number,
  layout: Layout,
  folder: string,
  produced: UnpackedBytes,
): Promise<FixedWidth | undefined> {
  const copy = path.join(folder, `${path.basename(file)}.columns`);
  let isSo = true;
  async function* rewritten() {
    let at = 0;
    for await (const line of linesOf(await streamRegularFile(file))) {
      const row = at++ < skip ? line : rowOf(line, layout);
      if (row === undefined) {
        isSo = false;
        return;
      }
      produced.add(row.length + 1);
      yield `${row}\n`;
    }
  }
  await pipeline(rewritten, createWriteStream(copy));
  return isSo ? { file: copy, starts: layout.starts } : undefined;
}

/** The note on the columns. */
export function columnsBegin(starts: readonly number[]): string {
  return (
    'No delimiter separates the values. The columns begin at the same place in each line: at characters ' +
    `${starts.map(start => start + 1).join(', ')}.`
  );
}

interface Layout {
  readonly starts: readonly number[];
  /** The first line and its values, if these do not stand above their columns. */
  readonly header?: { readonly line: string; readonly names: readonly string[] };
}

function layoutOf(lines: readonly string[]): Layout | undefined {
  const [first, ...rest] = lines;
  const body = rest.filter(line => !isRule(line));
  if (first === undefined || body.length < fewestLines || hasDelimiter(lines)) return undefined;
  if (lines.some(line => line.length > maxCharacters)) return undefined;
  for (const [given, isWhole] of [
    [[first, ...body], true],
    [body, false],
  ] as const) {
    const starts = startsIn(given, body);
    if (starts.length < fewestColumns) continue;
    if (endInDelimiters(body, starts)) return undefined;
    if (isWhole) return { starts };
    const names = [first.trim().split(/ {2,}/), first.trim().split(/ +/)].find(
      words => words.length === starts.length,
    );
    return names && { starts, header: { line: first, names } };
  }
  return undefined;
}

function hasDelimiter(lines: readonly string[]): boolean {
  if (
    lines.some(line => line.includes('\t')) ||
    lines.filter(line => line.includes('"')).length > lines.length / 2
  )
    return true;
  return delimiters.some(mark => {
    const counts = new Set(lines.map(line => line.split(mark).length));
    return counts.size === 1 && !counts.has(1);
  });
}

/** Whether most values of a column end with the same mark, as those of a CSV file that is padded with blanks. */
function endInDelimiters(body: readonly string[], starts: readonly number[]): boolean {
  return starts.slice(0, -1).some((start, i) => {
    const values = body.map(line => line.slice(start, starts[i + 1]).trim()).filter(value => value !== '');
    return delimiters.some(mark => values.filter(value => value.endsWith(mark)).length > values.length / 2);
  });
}

/** Where columns begin; empty if nothing but the blanks of words is common to the lines. */
function startsIn(lines: readonly string[], body: readonly string[]): number[] {
  const width = Math.max(...lines.map(line => line.trimEnd().length));
  const isBlank = Array.from({ length: width }, (_, place) =>
    lines.every(line => (line[place] ?? ' ') === ' '),
  );
  const begins: number[] = [];
  for (let place = 0; place < width; place++)
    if (!isBlank[place] && (place === 0 || isBlank[place - 1])) begins.push(place);
  if (!begins.some(place => isBlank[place - 1] && isBlank[place - 2])) return [];
  const areNumbers = begins.map((begin, i) => {
    const values = body.map(line => line.slice(begin, begins[i + 1]).trim()).filter(value => value !== '');
    return values.length > 0 && values.every(value => number.test(value));
  });
  if (!areNumbers.includes(true)) return [];
  return begins.filter(
    (begin, i) => i === 0 || isBlank[begin - 2] || areNumbers[i] === true || areNumbers[i - 1] === true,
  );
}

/** A line with commas; undefined if it has something between the columns. */
function rowOf(line: string, { starts, header }: Layout): string | undefined {
  if (line === header?.line) return header.names.map(quoted).join(',');
  if (isRule(line) || line.trim() === '') return '';
  const isBetween = starts.some(start => start > 0 && (line[start - 1] ?? ' ') !== ' ');
  if (isBetween) return undefined;
  return starts.map((start, i) => quoted(line.slice(i === 0 ? 0 : start, starts[i + 1]).trim())).join(',');
}

function quoted(value: string): string {
  return /[",]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}
