import { freeName, labelFrom, type DimensionFile, type MeasureFile } from '@belvedere/document';
import type { TableModelFile } from './build-model.ts';
import { guessLabels } from './guess-labels.ts';
import { guessOrder } from './guess-order.ts';
import { isNumeric, isTemporal, type ColumnProfile, type TableProfile } from './table.ts';

/**
 * A first guess at what a table means, from its columns' names and what is in them.
 * Numbers that name things (keys, codes, years, coordinates, clock times, flags) become dimensions; numbers that measure become
 * measures: added up where their name says amounts, averaged otherwise, since an average misleads less than a wrong sum.
 */
export function guessModel(table: TableProfile): TableModelFile {
  const names = new Set<string>();
  const dimensions: Record<string, DimensionFile> = {};
  const measureNames = new Set(['rows']);
  const measures: Record<string, MeasureFile> = { rows: { label: 'Rows', expr: 'count(*)', format: 'integer' } };
  const labels = guessLabels(table.columns.map(column => column.name));
  for (const [place, column] of table.columns.entries()) {
    const meaning = meaningOf(column, table.rows);
    const name = freeName(column.name, names);
    const label = labels[place]!;
    // What was left out of a label is still to be read.
    const description = label !== labelFrom(column.name) ? { description: column.name.trim() } : {};
    const order = guessOrder(column);
    const role = meaning === 'identifier' || meaning === 'latitude' || meaning === 'longitude' ? { role: meaning } : {};
    dimensions[name] = { label, column: column.name, ...(column.format !== undefined && { format: column.format }), ...description, ...role, ...(order && { sort: [...order] }) };
    if (meaning !== 'amount' && meaning !== 'level') continue;
    const aggregate = meaning === 'amount' ? 'sum' : 'avg';
    measures[freeName(meaning === 'amount' ? `total_${column.name}` : `avg_${column.name}`, measureNames)] = {
      label: meaning === 'level' ? `Average ${lowerFirst(label)}` : /^total/i.test(label) ? label : `Total ${lowerFirst(label)}`,
      expr: `${aggregate}(${quoted(column.name)})`,
      format: formatOf(column, aggregate),
      ...description,
    };
  }
  const time = timeColumn(table);
  let timeName = time && Object.entries(dimensions).find(([, dimension]) => dimension.column === time.name)?.[0];
  const parts = dateParts(table);
  if (!timeName && parts) {
    timeName = freeName('date', names);
    dimensions[timeName] = { label: 'Date', expr: `make_date(${parts.map(part => quoted(part.name)).join(', ')})` };
  }
  return { version: 1, label: labelFrom(table.name), table: table.name, ...(timeName && { time: timeName }), dimensions, measures };
}

export type Meaning = 'time' | 'identifier' | 'category' | 'text' | 'latitude' | 'longitude' | 'amount' | 'level' | 'nested';

/** What a column most probably says about a row. */
export function meaningOf(column: ColumnProfile, rows: number): Meaning {
  const name = wordsOf(column.name);
  const filled = rows - column.nulls;
  if (isTemporal(column.type)) return 'time';
  if (column.type === 'other') return 'nested';
  if (column.type === 'boolean') return 'category';
  if (column.type === 'text') {
    if (column.distinct <= 1) return 'text';
    if (/\b(id|key|uuid|guid|hash|url|email|phone)$/.test(name) && column.distinct > 50) return 'identifier';
    return column.distinct > Math.max(50, filled * 0.5) || column.distinct > 5000 ? 'text' : 'category';
  }
  if (/^(lat|latitude|y coord)$|\blatitude$/.test(name)) return 'latitude';
  if (/^(lon|lng|long|longitude|x coord)$|\blongitude$/.test(name)) return 'longitude';
  // What is written as money or in percent measures something, however few values it has.
  if (column.format !== undefined && column.distinct > 1) return column.format.startsWith('currency') && !levelWords.test(name) ? 'amount' : 'level';
  if (column.type === 'integer') {
    // Numbers that sort rows by what they are: answers of a server, districts, classes.
    if (kindWords.test(name) && column.distinct > 1 && column.distinct <= 50 && column.distinct < filled / 4) return 'category';
    if (/\b(id|key|uuid|code|zip|zipcode|postal|fips|rownames|row|index|idx|unnamed|number|num|nr|no|flight|tailnum|phone|rank|seq|wac|iata|tz|timezone|offset)$/.test(name) || /^(id|rownames|c\d+)\b/.test(name)) return 'identifier';
    if (/\b(year|yr|month|week|quarter|day|hour|minute|dow|weekday|date)\b/.test(name) && inside(column, 0, 9999)) return 'category';
    if (/\b(dep|arr|sched|crs|wheels|off|on)?\s?time$/.test(name) && inside(column, 0, 2400) && (column.max as number) > 100) return 'category';
    if (inside(column, 1900, 2100) && column.distinct <= 201) return 'category';
    // Of many rows each has one of its own, out of hardly more than there are rows.
    if (column.distinct === filled && filled > 20 && (column.min as number) >= 0 && (column.max as number) - (column.min as number) < filled * (filled < 500 ? 1 : 3)) return 'identifier';
    if (column.distinct <= 2 || (column.distinct <= 7 && !amountWords.test(name))) return 'category';
    // Milliseconds since 1970 are a moment, not an amount.
    if ((column.min as number) > 6e11 && (column.max as number) < 4e12) return 'identifier';
  }
  if (column.distinct <= 1) return 'category';
  return amountWords.test(name) && !levelWords.test(name) ? 'amount' : 'level';
}

const amountWords = /\b(amount|total|totals|qty|quantity|quantities|revenue|sales|cost|costs|count|counts|units|bytes|volume|votes|orders|visits|clicks|rides|trips|income|profit|freight|gross|net|population|killed|injured|struck|jobs|people|fatalities|deaths|births|cases|permit|handgun|long gun|multiple|demand|milliseconds|cogs|tax|usage)\b/;
const kindWords = /\b(status|state|type|kind|class|category|group|cluster|stage|phase|district|ward|precinct|zone|region|method|mode|port|code)$/;
const levelWords = /\b(avg|average|mean|median|rate|ratio|percent|percentage|pct|share|per|index|score|rating|price|unit price|temp|temperature|speed|age|min|max)\b/;

/** Year, month and day as three columns of whole numbers, where a table has them so. */
export function dateParts(table: TableProfile): readonly ColumnProfile[] | undefined {
  const found = ['year', 'month', 'day'].map(part => table.columns.find(column => column.name.toLowerCase() === part && column.type === 'integer'));
  const [year, month, day] = found;
  const isDate = year && month && day && inside(year, 1000, 3000) && inside(month, 1, 12) && inside(day, 1, 31);
  return isDate ? [year, month, day] : undefined;
}

/** The column that most probably says when a row happened, if any does. */
export function timeColumn(table: TableProfile): ColumnProfile | undefined {
  const candidates = table.columns.filter(column => isTemporal(column.type) && column.distinct > 1 && column.nulls < table.rows * 0.5);
  const score = (column: ColumnProfile) =>
    (/\b(date|time|timestamp|when|day|month|created|start|started|order)\b/.test(wordsOf(column.name)) ? 2 : 0) - (/\b(updated|modified|birth|hire|end|ended|shipped|required|due)\b/.test(wordsOf(column.name)) ? 2 : 0) - (2 * column.nulls) / Math.max(1, table.rows);
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

function wordsOf(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replace(/[^\p{L}\p{N}]+/gu, ' ').trim().toLowerCase();
}

function inside(column: ColumnProfile, low: number, high: number): boolean {
  return isNumeric(column.type) && Number(column.min) >= low && Number(column.max) <= high;
}

function quoted(column: string): string {
  return /^[a-z_][a-z0-9_]*$/.test(column) && !reserved.has(column) ? column : `"${column.replaceAll('"', '""')}"`;
}

const reserved = new Set(['case', 'cast', 'extract', 'not', 'null', 'true', 'false', 'in', 'is', 'between', 'like', 'and', 'or', 'when', 'then', 'else', 'end', 'as', 'from', 'filter', 'where', 'distinct']);

function lowerFirst(text: string): string {
  return /^[A-Z][a-z]/.test(text) ? text[0]!.toLowerCase() + text.slice(1) : text;
}
