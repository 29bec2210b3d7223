import type { FunctionUnit } from '@belvedere/model';
import { zoneOffsets } from '@belvedere/query';
import {
  datePattern,
  falsehoods,
  isDay,
  months,
  numberPattern,
  quoteWith,
  timePattern,
  truths,
  weekdays,
  wholePattern,
  type Dialect,
  type Type,
} from '../dialect.ts';
import { roundedAwayFromZero } from './rounding.ts';

/** The last second that its DateTime type can represent. */
const lastSecond = 2 ** 32 - 1;

/**
 * ClickHouse 18.16 and newer. Integers are computed as decimals, because ClickHouse's integers overflow
 * silently. Times are in UTC.
 */
export const clickhouse: Dialect = {
  name: 'clickhouse',
  quote: quoteWith('`'),
  text: value => `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\0', '\\0')}'`,
  boolean: value => (value ? '1' : '0'),
  time: ms => `toDateTime(${Math.min(lastSecond, Math.max(0, Math.ceil(ms / 1000)))}, 'UTC')`,
  column: (reference, type) =>
    type === 'number'
      ? `multiIf(isFinite(${reference}), toFloat64(${reference}), NULL)`
      : type === 'text' || type === 'other'
        ? `toString(${reference})`
        : reference,
  // For two constants, old versions compare only as many characters as the shorter one has: 'ab' >= 'abc'.
  ordered: (text, isConstant) => (isConstant ? `materialize(${text})` : text),
  double: value => `toFloat64(${value})`,
  whole: value => `toDecimal128(${value}, 0)`,
  small: value => `toInt32(${value})`,
  cast: (value, from, to) => {
    switch (to) {
      case 'integer':
      case 'bigint':
        if (from === 'text')
          return `multiIf(match(ifNull(${value}, ''), '${wholePattern}'), toInt64OrNull(${trimmed(value)}), multiIf(match(ifNull(${value}, ''), '${numberPattern}'), toInt64(${roundedAwayFromZero(`toFloat64OrNull(${trimmed(value)})`, undefined, '', signed)}), NULL))`;
        if (from === 'number' || from === 'decimal')
          return `multiIf(abs(toFloat64(${value})) < 9.2e18, toInt64(${roundedAwayFromZero(`toFloat64(${value})`, undefined, '', signed)}), NULL)`;
        return `toInt64(${value})`;
      case 'double':
        return from === 'text'
          ? `multiIf(match(ifNull(${value}, ''), '${numberPattern}'), toFloat64OrNull(${trimmed(value)}), NULL)`
          : `toFloat64(${value})`;
      case 'decimal':
        return from === 'text'
          ? `multiIf(match(ifNull(${value}, ''), '${numberPattern}'), toDecimal128(multiIf(match(ifNull(${value}, ''), '${numberPattern}'), ${trimmed(value)}, '0'), 10), NULL)`
          : `toDecimal128(${value}, 10)`;
      case 'text':
      case 'varchar':
        if (from === 'boolean') return `multiIf(isNull(${value}), NULL, multiIf(${value}, 'true', 'false'))`;
        if (from === 'decimal')
          return `replaceRegexpOne(replaceRegexpOne(toString(${value}), '[.]0+$', ''), '([.][0-9]*[1-9])0+$', '\\\\1')`;
        return from === 'text' ? value : `toString(${value})`;
      case 'date':
        return from === 'text' ? asDate(value) : `toDate(${value})`;
      case 'timestamp':
        if (from === 'text') return `(toDateTime(${asDate(value)}, 'UTC') + ${secondsOf(value)})`;
        return from === 'date' ? `toDateTime(${value}, 'UTC')` : value;
      case 'boolean':
        return from === 'text'
          ? `multiIf(lower(${trimmed(value)}) in (${truths}), 1, lower(${trimmed(value)}) in (${falsehoods}), 0, NULL)`
          : `(${value} <> 0)`;
    }
  },
  // The division also runs on the value stored under a null, where a zero would be an error.
  remainder: (left, right, isWhole) =>
    isWhole
      ? `multiIf(ifNull(${right} = 0, 1), NULL, toInt64(${left}) % multiIf(ifNull(${right} = 0, 1), 1, assumeNotNull(toInt64(${right}))))`
      : `(${left} - ${right} * trunc(${left} / nullIf(${right}, 0)))`,
  // In old versions, `or` treats unknown as false, and `and` treats false as unknown.
  all: conditions =>
    `multiIf(${conditions.map(condition => `ifNull(not ${condition}, 0)`).join(' or ')}, 0, ${conditions.map(condition => `isNull(${condition})`).join(' or ')}, NULL, 1)`,
  any: conditions =>
    `multiIf(${conditions.map(condition => `ifNull(${condition}, 0)`).join(' or ')}, 1, ${conditions.map(condition => `isNull(${condition})`).join(' or ')}, NULL, 0)`,
  // A double `not` loses its column when the query is sent to the shards.
  not: condition => `(${condition} = 0)`,
  // Old versions ignore the grouping if every key is constant, and fail if one of several keys is a 128-bit
  // decimal.
  grouped: (value, type, madeOf) => {
    const whole = madeOf === 'nothing' ? `materialize(${value})` : value;
    if (type === 'number') return `(${whole} + 0)`;
    if (madeOf === 'a column') return whole;
    return type === 'integer' ? `toInt64(${whole})` : type === 'decimal' ? `toDecimal64(${whole}, 6)` : whole;
  },
  // A backslash would escape the next character.
  concatenate: (left, right) => `concat(${left}, ${right})`,
  comparesExact: false,
  like: (text, pattern) => `like(${text}, replaceAll(${pattern}, '\\\\', '\\\\\\\\'))`,
  containsAnyCase: (text, part) => `(positionUTF8(lowerUTF8(${text}), lowerUTF8(${part})) > 0)`,
  local: (instant, zone) => {
    if (zone === 'UTC') return instant;
    const { first, changes } = zoneOffsets(zone);
    // Old versions support only clock changes by whole hours, which Lord Howe does not have. They also
    // require that each day begins once, which was not the case in St. John's, whose clock went back over
    // midnight.
    const dayAt = (seconds: number) => Math.floor(seconds / 86_400);
    const isCountedOn = changes.every(({ at, offset }, i) => {
      const before = changes[i - 1]?.offset ?? first;
      return (offset - before) % 3600 === 0 && dayAt(at + offset) >= dayAt(at - 1 + before);
    });
    if (isCountedOn)
      return `toDateTime(toUInt32(toDate(${instant}, '${zone}')) * 86400 + toHour(${instant}, '${zone}') * 3600 + toMinute(${instant}, '${zone}') * 60 + toSecond(${instant}, '${zone}'), 'UTC')`;
    const offset =
      changes.length === 0
        ? String(first)
        : `multiIf(${changes.map(({ at }, i) => `toUnixTimestamp(${instant}) < ${at}, ${changes[i - 1]?.offset ?? first}`).join(', ')}, ${changes.at(-1)!.offset})`;
    return `toDateTime(toInt64(toUnixTimestamp(${instant})) + ${offset}, 'UTC')`;
  },
  truncate: (unit, time) =>
    unit === 'second'
      ? time
      : unit === 'minute' || unit === 'hour'
        ? `toStartOf${unit === 'hour' ? 'Hour' : 'Minute'}(${time})`
        : `toDateTime(${dayOf[unit](time)}, 'UTC')`,
  // ClickHouse's own difference in weeks does not start weeks on Monday.
  unitsBetween: (unit, from, to) =>
    unit === 'week'
      ? `intDiv(toInt64(toMonday(${to})) - toInt64(toMonday(${from})), 7)`
      : `toInt64(dateDiff('${unit}', ${from}, ${to}, 'UTC'))`,
  add: (unit, count, time) => {
    const whole = `toInt64(${count})`;
    return unit === 'quarter'
      ? `addMonths(${time}, ${whole} * 3)`
      : `add${unit[0]!.toUpperCase()}${unit.slice(1)}s(${time}, ${whole})`;
  },
  positionIn: (value, list) => {
    const known = list.flatMap((item, place) => (item === undefined ? [] : [{ item, place }]));
    return known.length === 0
      ? 'NULL'
      : `nullIf(transform(ifNull(toString(${value}), ''), [${known.map(({ item }) => `toString(${item})`).join(', ')}], [${known.map(({ place }) => place).join(', ')}], -1), -1)`;
  },
  hasFilterClause: false,
  order: (column, isDescending) => `${column} ${isDescending ? 'desc' : 'asc'} nulls last`,
  alias: index => `belvedere_${index}`,
  joins: 'nested',
  functions: {
    count: ([value]) => (value === undefined ? 'count()' : `count(${value})`),
    'count distinct': ([value]) => `ifNull(uniqExact(${value}), 0)`,
    sum: ([value], [type]) => `sum(toNullable(${type === 'integer' ? `toDecimal128(${value}, 0)` : value}))`,
    avg: ([value]) => `avg(toNullable(toFloat64(${value})))`,
    min: ([value]) => `min(toNullable(${value}))`,
    max: ([value]) => `max(toNullable(${value}))`,
    median: ([value]) => quantileOf(value!, '0.5'),
    quantile: ([value, share]) => quantileOf(value!, share!),
    stddev: ([value]) => `multiIf(count(${value}) > 1, stddevSamp(toNullable(toFloat64(${value}))), NULL)`,
    stddev_pop: ([value]) => `stddevPop(toNullable(toFloat64(${value})))`,
    variance: ([value]) => `multiIf(count(${value}) > 1, varSamp(toNullable(toFloat64(${value}))), NULL)`,
    var_pop: ([value]) => `varPop(toNullable(toFloat64(${value})))`,
    abs: ([value], [type]) =>
      type === 'integer' || type === 'decimal'
        ? `multiIf(${value} < 0, -${value}, ${value})`
        : `abs(${value})`,
    round: ([value, digits]) => roundedAwayFromZero(`toFloat64(${value})`, digits, 'pow(10, ', signed),
    floor: ([value]) => `floor(toFloat64(${value}))`,
    ceil: ([value]) => `ceil(toFloat64(${value}))`,
    trunc: ([value]) => `trunc(toFloat64(${value}))`,
    power: ([value, exponent]) => `pow(toFloat64(${value}), toFloat64(${exponent}))`,
    ...doubles({
      sqrt: 'sqrt',
      cbrt: 'cbrt',
      exp: 'exp',
      ln: 'log',
      log10: 'log10',
      log2: 'log2',
      sin: 'sin',
      cos: 'cos',
      tan: 'tan',
      asin: 'asin',
      acos: 'acos',
      atan: 'atan',
    }),
    atan2: ([y, x]) =>
      `multiIf(isNull(${y}) or isNull(${x}), NULL, ${x} > 0, atan(toFloat64(${y}) / ${x}), ${x} < 0, atan(toFloat64(${y}) / ${x}) + multiIf(${y} >= 0, pi(), -pi()), ${y} > 0, pi() / 2, ${y} < 0, -pi() / 2, ${x} = 0 and ${y} = 0, 0, NULL)`,
    greatest: (args, types) => best(args, types, '<'),
    least: (args, types) => best(args, types, '>'),
    lower: ([text]) => `lowerUTF8(${text})`,
    upper: ([text]) => `upperUTF8(${text})`,
    trim: ([text]) => trimmed(text!),
    ltrim: ([text]) => `replaceRegexpOne(${text}, '^ +', '')`,
    rtrim: ([text]) => `replaceRegexpOne(${text}, ' +$', '')`,
    length: ([text]) => `toInt64(lengthUTF8(${text}))`,
    left: ([text, count]) => characters(text!, '1', count!),
    right: ([text, count]) =>
      characters(text!, `greatest(1, toInt64(lengthUTF8(${text})) - toInt64(${count}) + 1)`, '1000000000'),
    substring: ([text, start, count]) => characters(text!, start!, count ?? '1000000000'),
    // ClickHouse reports an error for an empty search text.
    replace: ([text, what, by]) => (what === "''" ? text! : `replaceAll(${text}, ${what}, ${by})`),
    concat: args => `concat(${args.map(arg => `ifNull(${arg}, '')`).join(', ')})`,
    // ClickHouse requires a constant separator, so the separator is put before each part, and the first one
    // is cut off.
    concat_ws: ([separator, ...args]) =>
      `multiIf(isNull(${separator}), NULL, substring(arrayStringConcat(arrayMap(part -> concat(assumeNotNull(${separator}), assumeNotNull(part)), arrayFilter(part -> isNotNull(part), [${args.join(', ')}]))), length(${separator}) + 1))`,
    position: ([text, part]) => `toInt64(positionUTF8(${text}, ${part}))`,
    lpad: ([text, length, filling]) =>
      `multiIf(lengthUTF8(${text}) >= ${length}, ${characters(text!, '1', length!)}, concat(${characters(repeated(filling!, `toInt64(${length})`), '1', `greatest(0, toInt64(${length}) - toInt64(lengthUTF8(${text})))`)}, ${text}))`,
    rpad: ([text, length, filling]) =>
      `multiIf(lengthUTF8(${text}) >= ${length}, ${characters(text!, '1', length!)}, concat(${text}, ${characters(repeated(filling!, `toInt64(${length})`), '1', `greatest(0, toInt64(${length}) - toInt64(lengthUTF8(${text})))`)}))`,
    repeat: ([text, times]) => repeated(text!, `least(greatest(toInt64(${times}), 0), 10000)`),
    // ClickHouse's own function splits characters of four bytes.
    reverse: ([text]) =>
      `multiIf(isNull(${text}), NULL, arrayStringConcat(arrayReverse(extractAll(assumeNotNull(${text}), '(?s).'))))`,
    split_part: ([text, separator, place]) =>
      `multiIf(isNull(${text}), NULL, splitByString(${separator}, assumeNotNull(${text}))[${place}])`,
    ...times({
      year: 'toYear',
      quarter: 'toQuarter',
      month: 'toMonth',
      week: 'toISOWeek',
      isoyear: 'toISOYear',
      day: 'toDayOfMonth',
      isodow: 'toDayOfWeek',
      dayofyear: 'toDayOfYear',
      hour: 'toHour',
      minute: 'toMinute',
      second: 'toSecond',
    }),
    date: ([time]) => `toDate(${time})`,
    make_date: ([year, month, day]) =>
      `multiIf(${isDay(`toInt64(${year})`, `toInt64(${month})`, `toInt64(${day})`)}, addDays(addMonths(toDate('1970-01-01'), (toInt64(${year}) - 1970) * 12 + toInt64(${month}) - 1), toInt64(${day}) - 1), NULL)`,
    weekday_name: ([time]) =>
      `transform(toDayOfWeek(${time}), [${weekdays.map((_, i) => i + 1).join(', ')}], ['${weekdays.join("', '")}'], '')`,
    month_name: ([time]) =>
      `transform(toMonth(${time}), [${months.map((_, i) => i + 1).join(', ')}], ['${months.join("', '")}'], '')`,
    epoch: ([time]) => `toInt64(toUnixTimestamp(${time}))`,
    from_epoch: ([seconds]) => `toDateTime(toUInt32(${seconds}), 'UTC')`,
  },
};

const dayOf: Readonly<Record<Exclude<FunctionUnit, 'second' | 'minute' | 'hour'>, (time: string) => string>> =
  {
    day: time => `toDate(${time})`,
    week: time => `toMonday(${time})`,
    month: time => `toStartOfMonth(${time})`,
    quarter: time => `toStartOfQuarter(${time})`,
    year: time => `toStartOfYear(${time})`,
  };

const signed = (value: string) => `multiIf(${value} < 0, -1, 1)`;
const trimmed = (text: string) => `replaceRegexpAll(${text}, '^ +| +$', '')`;
const repeated = (text: string, times: string) =>
  `multiIf(isNull(${text}) or isNull(${times}), NULL, arrayStringConcat(arrayResize(emptyArrayString(), toUInt64(ifNull(${times}, 0)), assumeNotNull(${text}))))`;

/**
 * A substring by characters. The `substring` of old versions splits characters of four bytes and requires
 * constant positions, so the text is split into an array of characters.
 */
function characters(text: string, start: string, count: string): string {
  const pieces = `arraySlice(extractAll(assumeNotNull(${text}), '(?s).'), assumeNotNull(toInt64(${start})), assumeNotNull(greatest(0, toInt64(${count}))))`;
  return `multiIf(isNull(${text}) or isNull(${start}) or isNull(${count}), NULL, arrayStringConcat(${pieces}))`;
}

/**
 * Sorts the values and interpolates between the two around the position, because old versions have no
 * interpolating quantile.
 */
function quantileOf(value: string, share: string): string {
  const list = `arraySort(groupArray(toFloat64(${value})))`;
  const place = `(${share} * (length(${list}) - 1))`;
  const low = `${list}[toUInt64(floor(${place})) + 1]`;
  return `multiIf(count(${value}) = 0, NULL, ${low} + (${list}[toUInt64(ceil(${place})) + 1] - ${low}) * (${place} - floor(${place})))`;
}

function best(args: readonly string[], types: readonly Type[], isWorse: '<' | '>'): string {
  const value = (arg: string) => (types.includes('number') ? `toFloat64(${arg})` : arg);
  return args
    .map(value)
    .reduce(
      (sofar, arg) =>
        `multiIf(isNull(${sofar}), ${arg}, isNull(${arg}), ${sofar}, ${sofar} ${isWorse} ${arg}, ${arg}, ${sofar})`,
    );
}

function doubles(names: Readonly<Record<string, string>>) {
  return Object.fromEntries(
    Object.entries(names).map(([name, own]) => [
      name,
      ([value]: readonly string[]) => `${own}(toFloat64(${value}))`,
    ]),
  );
}

function times(names: Readonly<Record<string, string>>) {
  return Object.fromEntries(
    Object.entries(names).map(([name, own]) => [
      name,
      ([time]: readonly string[]) => `toInt32(${own}(${time}))`,
    ]),
  );
}

/** A text as a date, null if it is invalid. ClickHouse's own parser reads 30 February as 1 March. */
function asDate(text: string): string {
  const known = `ifNull(${text}, '')`;
  const part = (from: number, count: number) => `toInt64OrZero(substring(${known}, ${from}, ${count}))`;
  return `multiIf(match(${known}, '${datePattern}${timePattern}') and ${isDay(part(1, 4), part(6, 2), part(9, 2))}, toDateOrNull(substring(${known}, 1, 10)), NULL)`;
}

function secondsOf(text: string): string {
  const part = (from: number) => `toInt64OrZero(substring(ifNull(${text}, ''), ${from}, 2))`;
  return `(${part(12)} * 3600 + ${part(15)} * 60 + ${part(18)})`;
}
