import type { TimeUnit } from '@belvedere/document';
import { fiscalPositionIn, timeUnitOf, type CalendarUnit } from '@belvedere/query';
import { chartMessagesIn } from './chart-messages.ts';

/** How short a number must be: `axis` 80K; `label` three digits that count; `full` all of them. */
export type Shortness = 'axis' | 'label' | 'full';

const numberFormats = new Map<string, Intl.NumberFormat>();
const dateFormats = new Map<string, Intl.DateTimeFormat>();

/** A number as people read it, by the measure's format. Nothing is an en dash. */
export function formatNumber(
  value: number,
  format: string | undefined,
  locale: string,
  shortness: Shortness,
  unit?: string,
): string {
  if (Number.isNaN(value)) return '–';
  const text = withoutUnit(value, format, locale, shortness).replace(/^-/, '−');
  return unit && shortness !== 'axis' ? `${text} ${unit}` : text;
}

/**
 * A number without a format, as rows show it: six significant digits, and hundredths; a whole number in full.
 * Never grouped, as `formatExactly`.
 */
export function formatPlainly(value: number, locale: string): string {
  return formatExactly(Number(value.toPrecision(significantDigits(value, 6))), locale);
}

/**
 * At least so many significant digits, and never fewer than the whole part and two decimals. A double holds
 * 17.
 */
function significantDigits(value: number, min: number): number {
  return Math.min(17, Math.max(min, Math.floor(Math.log10(Math.abs(value) || 1)) + 3));
}

/**
 * Formats a number without a format beside an axis: to a thousandth of the axis' range, which is about a
 * pixel. Never grouped, as `formatExactly`.
 */
export function formatWithin(value: number, span: number, locale: string): string {
  const decimals = Math.ceil(3 - Math.log10(span));
  return Number.isFinite(decimals)
    ? formatExactly(Number(value.toFixed(Math.max(0, Math.min(20, decimals)))), locale)
    : formatPlainly(value, locale);
}

const decimalSigns = new Map<string, string>();

/**
 * Every digit of a number as it came, with the language's own decimal sign; never grouped, since it may be a
 * year, or a name in digits.
 */
export function formatExactly(value: number | string, locale: string): string {
  const sign =
    decimalSigns.get(locale) ??
    numberFormat(locale, {})
      .formatToParts(0.5)
      .find(({ type }) => type === 'decimal')!.value;
  decimalSigns.set(locale, sign);
  return String(value).replace('.', sign).replace('-', '−');
}

/**
 * Formats a number along an axis whose own format gives the decimals. The measure's format is for its values.
 */
export function formatAxisValue(value: number, format: string, locale: string): string {
  const isExact = /^,?\.\d/.test(format);
  return formatNumber(value, format, locale, !isExact ? 'axis' : Math.abs(value) < 10_000 ? 'full' : 'label');
}

/**
 * Formats the numbers of an axis alike, in the unit of the largest: `0`, `5K`, `10K`; `$0.50`, `$1.00`.
 * @param options.isLog each has its own unit, since they span many: `100`, `1K`, `10K`
 * @param options.isOwn whether the format is the axis' own and gives the decimals
 */
export function formatAxis(
  values: readonly number[],
  format: string | undefined,
  locale: string,
  options: AxisNumbers = {},
): readonly string[] {
  const formatTick = axisFormat(values, format, locale, options);
  return values.map(value => formatTick(value).replace(/^-/, '−'));
}

interface AxisNumbers {
  readonly isLog?: boolean;
  readonly isOwn?: boolean;
}

function axisFormat(
  values: readonly number[],
  format: string | undefined,
  locale: string,
  { isLog = false, isOwn = false }: AxisNumbers,
): (value: number) => string {
  const largest = Math.max(0, ...values.map(Math.abs));
  const [, , kind] = /^,?\.(\d)([f%s]?)$/.exec(format ?? '') ?? [];
  if (format === 'bytes' && !isLog) return value => formatBytes(value, locale, largest);
  const seconds = secondsOf(format);
  if (seconds !== undefined && !isLog)
    return value => formatDuration(value * seconds, locale, true, largest * seconds);
  const currency = format?.startsWith('currency') ? { currency: format.split(':')[1] ?? 'USD' } : undefined;
  const style = currency ? ({ style: 'currency', ...currency } as const) : {};
  const alone = (value: number) =>
    format !== undefined && isOwn
      ? formatAxisValue(value, format, locale)
      : formatNumber(value, format, locale, 'axis');
  const isShortened = !isPercent(format) && format !== 'plain' && format !== 'bytes' && seconds === undefined;
  if (isShortened && largest >= (kind === 's' ? 1000 : 10_000)) {
    const whole = numberFormat(locale, { ...style, maximumFractionDigits: 0 });
    const short = (value: number, of = value) => inUnitOf(of, value, locale, style);
    return isLog
      ? value => (Math.abs(value) >= 1000 ? short(value) : undefined) ?? alone(value)
      : value => (value === 0 ? undefined : short(value, largest)) ?? whole.format(value);
  }
  // Halves of a coin between whole ones would be written in two ways.
  if (currency && !values.every(Number.isInteger)) return numberFormat(locale, style).format;
  return alone;
}

/**
 * The values of marks beside each other, all as exact as the largest: `13.8K`, `7.39K`, `523`; `2,907`, `930`;
 * `$9.50`, `$12.00`. Percentages have their format's digits, and sizes and durations a unit of their own.
 */
export function formatLabels(
  values: readonly number[],
  format: string | undefined,
  locale: string,
): readonly string[] {
  const alone = (value: number) => formatNumber(value, format, locale, 'label');
  const numbers = values.filter(Number.isFinite);
  const together = labelFormat(numbers, format, locale);
  const minShown = Math.max(0, ...numbers.map(Math.abs)) < 1000 ? 0 : 1;
  return values.map(value =>
    together && Number.isFinite(value) && Math.abs(value) >= minShown
      ? (together(value) ?? alone(value)).replace(/^-/, '−')
      : alone(value),
  );
}

function labelFormat(
  values: readonly number[],
  format: string | undefined,
  locale: string,
): ((value: number) => string | undefined) | undefined {
  const [, digits, kind] = /^,?\.(\d)([f%s]?)$/.exec(format ?? '') ?? [];
  const isAmount = format?.startsWith('currency') || format === 'number' || format === 'integer';
  if (format !== undefined && !isAmount && (digits === undefined || kind === '%')) return undefined;
  const currency = format?.startsWith('currency') ? { currency: format.split(':')[1] ?? 'USD' } : undefined;
  const style = currency ? ({ style: 'currency', ...currency } as const) : {};
  const largest = Math.max(0, ...values.map(Math.abs));
  if (largest >= (kind === 's' ? 1000 : 10_000)) {
    const maxDigits = kind === 's' ? Math.max(1, Number(digits)) : 3;
    const isExact = values.some(
      value => Math.abs(value) >= 1000 && Number(value.toPrecision(maxDigits - 1 || 1)) !== value,
    );
    const significant = {
      minimumSignificantDigits: isExact ? maxDigits : 1,
      maximumSignificantDigits: maxDigits,
    };
    const whole = numberFormat(locale, { ...style, maximumFractionDigits: 0 });
    return value =>
      Math.abs(value) >= 1000
        ? abbreviated(value, locale, { ...style, ...significant })
        : whole.format(value);
  }
  if (kind === 's') return undefined;
  if (largest >= 1000) return numberFormat(locale, { ...style, maximumFractionDigits: 0 }).format;
  if (currency) return values.every(Number.isInteger) ? undefined : numberFormat(locale, style).format;
  return format === undefined || format === 'number' ? commonDecimals(values, largest, locale) : undefined;
}

/** Numbers below a thousand with as many decimals as the largest has among four digits, if any needs them. */
function commonDecimals(
  values: readonly number[],
  largest: number,
  locale: string,
): (value: number) => string | undefined {
  const maxDigits = Math.max(0, 3 - Math.floor(Math.log10(largest || 1)));
  const scale = 10 ** maxDigits;
  const decimals = Math.max(
    0,
    ...values.map(value => {
      const [, fraction = ''] = String(Math.round(value * scale) / scale).split('.');
      return Math.min(maxDigits, fraction.length);
    }),
  );
  const { format } = numberFormat(locale, {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  });
  // Rounded to nothing, a value would look like none.
  return value => (value !== 0 && Math.abs(value) * 10 ** decimals < 1 ? undefined : format(value));
}

/**
 * Formats a number in the unit of the language's short form for `size`: 500,000 in millions is `0.5M`.
 * Undefined if there is none.
 */
function inUnitOf(
  size: number,
  value: number,
  locale: string,
  options: Intl.NumberFormatOptions,
): string | undefined {
  const power = 10 ** Math.floor(Math.log10(Math.abs(size)) + 1e-9);
  const parts = numberFormat(locale, {
    ...options,
    notation: 'compact',
    maximumSignificantDigits: 3,
  }).formatToParts(power);
  if (!parts.some(({ type }) => type === 'compact')) return undefined;
  const units = Number(parts.find(({ type }) => type === 'integer')!.value);
  const digits = numberFormat(locale, { maximumSignificantDigits: 4 }).format(
    Math.abs(value) / (power / units),
  );
  return (value < 0 ? '−' : '') + parts.map(part => (part.type === 'integer' ? digits : part.value)).join('');
}

/**
 * Formats a change, to a tenth of a percent. A change of 0.0 % has no direction, and is neither good nor bad.
 */
export function changeAsWritten(change: number): number {
  // Adding zero removes the sign of a number that is rounded to −0.
  return Math.round(change * 1000) / 1000 + 0;
}

/** Whether a format shows parts of one as percentages: `percent`, `.2%`. */
export function isPercent(format: string | undefined): boolean {
  return format === 'percent' || /^,?\.\d%$/.test(format ?? '');
}

function withoutUnit(
  value: number,
  format: string | undefined,
  locale: string,
  shortness: Shortness,
): string {
  const isShort = shortness !== 'full';
  const magnitude = Math.abs(value);
  const [, digits, kind] = /^,?\.(\d)([f%s]?)$/.exec(format ?? '') ?? [];
  if (isPercent(format)) {
    const decimals = Number(digits ?? 1);
    return numberFormat(locale, {
      style: 'percent',
      minimumFractionDigits: shortness === 'axis' ? 0 : decimals,
      maximumFractionDigits: decimals,
    }).format(value);
  }
  if (kind === 's')
    return numberFormat(locale, {
      notation: 'compact',
      maximumSignificantDigits: Math.max(1, Number(digits)),
    }).format(value);
  if (format?.startsWith('currency')) {
    const currency = format.split(':')[1] ?? 'USD';
    return isShort && magnitude >= 10_000
      ? abbreviated(value, locale, { style: 'currency', currency })
      : numberFormat(locale, {
          style: 'currency',
          currency,
          ...((Number.isInteger(value) || (isShort && magnitude >= 1000)) && { maximumFractionDigits: 0 }),
        }).format(value);
  }
  if (format === 'bytes') return formatBytes(value, locale);
  if (format === 'hour') return formatHour(value, locale);
  const seconds = secondsOf(format);
  if (seconds !== undefined) return formatDuration(value * seconds, locale, isShort);
  if (format === 'plain')
    return isCalculated(value) ? formatPlainly(value, locale) : formatExactly(value, locale);
  if (isShort && magnitude >= 10_000) return abbreviated(value, locale, {});
  if (digits !== undefined && shortness !== 'axis') {
    // Beside 49.6K, 9,444.27 is more exact than anyone compares.
    const decimals = isShort && magnitude >= 1000 ? 0 : Number(digits);
    return numberFormat(locale, {
      minimumFractionDigits: decimals,
      maximumFractionDigits: decimals,
    }).format(value);
  }
  if (format === 'integer') return numberFormat(locale, { maximumFractionDigits: 0 }).format(value);
  if (magnitude !== 0 && (magnitude < 1e-4 || magnitude >= 1e15))
    return numberFormat(locale, { notation: 'scientific', maximumSignificantDigits: 3 }).format(value);
  return numberFormat(
    locale,
    isShort || magnitude < 1 ? { maximumSignificantDigits: 4 } : { maximumFractionDigits: 4 },
  ).format(value);
}

/** Whether a number has more digits than people enter, as averages and sums of decimals do. */
function isCalculated(value: number): boolean {
  return !Number.isInteger(value) && value !== Number(value.toPrecision(12));
}

const shortForms = new Map<string, boolean>();

/**
 * Formats three significant digits with their unit: `49.6K`. A language without a short form for the unit
 * (German has none below a million) gets all digits: rounded, `49.600` would look exact.
 */
function abbreviated(value: number, locale: string, options: Intl.NumberFormatOptions): string {
  const short = numberFormat(locale, { maximumSignificantDigits: 3, ...options, notation: 'compact' });
  const power = Math.floor(Math.log10(Math.abs(value)));
  const key = `${locale} ${options.currency ?? ''} ${power}`;
  const { minimumSignificantDigits: _, maximumSignificantDigits: __, ...allDigits } = options;
  const hasShortForm =
    shortForms.get(key) ?? short.formatToParts(10 ** power).some(({ type }) => type === 'compact');
  shortForms.set(key, hasShortForm);
  return hasShortForm
    ? short.format(value)
    : numberFormat(locale, { ...allDigits, maximumFractionDigits: 0 }).format(value);
}

/** @param of the number that decides the unit, such as the largest of an axis */
function formatBytes(value: number, locale: string, of = value): string {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;
  const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.abs(of) || 1) / 3)));
  const text = numberFormat(locale, {
    style: 'unit',
    unit: units[power]!,
    // The short form of a byte is a word, `71 byte`.
    unitDisplay: power === 0 ? 'narrow' : 'short',
    maximumSignificantDigits: 3,
  }).format(value / 1000 ** power);
  // English writes the narrow form without the space of the others.
  return text.replace(/(?<=\d)(?=\p{L})/u, ' ');
}

/** Formats an hour of the day: `2 PM`, `2:30 PM`, `14 Uhr`. */
function formatHour(value: number, locale: string): string {
  const minutes = Math.round(value * 60);
  const isWhole = minutes % 60 === 0;
  return dateFormat(locale, { hour: 'numeric', ...(!isWhole && { minute: '2-digit' }) }).format(
    minutes * 60_000,
  );
}

const durationUnits = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const;

/** How many seconds a number of a format is: `duration` counts seconds, `duration:ms` thousandths. */
function secondsOf(format: string | undefined): number | undefined {
  return format === 'duration' ? 1 : format === 'duration:ms' ? 0.001 : undefined;
}

/**
 * The length of the unit that an axis of durations is labelled in, in its own numbers: 60,000 for minutes of
 * milliseconds. Undefined for other numbers, whose round steps are powers of ten.
 */
export function durationUnit(format: string | undefined, largest: number): number | undefined {
  const seconds = secondsOf(format);
  const unit = seconds === undefined ? undefined : largestUnit(largest * seconds);
  return seconds === undefined || unit === undefined ? undefined : unit[1] / seconds;
}

/** The largest unit of time that a number of seconds fills. */
function largestUnit(seconds: number): (typeof durationUnits)[number] | undefined {
  return durationUnits.find(([, length]) => Math.abs(seconds) + 0.0005 >= length);
}

/**
 * Formats seconds: `1 day 1 hr 10 min`, `1 min 32.456 sec`; `2.5 days` in short. Fractions of seconds, as in
 * averages, have the two largest units.
 * @param of the number that decides the unit
 */
function formatDuration(seconds: number, locale: string, isShort: boolean, of = seconds): string {
  const unitOf = largestUnit(of) ?? durationUnits.at(-1)!;
  const first = durationUnits.indexOf(unitOf);
  const formatDigits = (value: number, unit: string, digits: number) =>
    numberFormat(locale, {
      style: 'unit',
      unit,
      // The narrow form of a minute is that of a million.
      unitDisplay: 'short',
      maximumFractionDigits: digits,
    }).format(value);
  const [unit, length] = unitOf;
  if (isShort) return formatDigits(seconds / length, unit, 1);
  const units = durationUnits.slice(first, Number.isInteger(seconds) ? undefined : first + 2);
  const [last, lastLength] = units.at(-1)!;
  const digits = last === 'second' && !Number.isInteger(seconds) ? 3 : 0;
  let rest = Number((Math.round((Math.abs(seconds) / lastLength) * 10 ** digits) / 10 ** digits).toFixed(3));
  const parts: string[] = [];
  for (const [name, size] of units) {
    const isLast = name === last;
    const count = isLast ? Number(rest.toFixed(digits)) : Math.floor((rest * lastLength) / size + 1e-9);
    if (!isLast) rest -= (count * size) / lastLength;
    if (count > 0 || (isLast && parts.length === 0))
      parts.push(formatDigits(parts.length === 0 && seconds < 0 ? -count : count, name, digits));
  }
  return parts.join(' ');
}

/** The unit of time that begins at `ms`, in words: `Mar 9, 2001`, `Mar 2001`, `2001`. */
export function formatTime(ms: number, unit: CalendarUnit, locale: string): string {
  const fiscal = fiscalPositionIn(unit, ms);
  if (fiscal)
    return timeUnitOf(unit) === 'fiscalYear'
      ? chartMessagesIn(locale).fiscalYear(fiscal.year)
      : chartMessagesIn(locale).fiscalQuarter(fiscal.quarter, fiscal.year);
  if (unit === 'quarter')
    return chartMessagesIn(locale).quarter(
      Math.floor(new Date(ms).getUTCMonth() / 3) + 1,
      new Date(ms).getUTCFullYear(),
    );
  if (timeUnitOf(unit) === 'week')
    return dateFormat(locale, { year: 'numeric', month: 'short', day: 'numeric' }).formatRange(
      ms,
      ms + 6 * 86_400_000,
    );
  return dateFormat(locale, timeOptions[unit as keyof typeof timeOptions]).format(ms);
}

/** A day without its weekday: `Mar 9, 2001`. */
export function formatDay(ms: number, locale: string): string {
  return dateFormat(locale, { year: 'numeric', month: 'short', day: 'numeric' }).format(ms);
}

/**
 * From one day to before another, as short as its ends allow: `1983 – 1992`, `Jan – Mar 2001`, `Mar 9 – 14,
 * 2001`.
 * @param options.withoutYear parts of months only name their days: `Mar 9 – 14`
 */
export function formatPeriod(
  from: number,
  below: number,
  locale: string,
  { withoutYear = false }: { readonly withoutYear?: boolean } = {},
): string {
  const [first, next] = [new Date(from), new Date(below)];
  const isMonths = [first, next].every(end => end.getTime() % 86_400_000 === 0 && end.getUTCDate() === 1);
  const isYears = isMonths && first.getUTCMonth() === 0 && next.getUTCMonth() === 0;
  return dateFormat(locale, {
    ...(!(withoutYear && !isMonths) && { year: 'numeric' }),
    ...(!isYears && { month: 'short' }),
    ...(!isMonths && { day: 'numeric' }),
  }).formatRange(from, below - 1);
}

/** A moment to the minute: `Mar 9, 2001, 2:30 PM`. */
export function formatMoment(ms: number, locale: string): string {
  return dateFormat(locale, {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
  }).format(ms);
}

const timeOptions = {
  year: { year: 'numeric' },
  month: { year: 'numeric', month: 'short' },
  day: { year: 'numeric', month: 'short', day: 'numeric', weekday: 'short' },
  hour: { month: 'short', day: 'numeric', hour: 'numeric' },
  minute: { month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' },
} as const satisfies Partial<Record<TimeUnit, Intl.DateTimeFormatOptions>>;

/** A longer name is not readable, and measuring one of megabytes would end the page. */
const maxNameLength = 1000;

/**
 * Formats a value of a dimension. Null and empty text have different names; long texts are cut.
 * @param format the model's format of numbers
 */
export function formatValue(
  value: string | number | boolean | null,
  locale: string,
  format?: string,
): string {
  if (value === null) return chartMessagesIn(locale).noValue;
  if (value === '') return chartMessagesIn(locale).empty;
  if (typeof value === 'boolean') return value ? chartMessagesIn(locale).yes : chartMessagesIn(locale).no;
  if (typeof value === 'number' && format !== undefined) return formatNumber(value, format, locale, 'full');
  if (typeof value === 'number')
    return numberFormat(locale, {
      maximumSignificantDigits: significantDigits(value, 7),
      useGrouping: Math.abs(value) >= 10_000,
    })
      .format(value)
      .replace(/^-/, '−');
  return value.length > maxNameLength ? `${value.slice(0, maxNameLength)}…` : value;
}

export function numberFormat(locale: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = locale + JSON.stringify(options);
  // A negative number that rounds to zero has no sign.
  const found =
    numberFormats.get(key) ?? new Intl.NumberFormat(locale, { signDisplay: 'negative', ...options });
  numberFormats.set(key, found);
  return found;
}

export function dateFormat(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = locale + JSON.stringify(options);
  const found = dateFormats.get(key) ?? new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' });
  dateFormats.set(key, found);
  return found;
}
