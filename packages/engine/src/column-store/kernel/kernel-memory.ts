import type { CubePart } from './scan.ts';
import type { ScanLayout, Totals } from './totals.ts';

/** Facts about a lookup table: whether each code maps to itself, and the largest entry. */
interface InspectedLookup {
  readonly areCodes: boolean;
  readonly max: number;
}

/**
 * Lays out a thread's own memory: totals first, then each lookup table once. All offsets are multiples of
 * eight.
 */
export class KernelMemory {
  readonly #chunks: { offset: number; bytes: Uint8Array }[] = [];
  readonly #known = new Map<object, Map<string, number>>();
  readonly #names = new Map<object, string>();
  readonly #inspected = new Map<Int32Array | Float64Array, InspectedLookup>();
  #end: number;

  /** @param from the offset at which the layout begins */
  constructor(from: number) {
    this.#end = from;
  }

  /** Returns the same text for the same lookup table. */
  nameOf(lookup: object): string {
    const found = this.#names.get(lookup) ?? String(this.#names.size);
    this.#names.set(lookup, found);
    return found;
  }

  /**
   * Inspects a lookup table once, for all rows of an iteration.
   * @param min is subtracted from each entry; always the same for one table, its minimum
   */
  inspect(numbers: Int32Array | Float64Array, min = 0): InspectedLookup {
    const known = this.#inspected.get(numbers);
    if (known) return known;
    const found = { areCodes: true, max: 0 };
    for (let code = 0; code < numbers.length; code++) {
      const number = numbers[code]! - min;
      if (number !== code) found.areCodes = false;
      if (number > found.max) found.max = number;
    }
    this.#inspected.set(numbers, found);
    return found;
  }

  /** The offset of a lookup table in one of the forms that the kernel needs. */
  add(
    lookup: object,
    form: string,
    make: () => Uint16Array | Int32Array | Float64Array | BigInt64Array,
  ): number {
    const forms = this.#known.get(lookup) ?? new Map<string, number>();
    this.#known.set(lookup, forms);
    const found = forms.get(form);
    if (found !== undefined) return found;
    const made = make();
    const offset = this.#take(made.byteLength);
    forms.set(form, offset);
    this.#chunks.push({ offset, bytes: new Uint8Array(made.buffer, made.byteOffset, made.byteLength) });
    return offset;
  }

  /** Reserves the counters and the totals of a part of a cube. */
  totals(part: CubePart, cells: number): Totals {
    const kind = part.kind === 'count' ? 'i32' : part.kind === 'tally' ? 'tally' : 'f64';
    const offset = this.#take(cells * (kind === 'i32' ? 4 : 8));
    const read = this.#take(cells * (kind === 'tally' ? 16 : 8));
    const min =
      part.kind === 'tally'
        ? part.numbers.reduce(
            (sofar, number, code) => (part.truths[code] === 1 ? Math.min(sofar, number) : sofar),
            Infinity,
          )
        : undefined;
    return {
      offset,
      read,
      cells,
      kind,
      merge: part.kind === 'min' || part.kind === 'max' ? part.kind : 'add',
      ...(min !== undefined && { min }),
    };
  }

  /** The whole layout, once everything is in it. */
  laidOut(): Omit<ScanLayout, 'totals'> {
    const at = this.#chunks[0]?.offset ?? this.#end;
    const lookups = new Uint8Array(this.#end - at);
    for (const { offset, bytes } of this.#chunks) lookups.set(bytes, offset - at);
    return { lookups: { at, bytes: lookups }, bytes: this.#end };
  }

  #take(bytes: number): number {
    const offset = this.#end;
    this.#end = Math.ceil((offset + bytes) / 8) * 8;
    return offset;
  }
}
