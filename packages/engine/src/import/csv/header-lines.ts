/** Column names from several header lines of a file. */
export interface HeaderLines {
  readonly names: readonly string[];
  readonly lines: number;
}

/**
 * Detects header lines of survey exports, which would otherwise become rows and turn numbers into texts.
 * SurveyMonkey writes two lines. The first has the questions, with empty cells above all but the first answer
 * of a question. The second has the answers, with empty cells below other columns. Qualtrics writes a line of
 * codes, a line of questions and a line of JSON.
 * @param records the first three of the file, after any preamble
 */
export function headerLines([first = [], second = [], third = []]: readonly (readonly string[])[]):
  | HeaderLines
  | undefined {
  const at = (record: readonly string[], i: number) => record[i]?.trim() ?? '';
  const places = first.map((_, i) => i);
  const filled = (record: readonly string[]) => places.filter(i => at(record, i) !== '');
  if (filled(third).length > 1 && filled(third).every(i => /^\{\s*"ImportId"/.test(at(third, i))))
    return { names: unique(places.map(i => at(second, i) || at(first, i))), lines: 3 };
  const unnamed = places.filter(i => at(first, i) === '');
  const isBelow =
    unnamed.length > 1 &&
    at(first, 0) !== '' &&
    at(second, 0) === '' &&
    at(third, 0) !== '' &&
    unnamed.every(i => /\p{L}/u.test(at(second, i)));
  if (!isBelow) return undefined;
  const question = (i: number) =>
    first
      .slice(0, i + 1)
      .findLast(name => name.trim() !== '')!
      .trim();
  const isOneOfSeveral = (i: number) =>
    at(first, i) === '' || (i + 1 < first.length && at(first, i + 1) === '');
  const results = Map.groupBy(places.filter(isOneOfSeveral), i =>
    places.findLast(place => place <= i && at(first, place) !== ''),
  );
  // The answers to a question are distinct. Cells of a data row may repeat.
  if ([...results.values()].some(of => new Set(of.map(i => at(second, i))).size < of.length))
    return undefined;
  return {
    names: unique(
      places.map(i =>
        isOneOfSeveral(i) && at(second, i) !== '' ? `${question(i)}: ${at(second, i)}` : question(i),
      ),
    ),
    lines: 2,
  };
}

/**
 * Whether a first line names columns by years or by their positions: `country,2001,2002` or `,0,1,2`. Programs
 * that detect headers by types take such a line for a row, because its cells are numbers like those below.
 * @param below the rows that follow
 */
export function areYearsAsNames(first: readonly string[], below: readonly (readonly string[])[]): boolean {
  const places = placesOfNumbers(first);
  if (below.length === 0 || !mayBeNumbersAsNames(first)) return false;
  const values = below.map(cells => places.map(i => Number(cells[i]?.trim() || Number.NaN)));
  if (places.every(i => isYear(Number(first[i]))))
    return values.some(row => row.some(value => !Number.isNaN(value) && !isYear(value)));
  return !values.some(row => row.every((value, i) => i === 0 || value - row[i - 1]! === 1));
}

/** Whether a line has names beside years in equal steps, or beside numbers that count from 0 or 1. */
export function mayBeNumbersAsNames(line: readonly string[]): boolean {
  const places = placesOfNumbers(line);
  const others = line.filter((_, i) => !places.includes(i));
  const numbers = places.map(i => Number(line[i]));
  const step = numbers[1]! - numbers[0]!;
  if (
    others.length === 0 ||
    others.some(cell => /^\s*[-+]?[\d.]/.test(cell)) ||
    !numbers.every((number, i) => i === 0 || number - numbers[i - 1]! === step)
  )
    return false;
  return numbers.every(isYear)
    ? numbers.length >= 2 && step !== 0
    : numbers.length >= 3 && step === 1 && numbers[0]! <= 1;
}

function placesOfNumbers(cells: readonly string[]): number[] {
  return cells.flatMap((cell, i) => (/^\d{1,4}$/.test(cell.trim()) ? [i] : []));
}

const isYear = (value: number) => Number.isInteger(value) && value >= 1700 && value <= 2200;

/**
 * A line's cells; undefined if a quote is open at its end, i.e. the record is incomplete. For so few lines,
 * the engine's file reader and its buffers would cost too much.
 */
export function cellsOf(line: string, delimiter: string, quote: string): string[] | undefined {
  const cells: string[] = [];
  let cell = '';
  let isQuoted = false;
  for (let i = 0; i < line.length; i++) {
    const character = line[i]!;
    if (quote !== '' && character === quote) {
      if (isQuoted && line[i + 1] === quote) cell += line[++i]!;
      else isQuoted = !isQuoted;
    } else if (character === delimiter && !isQuoted) {
      cells.push(cell);
      cell = '';
    } else cell += character;
  }
  return isQuoted ? undefined : [...cells, cell];
}

function unique(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map(name => {
    let free = name;
    for (let n = 2; taken.has(free.toLowerCase()); n++) free = `${name} ${n}`;
    taken.add(free.toLowerCase());
    return free;
  });
}
