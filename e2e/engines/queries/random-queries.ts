import type { Column, DataType } from '@belvedere/model';
import type { CalendarUnit, Filter, GroupsQuery, Order } from '@belvedere/query';
import type { Cell, StatedTable } from '../loaded-engines.ts';

/**
 * Each is a value of its own: empty text, text that reads like null, a trailing blank, characters beyond
 * ASCII, and every mark with a meaning in SQL.
 */
const texts = [
  'a',
  'b',
  'A',
  'NULL',
  '',
  'é',
  'E',
  'e ',
  ' x',
  "o'clock",
  'x"y',
  'back\\slash',
  '50%',
  '5_0',
  'a/b/c',
  '12',
  '-3.5',
  '2024-02-29',
  '2023-02-29',
  'naïve 🙂',
  'true',
  'ñandú',
];
const zones = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Asia/Kolkata',
  'America/St_Johns',
];

const columns: readonly Column[] = [
  { name: 'id', type: 'integer' },
  { name: 'big', type: 'integer' },
  { name: 'size', type: 'integer' },
  { name: 'price', type: 'decimal' },
  { name: 'amount', type: 'number' },
  { name: 'kind', type: 'text' },
  { name: 'flag', type: 'boolean' },
  { name: 'day', type: 'date' },
  { name: 'at', type: 'time' },
  { name: 'seen', type: 'instant' },
];

export interface World {
  readonly tables: readonly StatedTable[];
}

/** A table of facts, one whose key names a row, and one whose key does not always. */
export function randomWorld(random: () => number, rows: number): World {
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)]!;
  const maybe = (make: () => Cell): Cell => (random() < 0.08 ? null : make());
  // Days whose clocks changed: 23 and 25 hours, half an hour in Lord Howe, a day that never was in Apia.
  const changes = [
    '2024-03-31T00:30Z',
    '2024-10-27T00:30Z',
    '2024-03-10T06:30Z',
    '2024-11-03T05:30Z',
    '2023-10-01T15:00Z',
    '2024-04-06T14:45Z',
    '2011-12-30T09:00Z',
    '2011-12-31T11:00Z',
  ].map(text => Date.parse(text));
  const moment = () =>
    random() < 0.3
      ? pick(changes) + Math.floor(random() * 7200) * 1000
      : Date.UTC(1980, 0, 1) + Math.floor(random() * 55 * 365 * 86_400) * 1000;
  const facts = Array.from({ length: rows }, (_, id): Cell[] => [
    id,
    maybe(() => String(9_007_199_254_740_993n + BigInt(Math.floor(random() * 1e6)))),
    maybe(() => Math.floor(random() * 60) - 20),
    maybe(() =>
      (Math.floor(random() * 2e7) - 1e6) / 1e4 === 0
        ? '0'
        : (Math.floor(random() * 2e7) / 1e4 - 100).toFixed(4),
    ),
    maybe(() => Math.round((random() * 400 - 100) * 4) / 4),
    maybe(() => pick(texts)),
    maybe(() => random() < 0.4),
    maybe(() => Math.floor(moment() / 86_400_000) * 86_400_000),
    maybe(moment),
    maybe(moment),
  ]);
  const kinds = [...new Set(texts)]
    .filter((_, i) => i % 3 !== 0)
    .map((kind, i): Cell[] => [kind, pick(['left', 'right', 'Left', '']), i * 7 - 20]);
  const loose = [...texts.slice(0, 10), ...texts.slice(0, 4)].map((kind, i): Cell[] => [
    kind,
    `note ${i % 5}`,
  ]);
  return {
    tables: [
      { name: 'facts', columns, rows: facts },
      {
        name: 'kinds',
        columns: [
          { name: 'kind', type: 'text' },
          { name: 'side', type: 'text' },
          { name: 'weight', type: 'integer' },
        ],
        rows: kinds,
        unique: ['kind'],
      },
      {
        name: 'halves',
        columns: [
          { name: 'side', type: 'text' },
          { name: 'called', type: 'text' },
          { name: 'share', type: 'integer' },
        ],
        rows: [
          ['left', 'the left', 3],
          ['right', null, -4],
          ['', 'none ', 0],
        ],
        unique: ['side'],
      },
      {
        name: 'loose',
        columns: [
          { name: 'kind', type: 'text' },
          { name: 'note', type: 'text' },
        ],
        rows: loose,
      },
    ],
  };
}

export const joins = {
  half: { table: 'halves', on: { 'sort.side': 'side' } },
  sort: { table: 'kinds', on: { kind: 'kind' } },
  loose: { table: 'loose', on: { kind: 'kind' } },
} as const;

/** A question together with the dimensions and measures it is about, as a model's file would have them. */
export interface RandomQuery {
  readonly dimensions: Readonly<Record<string, string>>;
  readonly measures: Readonly<Record<string, string>>;
  readonly question: GroupsQuery;
  readonly zone: string;
}

/**
 * A random expression of a type. `plain` allows only arithmetic whose every digit is equal on all engines,
 * for rounding and grouping.
 */
function randomExpression(
  type: 'integer' | 'decimal' | 'number' | 'text' | 'boolean' | 'time',
  random: () => number,
  depth = 2,
  isPlain = false,
): string {
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)]!;
  const of = (kind: Parameters<typeof randomExpression>[0], plain = isPlain) =>
    randomExpression(kind, random, depth - 1, plain);
  const whole = () => String(Math.floor(random() * 9) - 2);
  const literal = () => `'${pick(texts).replaceAll("'", "''")}'`;
  const leaf = depth <= 0 || random() < 0.25;
  const unit = () => `'${pick(['minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'])}'`;
  switch (type) {
    case 'integer':
      if (leaf) return pick(['size', 'size', 'id', 'sort.weight', 'half.share', whole()]);
      return pick([
        () => `(${of('integer')} ${pick(['+', '-', '*'])} ${of('integer')})`,
        () => `(${of('integer')} % ${of('integer')})`,
        () => `length(${of('text')})`,
        () =>
          `${pick(['year', 'quarter', 'month', 'week', 'isoyear', 'day', 'isodow', 'dayofyear', 'hour', 'minute', 'second', 'days_in_month', 'epoch'])}(${of('time')})`,
        () => `cast(${of(pick(['integer', 'decimal', 'text', 'boolean'] as const))} as integer)`,
        () => `cast(${of('number', true)} as integer)`,
        () => `case when ${of('boolean')} then ${of('integer')} else ${of('integer')} end`,
        () => `coalesce(${of('integer')}, ${whole()})`,
        () => `abs(${of('integer')})`,
        () => `sign(${of('decimal')})`,
        () => `date_diff(${unit()}, ${of('time')}, ${of('time')})`,
        () => `position(${of('text')}, ${pick(["'a'", "'é'", "' '"])})`,
        () => `fiscal_${pick(['year', 'quarter'])}(${of('time')}, ${1 + Math.floor(random() * 12)})`,
        () => `greatest(${of('integer')}, ${of('integer')})`,
        () => `nullif(${of('integer')}, ${whole()})`,
      ])();
    case 'decimal':
      if (leaf) return 'price';
      return pick([
        () => `(price ${pick(['+', '-'])} ${of('integer')})`,
        () => `(price * ${pick([whole(), 'size', 'sort.weight'])})`,
        () => `abs(${of('decimal')})`,
        () => `coalesce(price, ${of('decimal')})`,
        () => `(- ${of('decimal')})`,
        () => `if(${of('boolean')}, price)`,
      ])();
    case 'number':
      if (leaf) return pick(['amount', 'amount', '0.5', '1.25']);
      return pick([
        () => `(${of('number')} ${pick(['+', '-', '*'])} ${of(pick(['number', 'integer'] as const))})`,
        () => `(${of('integer')} / ${of('integer')})`,
        () => `(${of('number')} / ${of('number')})`,
        () => `round(${of('number', true)}${pick(['', ', 1', ', -1'])})`,
        () => `${pick(['floor', 'ceil', 'trunc'])}(${of('number', true)})`,
        () => `clamp(${of('number')}, 0, 100)`,
        () => `cast(${of(pick(['integer', 'decimal', 'text'] as const))} as double)`,
        () => `coalesce(${of('number')}, 0.5)`,
        () => `case when ${of('boolean')} then ${of('number')} else ${of('integer')} end`,
        ...(isPlain
          ? []
          : [
              () => `sqrt(${of('number')})`,
              () => `ln(${of('number')})`,
              () => `sin(${of('number')})`,
              () => `atan2(${of('number')}, ${of('number')})`,
              () => `(amount % 7)`,
            ]),
      ])();
    case 'text':
      if (leaf) return pick(['kind', 'kind', 'sort.side', 'loose.note', 'half.called', literal()]);
      return pick([
        () => `${pick(['lower', 'upper', 'trim', 'ltrim', 'rtrim', 'reverse'])}(${of('text')})`,
        () => `(${of('text')} || ${of(pick(['text', 'integer', 'boolean', 'decimal'] as const))})`,
        () => `left(${of('text')}, ${Math.floor(random() * 4)})`,
        () => `right(${of('text')}, ${Math.floor(random() * 4)})`,
        () => `substring(${of('text')}, ${1 + Math.floor(random() * 4)}, ${Math.floor(random() * 4)})`,
        () => `replace(${of('text')}, ${pick(["'a'", "' '", "'%'", "''"])}, ${literal()})`,
        () => `concat(${of('text')}, ${of('integer')})`,
        () => `concat_ws('-', ${of('text')}, ${of('text')})`,
        () => `split_part(${of('text')}, '/', ${1 + Math.floor(random() * 3)})`,
        () => `lpad(${of('text')}, ${Math.floor(random() * 6)}, '*-')`,
        () => `repeat(${of('text')}, ${Math.floor(random() * 3)})`,
        () => `coalesce(${of('text')}, 'none')`,
        () => `nullif(${of('text')}, ${literal()})`,
        () => `case when ${of('boolean')} then ${of('text')} else ${literal()} end`,
        () => `cast(${of(pick(['integer', 'time', 'boolean', 'decimal'] as const))} as text)`,
        () =>
          `${pick(['weekday_name', 'month_name', 'year_month', 'year_quarter', 'year_week'])}(${of('time')})`,
        () => `greatest(${of('text')}, ${of('text')})`,
      ])();
    case 'boolean':
      if (leaf) return pick(['flag', 'size > 3', 'kind is null', `kind = ${literal()}`]);
      return pick([
        () => `(${of('boolean')} ${pick(['and', 'or'])} ${of('boolean')})`,
        () => `(not ${of('boolean')})`,
        () =>
          `(${of('integer')} ${pick(['=', '<>', '<', '<=', '>', '>='])} ${of(pick(['integer', 'decimal'] as const))})`,
        () => `(${of('text')} ${pick(['=', '<>', '<', '>='])} ${of('text')})`,
        () => `(${of('number', true)} < ${of('integer')})`,
        () => `(${of('integer')} in (1, 2, ${whole()}))`,
        () => `(${of('text')} in (${literal()}, ${literal()}))`,
        () => `(${of('integer')} between ${whole()} and 9)`,
        () => `(${of('text')} like ${pick(["'%a%'", "'_'", "'5%'", "'%\\%'", "'e_'"])})`,
        () => `(${of(pick(['text', 'integer', 'time'] as const))} is ${pick(['', 'not '])}null)`,
        () =>
          `${pick(['starts_with', 'ends_with', 'contains'])}(${of('text')}, ${pick(["'a'", "'e '", "'%'", "''"])})`,
        () => `is_blank(${of('text')})`,
        () => `same(${of('integer')}, ${of('integer')})`,
        () => `(${of('time')} ${pick(['<', '>='])} ${pick(["'2001-05-06'", 'at', 'seen', 'day'])})`,
        () => `is_weekend(${of('time')})`,
      ])();
    case 'time':
      if (leaf) return pick(['day', 'at', 'seen']);
      return pick([
        () => `date_trunc(${unit()}, ${of('time')})`,
        () => `date_add(${unit()}, ${Math.floor(random() * 7) - 3}, ${pick(['day', 'at', 'seen'])})`,
        () => `last_day(${pick(['day', 'at', 'seen'])})`,
        () => `date(${of('time')})`,
        () => `cast('2024-0${1 + Math.floor(random() * 9)}-1${Math.floor(random() * 9)}' as date)`,
        () => `make_date(2000 + ${Math.floor(random() * 30)}, ${1 + Math.floor(random() * 12)}, 15)`,
      ])();
  }
}

function randomMeasure(random: () => number): string {
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)]!;
  const of = (type: Parameters<typeof randomExpression>[0]) => randomExpression(type, random, 1);
  const filter = random() < 0.25 ? ` filter (where ${of('boolean')})` : '';
  return pick([
    () => `count(*)${filter}`,
    () => `count(${of('text')})${filter}`,
    () => `count(distinct ${of(pick(['integer', 'text'] as const))})${filter}`,
    () => `sum(${of(pick(['integer', 'decimal', 'number'] as const))})${filter}`,
    () => 'sum(big)',
    () => `avg(${of(pick(['integer', 'decimal', 'number'] as const))})${filter}`,
    () =>
      `${pick(['min', 'max'])}(${of(pick(['integer', 'decimal', 'number', 'text', 'time'] as const))})${filter}`,
    () => `${pick(['median', 'stddev', 'var_pop'])}(${pick(['size', 'amount', 'price'])})${filter}`,
    () => `quantile(amount, ${pick(['0.1', '0.75', '0', '1'])})`,
    () => `${pick(['bool_and', 'bool_or', 'count_if'])}(${of('boolean')})${filter}`,
    () => `sum(size) / count(*)`,
    () => `100 * sum(amount)${filter} / sum(size)`,
    () => `coalesce(sum(size), 0) - count(distinct kind)`,
  ])();
}

export function randomQuery(random: () => number): RandomQuery {
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)]!;
  const dimensions: Record<string, string> = {
    at: 'at',
    day: 'day',
    seen: 'seen',
    kind: 'kind',
    size: 'size',
    amount: 'amount',
    price: 'price',
    flag: 'flag',
    side: 'sort.side',
    half: 'half.called',
  };
  const names = Array.from({ length: Math.floor(random() * 3) }, (_, i) => `d${i}`);
  for (const name of names)
    dimensions[name] = randomExpression(
      pick(['integer', 'text', 'boolean', 'time', 'number', 'decimal'] as const),
      random,
      2,
      true,
    );
  const grouped = names.map(field => ({ field }));
  if (random() < 0.3)
    (grouped as { field: string; timeUnit?: CalendarUnit }[]).push({
      field: pick(['at', 'day', 'seen']),
      timeUnit: pick<CalendarUnit>([
        'hour',
        'day',
        'week',
        'month',
        'quarter',
        'year',
        'week:sunday',
        'week:saturday',
        'fiscalQuarter:november',
        'fiscalYear:july',
      ]),
    });
  const measures: Record<string, string> = {};
  for (let i = 0; i < 1 + Math.floor(random() * 3); i++) measures[`m${i}`] = randomMeasure(random);
  const order: Order[] =
    grouped.length > 0 && random() < 0.4 ? [{ by: pick(grouped).field, descending: random() < 0.5 }] : [];
  return {
    dimensions,
    measures,
    zone: pick(zones),
    question: {
      kind: 'groups',
      model: 'model',
      dimensions: grouped as GroupsQuery['dimensions'],
      measures: Object.keys(measures),
      where: randomFilter(random, 2),
      order,
      ...(order.length > 0 &&
        random() < 0.5 && { limit: 1 + Math.floor(random() * 10), offset: Math.floor(random() * 3) }),
    },
  };
}

export function randomFilter(random: () => number, depth: number): Filter {
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)]!;
  const field = pick<readonly [string, DataType]>([
    ['kind', 'text'],
    ['side', 'text'],
    ['half', 'text'],
    ['size', 'integer'],
    ['price', 'decimal'],
    ['amount', 'number'],
    ['flag', 'boolean'],
    ['at', 'time'],
    ['day', 'date'],
    ['seen', 'instant'],
  ]);
  const [name, type] = field;
  if (depth > 0 && random() < 0.4) {
    const filters = [randomFilter(random, depth - 1), randomFilter(random, depth - 1)];
    return pick<Filter>([
      { kind: 'not', filter: filters[0]! },
      { kind: 'allOf', filters },
      { kind: 'anyOf', filters },
      { kind: 'everything' },
    ]);
  }
  if (type === 'text')
    return random() < 0.3
      ? { kind: 'contains', field: name, text: pick(['E', 'a', '%', "'", 'É', 'ft', '\\']) }
      : { kind: 'oneOf', field: name, values: [pick(texts), pick(texts), ...(random() < 0.3 ? [null] : [])] };
  if (type === 'boolean')
    return { kind: 'oneOf', field: name, values: [random() < 0.5, ...(random() < 0.3 ? [null] : [])] };
  if (type === 'integer' && random() < 0.4)
    return { kind: 'oneOf', field: name, values: [Math.floor(random() * 20), 3, null] };
  const isTime = type === 'time' || type === 'date' || type === 'instant';
  const from = isTime
    ? Date.UTC(
        1975 + Math.floor(random() * 50),
        Math.floor(random() * 12),
        1 + Math.floor(random() * 28),
        type === 'date' ? 0 : Math.floor(random() * 24),
      )
    : Math.floor(random() * 100) - 30;
  const below = from + (isTime ? Math.floor(random() * 8000) * 86_400_000 : Math.floor(random() * 200) + 0.5);
  return {
    kind: 'range',
    field: name,
    ...(random() < 0.3 ? { from } : random() < 0.3 ? { below } : { from, below }),
  };
}
