/** The work of one pass over a table's encoded words. Plain data, so that it can be posted to threads. */
export interface Scan {
  readonly sections: readonly Section[];
}

/** Cubes with a common condition. */
interface Section {
  readonly test?: Test;
  readonly cubes: readonly Cube[];
}

/** The position of a field's code in a row: `(words[word] >>> shift) & mask`. */
export interface BitField {
  readonly word: number;
  readonly shift: number;
  readonly mask: number;
}

/** Returns the same text for the same bits. */
export function bitFieldKey({ word, shift, mask }: BitField): string {
  return `${word} ${shift} ${mask}`;
}

export type Test =
  | { readonly kind: 'truth'; readonly bitField: BitField; readonly truths: Uint8Array }
  | { readonly kind: 'all' | 'any'; readonly tests: readonly Test[] }
  | { readonly kind: 'not'; readonly test: Test };

/** Totals per cell of its axes; the *first* axis varies fastest. */
export interface Cube {
  readonly axes: readonly CubeAxis[];
  readonly parts: readonly CubePart[];
}

export interface CubeAxis {
  readonly bitField: BitField;
  /** The slot of each code. */
  readonly slots: Int32Array;
  readonly count: number;
}

/**
 * `count` counts rows, or rows with a marked code. The other kinds aggregate a number per code; null has a
 * number that changes nothing. A `tally` counts the marked codes and sums their integers in one update, for
 * the price of one; its two totals are the count, then the sum.
 */
export type CubePart =
  | { readonly kind: 'count'; readonly of?: Marked }
  | {
      readonly kind: 'tally';
      readonly bitField: BitField;
      readonly truths: Uint8Array;
      readonly numbers: Float64Array;
    }
  | {
      readonly kind: 'sum';
      readonly bitField: BitField;
      readonly numbers: Float64Array;
      readonly where?: Marked;
    }
  | { readonly kind: 'min' | 'max'; readonly bitField: BitField; readonly numbers: Float64Array };

export interface Marked {
  readonly bitField: BitField;
  readonly truths: Uint8Array;
}

export function cellsIn(cube: Cube): number {
  return cube.axes.reduce((product, axis) => product * axis.count, 1);
}

/** The integers of a tally must lie in a range of this size. */
export const tallySpan = 2 ** 16;

/** The number of totals per cell of a part. */
export function totalsOf(part: CubePart): number {
  return part.kind === 'tally' ? 2 : 1;
}

/**
 * The reference implementation that the compiled kernel must agree with.
 * @returns totals per section, cube and part; a tally's counts precede its sums
 */
export function scanPlainly(scan: Scan, words: readonly Uint32Array[], rows: number): Float64Array[][][] {
  const code = (bitField: BitField, row: number) =>
    (words[bitField.word]![row]! >>> bitField.shift) & bitField.mask;
  const holds = (test: Test, row: number): boolean => {
    switch (test.kind) {
      case 'truth':
        return test.truths[code(test.bitField, row)] === 1;
      case 'not':
        return !holds(test.test, row);
      case 'all':
        return test.tests.every(inner => holds(inner, row));
      case 'any':
        return test.tests.some(inner => holds(inner, row));
    }
  };
  return scan.sections.map(section => {
    const totals = section.cubes.map(cube =>
      cube.parts.map(part => new Float64Array(cellsIn(cube) * totalsOf(part)).fill(neutral(part.kind))),
    );
    for (let row = 0; row < rows; row++) {
      if (section.test && !holds(section.test, row)) continue;
      section.cubes.forEach((cube, c) => {
        let cell = 0;
        let stride = 1;
        for (const axis of cube.axes) {
          cell += axis.slots[code(axis.bitField, row)]! * stride;
          stride *= axis.count;
        }
        cube.parts.forEach((part, p) => {
          const into = totals[c]![p]!;
          const is = (marked: Marked | undefined) =>
            !marked || marked.truths[code(marked.bitField, row)] === 1;
          if (part.kind === 'count') into[cell] = into[cell]! + (is(part.of) ? 1 : 0);
          else if (part.kind === 'tally') {
            const own = code(part.bitField, row);
            if (part.truths[own] !== 1) return;
            into[cell] = into[cell]! + 1;
            into[cellsIn(cube) + cell] = into[cellsIn(cube) + cell]! + part.numbers[own]!;
          } else if (part.kind === 'sum')
            into[cell] = into[cell]! + (is(part.where) ? part.numbers[code(part.bitField, row)]! : 0);
          else into[cell] = Math[part.kind](into[cell]!, part.numbers[code(part.bitField, row)]!);
        });
      });
    }
    return totals;
  });
}

/** The initial value of a total, neutral for its aggregation. */
export function neutral(kind: CubePart['kind'] | 'add'): number {
  return kind === 'min' ? Infinity : kind === 'max' ? -Infinity : 0;
}
