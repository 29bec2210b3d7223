import { ProblemError } from '../../http/problem-error.ts';
import { readJson } from '../../http/read-json.ts';

/** Rows of one request. */
const maxRows = 10_000;
/** Names in a row. A table has at most as many columns. */
const maxNames = 2000;
/** Length of a name. Longer ones are cut when they are imported, at a cost in memory for each row. */
const longestName = 300;

/**
 * Returns the rows of NDJSON, one JSON object a line, as they were written: digits of large numbers are kept.
 * Empty lines are left out.
 * @throws ProblemError `request-invalid` that names the first line that is no object, or has a repeated key
 */
export function ndjsonRows(body: Uint8Array): readonly string[] {
  const text = decoded(body);
  const rows: string[] = [];
  for (const [i, line] of text.split('\n').entries()) {
    const row = line.trim();
    if (row === '') continue;
    if (rows.length === maxRows)
      throw new ProblemError(
        'request-invalid',
        `A request is limited to ${maxRows.toLocaleString('en')} rows. Send the others in further requests.`,
      );
    checkRow(row, i + 1);
    rows.push(row);
  }
  if (rows.length === 0)
    throw new ProblemError('request-invalid', 'There are no rows. Send one JSON object per line.');
  return rows;
}

function decoded(body: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch (cause) {
    throw new ProblemError('request-invalid', 'The rows are not valid UTF-8.', { cause });
  }
}

function checkRow(row: string, line: number): void {
  const at = (what: string, cause?: unknown) =>
    new ProblemError('request-invalid', `Line ${line}: ${what} Nothing was added.`, { cause });
  let value: unknown;
  try {
    value = readJson(row);
  } catch (error) {
    throw error instanceof ProblemError ? at(error.message, error) : error;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw at('A row must be a JSON object, such as {"sensor": "a", "value": 3.5}.');
  if (Object.keys(value).length === 0) throw at('The row has no values.');
  const names = namesIn(value);
  if (names.length > maxNames) throw at(`The row has more than ${maxNames.toLocaleString('en')} values.`);
  if (names.some(({ length }) => length > longestName))
    throw at(`A name is longer than ${longestName} characters.`);
}

/** The names in a value of JSON, at any depth. */
function namesIn(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = Array.isArray(value) ? [] : Object.keys(value);
  return [...own, ...Object.values(value).flatMap(namesIn)];
}
