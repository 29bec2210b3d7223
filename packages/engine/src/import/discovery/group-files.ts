import { sameName, type FirstLine } from '../csv/first-lines.ts';
import { numberedName, sharedName, stemOf } from './file-name-columns.ts';

/** A CSV file of a folder, and its first line. */
export interface LineOfFile {
  readonly file: string;
  readonly line: FirstLine | undefined;
}

/** Files of a folder that form one table. */
export interface SimilarFiles {
  /** The common part of their names; empty if there is none. */
  readonly name: string;
  readonly files: readonly string[];
}

/** This many files whose names differ by a number, a date or a word are taken for one table. */
const fewest = 3;

/** The files that may belong together by name, so their first lines are needed. */
export function mayBeAlike(files: readonly string[]): string[] {
  const numbered = new Set(
    [...Map.groupBy(files, numberedName).values()].filter(group => group.length >= fewest).flat(),
  );
  return files.filter(file => numbered.has(file) || files.length <= maxOfWords);
}

/**
 * Names are compared by words only in folders with at most this many files. Larger folders are generated, and
 * words do not distinguish their files.
 */
const maxOfWords = 500;

/**
 * Groups the CSV files of a folder that form one table.
 * - Names that differ by numbers and dates: at least three files with nearly the same columns.
 * - Names that differ by a word: the same columns, and either at least three files that share the rest of the
 *   name, or no other files in the folder.
 * @param isAll whether these are all data files of the folder
 */
export function groupSimilarFiles(files: readonly LineOfFile[], isAll: boolean): SimilarFiles[] {
  const numbered = [...Map.groupBy(files, ({ file }) => numberedName(file)).values()].flatMap(group => {
    const alike = ofNearlySameColumns(group);
    return alike.length >= fewest ? [grouped(alike)] : [];
  });
  const taken = new Set(numbered.flatMap(group => group.files));
  const left = files.filter(({ file, line }) => !taken.has(file) && line !== undefined && isTable(line));
  return [
    ...numbered,
    ...[...Map.groupBy(left, ({ line }) => line!.text).values()].flatMap(group =>
      ofWords(group, isAll && group.length === files.length),
    ),
  ];
}

function grouped(files: readonly LineOfFile[]): SimilarFiles {
  return { name: sharedName(files.map(({ file }) => stemOf(file))), files: files.map(({ file }) => file) };
}

function ofWords(files: readonly LineOfFile[], isAll: boolean): SimilarFiles[] {
  if (isAll && files.length > 1) return [grouped(files)];
  const wordsOf = ({ file }: LineOfFile) => stemOf(file).split(/[-_. ]+/);
  const byFirst = [
    ...Map.groupBy(files, file => (wordsOf(file).length > 1 ? wordsOf(file)[0]! : '')).entries(),
  ].filter(([word, group]) => word !== '' && group.length >= fewest);
  const taken = new Set(byFirst.flatMap(([, group]) => group));
  const byLast = [
    ...Map.groupBy(
      files.filter(file => !taken.has(file)),
      file => (wordsOf(file).length > 1 ? wordsOf(file).at(-1)! : ''),
    ).entries(),
  ].filter(([word, group]) => word !== '' && group.length >= fewest);
  return [...byFirst, ...byLast].map(([, group]) => grouped(group));
}

/** Many lookup tables (`id,name`) have the same columns but different subjects. */
const keyOrLabel =
  /(^|[_ ])(id|key|code|name|label|title|description|value|text|type|kind|sort|order|short|long)$|^[a-z]+Id$/i;

function isTable({ cells, isOfNames }: FirstLine): boolean {
  return isOfNames && cells.length > 1 && !cells.every(cell => keyOrLabel.test(cell));
}

/**
 * The files with the most frequent columns, or with nearly the same columns as one of those, because columns
 * change over the years.
 */
function ofNearlySameColumns(files: readonly LineOfFile[]): LineOfFile[] {
  const kinds = [
    ...Map.groupBy(
      files.filter(({ line }) => line !== undefined),
      // Empty cells leave columns of fixed width without a place in the line.
      ({ line }) => (line!.isOfNames ? line!.text : line!.isSpaced ? 'spaced' : `${line!.cells.length}`),
    ).values(),
  ].toSorted((one, other) => other.length - one.length);
  const [largest, ...others] = kinds;
  if (!largest) return [];
  const alike = [largest];
  for (let hasGrown = true; hasGrown;) {
    hasGrown = false;
    for (const kind of others) {
      if (alike.includes(kind) || !alike.some(one => areNear(one[0]!.line!, kind[0]!.line!))) continue;
      alike.push(kind);
      hasGrown = true;
    }
  }
  const kept = new Set(alike.flat());
  return files.filter(file => kept.has(file));
}

/**
 * Whether at least half of the columns of the wider file also exist in the other one. Files without headers
 * must have equal column counts.
 */
function areNear(one: FirstLine, other: FirstLine): boolean {
  if (one.text === other.text) return true;
  if (!one.isOfNames || !other.isOfNames)
    return (
      one.isOfNames === other.isOfNames && one.cells.length === other.cells.length && one.cells.length > 1
    );
  const names = new Set(one.cells.map(sameName));
  const shared = new Set(other.cells.map(sameName).filter(name => names.has(name)));
  return shared.size * 2 >= Math.max(one.cells.length, other.cells.length);
}
