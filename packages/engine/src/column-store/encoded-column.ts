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

/** An expression of a table as one small whole number a row: its *code*. */
export interface EncodedField {
  /** What is coded, as `operandKey` says it. */
  readonly key: string;
  readonly type: DataType;
  readonly codes: Codes;
}

/**
 * What each code stands for: one value, or a run of values that no question may split.
 *
 * - values: code i is `values[i]`
 * - integers: code i is `from + i`
 * - times: code i is the i-th unit from `from` on. Days of a date are values, not runs.
 * - bins: code i is `origin + i·step … origin + (i+1)·step`, which hold every value there is
 *
 * Where some row has no value (`nulls`), the code after these is null.
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

/** More codes than this make no display-resolution column. */
export const maxCodes = 2 ** 16;

/** The same text for the same expression in the same zone, wherever in a document it stands; joins are called by what they are (`withCanonicalJoins`). */
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

/** Each code's number, NaN for null; times in wall-clock milliseconds. @returns undefined where a code is no single number. */
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

/** 1 for codes that are not null. */
export function presenceOf({ codes }: EncodedField): Uint8Array {
  if (codes.kind === 'values') return Uint8Array.from(codes.values, value => (value === null ? 0 : 1));
  return Uint8Array.from({ length: codeCount(codes) }, (_, code) => (code === codes.count ? 0 : 1));
}

/**
 * The axis' slot for each code; `slotsOf(axis)`, one past the last, for values that the axis has no place for at all.
 * @returns undefined where the axis cuts through a code: the question is finer than the column
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

/** The condition's truth for each code, unknown being false. @returns undefined where it cuts through a code. */
export function truthOfCodes(
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

/** 1 for codes that are true; for coded conditions. */
export function truthsOf({ codes }: EncodedField): Uint8Array | undefined {
  return codes.kind === 'values' && codes.values.every(value => value === null || typeof value === 'boolean')
    ? Uint8Array.from(codes.values, value => (value === true ? 1 : 0))
    : undefined;
}

/** Each code's one value; undefined where codes are runs. */
export function singleValues(field: EncodedField): readonly Value[] | undefined {
  if (field.codes.kind === 'values') return field.codes.values;
  const numbers = numbersOf(field);
  return numbers && Array.from(numbers, number => (Number.isNaN(number) ? null : number));
}

type Runs = Exclude<Codes, { kind: 'values' }>;

/** The first value of a code, and one that stands for the last it may hold. */
function spanOf(codes: Runs, code: number): readonly [number, number] {
  if (codes.kind === 'integers') return [codes.from + code, codes.from + code];
  if (codes.kind === 'times')
    return [addUnits(codes.unit, codes.from, code), addUnits(codes.unit, codes.from, code + 1) - 1];
  // Edges are checked on their own (`isOnEdge`), so a point well inside the bin speaks for all of it.
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
