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
