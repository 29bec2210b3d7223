import type { evaluator, Plan, Value } from '@belvedere/query';
import type { QueryResult, ResultColumn } from '../../result.ts';
import { runs, type Run, type SettledGroup } from '../plan/settle-groups.ts';

/** The totals of one aggregate by cell. `empty` is the total that represents null. */
export interface ReadTotals {
  readonly values: Float64Array;
  readonly empty: number;
}

/** The result by group, in the query's numbering; groups without rows are omitted. */
export function cellsResult(
  plan: Plan,
  groups: readonly SettledGroup[],
  parts: readonly ReadTotals[],
): QueryResult {
  const names = plan.columns.slice(plan.groupBy).map(column => column.name);
  if (groups.length === 0)
    return {
      rowCount: 1,
      columns: parts.map((part, i): ResultColumn => ({
        name: names[i]!,
        type: 'number',
        values: Float64Array.of(totalAt(part, 0)),
      })),
    };
  const axes = runs(groups) as [Run, ...Run[]];
  const cells = axes.reduce((product, { axis }) => product * axis.count, 1);
  const room = roomFor(cells);
  for (const { values, empty } of parts)
    for (let cell = 0; cell < cells; cell++) if (values[cell] !== empty) room.isFilled[cell] = 1;
  const found = findFilled(room, cells, axes);
  const group = shared(room.numbers.subarray(0, found));
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

function totalAt({ values, empty }: ReadTotals, cell: number): number {
  return empty !== 0 && values[cell] === empty ? Number.NaN : values[cell]!;
}

/**
 * Writes the filled cells and their groups' numbers to the front of the room's arrays, without the slots that
 * a query does not show. @returns how many they are
 */
function findFilled(
  { isFilled, bitFields, numbers }: typeof room,
  cells: number,
  [along, ...beside]: readonly [Run, ...Run[]],
): number {
  let found = 0;
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
  return found;
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

/** The result by row, in the query's order; groups without rows are omitted. */
export function groupsResult(
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
    const part = (index: number) => totalAt(parts[index]!, cell);
    found.push([
      ...key,
      ...measures.map(measure => measure(part)).map(number => (Number.isNaN(number) ? null : number)),
    ]);
  }
  found.sort(inOrder(plan));
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

/** Compares rows as the plan orders them. */
function inOrder(plan: Plan): (a: readonly Value[], b: readonly Value[]) => number {
  const order = plan.order.map(({ column, descending }) => ({
    index: plan.columns.findIndex(({ name }) => name === column),
    direction: descending ? -1 : 1,
  }));
  return (a, b) =>
    order.reduce((sofar, { index, direction }) => sofar || compare(a[index]!, b[index]!, direction), 0);
}

/** SQL order: nulls always last, texts compared by their bytes. */
function compare(a: Value, b: Value, direction: number): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
  if (typeof a === 'string' && typeof b === 'string')
    return direction * Buffer.compare(Buffer.from(a), Buffer.from(b));
  return direction * (a < b ? -1 : a > b ? 1 : 0);
}
