import type { RowsPage } from '@belvedere/api';
import { formatPlainly } from '@belvedere/chart';
import type { Box } from '@belvedere/query';

type Columns = readonly { readonly name: string; readonly type: string }[];
type Value = RowsPage['rows'][number][number];

/** The condition that one row of a table fulfils: the values of its key. Undefined without a key. */
export function rowName(
  columns: Columns,
  row: readonly Value[],
  key: readonly string[] = [],
): Box | undefined {
  const positions = key.map(name => columns.findIndex(column => column.name === name));
  if (positions.length === 0 || positions.includes(-1)) return undefined;
  return Object.fromEntries(
    positions.map(position => [
      columns[position]!.name,
      { oneOf: [nameOf(row[position]!, columns[position]!.type)] },
    ]),
  );
}

/** Whether a row has all values of a name. A column that the table no longer has fits no row. */
export function isRowNamed(columns: Columns, row: readonly Value[], name: Box): boolean {
  return Object.entries(name).every(([field, condition]) => {
    const position = columns.findIndex(column => column.name === field);
    return (
      position >= 0 &&
      'oneOf' in condition &&
      condition.oneOf.includes(nameOf(row[position]!, columns[position]!.type))
    );
  });
}

/** Returns a row's name with its numbers as tables show them, not grouped if they have no format: `10260`. */
export function rowAsShown(name: Box, formatOf: (field: string) => string | undefined, locale: string): Box {
  return Object.fromEntries(
    Object.entries(name).map(([field, condition]) => [
      field,
      'oneOf' in condition && formatOf(field) === undefined
        ? {
            oneOf: condition.oneOf.map(value =>
              typeof value === 'number' ? formatPlainly(value, locale) : value,
            ),
          }
        : condition,
    ]),
  );
}

/** Times as texts that people can read, where those have all of their digits. */
function nameOf(value: Value, type: string): Value {
  if (typeof value !== 'number' || !['date', 'time', 'instant'].includes(type) || value % 1000 !== 0)
    return value;
  const text = new Date(value).toISOString();
  if (!/^\d{4}-/.test(text)) return value;
  return text.endsWith('T00:00:00.000Z') ? text.slice(0, 10) : text.slice(0, 19);
}
