import { wordsOf } from './column-vocabulary.ts';
import { isNameless, meaningOf } from './infer-meaning.ts';
import { namesCountries, namesStates } from './infer-regions.ts';
import type { ColumnProfile, TableProfile } from '../table.ts';

/**
 * What the values of a column without a name say that it is, in words: countries, states, time zones and
 * coordinates speak for themselves. Undefined where they do not, or where two columns of a table would be
 * called the same.
 */
export function namelessWords(column: ColumnProfile, table: TableProfile): string | undefined {
  const words = wordsOfValues(column, table.rows);
  const isOnly =
    words !== undefined &&
    table.columns.every(one => one === column || wordsOfValues(one, table.rows) !== words);
  return isOnly ? words : undefined;
}

function wordsOfValues(column: ColumnProfile, rows: number): string | undefined {
  if (!isNameless(wordsOf(column.name))) return undefined;
  const meaning = meaningOf(column, rows);
  if (meaning === 'latitude' || meaning === 'longitude') return meaning;
  if (column.type !== 'text' || column.distinct < 3) return undefined;
  const values = column.top.flatMap(({ value }) => value ?? []).filter(value => value !== '');
  if (values.length === 0) return undefined;
  if (values.every(value => zone.test(value))) return 'time zone';
  // Two or three letters may be codes of anything.
  if (values.every(value => value.length <= 3)) return undefined;
  if (namesCountries(column)) return 'country';
  return namesStates(column) ? 'state' : undefined;
}

/** A time zone of the IANA database: `America/New_York`. */
const zone = /^(?:Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Europe|Indian|Pacific)\/[A-Z]\w+/;
