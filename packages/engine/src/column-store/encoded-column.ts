import type { DataType } from '@belvedere/model';
import {
  addUnits,
  binTolerance,
  edgeOf,
  nullSlot,
  slotOf,
  type Axis,
  type CalendarUnit,
  type PlanExpression,
  type Value,
} from '@belvedere/query';

/** An expression of a table, encoded as one small integer per row: its *code*. */
export interface EncodedField {
  /** Identifies the encoded expression; see `operandKey`. */
  readonly key: string;
  readonly type: DataType;
  readonly codes: Codes;
}

/**
 * The meaning of each code: one value, or a range of values that no query may split.
 *
 * - values: code i is `values[i]`
 * - integers: code i is `from + i`
 * - times: code i is the i-th unit counted from `from`. The days of a date are values, not ranges.
 * - bins: code i is `origin + i·step … origin + (i+1)·step`; the bins cover every value
 *
 * If some rows are null (`nulls`), the code after these is null.
 */
export type Codes =
  | { readonly kind: 'values'; readonly values: readonly Value[] }
  | { readonly kind: 'integers'; readonly from: number; readonly count: number; readonly nulls: boolean }
  | {
      readonly kind: 'times';
      readonly unit: CalendarUnit;
      readonly from: number;
      readonly count: number;
      readonly nulls: boolean;
    }
  | {
      readonly kind: 'bins';
      readonly origin: number;
      readonly step: number;
      readonly count: number;
      readonly nulls: boolean;
    };

/** A field that needs more codes gets no display-resolution column. */
export const maxCodes = 2 ** 16;

/**
 * Returns equal text for equal expressions in the same zone, regardless of their position in a document.
 * Joins have canonical names (`withCanonicalJoins`).
 */
export function operandKey(operand: PlanExpression, zone: string): string {
  const text = JSON.stringify(operand, (name, value: unknown) => (name === 'at' ? undefined : value));
  return text.includes('"kind":"local"') ? `${text} ${zone}` : text;
}

export function codeCount(codes: Codes): number {
  return codes.kind === 'values' ? codes.values.length : codes.count + (codes.nulls ? 1 : 0);
}

export function bitsOf(codes: Codes): number {
  return Math.max(1, Math.ceil(Math.log2(codeCount(codes))));
}

/**
 * The number of each code, NaN for null. Times are in wall-clock milliseconds.
 * @returns undefined if a code does not stand for a single number
 */
export function numbersOf({ codes, type }: EncodedField): Float64Array | undefined {
  switch (codes.kind) {
    case 'values':
      return codes.values.every(value => value === null || typeof value === 'number')
        ? Float64Array.from(codes.values, value => (value === null ? Number.NaN : Number(value)))
        : undefined;
    case 'integers':
      return Float64Array.from({ length: codeCount(codes) }, (_, code) =>
        code === codes.count ? Number.NaN : codes.from + code,
      );
    case 'times':
      return type === 'date' && codes.unit === 'day'
        ? Float64Array.from({ length: codeCount(codes) }, (_, code) =>
            code === codes.count ? Number.NaN : addUnits('day', codes.from, code),
          )
        : undefined;
    case 'bins':
      return undefined;
  }
}

/** 1 for each code that is not null, else 0. */
export function presenceOf({ codes }: EncodedField): Uint8Array {
  if (codes.kind === 'values') return Uint8Array.from(codes.values, value => (value === null ? 0 : 1));
  return Uint8Array.from({ length: codeCount(codes) }, (_, code) => (code === codes.count ? 0 : 1));
}

/**
 * The slot on the axis for each code. Values outside the axis get `slotsOf(axis)`, the index after the last
 * slot.
 * @returns undefined if a slot boundary splits a code, because the query is finer than the column
 */
export function slotsOfCodes(field: EncodedField, axis: Axis): Int32Array | undefined {
  const { codes } = field;
  if (axis.kind === 'categories') {
    if (
      codes.kind !== 'values' &&
      codes.kind !== 'integers' &&
      !(codes.kind === 'times' && field.type === 'date')
    )
      return undefined;
    const bitFields = new Map(axis.values.map((value, bitField) => [value, bitField]));
    return Int32Array.from(singleValues(field)!, value => bitFields.get(value) ?? axis.values.length);
  }
  if (codes.kind === 'values')
    return codes.values.every(value => typeof value !== 'string' && typeof value !== 'boolean')
      ? Int32Array.from(codes.values, value => slotOf(axis, value))
      : undefined;
  const slots = new Int32Array(codeCount(codes));
  if (codes.nulls) slots[codes.count] = nullSlot(axis);
  if (codes.kind === 'bins' && !edgesFall(codes, axis)) return undefined;
  for (let code = 0; code < codes.count; code++) {
    const [from, last] = spanOf(codes, code);
    const slot = slotOf(axis, from);
    if (last !== from && slotOf(axis, last) !== slot) return undefined;
    slots[code] = slot;
  }
  return slots;
}

/**
 * The truth of the condition for each code; unknown counts as false.
 * @returns undefined if the condition splits a code
 */
export function codesMatching(
  field: EncodedField,
  condition: Extract<PlanExpression, { kind: 'edge' | 'oneOf' }>,
): Uint8Array | undefined {
  const { codes } = field;
  if (condition.kind === 'oneOf') {
    const values = singleValues(field);
    const wanted = new Set(
      field.type === 'text'
        ? condition.values.map(value => (value === null ? null : String(value)))
        : condition.values,
    );
    return values && Uint8Array.from(values, value => (wanted.has(value) ? 1 : 0));
  }
  const meets = (value: number) =>
    condition.operator === '>=' ? value >= condition.value : value < condition.value;
  if (codes.kind === 'values')
    return codes.values.every(value => value === null || typeof value === 'number')
      ? Uint8Array.from(codes.values, value => (value !== null && meets(value as number) ? 1 : 0))
      : undefined;
  if (
    codes.kind === 'bins' &&
    condition.value > codes.origin &&
    condition.value < edgeOf({ ...codes, field: '' }, codes.count) &&
    !isOnEdge(codes, condition.value)
  )
    return undefined;
  const truth = new Uint8Array(codeCount(codes));
  for (let code = 0; code < codes.count; code++) {
    const [from, last] = spanOf(codes, code);
    if (meets(from) !== meets(last)) return undefined;
    truth[code] = meets(from) ? 1 : 0;
  }
  return truth;
}

/** For an encoded condition: 1 for each code that is true, else 0. */
export function truthsOf({ codes }: EncodedField): Uint8Array | undefined {
  return codes.kind === 'values' && codes.values.every(value => value === null || typeof value === 'boolean')
    ? Uint8Array.from(codes.values, value => (value === true ? 1 : 0))
    : undefined;
}

/** The single value of each code; undefined if codes stand for ranges. */
export function singleValues(field: EncodedField): readonly Value[] | undefined {
  if (field.codes.kind === 'values') return field.codes.values;
  const numbers = numbersOf(field);
  return numbers && Array.from(numbers, number => (Number.isNaN(number) ? null : number));
}

type Runs = Exclude<Codes, { kind: 'values' }>;

/** The first value of a code, and a representative of the last value it may contain. */
function spanOf(codes: Runs, code: number): readonly [number, number] {
  if (codes.kind === 'integers') return [codes.from + code, codes.from + code];
  if (codes.kind === 'times')
    return [addUnits(codes.unit, codes.from, code), addUnits(codes.unit, codes.from, code + 1) - 1];
  // `isOnEdge` checks edges separately, so the middle of the bin represents the whole bin.
  const middle = codes.origin + (code + 0.5) * codes.step;
  return [middle, middle];
}

function isOnEdge(codes: Extract<Codes, { kind: 'bins' }>, value: number): boolean {
  const bitField = Math.round((value - codes.origin) / codes.step);
  return edgeOf({ ...codes, field: '' }, bitField) === value;
}

function edgesFall(
  codes: Extract<Codes, { kind: 'bins' }>,
  axis: Exclude<Axis, { kind: 'categories' }>,
): boolean {
  if (
    axis.kind !== 'bins' ||
    Math.abs(axis.step / codes.step - Math.round(axis.step / codes.step)) > binTolerance
  )
    return false;
  return (
    isOnEdge(codes, edgeOf(axis, 0)) &&
    isOnEdge(codes, edgeOf(axis, 1)) &&
    isOnEdge(codes, edgeOf(axis, axis.count))
  );
}
