import { chunksOf } from '../../regular-file.ts';
import type { CsvMarks } from './csv-options.ts';

/** The records of a CSV file and its irregular lines, with line numbers counted from 1. */
export interface CountedRecords {
  readonly records: number;
  /**
   * Records with another number of values than expected. Unknown (none) for delimiters of several characters.
   */
  readonly ragged: Lines;
  /** Empty lines that are followed by records. */
  readonly empty: Lines;
  readonly comments: Lines;
  /** Records with a quote that opens a value and is never closed, in a file that is read without quotes. */
  readonly unbalanced: Lines;
}

/** The first line numbers, and the total number of lines. */
interface Lines {
  readonly first: readonly number[];
  readonly total: number;
}

/**
 * Counts a CSV file's records independently of the engine: non-empty lines, not counting line ends inside
 * quotes. The import checks that records equal rows kept plus rows rejected.
 * @param values the expected number of values per record
 * @param onRecord called with the first line of each record, in order
 */
export async function countRecords(
  file: string,
  skipLines: number,
  marks: CsvMarks,
  values: number,
  onRecord: (line: number) => void = () => {},
): Promise<CountedRecords> {
  const byteOf = (mark: string) => (mark.length === 1 ? mark.charCodeAt(0) : -1);
  const quoteByte = byteOf(marks.quote);
  const escapeByte = marks.escape === marks.quote ? -1 : byteOf(marks.escape);
  const [delimiterByte, commentByte] = [byteOf(marks.delimiter), byteOf(marks.comment)];
  const [ragged, empty, comments] = [new LineList(), new LineList(), new LineList()];
  const unbalanced = new LineList();
  let quotes = 0;
  let opensQuote = false;
  let emptyAbove: number[] = [];
  let emptyCount = 0;
  let records = 0;
  let line = 1;
  let recordLine = 1;
  let delimiters = 0;
  let isQuoted = false;
  let isEscaped = false;
  let isFieldStart = true;
  let hasContent = false;
  let isComment = false;
  let toSkip = skipLines;
  const endRecord = () => {
    if (isComment) comments.add(recordLine);
    else if (hasContent) {
      records++;
      onRecord(recordLine);
      if (opensQuote && quotes % 2 === 1) unbalanced.add(recordLine);
      if (delimiterByte >= 0 && delimiters + 1 !== values) ragged.add(recordLine);
      for (const one of emptyAbove) empty.add(one);
      empty.skip(emptyCount - emptyAbove.length);
      emptyAbove = [];
      emptyCount = 0;
    } else {
      emptyCount++;
      if (emptyAbove.length < maxKept) emptyAbove.push(recordLine);
    }
    hasContent = false;
    isComment = false;
    isFieldStart = true;
    delimiters = 0;
    quotes = 0;
    opensQuote = false;
  };
  for await (const chunk of chunksOf(file)) {
    for (let i = 0; i < chunk.length; i++) {
      const byte = chunk[i]!;
      if (byte === 10) line++;
      if (toSkip > 0) {
        if (byte === 10) toSkip--;
        recordLine = line;
        continue;
      }
      if (isComment && byte !== 10) continue;
      if (byte === usualQuote && quoteByte < 0) {
        quotes++;
        opensQuote ||= isFieldStart;
      }
      if (isEscaped) isEscaped = false;
      else if (byte === escapeByte && isQuoted) isEscaped = true;
      else if (byte === quoteByte && (isQuoted || isFieldStart)) isQuoted = !isQuoted;
      else if (byte === 10 && !isQuoted) {
        endRecord();
        recordLine = line;
        continue;
      } else if (byte === delimiterByte && !isQuoted) delimiters++;
      else if (byte === commentByte && !hasContent) isComment = true;
      if (byte !== 13) hasContent = true;
      // A quote opens only at the start of a field, after any of the usual delimiters. `"` directly after `"`
      // closes and reopens.
      isFieldStart =
        byte === 44 ||
        byte === 59 ||
        byte === 9 ||
        byte === 124 ||
        byte === 32 ||
        (byte === quoteByte && !isQuoted);
    }
  }
  if (hasContent) endRecord();
  return { records, ragged, empty, comments, unbalanced };
}

const usualQuote = '"'.charCodeAt(0);
const maxKept = 10;

class LineList implements Lines {
  readonly first: number[] = [];
  total = 0;

  add(line: number): void {
    this.total++;
    if (this.first.length < maxKept) this.first.push(line);
  }

  /** Counts further lines without their numbers. */
  skip(count: number): void {
    this.total += count;
  }
}
