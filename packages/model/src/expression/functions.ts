import type { DataType } from '../table.ts';

/** A function's parameters and result, with a description and examples. */
export interface FunctionSpec {
  readonly group: FunctionGroup;
  readonly takes: readonly (DataKind | 'any' | 'unit')[];
  /** The number of optional parameters at the end; `Infinity` if the last one may repeat. */
  readonly optional?: number;
  /** `same` is the widest type of its arguments, as in `coalesce`. */
  readonly gives: DataType | 'same';
  readonly aggregate?: boolean;
  /** The function's signature, such as `round(x[, digits])`. */
  readonly call: string;
  /** The description of its result, in one sentence. */
  readonly says: string;
  /**
   * Calls with the result that every engine must return; times as text. Aggregates run over the numbers 1, 2,
   * 3, 4 and null, in a column `n`.
   */
  readonly examples: readonly (readonly [text: string, value: string | number | boolean | null])[];
}
type DataKind = 'number' | 'text' | 'boolean' | 'time';
export const functionGroups = ['aggregate', 'number', 'text', 'condition', 'time'] as const;
export type FunctionGroup = (typeof functionGroups)[number];

/** The units of time that functions accept, always as a literal text. */
export const functionUnits = ['second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'] as const;
export type FunctionUnit = (typeof functionUnits)[number];

type Takes = FunctionSpec['takes'];
type Examples = FunctionSpec['examples'];

const make =
  (group: FunctionGroup, aggregate = false) =>
  (
    call: string,
    takes: Takes,
    gives: FunctionSpec['gives'],
    says: string,
    examples: Examples,
    optional = 0,
  ): FunctionSpec => ({ group, takes, gives, optional, aggregate, call, says, examples });
const aggregate = make('aggregate', true);
const number = make('number');
const text = make('text');
const condition = make('condition');
const time = make('time');

/** All functions of expressions. Each has the same meaning on every engine. */
export const functions: Readonly<Record<string, FunctionSpec>> = {
  count: aggregate(
    'count(*), count(x), count(distinct x)',
    ['any'],
    'integer',
    'How many rows, how many values, or how many different values.',
    [
      ['count(*)', 5],
      ['count(n)', 4],
      ['count(distinct n % 2)', 2],
    ],
    1,
  ),
  count_if: aggregate('count_if(condition)', ['boolean'], 'integer', 'How many rows meet a condition.', [
    ['count_if(n > 2)', 2],
  ]),
  sum: aggregate(
    'sum(x)',
    ['number'],
    'same',
    'The values added up; nothing where there are none. Whole numbers and decimals are exact.',
    [
      ['sum(n)', 10],
      ['sum(n) filter (where n > 9)', null],
    ],
  ),
  avg: aggregate('avg(x)', ['number'], 'number', 'The mean of the values.', [['avg(n)', 2.5]]),
  min: aggregate(
    'min(x)',
    ['any'],
    'same',
    'The smallest value; of texts the first in the order of their characters’ numbers.',
    [['min(n)', 1]],
  ),
  max: aggregate('max(x)', ['any'], 'same', 'The largest value.', [
    ['max(n)', 4],
    ["max(case when n < 3 then 'b' else 'É' end)", 'É'],
  ]),
  median: aggregate(
    'median(x)',
    ['number'],
    'number',
    'The value in the middle; between two values the mean of both.',
    [['median(n)', 2.5]],
  ),
  quantile: aggregate(
    'quantile(x, share)',
    ['number', 'number'],
    'number',
    'The value below which a share (0 to 1, written as a number) of the values lies, in between by proportion.',
    [
      ['quantile(n, 0.25)', 1.75],
      ['quantile(n, 1)', 4],
    ],
  ),
  stddev: aggregate(
    'stddev(x)',
    ['number'],
    'number',
    'The standard deviation of a sample; nothing of fewer than two values.',
    [
      ['stddev(n)', 1.2909944487358056],
      ['stddev(n) filter (where n = 1)', null],
    ],
  ),
  stddev_pop: aggregate(
    'stddev_pop(x)',
    ['number'],
    'number',
    'The standard deviation of a whole population.',
    [['stddev_pop(n)', 1.118033988749895]],
  ),
  variance: aggregate('variance(x)', ['number'], 'number', 'The variance of a sample.', [
    ['variance(n)', 1.6666666666666667],
  ]),
  var_pop: aggregate('var_pop(x)', ['number'], 'number', 'The variance of a whole population.', [
    ['var_pop(n)', 1.25],
  ]),
  bool_and: aggregate(
    'bool_and(condition)',
    ['boolean'],
    'boolean',
    'Whether a condition holds wherever it is known.',
    [
      ['bool_and(n > 0)', true],
      ['bool_and(n > 1)', false],
    ],
  ),
  bool_or: aggregate('bool_or(condition)', ['boolean'], 'boolean', 'Whether a condition holds anywhere.', [
    ['bool_or(n > 3)', true],
    ['bool_or(n > 9)', false],
  ]),

  abs: number('abs(x)', ['number'], 'same', 'Without its sign.', [
    ['abs(-3)', 3],
    ['abs(-2.5)', 2.5],
  ]),
  sign: number('sign(x)', ['number'], 'integer', '-1, 0 or 1.', [
    ['sign(-2.5)', -1],
    ['sign(0)', 0],
    ['sign(7)', 1],
  ]),
  round: number(
    'round(x[, digits])',
    ['number', 'number'],
    'number',
    'Rounded to so many digits after the point, halves away from zero.',
    [
      ['round(2.5)', 3],
      ['round(-2.5)', -3],
      ['round(3.14159, 2)', 3.14],
      ['round(1250, -2)', 1300],
    ],
    1,
  ),
  floor: number('floor(x)', ['number'], 'number', 'The next whole number below.', [
    ['floor(2.7)', 2],
    ['floor(-2.1)', -3],
  ]),
  ceil: number('ceil(x)', ['number'], 'number', 'The next whole number above.', [
    ['ceil(2.1)', 3],
    ['ceil(-2.7)', -2],
  ]),
  trunc: number('trunc(x)', ['number'], 'number', 'Without what stands after the point.', [
    ['trunc(2.7)', 2],
    ['trunc(-2.7)', -2],
  ]),
  mod: number(
    'mod(x, y)',
    ['number', 'number'],
    'same',
    'What a division leaves over, with the sign of `x`; nothing where `y` is 0. The same as `x % y`.',
    [
      ['mod(7, 3)', 1],
      ['mod(-7, 3)', -1],
      ['mod(7.5, 2)', 1.5],
      ['mod(7, 0)', null],
    ],
  ),
  power: number('power(x, y)', ['number', 'number'], 'number', '`x` to the power `y`.', [
    ['power(2, 10)', 1024],
    ['power(2, -1)', 0.5],
  ]),
  sqrt: number('sqrt(x)', ['number'], 'number', 'The square root; nothing of negative numbers.', [
    ['sqrt(9)', 3],
    ['sqrt(-1)', null],
  ]),
  cbrt: number('cbrt(x)', ['number'], 'number', 'The cube root.', [
    ['cbrt(27)', 3],
    ['cbrt(-8)', -2],
  ]),
  exp: number('exp(x)', ['number'], 'number', 'e to the power `x`.', [
    ['exp(0)', 1],
    ['exp(1)', 2.718281828459045],
  ]),
  ln: number('ln(x)', ['number'], 'number', 'The natural logarithm; nothing of 0 and below.', [
    ['ln(1)', 0],
    ['ln(0)', null],
  ]),
  log10: number('log10(x)', ['number'], 'number', 'The logarithm to the base 10; nothing of 0 and below.', [
    ['log10(1000)', 3],
    ['log10(-1)', null],
  ]),
  log2: number('log2(x)', ['number'], 'number', 'The logarithm to the base 2; nothing of 0 and below.', [
    ['log2(8)', 3],
    ['log2(0)', null],
  ]),
  pi: number('pi()', [], 'number', '3.14159 and so on.', [['pi()', 3.141592653589793]]),
  sin: number('sin(x)', ['number'], 'number', 'The sine of an angle in radians.', [
    ['sin(0)', 0],
    ['sin(pi() / 2)', 1],
  ]),
  cos: number('cos(x)', ['number'], 'number', 'The cosine of an angle in radians.', [['cos(0)', 1]]),
  tan: number('tan(x)', ['number'], 'number', 'The tangent of an angle in radians.', [['tan(0)', 0]]),
  asin: number('asin(x)', ['number'], 'number', 'The angle whose sine is `x`; nothing outside -1 to 1.', [
    ['asin(1)', 1.5707963267948966],
    ['asin(2)', null],
  ]),
  acos: number('acos(x)', ['number'], 'number', 'The angle whose cosine is `x`; nothing outside -1 to 1.', [
    ['acos(1)', 0],
    ['acos(-2)', null],
  ]),
  atan: number('atan(x)', ['number'], 'number', 'The angle whose tangent is `x`.', [
    ['atan(1)', 0.7853981633974483],
  ]),
  atan2: number(
    'atan2(y, x)',
    ['number', 'number'],
    'number',
    'The angle of the point (x, y), from -π to π.',
    [
      ['atan2(1, -1)', 2.356194490192345],
      ['atan2(-1, 0)', -1.5707963267948966],
    ],
  ),
  degrees: number('degrees(x)', ['number'], 'number', 'An angle in radians as degrees.', [
    ['degrees(pi())', 180],
  ]),
  radians: number('radians(x)', ['number'], 'number', 'An angle in degrees as radians.', [
    ['radians(180)', 3.141592653589793],
  ]),
  greatest: number(
    'greatest(x, y, …)',
    ['any', 'any'],
    'same',
    'The largest of several values; nothings are passed over.',
    [
      ['greatest(3, 7, 5)', 7],
      ['greatest(3, null)', 3],
    ],
    Infinity,
  ),
  least: number(
    'least(x, y, …)',
    ['any', 'any'],
    'same',
    'The smallest of several values; nothings are passed over.',
    [
      ['least(3, 7, 5)', 3],
      ['least(null, 3)', 3],
    ],
    Infinity,
  ),
  clamp: number(
    'clamp(x, low, high)',
    ['number', 'number', 'number'],
    'same',
    '`x`, but not below `low` nor above `high`.',
    [
      ['clamp(12, 0, 10)', 10],
      ['clamp(-1, 0, 10)', 0],
      ['clamp(4, 0, 10)', 4],
    ],
  ),

  lower: text('lower(t)', ['text'], 'text', 'In small letters, of every script that has them.', [
    ["lower('ÄbC')", 'äbc'],
  ]),
  upper: text('upper(t)', ['text'], 'text', 'In capital letters.', [["upper('äbc')", 'ÄBC']]),
  trim: text('trim(t)', ['text'], 'text', 'Without the blanks at both ends.', [["trim('  a b ')", 'a b']]),
  ltrim: text('ltrim(t)', ['text'], 'text', 'Without the blanks at its beginning.', [
    ["ltrim('  a ')", 'a '],
  ]),
  rtrim: text('rtrim(t)', ['text'], 'text', 'Without the blanks at its end.', [["rtrim('  a ')", '  a']]),
  length: text('length(t)', ['text'], 'integer', 'How many characters (Unicode code points).', [
    ["length('naïve 🙂')", 7],
    ["length('')", 0],
  ]),
  substring: text(
    'substring(t, start[, count])',
    ['text', 'number', 'number'],
    'text',
    'So many characters from the `start`-th on, counted from 1.',
    [
      ["substring('héllo', 2, 3)", 'éll'],
      ["substring('hello', 3)", 'llo'],
      ["substring('hello', 9)", ''],
    ],
    1,
  ),
  left: text('left(t, count)', ['text', 'number'], 'text', 'The first characters.', [
    ["left('héllo', 2)", 'hé'],
    ["left('a', 5)", 'a'],
  ]),
  right: text('right(t, count)', ['text', 'number'], 'text', 'The last characters.', [
    ["right('hellö', 2)", 'lö'],
    ["right('a', 5)", 'a'],
  ]),
  replace: text('replace(t, what, by)', ['text', 'text', 'text'], 'text', 'With every `what` replaced.', [
    ["replace('a-b-c', '-', '')", 'abc'],
    ["replace('a+b', '+', ' and ')", 'a and b'],
    ["replace('abc', '', 'x')", 'abc'],
  ]),
  concat: text(
    'concat(x, y, …)',
    ['any', 'any'],
    'text',
    'One after another; nothings are passed over, unlike with `||`.',
    [["concat('a', null, 1)", 'a1']],
    Infinity,
  ),
  concat_ws: text(
    'concat_ws(separator, x, y, …)',
    ['text', 'any', 'any'],
    'text',
    'One after another with a separator between; nothings are passed over.',
    [["concat_ws(', ', 'a', null, 'b')", 'a, b']],
    Infinity,
  ),
  starts_with: text(
    'starts_with(t, beginning)',
    ['text', 'text'],
    'boolean',
    'Whether it begins with that, case and accents counting.',
    [
      ["starts_with('Äpfel', 'Ä')", true],
      ["starts_with('abc', 'A')", false],
    ],
  ),
  ends_with: text('ends_with(t, end)', ['text', 'text'], 'boolean', 'Whether it ends with that.', [
    ["ends_with('abc', 'bc')", true],
    ["ends_with('abc', '%')", false],
  ]),
  contains: text('contains(t, part)', ['text', 'text'], 'boolean', 'Whether that stands in it somewhere.', [
    ["contains('a%b', '%')", true],
    ["contains('abc', 'B')", false],
  ]),
  position: text(
    'position(t, part)',
    ['text', 'text'],
    'integer',
    'The place of the first `part` in it, counted from 1; 0 where it is not there.',
    [
      ["position('héllo', 'l')", 3],
      ["position('abc', 'x')", 0],
    ],
  ),
  lpad: text(
    'lpad(t, length, filling)',
    ['text', 'number', 'text'],
    'text',
    'Filled at its beginning, or cut at its end, to that length.',
    [
      ["lpad('7', 3, '0')", '007'],
      ["lpad('12345', 3, '0')", '123'],
    ],
  ),
  rpad: text(
    'rpad(t, length, filling)',
    ['text', 'number', 'text'],
    'text',
    'Filled at its end, or cut, to that length.',
    [["rpad('ab', 5, 'xy')", 'abxyx']],
  ),
  repeat: text('repeat(t, times)', ['text', 'number'], 'text', 'So many times over, 10,000 at most.', [
    ["repeat('ab', 3)", 'ababab'],
    ["repeat('ab', 0)", ''],
  ]),
  reverse: text('reverse(t)', ['text'], 'text', 'Its characters the other way round.', [
    ["reverse('abç')", 'çba'],
  ]),
  split_part: text(
    'split_part(t, separator, place)',
    ['text', 'text', 'number'],
    'text',
    'The `place`-th part of a text cut at a separator, counted from 1; empty where there are not so many.',
    [
      ["split_part('a/b/c', '/', 2)", 'b'],
      ["split_part('a/b', '/', 5)", ''],
    ],
  ),
  is_blank: text('is_blank(t)', ['text'], 'boolean', 'Whether it is nothing, empty or only blanks.', [
    ["is_blank('  ')", true],
    ['is_blank(null)', true],
    ["is_blank('a')", false],
  ]),

  coalesce: condition(
    'coalesce(x, y, …)',
    ['any', 'any'],
    'same',
    'The first that is not nothing.',
    [['coalesce(null, 2, 3)', 2]],
    Infinity,
  ),
  nullif: condition('nullif(x, y)', ['any', 'any'], 'same', 'Nothing where both are equal, else `x`.', [
    ['nullif(3, 3)', null],
    ["nullif('a', 'A')", 'a'],
  ]),
  if: condition(
    'if(condition, x[, y])',
    ['boolean', 'any', 'any'],
    'same',
    '`x` where the condition holds, else `y` or nothing.',
    [
      ["if(1 < 2, 'yes', 'no')", 'yes'],
      ["if(null, 'yes', 'no')", 'no'],
    ],
    1,
  ),
  same: condition(
    'same(x, y)',
    ['any', 'any'],
    'boolean',
    'Whether both are equal, or both nothing; never unknown.',
    [
      ['same(null, null)', true],
      ["same('a', null)", false],
      ['same(2, 2)', true],
    ],
  ),

  year: time('year(t)', ['time'], 'integer', 'The year.', [["year(cast('2024-03-09' as date))", 2024]]),
  quarter: time('quarter(t)', ['time'], 'integer', 'The quarter, 1 to 4.', [
    ["quarter(cast('2024-05-09' as date))", 2],
  ]),
  month: time('month(t)', ['time'], 'integer', 'The month, 1 to 12.', [
    ["month(cast('2024-03-09' as date))", 3],
  ]),
  week: time(
    'week(t)',
    ['time'],
    'integer',
    'The week of ISO 8601, 1 to 53: it begins on Monday, and week 1 holds the year’s first Thursday.',
    [
      ["week(cast('2021-01-03' as date))", 53],
      ["week(cast('2024-12-30' as date))", 1],
    ],
  ),
  isoyear: time('isoyear(t)', ['time'], 'integer', 'The year that week belongs to.', [
    ["isoyear(cast('2021-01-03' as date))", 2020],
    ["isoyear(cast('2024-12-30' as date))", 2025],
  ]),
  day: time('day(t)', ['time'], 'integer', 'The day of the month.', [["day(cast('2024-03-09' as date))", 9]]),
  isodow: time(
    'isodow(t)',
    ['time'],
    'integer',
    'The day of the week: Monday is 1, Sunday 7, as ISO 8601 has it.',
    [["isodow(cast('2024-03-10' as date))", 7]],
  ),
  dayofyear: time('dayofyear(t)', ['time'], 'integer', 'The day of the year, 1 to 366.', [
    ["dayofyear(cast('2024-12-31' as date))", 366],
  ]),
  hour: time('hour(t)', ['time'], 'integer', 'The hour, 0 to 23.', [
    ["hour(cast('2024-03-09 14:05:09' as timestamp))", 14],
    ["hour(cast('2024-03-09' as date))", 0],
  ]),
  minute: time('minute(t)', ['time'], 'integer', 'The minute, 0 to 59.', [
    ["minute(cast('2024-03-09 14:05:09' as timestamp))", 5],
  ]),
  second: time('second(t)', ['time'], 'integer', 'The whole second, 0 to 59.', [
    ["second(cast('2024-03-09 14:05:09' as timestamp))", 9],
  ]),
  date: time('date(t)', ['time'], 'date', 'The day, without hours, minutes and seconds.', [
    ["date(cast('2024-03-09 14:05:09' as timestamp))", '2024-03-09'],
  ]),
  date_trunc: time(
    'date_trunc(unit, t)',
    ['unit', 'time'],
    'time',
    'The beginning of the unit `t` lies in.',
    [
      ["date_trunc('month', cast('2024-03-09' as date))", '2024-03-01T00:00'],
      ["date_trunc('week', cast('2024-03-10 12:00:00' as timestamp))", '2024-03-04T00:00'],
      ["date_trunc('hour', cast('2024-03-10 12:34:56' as timestamp))", '2024-03-10T12:00'],
    ],
  ),
  date_add: time(
    'date_add(unit, count, t)',
    ['unit', 'number', 'time'],
    'time',
    'So many units later; the last day of a month where there is no such day in it.',
    [
      ["date_add('month', 1, cast('2024-01-31' as date))", '2024-02-29T00:00'],
      ["date_add('day', -1, cast('2024-03-01' as date))", '2024-02-29T00:00'],
      ["date_add('hour', 30, cast('2024-03-01' as date))", '2024-03-02T06:00'],
    ],
  ),
  date_diff: time(
    'date_diff(unit, from, to)',
    ['unit', 'time', 'time'],
    'integer',
    'How many beginnings of a unit lie between two times.',
    [
      ["date_diff('day', cast('2024-02-28' as date), cast('2024-03-01' as date))", 2],
      ["date_diff('month', cast('2024-01-31' as date), cast('2024-02-01' as date))", 1],
      ["date_diff('week', cast('2024-03-10' as date), cast('2024-03-04' as date))", 0],
      ["date_diff('year', cast('2024-12-31' as date), cast('2023-01-01' as date))", -1],
    ],
  ),
  last_day: time('last_day(t)', ['time'], 'date', 'The last day of its month.', [
    ["last_day(cast('2024-02-09' as date))", '2024-02-29'],
  ]),
  days_in_month: time('days_in_month(t)', ['time'], 'integer', 'How many days its month has.', [
    ["days_in_month(cast('2023-02-09' as date))", 28],
  ]),
  make_date: time(
    'make_date(year, month, day)',
    ['number', 'number', 'number'],
    'date',
    'A date from its parts; nothing where there is no such day.',
    [
      ['make_date(2024, 2, 29)', '2024-02-29'],
      ['make_date(2023, 2, 29)', null],
      ['make_date(2024, 13, 1)', null],
    ],
  ),
  make_timestamp: time(
    'make_timestamp(year, month, day, hour, minute, second)',
    ['number', 'number', 'number', 'number', 'number', 'number'],
    'time',
    'A time from its parts; nothing where there is no such time.',
    [
      ['make_timestamp(2024, 3, 9, 14, 5, 0)', '2024-03-09T14:05'],
      ['make_timestamp(2024, 2, 30, 0, 0, 0)', null],
      ['make_timestamp(2024, 3, 9, 24, 0, 0)', null],
    ],
  ),
  epoch: time('epoch(t)', ['time'], 'integer', 'Whole seconds since 1970-01-01 00:00 on the same clock.', [
    ["epoch(cast('1970-01-02' as date))", 86400],
  ]),
  from_epoch: time(
    'from_epoch(seconds)',
    ['number'],
    'time',
    'The time so many seconds after 1970-01-01 00:00, in UTC.',
    [['from_epoch(86400)', '1970-01-02T00:00']],
  ),
  weekday_name: time('weekday_name(t)', ['time'], 'text', 'The day of the week in English.', [
    ["weekday_name(cast('2024-03-10' as date))", 'Sunday'],
  ]),
  month_name: time('month_name(t)', ['time'], 'text', 'The month in English.', [
    ["month_name(cast('2024-03-10' as date))", 'March'],
  ]),
  year_month: time('year_month(t)', ['time'], 'text', 'Year and month, such as 2024-03.', [
    ["year_month(cast('2024-03-10' as date))", '2024-03'],
  ]),
  year_quarter: time('year_quarter(t)', ['time'], 'text', 'Year and quarter, such as 2024-Q1.', [
    ["year_quarter(cast('2024-03-10' as date))", '2024-Q1'],
  ]),
  year_week: time('year_week(t)', ['time'], 'text', 'ISO year and week, such as 2024-W10.', [
    ["year_week(cast('2021-01-03' as date))", '2020-W53'],
    ["year_week(cast('2024-03-10' as date))", '2024-W10'],
  ]),
  is_weekend: time('is_weekend(t)', ['time'], 'boolean', 'Whether it is a Saturday or Sunday.', [
    ["is_weekend(cast('2024-03-10' as date))", true],
    ["is_weekend(cast('2024-03-11' as date))", false],
  ]),
  fiscal_year: time(
    'fiscal_year(t, first_month)',
    ['time', 'number'],
    'integer',
    'The fiscal year that begins with a month (1 to 12), called by the year it ends in.',
    [
      ["fiscal_year(cast('2023-10-01' as date), 10)", 2024],
      ["fiscal_year(cast('2023-09-30' as date), 10)", 2023],
      ["fiscal_year(cast('2023-09-30' as date), 1)", 2023],
    ],
  ),
  fiscal_quarter: time(
    'fiscal_quarter(t, first_month)',
    ['time', 'number'],
    'integer',
    'The quarter of a fiscal year that begins with a month.',
    [
      ["fiscal_quarter(cast('2023-10-01' as date), 10)", 1],
      ["fiscal_quarter(cast('2023-09-30' as date), 10)", 4],
    ],
  ),
};
