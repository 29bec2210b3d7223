import { beginOf } from './memory-layout.ts';
import { bitFieldKey, type BitField } from './scan.ts';
import { op, type Code } from './wasm.ts';

/** The address of the current row within every word's memory, and where the rows end. */
export const kernelParameters = { row: 0, below: 1 } as const;

/**
 * The local variables of a kernel. The rows of an iteration use the same ones, one after another. 64-bit
 * variables precede the others, so their number is known from the start.
 */
export class KernelLocals {
  readonly wide: number;
  #narrow = 0;
  #usedWide = 0;
  #used = 0;

  constructor(wide: number) {
    this.wide = wide;
  }

  /** The number of 32-bit variables that the row with the most of them uses. */
  get narrow(): number {
    return this.#narrow;
  }

  /** Makes all variables available again, for the next row. */
  reset(): void {
    this.#usedWide = 0;
    this.#used = 0;
  }

  next(): number {
    this.#narrow = Math.max(this.#narrow, ++this.#used);
    return 1 + this.wide + this.#used;
  }

  nextWide(): number {
    return 2 + this.#usedWide++;
  }
}

/** Extracts the codes of one row's fields from its words, each word and each code once. */
export class FieldCodes {
  readonly #locals: KernelLocals;
  readonly #words: number[];
  readonly #ahead: number;
  readonly #fields = new Map<string, number>();
  readonly #loaded = new Map<number, number>();
  readonly #extractions: Code[] = [];

  /**
   * @param words the words that the kernel reads; new ones are added
   * @param ahead the row's distance from the iteration's first one, in rows
   */
  constructor(locals: KernelLocals, words: number[], ahead: number) {
    this.#locals = locals;
    this.#words = words;
    this.#ahead = ahead;
  }

  /** A field's code times two: the offset into a two-byte lookup table. */
  of(bitField: BitField): Code {
    const key = bitFieldKey(bitField);
    const found = this.#fields.get(key);
    if (found !== undefined) return op.get(found);
    const code = this.#locals.next();
    this.#fields.set(key, code);
    const word = this.#wordOf(bitField.word);
    const shifted =
      bitField.shift >= 1
        ? [...op.i32Const(bitField.shift - 1), ...op.i32ShiftRight]
        : [...op.i32Const(1), ...op.i32ShiftLeft];
    this.#extractions.push([
      ...op.get(word),
      ...shifted,
      ...op.i32Const(bitField.mask * 2),
      ...op.i32And,
      ...op.set(code),
    ]);
    return op.get(code);
  }

  /** A field's code times eight: the offset into an eight-byte lookup table. */
  wide(bitField: BitField): Code {
    return [...this.of(bitField), ...op.i32Const(2), ...op.i32ShiftLeft];
  }

  /** The code that extracts all codes asked for so far. It belongs before the code that uses them. */
  extractions(): Code {
    return this.#extractions.flat();
  }

  /** The variable with a word of the row. */
  #wordOf(word: number): number {
    const found = this.#loaded.get(word);
    if (found !== undefined) return found;
    if (!this.#words.includes(word)) this.#words.push(word);
    const loaded = this.#locals.next();
    this.#loaded.set(word, loaded);
    this.#extractions.push([
      ...op.get(kernelParameters.row),
      ...op.i32Load(1 + this.#words.indexOf(word), beginOf(word) + this.#ahead * 4),
      ...op.set(loaded),
    ]);
    return loaded;
  }
}
