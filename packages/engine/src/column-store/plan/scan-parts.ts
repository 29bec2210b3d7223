import type { Expression } from '@belvedere/model';
import { numbersOf, presenceOf, truthsOf } from '../encoded-column.ts';
import type { PackedBits } from '../encoded-table.ts';
import { tallySpan, type CubePart, type Marked } from '../kernel/scan.ts';
import type { Lookups } from './lookups.ts';
import type { Aggregate } from './plan-shape.ts';

/** Where the totals of an aggregate are among those of the cube's parts. */
export interface ReadPart {
  readonly part: number;
  /** The second half of a tally contains its sums. */
  readonly half: 0 | 1;
  /** The total that represents null. */
  readonly empty: number;
}

/**
 * Plans the cube's parts for a query's aggregates. A sum of integers is combined with its count.
 * @param isExact whether sums must be exact to the digit
 * @returns undefined if some aggregate cannot be computed from the encoded columns
 */
export function planParts(
  calls: readonly Aggregate[],
  fieldOf: (expression: Expression) => PackedBits | undefined,
  lookups: Lookups,
  isExact: boolean,
): { cubeParts: CubePart[]; read: ReadPart[] } | undefined {
  const cubeParts: CubePart[] = [];
  const tallies = new Map<PackedBits, number>();
  const summed = new Set(
    calls.filter(call => call.name === 'sum' && !call.filter).map(call => fieldOf(call.args[0]!)),
  );
  const read = calls.map(partOf);
  return read.every(part => part !== undefined) ? { cubeParts, read } : undefined;

  function partOf({ name, args, filter }: Aggregate): ReadPart | undefined {
    const where = filter && markedBy(filter);
    if (filter && !where) return undefined;
    const [argument] = args;
    if (!argument) return name === 'count' ? add({ kind: 'count', ...(where && { of: where }) }) : undefined;
    const field = fieldOf(argument);
    if (!field) return undefined;
    if (name === 'sum') return sumOf(field, where);
    if (where) return undefined;
    return name === 'count' ? countOf(field) : extremeOf(field, name as 'min' | 'max');
  }

  function countOf(field: PackedBits): ReadPart {
    if (!presence(field).includes(0)) return add({ kind: 'count' });
    const tally = summed.has(field) ? tallyOf(field) : undefined;
    return tally === undefined
      ? add({ kind: 'count', of: { bitField: field.bitField, truths: presence(field) } })
      : { part: tally, half: 0, empty: 0 };
  }

  function sumOf(field: PackedBits, where: Marked | undefined): ReadPart | undefined {
    const tally = where ? undefined : tallyOf(field);
    if (tally !== undefined) return { part: tally, half: 1, empty: 0 };
    // Sums of doubles depend on their order. If figures must be exact to the digit, the engine computes
    // them.
    const numbers = isExact ? undefined : numbersWith(field, 0);
    return numbers && add({ kind: 'sum', bitField: field.bitField, numbers, ...(where && { where }) });
  }

  function extremeOf(field: PackedBits, kind: 'min' | 'max'): ReadPart | undefined {
    const none = kind === 'min' ? Infinity : -Infinity;
    const numbers = numbersWith(field, none);
    return numbers && add({ kind, bitField: field.bitField, numbers }, none);
  }

  function add(part: CubePart, empty = 0): ReadPart {
    return { part: cubeParts.push(part) - 1, half: 0, empty };
  }

  /** The index of the part with a field's count and sum; undefined if its numbers are not tallied. */
  function tallyOf(field: PackedBits): number | undefined {
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
  }

  function markedBy(filter: Expression): Marked | undefined {
    const field = fieldOf(filter);
    const truths = field && lookups.once(`truths ${field.key}`, () => truthsOf(field));
    return truths && { bitField: field.bitField, truths };
  }

  function presence(field: PackedBits) {
    return lookups.once(`present ${field.key}`, () => presenceOf(field));
  }

  function numbersWith(field: PackedBits, none: number) {
    return lookups.once(`numbers ${none} ${field.key}`, () =>
      numbersOf(field)?.map(number => (Number.isNaN(number) ? none : number)),
    );
  }
}

const orZero = (number: number) => (Number.isNaN(number) ? 0 : number);

function isTallied(numbers: Float64Array): boolean {
  const present = numbers.filter(number => !Number.isNaN(number));
  return (
    present.length > 0 &&
    present.every(Number.isSafeInteger) &&
    present.reduce((max, number) => Math.max(max, number), -Infinity) -
      present.reduce((min, number) => Math.min(min, number), Infinity) <
      tallySpan
  );
}
