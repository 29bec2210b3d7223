import type { DataType, Model } from '@belvedere/model';
import type { CalendarUnit, Filter, GroupsQuery } from '@belvedere/query';
import { Evaluator, isMoment, keyOf, order, startOf, type Row, type Value } from './evaluate-expression.ts';
import { joins, type RandomQuery } from './random-queries.ts';
import type { Cell, StatedTable } from '../loaded-engines.ts';

/** A stated cell as the oracle has it. */
export function valueOf(cell: Cell, type: DataType): Value {
  if (cell === null) return null;
  switch (type) {
    case 'integer':
      return BigInt(cell);
    case 'decimal': {
      const [whole, fraction = ''] = String(cell).split('.');
      return { kind: 'decimal', digits: BigInt(`${whole}${fraction.padEnd(4, '0')}`), scale: 4 };
    }
    case 'date':
    case 'time':
    case 'instant':
      return { kind: type, ms: Number(cell) };
    default:
      return cell;
  }
}

/** The rows of the fact table with the joined row of each. A key that occurs more than once joins nothing. */
export function rowsOf(tables: readonly StatedTable[]): Row[] {
  const objects = (table: StatedTable) =>
    table.rows.map(row =>
      Object.fromEntries(table.columns.map(({ name, type }, i) => [name, valueOf(row[i]!, type)])),
    );
  const [facts] = tables;
  const targets = Object.entries(joins).map(([name, { table, on }]) => {
    const [[here, there]] = Object.entries(on) as [[string, string]];
    const found = new Map<string, Record<string, Value> | undefined>();
    for (const row of objects(tables.find(one => one.name === table)!))
      found.set(keyOf(row[there]!), found.has(keyOf(row[there]!)) ? undefined : row);
    return { name, here: here.split('.'), found };
  });
  /** A key is a column of the fact table, or of a table that another join adds. */
  const follow = (
    values: Readonly<Record<string, Value>>,
    { here: [first, column], found }: (typeof targets)[number],
  ): Readonly<Record<string, Value>> | undefined => {
    const key =
      column === undefined
        ? values[first!]
        : follow(
            values,
            targets.find(({ name }) => name === first)!,
          )?.[column];
    return key === null || key === undefined ? undefined : found.get(keyOf(key));
  };
  return objects(facts!).map(values => ({
    values,
    joins: Object.fromEntries(targets.map(target => [target.name, follow(values, target)])),
  }));
}

const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const months = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];

/** The last day up to a moment on which the unit begins, found day by day. */
function beginningOf(unit: CalendarUnit, ms: number): number {
  const [plain, start] = unit.split(':') as [string, string | undefined];
  if (start === undefined) return startOf(plain, ms);
  const begins = (day: Date) =>
    plain === 'week'
      ? weekdays[day.getUTCDay()] === start
      : day.getUTCDate() === 1 &&
        (day.getUTCMonth() - months.indexOf(start) + 12) % (plain === 'fiscalYear' ? 12 : 3) === 0;
  let day = startOf('day', ms);
  while (!begins(new Date(day))) day -= 86_400_000;
  return day;
}

/**
 * The answer to a question by its definition: rows kept, put into groups, each measure worked out over its
 * group.
 */
export function evaluatePlainly(
  { question, zone }: RandomQuery,
  model: Model,
  rows: readonly Row[],
): Value[][] {
  const evaluator = new Evaluator(zone);
  const dimension = (field: string, row: Row): Value => {
    const value = evaluator.value(model.dimensions[field]!.expression, row, []);
    return isMoment(value) ? evaluator.wall(value) : value;
  };
  const kept = rows.filter(row => meets(question.where, row));
  const groups = new Map<string, { key: Value[]; rows: Row[] }>();
  if (question.dimensions.length === 0) groups.set('', { key: [], rows: kept });
  else {
    for (const row of kept) {
      const key = question.dimensions.map(({ field, timeUnit }): Value => {
        const value = dimension(field, row);
        return timeUnit && isMoment(value) ? { kind: 'time', ms: beginningOf(timeUnit, value.ms) } : value;
      });
      const name = JSON.stringify(key.map(keyOf));
      const group = groups.get(name) ?? { key, rows: [] };
      group.rows.push(row);
      groups.set(name, group);
    }
  }
  const answered = [...groups.values()].map(group => [
    ...group.key,
    ...question.measures.map(measure => {
      const value = evaluator.value(model.measures[measure]!.expression, undefined, group.rows);
      return isMoment(value) ? evaluator.wall(value) : value;
    }),
  ]);
  const sorted = answered.toSorted(byOrder(question));
  return question.limit === undefined
    ? sorted
    : sorted.slice(question.offset ?? 0, (question.offset ?? 0) + question.limit);

  function meets(filter: Filter, row: Row): boolean {
    switch (filter.kind) {
      case 'everything':
        return true;
      case 'allOf':
        return filter.filters.every(inner => meets(inner, row));
      case 'anyOf':
        return filter.filters.some(inner => meets(inner, row));
      case 'not':
        return !meets(filter.filter, row);
    }
    const value = dimension(filter.field, row);
    if (filter.kind === 'oneOf')
      return filter.values.some(wanted =>
        wanted === null
          ? value === null
          : value !== null &&
            keyOf(value) ===
              keyOf(
                typeof wanted === 'number'
                  ? isMoment(value)
                    ? { kind: 'time', ms: wanted }
                    : BigInt(wanted)
                  : wanted,
              ),
      );
    if (value === null) return false;
    if (filter.kind === 'contains') return String(value).toLowerCase().includes(filter.text.toLowerCase());
    const number = isMoment(value) ? value.ms : value;
    return (
      (filter.from === undefined || order(number, filter.from) >= 0) &&
      (filter.below === undefined || order(number, filter.below) < 0)
    );
  }
}

/** The question's order, then the dimensions; nothing comes last either way. */
function byOrder(question: GroupsQuery) {
  const fields = question.dimensions.map(({ field }) => field);
  const wished = (question.order ?? []).map(({ by, descending }) => ({
    place: fields.indexOf(by),
    sign: descending ? -1 : 1,
  }));
  const all = [...wished, ...fields.map((_, place) => ({ place, sign: 1 }))];
  return (a: Value[], b: Value[]): number => {
    for (const { place, sign } of all) {
      const [x, y] = [a[place]!, b[place]!];
      if (x === null || y === null) {
        if (x !== y) return x === null ? 1 : -1;
        continue;
      }
      const difference = order(x, y);
      if (difference !== 0) return sign * difference;
    }
    return 0;
  };
}
