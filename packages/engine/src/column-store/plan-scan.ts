import type { DataType, Expression } from '@belvedere/model';
import {
  addUnits,
  evaluator,
  positionsOf,
  slotsOf,
  startOf,
  decomposeMeasures,
  type Axis,
  type CalendarUnit,
  type PartsExpression,
  type Plan,
  type PlanExpression,
  type Value,
} from '@belvedere/query';
import type { QueryResult, ResultColumn } from '../result.ts';
import {
  codeCount,
  numbersOf,
  presenceOf,
  singleValues,
  slotsOfCodes,
  codesMatching,
  truthsOf,
  type EncodedField,
} from './encoded-column.ts';
import {
  cellsIn,
  tallySpan,
  type BitField,
  type Cube,
  type CubeAxis,
  type CubePart,
  type Test,
} from './kernel/scan.ts';

/** The display-resolution columns of one table. */
export interface EncodedTable {
  readonly rows: number;
  /** By `operandKey`. */
  readonly fields: ReadonlyMap<string, PackedBits>;
  readonly lookups: Lookups;
}

/**
 * A cache of lookup tables for a table's codes. Dashboards query the same axes repeatedly, and equal lookup
 * tables must be the same object.
 */
export class Lookups {
  readonly #made = new Map<string, unknown>();
  #bytes = 0;

  get bytes(): number {
    return this.#bytes;
  }

  once<T>(key: string, make: () => T): T {
    if (this.#made.has(key)) return this.#made.get(key) as T;
    const made = make();
    const bytes = key.length * 2 + (ArrayBuffer.isView(made) ? made.byteLength : 0);
    if (this.#made.size >= maxLookups || this.#bytes + bytes > maxLookupBytes) {
      this.#made.clear();
      this.#bytes = 0;
    }
    this.#made.set(key, made);
    this.#bytes += bytes;
    return made;
  }
}

const maxLookups = 1000;
/** Limit per table. A lookup table has one entry per code of its field: 65,536 at most. */
export const maxLookupBytes = 32 * 2 ** 20;

export interface PackedBits extends EncodedField {
  readonly bitField: BitField;
}

/** A query's part of a pass over the encoded words, and how to make its result. */
export interface PlannedScan {
  readonly test?: Test;
  /** Equal text for equal tests. */
  readonly testKey: string;
  readonly cube: Cube;
  /** @param totals one array per part, with one number per cell (two for a tally: counts, then sums) */
  readonly result: (totals: readonly Float64Array[]) => QueryResult;
}

/** See `operandKey`. */
export type KeyOf = (expression: PlanExpression) => string;

export interface Operand {
  readonly key: string;
  readonly expression: PlanExpression;
}

/**
 * The expressions that a plan needs encoded: its groups, filters and aggregates.
 * @returns undefined for plans that encoded columns never answer: single rows, medians, distinct counts, text
 * search
 */
export function operandsOf(plan: Plan, keyOf: KeyOf): Operand[] | undefined {
  const shape = shapeOf(plan);
  const conditions = plan.where.flatMap(leavesOf);
  if (!shape || conditions.some(leaf => leaf.kind !== 'edge' && leaf.kind !== 'oneOf')) return undefined;
  const expressions = [
    ...shape.groups.map(group => group.operand),
    ...conditions.flatMap(leaf => ('operand' in leaf ? [leaf.operand] : [])),
    ...shape.aggregates
      .flatMap(({ args, filter }) => (filter ? [...args, filter] : args))
      .map(expression => ({ kind: 'model', expression }) as const),
  ];
  return [
    ...new Map(
      expressions.map(expression => [keyOf(expression), { key: keyOf(expression), expression }]),
    ).values(),
  ];
}

/**
 * Plans a pass over a table's encoded columns for a query.
 * @returns undefined if they cannot answer the query exactly and the engine has to
 */
export function planScan(plan: Plan, table: EncodedTable, keyOf: KeyOf): PlannedScan | undefined {
  const shape = shapeOf(plan);
  if (!shape) return undefined;
  const fieldOf = (expression: PlanExpression) => table.fields.get(keyOf(expression));
  const groups = shape.groups.map(group => settleGroup(group, fieldOf(group.operand), table.lookups));
  const tests = plan.where.map(condition => testOf(condition, fieldOf));
  const parts = planParts(
    shape.aggregates,
    expression => fieldOf({ kind: 'model', expression }),
    table.lookups,
    shape.kind === 'groups' && shape.isExact,
  );
  if (!allThere(groups) || !allThere(tests) || !parts) return undefined;
  const axes = shape.kind === 'cells' ? runs(groups).map(({ axis }) => axis) : groups.map(({ axis }) => axis);
  // Group results omit groups without rows, so the rows are counted. Cells need no count, because empty cells
  // are not drawn.
  const cubeParts: readonly CubePart[] =
    shape.kind === 'groups' ? [...parts.cubeParts, { kind: 'count' }] : parts.cubeParts;
  const cube: Cube = { axes, parts: cubeParts };
  const cells = cellsIn(cube);
  if (cells > 4_000_000) return undefined;
  const read = (totals: readonly Float64Array[]) =>
    parts.read.map(({ part, half, empty }) => ({
      values: half === 1 ? totals[part]!.subarray(cells) : totals[part]!.subarray(0, cells),
      empty,
    }));
  const result =
    shape.kind === 'cells'
      ? (totals: readonly Float64Array[]) => cellsAnswer(plan, groups, read(totals))
      : (totals: readonly Float64Array[]) =>
          groupsAnswer(plan, shape.values.map(evaluator), groups, read(totals), totals.at(-1)!);
  return {
    ...(tests.length > 0 && { test: tests.length === 1 ? tests[0]! : { kind: 'all', tests } }),
    testKey: JSON.stringify(plan.where),
    cube,
    result,
  };
}

interface Group {
  readonly operand: PlanExpression;
  readonly axis?: Axis;
  readonly unit?: CalendarUnit;
}

type Aggregate = Expression & { readonly kind: 'call' };

type Shape =
  | { readonly kind: 'cells'; readonly groups: readonly Group[]; readonly aggregates: readonly Aggregate[] }
  | {
      readonly kind: 'groups';
      readonly groups: readonly Group[];
      readonly aggregates: readonly Aggregate[];
      readonly values: readonly PartsExpression[];
      readonly isExact: boolean;
    };

function shapeOf(plan: Plan): Shape | undefined {
  if (plan.groupBy === undefined || plan.countedAs !== undefined) return undefined;
  const first = plan.columns[0]?.expression;
  const isCells =
    plan.columns
      .slice(plan.groupBy)
      .every(column => column.expression.kind === 'double' && column.name.startsWith('part')) &&
    (plan.groupBy === 0 || first?.kind === 'group');
  const measures = plan.columns
    .slice(plan.groupBy)
    .map(({ expression }) => (expression.kind === 'double' ? expression.operand : expression));
  if (!measures.every(expression => expression.kind === 'model')) return undefined;
  // Cell queries contain single aggregates, already split.
  if (isCells) {
    const aggregates = measures.map(({ expression }) => expression);
    return aggregates.every(isMergeable)
      ? { kind: 'cells', groups: first?.kind === 'group' ? first.axes : [], aggregates }
      : undefined;
  }
  const { parts, values } = decomposeMeasures(measures);
  const aggregates = parts.map(part => part.aggregate);
  if (!aggregates.every(isMergeable)) return undefined;
  const groups = plan.columns
    .slice(0, plan.groupBy)
    .map(({ expression }): Group =>
      expression.kind === 'truncate'
        ? { operand: expression.operand, unit: expression.unit }
        : { operand: expression },
    );
  return {
    kind: 'groups',
    groups,
    aggregates,
    values,
    isExact: plan.columns.slice(plan.groupBy).some(column => column.expression.kind === 'model'),
  };
}

function isMergeable(expression: Expression): expression is Aggregate {
  return (
    expression.kind === 'call' &&
    !expression.distinct &&
    expression.args.length <= 1 &&
    ['count', 'sum', 'min', 'max'].includes(expression.name)
  );
}

function leavesOf(condition: PlanExpression): PlanExpression[] {
  if (condition.kind === 'all' || condition.kind === 'any') return condition.conditions.flatMap(leavesOf);
  return condition.kind === 'not' ? leavesOf(condition.condition) : [condition];
}

interface SettledGroup {
  /** May have one more slot than the query needs, for values outside of the filter or the axis. */
  readonly axis: CubeAxis;
  readonly shown: number;
  readonly type: DataType;
  /** The value of each slot, if the group has values instead of an axis. */
  readonly values?: readonly Value[];
}

function settleGroup(
  { axis, unit }: Group,
  field: PackedBits | undefined,
  lookups: Lookups,
): SettledGroup | undefined {
  if (!field) return undefined;
  if (axis) {
    const slots = lookups.once(`slots ${field.key} ${axisKey(axis)}`, () => slotsOfCodes(field, axis));
    const shown = slotsOf(axis);
    return (
      slots && {
        type: field.type,
        shown,
        axis: { bitField: field.bitField, slots, count: slots.includes(shown) ? shown + 1 : shown },
      }
    );
  }
  if (unit) return settleUnit(field, unit);
  const all = singleValues(field);
  if (!all) return undefined;
  // Several codes may map to one value if the field derives from another.
  const bitFields = new Map([...new Set(all)].map((value, bitField) => [value, bitField]));
  return {
    type: field.type,
    shown: bitFields.size,
    axis: {
      bitField: field.bitField,
      slots: lookups.once(`codes ${field.key}`, () => Int32Array.from(all, value => bitFields.get(value)!)),
      count: bitFields.size,
    },
    values: [...bitFields.keys()],
  };
}

/** Groups codes by their unit of time. Undefined if the codes are coarser than the unit. */
function settleUnit(field: PackedBits, unit: CalendarUnit): SettledGroup | undefined {
  const { codes } = field;
  if (codes.kind !== 'times') return undefined;
  const starts = slotsOfCodes(field, {
    kind: 'times',
    field: '',
    unit,
    from: startOf(unit, codes.from),
    count: codeCount(codes),
  });
  if (!starts) return undefined;
  const axis: Axis = {
    kind: 'times',
    field: '',
    unit,
    from: startOf(unit, codes.from),
    count: starts.slice(0, codes.count).reduce((most, slot) => Math.max(most, slot), 0) + 1,
  };
  const values = Array.from({ length: positionsOf(axis) }, (_, bitField): Value =>
    addUnits(unit, axis.from, bitField),
  );
  return {
    type: 'time',
    shown: slotsOf(axis),
    axis: { bitField: field.bitField, slots: slotsOfCodes(field, axis)!, count: slotsOf(axis) },
    values: [...values, null],
  };
}

function testOf(
  condition: PlanExpression,
  fieldOf: (expression: PlanExpression) => PackedBits | undefined,
): Test | undefined {
  switch (condition.kind) {
    case 'edge':
    case 'oneOf': {
      const field = fieldOf(condition.operand);
      const truths = field && codesMatching(field, condition);
      return truths && { kind: 'truth', bitField: field.bitField, truths };
    }
    case 'not': {
      const test = testOf(condition.condition, fieldOf);
      return test && { kind: 'not', test };
    }
    case 'all':
    case 'any': {
      const tests = condition.conditions.map(inner => testOf(inner, fieldOf));
      return allThere(tests) ? { kind: condition.kind, tests } : undefined;
    }
    default:
      return undefined;
  }
}

interface ReadPart {
  readonly part: number;
  /** The second half of a tally contains its sums. */
  readonly half: 0 | 1;
  /** The total that represents null. */
  readonly empty: number;
}

/** The cube's parts for a query's aggregates. A sum of integers is combined with its count. */
function planParts(
  calls: readonly Aggregate[],
  fieldOf: (expression: Expression) => PackedBits | undefined,
  lookups: Lookups,
  isExact: boolean,
): { cubeParts: CubePart[]; read: ReadPart[] } | undefined {
  const cubeParts: CubePart[] = [];
  const tallies = new Map<PackedBits, number>();
  const add = (part: CubePart, empty = 0): ReadPart => ({ part: cubeParts.push(part) - 1, half: 0, empty });
  const tallyOf = (field: PackedBits) => {
    const numbers = lookups.once(`whole ${field.key}`, () => {
      const all = numbersOf(field);
      return all && isTallied(all) ? all.map(orZero) : undefined;
    });
    if (!numbers) return undefined;
    const known =
      tallies.get(field) ??
      cubeParts.push({ kind: 'tally', bitField: field.bitField, truths: presence(field), numbers }) - 1;
    tallies.set(field, known);
    return known;
  };
  const presence = (field: PackedBits) => lookups.once(`present ${field.key}`, () => presenceOf(field));
  const numbersWith = (field: PackedBits, none: number) =>
    lookups.once(`numbers ${none} ${field.key}`, () =>
      numbersOf(field)?.map(number => (Number.isNaN(number) ? none : number)),
    );
  const summed = new Set(
    calls.filter(call => call.name === 'sum' && !call.filter).map(call => fieldOf(call.args[0]!)),
  );
  const read = calls.map((call): ReadPart | undefined => {
    const filter = call.filter && fieldOf(call.filter);
    const marks = filter && lookups.once(`truths ${filter.key}`, () => truthsOf(filter));
    if (call.filter && !marks) return undefined;
    const where = filter && { bitField: filter.bitField, truths: marks! };
    const [argument] = call.args;
    if (!argument)
      return call.name === 'count' ? add({ kind: 'count', ...(where && { of: where }) }) : undefined;
    const field = fieldOf(argument);
    if (!field) return undefined;
    if (call.name === 'count') {
      if (where) return undefined;
      if (!presence(field).includes(0)) return add({ kind: 'count' });
      const tally = summed.has(field) ? tallyOf(field) : undefined;
      return tally === undefined
        ? add({ kind: 'count', of: { bitField: field.bitField, truths: presence(field) } })
        : { part: tally, half: 0, empty: 0 };
    }
    if (call.name === 'sum') {
      const tally = where ? undefined : tallyOf(field);
      if (tally !== undefined) return { part: tally, half: 1, empty: 0 };
      // Sums of doubles depend on their order. If figures must be exact to the digit, the engine computes
      // them.
      const numbers = isExact ? undefined : numbersWith(field, 0);
      return numbers
        ? add({ kind: 'sum', bitField: field.bitField, numbers, ...(where && { where }) })
        : undefined;
    }
    const none = call.name === 'min' ? Infinity : -Infinity;
    const numbers = where ? undefined : numbersWith(field, none);
    return numbers && add({ kind: call.name as 'min' | 'max', bitField: field.bitField, numbers }, none);
  });
  return allThere(read) ? { cubeParts, read } : undefined;
}

const orZero = (number: number) => (Number.isNaN(number) ? 0 : number);

function isTallied(numbers: Float64Array): boolean {
  const present = numbers.filter(number => !Number.isNaN(number));
  return (
    present.length > 0 &&
    present.every(Number.isSafeInteger) &&
    present.reduce((most, number) => Math.max(most, number), -Infinity) -
      present.reduce((least, number) => Math.min(least, number), Infinity) <
      tallySpan
  );
}

/** Returns equal text for axes that map equal codes to equal slots, whatever the dimension's name. */
function axisKey({ field: _, ...axis }: Axis): string {
  return JSON.stringify(axis);
}

interface ReadTotals {
  readonly values: Float64Array;
  readonly empty: number;
}

interface Run {
  readonly axis: CubeAxis;
  readonly shown: number;
  /** The stride of this axis in the query's group numbering, in which the last axis varies fastest. */
  readonly stride: number;
}

/**
 * The distinct axes of the groups. If two axes are the same (a time series by day, brushed by day), only the
 * diagonal has rows. Such an axis is counted once and its stride covers both.
 */
function runs(groups: readonly SettledGroup[]): Run[] {
  const found: Run[] = [];
  groups.forEach(({ axis, shown }, g) => {
    const stride = groups.slice(g + 1).reduce((product, other) => product * other.shown, 1);
    const same = found.findIndex(
      other =>
        other.axis.slots === axis.slots && other.axis.bitField === axis.bitField && other.shown === shown,
    );
    if (same < 0) found.push({ axis, shown, stride });
    else found[same] = { ...found[same]!, stride: found[same]!.stride + stride };
  });
  return found;
}

/** The result by group, in the query's numbering; groups without rows are omitted. */
function cellsAnswer(plan: Plan, groups: readonly SettledGroup[], parts: readonly ReadTotals[]): QueryResult {
  const value = ({ values, empty }: ReadTotals, cell: number) =>
    empty !== 0 && values[cell] === empty ? Number.NaN : values[cell]!;
  const names = plan.columns.slice(plan.groupBy).map(column => column.name);
  if (groups.length === 0)
    return {
      rowCount: 1,
      columns: parts.map((part, i): ResultColumn => ({
        name: names[i]!,
        type: 'number',
        values: Float64Array.of(value(part, 0)),
      })),
    };
  const axes = runs(groups);
  const cells = axes.reduce((product, { axis }) => product * axis.count, 1);
  const room = roomFor(cells);
  const { isFilled, bitFields, numbers } = room;
  for (const { values, empty } of parts)
    for (let cell = 0; cell < cells; cell++) if (values[cell] !== empty) isFilled[cell] = 1;
  let found = 0;
  const [along, ...beside] = axes as [Run, ...Run[]];
  const digits = beside.map(() => 0);
  let [first, hidden] = [0, 0];
  for (let row = 0; row < cells; row += along.axis.count) {
    for (let step = 0; step < along.shown && hidden === 0; step++) {
      if (isFilled[row + step] === 0) continue;
      bitFields[found] = row + step;
      numbers[found++] = first + step * along.stride;
    }
    for (let g = 0; g < digits.length; g++) {
      const { axis, shown, stride } = beside[g]!;
      digits[g] = digits[g]! + 1;
      first += stride;
      if (digits[g] === shown && shown < axis.count) hidden++;
      if (digits[g]! < axis.count) break;
      if (shown < axis.count) hidden--;
      first -= digits[g]! * stride;
      digits[g] = 0;
    }
  }
  const group = shared(numbers.subarray(0, found));
  return {
    rowCount: found,
    columns: [
      { name: 'group', type: 'integer', values: group },
      ...parts.map((part, i): ResultColumn => ({
        name: names[i]!,
        type: 'number',
        values: gathered(part, room, found),
      })),
    ],
  };
}

let room = { isFilled: new Uint8Array(), bitFields: new Int32Array(), numbers: new Int32Array() };

/** Reused between results, because there are many cells and new memory costs more than writing to it. */
function roomFor(cells: number): typeof room {
  if (room.isFilled.length < cells)
    room = {
      isFilled: new Uint8Array(cells),
      bitFields: new Int32Array(cells),
      numbers: new Int32Array(cells),
    };
  room.isFilled.fill(0, 0, cells);
  return room;
}

/** Values in shared memory, so that the result need not be copied. Counts and integer sums use half of it. */
function gathered(
  { values, empty }: ReadTotals,
  { bitFields, numbers }: typeof room,
  count: number,
): Float64Array | Int32Array {
  let whole = 0;
  for (; whole < count; whole++) {
    const value = values[bitFields[whole]!]!;
    numbers[whole] = value;
    if (numbers[whole] !== value) break;
  }
  if (whole === count) return shared(numbers.subarray(0, count));
  const doubles = new Float64Array(new SharedArrayBuffer(count * 8));
  for (let i = 0; i < count; i++) {
    const value = values[bitFields[i]!]!;
    doubles[i] = empty !== 0 && value === empty ? Number.NaN : value;
  }
  return doubles;
}

function shared(numbers: Int32Array): Int32Array {
  const copy = new Int32Array(new SharedArrayBuffer(numbers.byteLength));
  copy.set(numbers);
  return copy;
}

function groupsAnswer(
  plan: Plan,
  measures: readonly ReturnType<typeof evaluator>[],
  groups: readonly SettledGroup[],
  parts: readonly ReadTotals[],
  rows: Float64Array,
): QueryResult {
  const found: Value[][] = [];
  for (let cell = 0; cell < rows.length; cell++) {
    if (rows[cell] === 0 && groups.length > 0) continue;
    let rest = cell;
    const key = groups.map(({ axis, values }) => {
      const slot = rest % axis.count;
      rest = Math.floor(rest / axis.count);
      return values![slot]!;
    });
    const part = (index: number) =>
      parts[index]!.empty !== 0 && parts[index]!.values[cell] === parts[index]!.empty
        ? Number.NaN
        : parts[index]!.values[cell]!;
    found.push([
      ...key,
      ...measures.map(measure => measure(part)).map(number => (Number.isNaN(number) ? null : number)),
    ]);
  }
  const order = plan.order.map(({ column, descending }) => ({
    index: plan.columns.findIndex(({ name }) => name === column),
    direction: descending ? -1 : 1,
  }));
  found.sort((a, b) =>
    order.reduce((sofar, { index, direction }) => sofar || compare(a[index]!, b[index]!, direction), 0),
  );
  const shown = found.slice(
    plan.offset ?? 0,
    plan.limit === undefined ? undefined : (plan.offset ?? 0) + plan.limit,
  );
  return {
    rowCount: shown.length,
    columns: plan.columns.map(({ name }, i): ResultColumn => ({
      name,
      type: groups[i]?.type ?? 'number',
      values: shown.map(row => row[i]!),
    })),
  };
}

/** SQL order: nulls always last, texts compared by their bytes. */
function compare(a: Value, b: Value, direction: number): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
  if (typeof a === 'string' && typeof b === 'string')
    return direction * Buffer.compare(Buffer.from(a), Buffer.from(b));
  return direction * (a < b ? -1 : a > b ? 1 : 0);
}

function allThere<T>(values: (T | undefined)[]): values is T[] {
  return values.every(value => value !== undefined);
}
