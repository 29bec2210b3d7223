import { freeName, labelFrom, type DimensionFile, type MeasureFile } from '@belvedere/document';
import type { TableModelFile } from './build-model.ts';
import { wordsOf } from './column-vocabulary.ts';
import { inferLabels } from './infer-labels.ts';
import { meaningOf, type Meaning } from './infer-meaning.ts';
import { inferOrder } from './infer-order.ts';
import { isNumeric, isTemporal, type ColumnProfile, type TableProfile } from './table.ts';

/**
 * A first guess at what a table means, from its columns' names and what is in them.
 * Numbers that name things (keys, codes, years, coordinates, clock times, flags) become dimensions; numbers that measure become
 * measures: added up where their name says amounts, averaged otherwise, since an average misleads less than a wrong sum.
 */
export function inferModel(table: TableProfile): TableModelFile {
  const names = new Set<string>();
  const dimensions: Record<string, DimensionFile> = {};
  const measureNames = new Set(['rows']);
  const measures: Record<string, MeasureFile> = {
    rows: { label: 'Rows', expr: 'count(*)', format: 'integer' },
  };
  const labels = inferLabels(table.columns.map(column => column.name));
  for (const [place, column] of table.columns.entries()) {
    const meaning = meaningOf(column, table.rows);
    const name = freeName(column.name, names);
    const label = labels[place]!;
    // What was left out of a label is still to be read.
    const description = label !== labelFrom(column.name) ? { description: column.name.trim() } : {};
    const order = inferOrder(column);
    const role =
      meaning === 'identifier' || meaning === 'latitude' || meaning === 'longitude' ? { role: meaning } : {};
    const format = column.format ?? (namesInDigits(column, meaning) ? 'plain' : undefined);
    dimensions[name] = {
      label,
      column: column.name,
      ...(format !== undefined && { format }),
      ...description,
      ...role,
      ...(order && { sort: [...order] }),
    };
    if (meaning !== 'amount' && meaning !== 'level') continue;
    const aggregate = meaning === 'amount' ? 'sum' : 'avg';
    measures[freeName(meaning === 'amount' ? `total_${column.name}` : `avg_${column.name}`, measureNames)] = {
      label:
        meaning === 'level'
          ? `Average ${lowerFirst(label)}`
          : /^total/i.test(label)
            ? label
            : `Total ${lowerFirst(label)}`,
      expr: `${aggregate}(${quoted(column.name)})`,
      format: formatOf(column, aggregate),
      ...description,
    };
  }
  const time = timeColumn(table);
  let timeName =
    time && Object.entries(dimensions).find(([, dimension]) => dimension.column === time.name)?.[0];
  const parts = dateParts(table);
  if (!timeName && parts) {
    timeName = freeName('date', names);
    dimensions[timeName] = {
      label: 'Date',
      expr: `make_date(${parts.map(part => quoted(part.name)).join(', ')})`,
    };
  }
  return {
    version: 1,
    label: labelFrom(table.name),
    table: table.name,
    ...(timeName && { time: timeName }),
    dimensions,
    measures,
  };
}

/** Numbers that are names, so large that digits would be grouped: 17850 is no 17,850. */
function namesInDigits(column: ColumnProfile, meaning: Meaning): boolean {
  return (
    (meaning === 'identifier' || meaning === 'category') &&
    isNumeric(column.type) &&
    Number(column.max) >= 10_000
  );
}

/** Year, month and day as three columns of whole numbers, where a table has them so. */
export function dateParts(table: TableProfile): readonly ColumnProfile[] | undefined {
  const found = ['year', 'month', 'day'].map(part =>
    table.columns.find(column => column.name.toLowerCase() === part && column.type === 'integer'),
  );
  const [year, month, day] = found;
  const isDate =
    year && month && day && inside(year, 1000, 3000) && inside(month, 1, 12) && inside(day, 1, 31);
  return isDate ? [year, month, day] : undefined;
}

/** The column that most probably says when a row happened, if any does. */
export function timeColumn(table: TableProfile): ColumnProfile | undefined {
  const candidates = table.columns.filter(
    column => isTemporal(column.type) && column.distinct > 1 && column.nulls < table.rows * 0.5,
  );
  const score = (column: ColumnProfile) =>
    (/\b(date|time|timestamp|when|day|month|created|start|started|order)\b/.test(wordsOf(column.name))
      ? 2
      : 0) -
    (/\b(updated|modified|birth|hire|end|ended|shipped|required|due)\b/.test(wordsOf(column.name)) ? 2 : 0) -
    (2 * column.nulls) / Math.max(1, table.rows);
  return candidates.toSorted((a, b) => score(b) - score(a))[0];
}

function formatOf(column: ColumnProfile, aggregate: 'sum' | 'avg'): string {
  if (column.format !== undefined) return column.format;
  const name = wordsOf(column.name);
  if (/\b(percent|percentage|pct|share|ratio)\b/.test(name) && inside(column, 0, 1)) return 'percent';
  if (/\bbytes\b/.test(name)) return 'bytes';
  if (aggregate === 'sum') return column.type === 'integer' ? 'integer' : 'number';
  const span = Math.abs((column.high as number) - (column.low as number));
  return span >= 1000 ? 'integer' : span >= 10 ? '.1f' : span >= 1 ? '.2f' : 'number';
}

function inside(column: ColumnProfile, low: number, high: number): boolean {
  return isNumeric(column.type) && Number(column.min) >= low && Number(column.max) <= high;
}

function quoted(column: string): string {
  return /^[a-z_][a-z0-9_]*$/.test(column) && !reserved.has(column)
    ? column
    : `"${column.replaceAll('"', '""')}"`;
}

const reserved = new Set([
  'case',
  'cast',
  'extract',
  'not',
  'null',
  'true',
  'false',
  'in',
  'is',
  'between',
  'like',
  'and',
  'or',
  'when',
  'then',
  'else',
  'end',
  'as',
  'from',
  'filter',
  'where',
  'distinct',
]);

function lowerFirst(text: string): string {
  return /^[A-Z][a-z]/.test(text) ? text[0]!.toLowerCase() + text.slice(1) : text;
}
