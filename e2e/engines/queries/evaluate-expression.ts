import type { Expression } from '@belvedere/model';

/**
 * Evaluates an expression row by row without SQL: the oracle that every engine must agree with. It follows
 * the guide's sentences instead of the SQL dialects.
 */

/**
 * Whole numbers are bigints, decimals an integer and its number of decimal places, doubles numbers, times
 * milliseconds of a wall clock.
 */
export type Value = null | bigint | number | string | boolean | Decimal | Moment;
export interface Decimal {
  readonly kind: 'decimal';
  readonly digits: bigint;
  readonly scale: number;
}
/** `instant` is milliseconds since 1970 UTC; the others are of a clock without a zone. */
export interface Moment {
  readonly kind: 'date' | 'time' | 'instant';
  readonly ms: number;
}

export interface Row {
  readonly values: Readonly<Record<string, Value>>;
  readonly joins: Readonly<Record<string, Readonly<Record<string, Value>> | undefined>>;
}

const dayMs = 86_400_000;

export class Evaluator {
  readonly #zone: string;
  readonly #format: Intl.DateTimeFormat;

  constructor(zone: string) {
    this.#zone = zone;
    this.#format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  }

  /** A moment on the zone's clock. */
  wall(value: Value): Moment | null {
    if (value === null || !isMoment(value)) return null;
    if (value.kind !== 'instant' || this.#zone === 'UTC')
      return { kind: value.kind === 'date' ? 'date' : 'time', ms: value.ms };
    const parts = Object.fromEntries(
      this.#format.formatToParts(value.ms).map(part => [part.type, Number(part.value)]),
    );
    return {
      kind: 'time',
      ms:
        Date.UTC(
          parts['year']!,
          parts['month']! - 1,
          parts['day'],
          parts['hour'],
          parts['minute'],
          parts['second'],
        ) +
        (((value.ms % 1000) + 1000) % 1000),
    };
  }

  /** @param rows every row of the group, for aggregates; `row` is the current one otherwise */
  value(expression: Expression, row: Row | undefined, rows: readonly Row[]): Value {
    const evaluate = (part: Expression): Value => this.value(part, row, rows);
    switch (expression.kind) {
      case 'literal': {
        const { value } = expression;
        return typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : value;
      }
      case 'attribute':
        throw new Error('not bound to a reader');
      case 'column':
        return (
          (expression.join ? row!.joins[expression.join]?.[expression.name] : row!.values[expression.name]) ??
          null
        );
      case 'unary': {
        const operand = evaluate(expression.operand);
        if (operand === null) return null;
        return expression.operator === 'not' ? !operand : negate(operand);
      }
      case 'isNull':
        return (evaluate(expression.operand) === null) !== expression.negated;
      case 'in': {
        const operand = evaluate(expression.operand);
        const tests = expression.values.map(value => this.#compare('=', operand, evaluate(value)));
        const found = tests.includes(true) ? true : tests.includes(null) ? null : false;
        return found === null ? null : found !== expression.negated;
      }
      case 'case': {
        for (const { when, result } of expression.branches)
          if (evaluate(when) === true) return evaluate(result);
        return expression.otherwise ? evaluate(expression.otherwise) : null;
      }
      case 'cast':
        return this.#cast(evaluate(expression.operand), expression.to);
      case 'binary':
        return this.#binary(expression.operator, evaluate(expression.left), evaluate(expression.right));
      case 'call':
        return aggregates.has(expression.name)
          ? this.#aggregate(expression, rows)
          : this.#call(expression.name, expression.args.map(evaluate));
    }
  }

  #aggregate(call: Expression & { kind: 'call' }, rows: readonly Row[]): Value {
    const kept = call.filter ? rows.filter(row => this.value(call.filter!, row, []) === true) : rows;
    if (call.args.length === 0) return BigInt(kept.length);
    const all = kept.map(row => this.value(call.args[0]!, row, []));
    const values = all.filter(value => value !== null);
    switch (call.name) {
      case 'count':
        return BigInt(call.distinct ? new Set(values.map(keyOf)).size : values.length);
      case 'count_if':
        return BigInt(all.filter(value => value === true).length);
      case 'bool_and':
        return values.length === 0 ? null : values.every(value => value === true);
      case 'bool_or':
        return values.length === 0 ? null : values.includes(true);
      case 'sum':
        return values.length === 0 ? null : values.reduce<Value>((sofar, value) => add(sofar, value), 0n);
      case 'min':
      case 'max': {
        const sign = call.name === 'min' ? -1 : 1;
        return values.length === 0
          ? null
          : values.reduce((sofar, value) => (sign * order(value, sofar) > 0 ? value : sofar));
      }
    }
    const numbers = values.map(toDouble);
    const n = numbers.length;
    if (n === 0) return null;
    const mean = numbers.reduce((sum, value) => sum + value, 0) / n;
    const squares = numbers.reduce((sum, value) => sum + (value - mean) ** 2, 0);
    switch (call.name) {
      case 'avg':
        return mean;
      case 'median':
        return quantile(numbers, 0.5);
      case 'quantile':
        return quantile(numbers, toDouble(this.value(call.args[1]!, undefined, [])));
      case 'stddev':
        return n < 2 ? null : Math.sqrt(squares / (n - 1));
      case 'stddev_pop':
        return Math.sqrt(squares / n);
      case 'variance':
        return n < 2 ? null : squares / (n - 1);
      default:
        return squares / n;
    }
  }

  #binary(operator: string, left: Value, right: Value): Value {
    if (operator === 'and')
      return left === false || right === false ? false : left === null || right === null ? null : true;
    if (operator === 'or')
      return left === true || right === true ? true : left === null || right === null ? null : false;
    if (left === null || right === null) return null;
    switch (operator) {
      case '+':
        return add(left, right);
      case '-':
        return add(left, negate(right));
      case '*':
        return multiply(left, right);
      case '/':
        return toDouble(right) === 0 ? null : finite(toDouble(left) / toDouble(right));
      case '%':
        return remainder(left, right);
      case '||':
        return this.#text(left)! + this.#text(right)!;
      case 'like': {
        const pattern = [...(right as string)]
          .map(mark =>
            mark === '%'
              ? '[\\s\\S]*'
              : mark === '_'
                ? '[\\s\\S]'
                : mark.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'),
          )
          .join('');
        return new RegExp(`^${pattern}$`, 'u').test(left as string);
      }
      default:
        return this.#compare(operator, left, right);
    }
  }

  #compare(operator: string, left: Value, right: Value): boolean | null {
    if (left === null || right === null) return null;
    let [a, b] = [left, right];
    if (isMoment(a) || isMoment(b)) {
      const moment = (value: Value) =>
        (typeof value === 'string' ? this.#cast(value, 'timestamp') : this.wall(value)) as Moment | null;
      const [x, y] = [moment(a), moment(b)];
      if (x === null || y === null) return null;
      [a, b] = [x.ms, y.ms];
    }
    const sign = order(a, b);
    switch (operator) {
      case '=':
        return sign === 0;
      case '<>':
        return sign !== 0;
      case '<':
        return sign < 0;
      case '<=':
        return sign <= 0;
      case '>':
        return sign > 0;
      default:
        return sign >= 0;
    }
  }

  #text(value: Value): string | null {
    return this.#cast(value, 'text') as string | null;
  }

  #cast(value: Value, to: string): Value {
    if (value === null) return null;
    switch (to) {
      case 'integer':
      case 'bigint': {
        if (typeof value === 'bigint') return value;
        if (typeof value === 'boolean') return value ? 1n : 0n;
        if (typeof value === 'string')
          return /^ *[-+]?\d{1,18} *$/.test(value)
            ? BigInt(value.trim())
            : isNumeral(value)
              ? wholeOf(Number(value))
              : null;
        if (isDecimal(value)) {
          const unit = 10n ** BigInt(value.scale);
          const half = value.digits < 0n ? -unit / 2n : unit / 2n;
          return (value.digits + (value.scale === 0 ? 0n : half)) / unit;
        }
        return wholeOf(value as number);
      }
      case 'double':
        return typeof value === 'string' ? (isNumeral(value) ? Number(value) : null) : toDouble(value);
      case 'text':
        if (isMoment(value)) {
          const { kind, ms } = this.wall(value)!;
          const iso = new Date(ms).toISOString();
          return kind === 'date' ? iso.slice(0, 10) : iso.slice(0, 19).replace('T', ' ');
        }
        return isDecimal(value) ? decimalText(value) : String(value);
      case 'date':
      case 'timestamp': {
        const moment = typeof value === 'string' ? readTime(value) : this.wall(value);
        if (moment === null) return null;
        return to === 'date'
          ? { kind: 'date', ms: floorTo(moment.ms, dayMs) }
          : { kind: 'time', ms: moment.ms };
      }
      case 'boolean':
        if (typeof value === 'boolean') return value;
        if (typeof value === 'bigint') return value !== 0n;
        return ['true', 't', '1'].includes((value as string).trim().toLowerCase())
          ? true
          : ['false', 'f', '0'].includes((value as string).trim().toLowerCase())
            ? false
            : null;
      default:
        throw new Error(`cast to ${to}`);
    }
  }

  #call(name: string, args: readonly Value[]): Value {
    const [a, b, c] = args;
    switch (name) {
      case 'coalesce':
        return args.find(arg => arg !== null) ?? null;
      case 'nullif':
        return this.#compare('=', a!, b!) === true ? null : a!;
      case 'if':
        return a === true ? b! : (c ?? null);
      case 'same':
        return a === null || b === null ? a === b : this.#compare('=', a!, b!);
      case 'greatest':
      case 'least': {
        const known = args.filter(arg => arg !== null);
        const sign = name === 'greatest' ? 1 : -1;
        return known.length === 0
          ? null
          : known.reduce((best, arg) => (sign * order(arg, best) > 0 ? arg : best));
      }
      case 'concat':
        return args.map(arg => this.#text(arg) ?? '').join('');
      case 'concat_ws':
        return a === null
          ? null
          : args
              .slice(1)
              .flatMap(arg => this.#text(arg) ?? [])
              .join(a as string);
      case 'is_blank':
        return a === null || (a as string).replace(/^ +| +$/g, '') === '';
      case 'pi':
        return Math.PI;
    }
    if (args.includes(null)) return null;
    const text = a as string;
    const characters = typeof a === 'string' ? [...a] : [];
    const time = a !== undefined && isMoment(a!) ? this.wall(a!)! : undefined;
    const date = time && new Date(time.ms);
    switch (name) {
      case 'abs':
        return order(a!, 0n) < 0 ? negate(a!) : a!;
      case 'sign':
        return BigInt(Math.sign(order(a!, 0n)));
      case 'clamp':
        return order(a!, b!) < 0 ? b! : order(a!, c!) > 0 ? c! : a!;
      case 'mod':
        return remainder(a!, b!);
      case 'round': {
        const power = 10 ** Math.abs(Number(b ?? 0n));
        const away = (value: number) => Math.sign(value) * Math.floor(Math.abs(value) + 0.5);
        return Number(b ?? 0n) >= 0 ? away(toDouble(a!) * power) / power : away(toDouble(a!) / power) * power;
      }
      case 'floor':
        return Math.floor(toDouble(a!));
      case 'ceil':
        return Math.ceil(toDouble(a!));
      case 'trunc':
        return Math.trunc(toDouble(a!));
      case 'sqrt':
        return toDouble(a!) < 0 ? null : Math.sqrt(toDouble(a!));
      case 'cbrt':
        return Math.cbrt(toDouble(a!));
      case 'power':
        return finite(toDouble(a!) ** toDouble(b!));
      case 'exp':
        return finite(Math.exp(toDouble(a!)));
      case 'ln':
        return toDouble(a!) > 0 ? Math.log(toDouble(a!)) : null;
      case 'log10':
        return toDouble(a!) > 0 ? Math.log10(toDouble(a!)) : null;
      case 'sin':
        return Math.sin(toDouble(a!));
      case 'atan2':
        // 0 and -0 are one number.
        return Math.atan2(toDouble(a!) + 0, toDouble(b!) + 0);
      case 'lower':
        return text.toLowerCase();
      case 'upper':
        return text.toUpperCase();
      case 'trim':
        return text.replace(/^ +| +$/g, '');
      case 'ltrim':
        return text.replace(/^ +/, '');
      case 'rtrim':
        return text.replace(/ +$/, '');
      case 'length':
        return BigInt(characters.length);
      case 'left':
        return characters.slice(0, Number(b)).join('');
      case 'right':
        return Number(b) === 0 ? '' : characters.slice(-Number(b)).join('');
      case 'substring':
        return characters
          .slice(Number(b) - 1, c === undefined ? undefined : Number(b) - 1 + Number(c))
          .join('');
      case 'replace':
        return b === '' ? text : text.replaceAll(b as string, () => c as string);
      case 'starts_with':
        return text.startsWith(b as string);
      case 'ends_with':
        return text.endsWith(b as string);
      case 'contains':
        return text.includes(b as string);
      case 'position':
        return text.includes(b as string)
          ? BigInt(Array.from(text.slice(0, text.indexOf(b as string))).length + 1)
          : 0n;
      case 'lpad':
      case 'rpad': {
        const length = Number(b);
        const filling = [...(c as string).repeat(length)]
          .slice(0, Math.max(0, length - characters.length))
          .join('');
        return characters.length >= length
          ? characters.slice(0, length).join('')
          : name === 'lpad'
            ? filling + text
            : text + filling;
      }
      case 'repeat':
        return text.repeat(Math.max(0, Number(b)));
      case 'reverse':
        return characters.toReversed().join('');
      case 'split_part':
        return text.split(b as string)[Number(c) - 1] ?? '';
      case 'make_date': {
        const made = readTime(
          `${String(a).padStart(4, '0')}-${String(b).padStart(2, '0')}-${String(c).padStart(2, '0')}`,
        );
        return made && { kind: 'date', ms: made.ms };
      }
      case 'from_epoch':
        return { kind: 'time', ms: Math.floor(toDouble(a!)) * 1000 };
      case 'date_trunc':
        return { kind: 'time', ms: startOf(a as string, this.wall(b!)!.ms) };
      case 'date_add': {
        const unit = a as string;
        const start = this.wall(c!)!.ms;
        const months = { month: 1, quarter: 3, year: 12 }[unit];
        if (months === undefined)
          return {
            kind: 'time',
            ms:
              start +
              Number(b) *
                { second: 1000, minute: 60_000, hour: 3_600_000, day: dayMs, week: 7 * dayMs }[unit]!,
          };
        const from = new Date(start);
        const target = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + months * Number(b), 1));
        const last = new Date(Date.UTC(target.getUTCFullYear(), target.getUTCMonth() + 1, 0)).getUTCDate();
        return {
          kind: 'time',
          ms:
            target.getTime() +
            (Math.min(from.getUTCDate(), last) - 1) * dayMs +
            (start - floorTo(start, dayMs)),
        };
      }
      case 'date_diff':
        return BigInt(unitsFrom(a as string, this.wall(c!)!.ms) - unitsFrom(a as string, this.wall(b!)!.ms));
    }
    const monthsIn = (year: number, month: number) => new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
    const [year, month] = [date!.getUTCFullYear(), date!.getUTCMonth()];
    const thursday = new Date(startOf('week', time!.ms) + 3 * dayMs);
    const isoWeek =
      Math.floor((thursday.getTime() - Date.UTC(thursday.getUTCFullYear(), 0, 1)) / (7 * dayMs)) + 1;
    const isodow = ((date!.getUTCDay() + 6) % 7) + 1;
    const two = (value: number) => String(value).padStart(2, '0');
    switch (name) {
      case 'year':
        return BigInt(year);
      case 'quarter':
        return BigInt(Math.floor(month / 3) + 1);
      case 'month':
        return BigInt(month + 1);
      case 'week':
        return BigInt(isoWeek);
      case 'isoyear':
        return BigInt(thursday.getUTCFullYear());
      case 'day':
        return BigInt(date!.getUTCDate());
      case 'isodow':
        return BigInt(isodow);
      case 'dayofyear':
        return BigInt(Math.floor((time!.ms - Date.UTC(year, 0, 1)) / dayMs) + 1);
      case 'hour':
        return BigInt(date!.getUTCHours());
      case 'minute':
        return BigInt(date!.getUTCMinutes());
      case 'second':
        return BigInt(date!.getUTCSeconds());
      case 'date':
        return { kind: 'date', ms: floorTo(time!.ms, dayMs) };
      case 'last_day':
        return { kind: 'date', ms: Date.UTC(year, month + 1, 0) };
      case 'days_in_month':
        return BigInt(monthsIn(year, month));
      case 'epoch':
        return BigInt(Math.floor(time!.ms / 1000));
      case 'weekday_name':
        return ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'][isodow - 1]!;
      case 'month_name':
        return new Intl.DateTimeFormat('en', { month: 'long', timeZone: 'UTC' }).format(date);
      case 'year_month':
        return `${year}-${two(month + 1)}`;
      case 'year_quarter':
        return `${year}-Q${Math.floor(month / 3) + 1}`;
      case 'year_week':
        return `${thursday.getUTCFullYear()}-W${two(isoWeek)}`;
      case 'is_weekend':
        return isodow >= 6;
      case 'fiscal_year':
        return BigInt(Number(b) > 1 && month + 1 >= Number(b) ? year + 1 : year);
      case 'fiscal_quarter':
        return BigInt(Math.floor(((month + 1 - Number(b) + 12) % 12) / 3) + 1);
      default:
        throw new Error(`The oracle does not know ${name}.`);
    }
  }
}

const aggregates = new Set([
  'count',
  'count_if',
  'sum',
  'avg',
  'min',
  'max',
  'median',
  'quantile',
  'stddev',
  'stddev_pop',
  'variance',
  'var_pop',
  'bool_and',
  'bool_or',
]);

export const isDecimal = (value: Value): value is Decimal =>
  typeof value === 'object' && value !== null && value.kind === 'decimal';
export const isMoment = (value: Value): value is Moment =>
  typeof value === 'object' && value !== null && value.kind !== 'decimal';
const isNumeral = (text: string) => /^ *[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)? *$/.test(text);
const finite = (value: number) => (Number.isFinite(value) ? value : null);
const floorTo = (value: number, step: number) => Math.floor(value / step) * step;

function wholeOf(value: number): bigint | null {
  return Math.abs(value) < 9.2e18 ? BigInt(Math.sign(value) * Math.floor(Math.abs(value) + 0.5)) : null;
}

export function toDouble(value: Value): number {
  return isDecimal(value) ? Number(decimalText(value)) : Number(value);
}

function scaled(value: Value, scale: number): bigint {
  return isDecimal(value)
    ? value.digits * 10n ** BigInt(scale - value.scale)
    : (value as bigint) * 10n ** BigInt(scale);
}

const scaleOf = (value: Value) => (isDecimal(value) ? value.scale : 0);

function negate(value: Value): Value {
  return isDecimal(value)
    ? { ...value, digits: -value.digits }
    : typeof value === 'bigint'
      ? -value
      : -(value as number);
}

function add(a: Value, b: Value): Value {
  if (typeof a === 'number' || typeof b === 'number') return finite(toDouble(a) + toDouble(b));
  if (typeof a === 'bigint' && typeof b === 'bigint') return a + b;
  const scale = Math.max(scaleOf(a), scaleOf(b));
  return { kind: 'decimal', digits: scaled(a, scale) + scaled(b, scale), scale };
}

function multiply(a: Value, b: Value): Value {
  if (typeof a === 'number' || typeof b === 'number') return finite(toDouble(a) * toDouble(b));
  if (typeof a === 'bigint' && typeof b === 'bigint') return a * b;
  return {
    kind: 'decimal',
    digits: scaled(a, scaleOf(a)) * scaled(b, scaleOf(b)),
    scale: scaleOf(a) + scaleOf(b),
  };
}

function remainder(a: Value, b: Value): Value {
  if (toDouble(b) === 0) return null;
  if (typeof a === 'number' || typeof b === 'number') return toDouble(a) % toDouble(b);
  if (typeof a === 'bigint' && typeof b === 'bigint') return a % b;
  const scale = Math.max(scaleOf(a), scaleOf(b));
  return { kind: 'decimal', digits: scaled(a, scale) % scaled(b, scale), scale };
}

/** Below 0 where `a` comes before `b`. Texts by their code points, as their bytes in UTF-8 go. */
export function order(a: Value, b: Value): number {
  if (isMoment(a) && isMoment(b)) return a.ms - b.ms;
  if (typeof a === 'string' && typeof b === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b));
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b);
  if (typeof a === 'number' || typeof b === 'number') return toDouble(a) - toDouble(b);
  const scale = Math.max(scaleOf(a), scaleOf(b));
  const difference = scaled(a, scale) - scaled(b, scale);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** The same text for equal values. */
export function keyOf(value: Value): string {
  if (value === null) return 'null';
  if (isMoment(value)) return `time ${value.ms}`;
  if (typeof value === 'string') return `text ${value}`;
  if (typeof value === 'boolean') return String(value);
  return `number ${isDecimal(value) ? decimalText(value) : String(typeof value === 'number' && value === 0 ? 0 : value)}`;
}

export function decimalText({ digits, scale }: Decimal): string {
  const text = String(digits < 0n ? -digits : digits).padStart(scale + 1, '0');
  const plain = scale === 0 ? text : `${text.slice(0, -scale)}.${text.slice(-scale)}`.replace(/\.?0+$/, '');
  return digits < 0n && plain !== '0' ? `-${plain}` : plain;
}

function quantile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const place = share * (sorted.length - 1);
  const [low, high] = [sorted[Math.floor(place)]!, sorted[Math.ceil(place)]!];
  return low + (high - low) * (place - Math.floor(place));
}

function readTime(text: string): Moment | null {
  const match = /^(\d{4})-(\d\d)-(\d\d)(?:[ T](\d\d):(\d\d)(?::(\d\d))?)?$/.exec(text);
  if (!match) return null;
  const [year, month, day, hour, minute, second] = match.slice(1).map(part => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (
    year < 1 ||
    date.getUTCMonth() !== month - 1 ||
    date.getUTCDate() !== day ||
    hour > 23 ||
    minute > 59 ||
    second > 59
  )
    return null;
  return { kind: 'time', ms: date.getTime() + hour * 3_600_000 + minute * 60_000 + second * 1000 };
}

export function startOf(unit: string, ms: number): number {
  const date = new Date(ms);
  switch (unit) {
    case 'second':
      return floorTo(ms, 1000);
    case 'minute':
      return floorTo(ms, 60_000);
    case 'hour':
      return floorTo(ms, 3_600_000);
    case 'day':
      return floorTo(ms, dayMs);
    case 'week':
      return floorTo(ms, dayMs) - ((date.getUTCDay() + 6) % 7) * dayMs;
    case 'month':
      return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
    case 'quarter':
      return Date.UTC(date.getUTCFullYear(), Math.floor(date.getUTCMonth() / 3) * 3, 1);
    default:
      return Date.UTC(date.getUTCFullYear(), 0, 1);
  }
}

function unitsFrom(unit: string, ms: number): number {
  const date = new Date(ms);
  const months = date.getUTCFullYear() * 12 + date.getUTCMonth();
  if (unit === 'month') return months;
  if (unit === 'quarter') return Math.floor(months / 3);
  if (unit === 'year') return date.getUTCFullYear();
  // 1970 began on a Thursday, and the first Monday four days later.
  return Math.floor(
    (startOf(unit, ms) - (unit === 'week' ? 4 * dayMs : 0)) /
      { second: 1000, minute: 60_000, hour: 3_600_000, day: dayMs, week: 7 * dayMs }[unit]!,
  );
}
