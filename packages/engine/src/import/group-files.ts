import { sameName, type FirstLine } from './first-lines.ts';
import { numberedName, sharedName, stemOf } from './file-name-columns.ts';

/** A CSV file of a folder, and its first line. */
export interface LineOfFile {
  readonly file: string;
  readonly line: FirstLine | undefined;
}

/** Files of a folder that are one table. */
export interface SimilarFiles {
  /** What their names share; empty where they share nothing. */
  readonly name: string;
  readonly files: readonly string[];
}

/** So many files whose names differ by a number, a date or a word are no coincidence. */
const fewest = 3;

/** The files whose first lines need to be known: those that may be one table by their names. */
export function mayBeAlike(files: readonly string[]): string[] {
  const numbered = new Set(
    [...Map.groupBy(files, numberedName).values()].filter(group => group.length >= fewest).flat(),
  );
  return files.filter(file => numbered.has(file) || files.length <= mostOfWords);
}

/** Words are looked for in folders that a person filled: in one of thousands of files they are not what tells these apart. */
const mostOfWords = 500;

/**
 * The CSV files of a folder that are one table. Names that differ by numbers and dates: three or more, with nearly the same columns. Names
 * that differ by a word: the same columns, and three or more that share the rest of the name, or nothing else in the folder.
 * @param isAll whether these are all of the folder's data files
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

/** Of lists of names and codes (`id,name`) many have the same columns, and are about different things. */
const keyOrLabel =
  /(^|[_ ])(id|key|code|name|label|title|description|value|text|type|kind|sort|order|short|long)$|^[a-z]+Id$/i;

function isTable({ cells, isOfNames }: FirstLine): boolean {
  return isOfNames && cells.length > 1 && !cells.every(cell => keyOrLabel.test(cell));
}

/** The files that have the most usual columns, or nearly those of one that has: over the years columns come and go. */
function ofNearlySameColumns(files: readonly LineOfFile[]): LineOfFile[] {
  const kinds = [
    ...Map.groupBy(
      files.filter(({ line }) => line !== undefined),
      ({ line }) => (line!.isOfNames ? line!.text : `${line!.cells.length}`),
    ).values(),
  ].toSorted((one, other) => other.length - one.length);
  const [most, ...others] = kinds;
  if (!most) return [];
  const alike = [most];
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

/** Whether half of the columns of the wider one are the other's, too. Without names there must be as many. */
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
