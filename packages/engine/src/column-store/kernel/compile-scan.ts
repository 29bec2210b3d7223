import {
  cellsIn,
  bitFieldKey,
  type BitField,
  type CubeAxis,
  type CubePart,
  type Scan,
  type Test,
} from './scan.ts';
import { oneCounted, type ScanLayout, type Totals } from './totals.ts';
import { encodeModule, i32, i64, op, type Code } from './wasm.ts';
import { beginOf } from './memory-layout.ts';

/**
 * A scan as machine code: one loop over the rows. It extracts every code from its word once, and every table
 * lookup is a load from a constant address.
 */
export interface CompiledScan {
  readonly module: Uint8Array<ArrayBuffer>;
  /**
   * The words of the table that the kernel reads. The i-th is imported as memory `w<i>`; its rows begin at
   * `beginOf` the word's index in the table.
   */
  readonly words: readonly number[];
  readonly layout: ScanLayout;
}

/**
 * Rows per loop iteration. The fixed cost of an iteration (word addresses, the loop condition) is shared by
 * its rows. With two rows, scans take 7 to 21 % longer; more than four save next to nothing.
 */
const rowsATurn = 4;

/** Facts about a lookup table: whether each code maps to itself, and the largest entry. */
interface LookedAt {
  readonly areCodes: boolean;
  readonly max: number;
}

/**
 * Compiles a scan. A generic interpreter would pay for choices of field, lookup table and cube on every row,
 * although they are the same for all rows.
 * @see Neumann, “Efficiently Compiling Efficient Query Plans for Modern Hardware”, VLDB 2011.
 * @param from the offset of the layout in a thread's own memory; several scans may follow one another there
 */
export function compileScan(scan: Scan, from = 8): CompiledScan {
  const scratch = new Scratch(from);
  const words: number[] = [];
  const [row, below] = [0, 1];
  // The i64 locals precede the others, which are numbered as they are created.
  const wideLocals = scan.sections.reduce(
    (sum, section) =>
      sum +
      section.cubes.reduce(
        (parts, cube) => parts + cube.parts.filter(part => part.kind === 'tally').length,
        0,
      ),
    0,
  );
  const totals = scan.sections.map(({ cubes }) =>
    cubes.map(cube => cube.parts.map(part => scratch.totals(part, cellsIn(cube)))),
  );
  // State for the code of one row; `forRow` resets it for the next row.
  let [ahead, wides, locals, maxLocals] = [0, 0, 0, 0];
  let codes = new Map<string, number>();
  const inspected = new Map<Int32Array | Float64Array, LookedAt>();
  let prologue: Code[] = [];
  const local = () => {
    maxLocals = Math.max(maxLocals, ++locals);
    return 1 + wideLocals + locals;
  };

  /** The code for the row at offset `after` within an iteration. */
  const forRow = (after: number): Code => {
    [ahead, wides, locals, codes, prologue] = [after * 4, 0, 0, new Map(), []];
    const body = scan.sections.flatMap((section, s) => forSection(section, totals[s]!));
    return [...prologue.flat(), ...body];
  };
  /** A loop that runs while at least `count` rows are left. */
  const turnsOf = (count: number): Code => {
    const areThere = [...op.i32Const(count * 4 - 4), ...op.i32Add, ...op.get(below), ...op.i32LessUnsigned];
    return [
      ...op.get(row),
      ...areThere,
      ...op.if,
      ...op.loop,
      ...Array.from({ length: count }, (_, i) => forRow(i)).flat(),
      ...op.get(row),
      ...op.i32Const(count * 4),
      ...op.i32Add,
      ...op.tee(row),
      ...areThere,
      ...op.branchIf(0),
      ...op.end,
      ...op.end,
    ];
  };
  const forSection = (section: Scan['sections'][number], bitFields: readonly (readonly Totals[])[]): Code => {
    // Values computed inside a section's condition must not be used outside it.
    const known = new Map<string, number>();
    const once = (key: string, value: () => Code, next: () => number = local): Code => {
      const found = known.get(key);
      if (found !== undefined) return op.get(found);
      const bitField = next();
      known.set(key, bitField);
      return [...value(), ...op.tee(bitField)];
    };
    const onceWide = (key: string, value: () => Code) => once(key, value, () => 2 + wides++);
    const cubes = section.cubes.map(cube => {
      const cell = local();
      let stride = 1;
      const steps = cube.axes.map(axis => {
        const step = stride;
        stride *= axis.count;
        return once(`slot ${step} ${scratch.nameOf(axis.slots)} ${bitFieldKey(axis.bitField)}`, () =>
          slotOf(axis, step),
        );
      });
      const summed =
        steps.length === 0
          ? op.i32Const(0)
          : steps.flatMap((step, i) => (i === 0 ? step : [...step, ...op.i32Add]));
      return { cell, begin: [...summed, ...op.set(cell)], cube };
    });
    const work = cubes.flatMap(({ cell, begin, cube }, c) => [
      ...begin,
      ...cube.parts.flatMap((part, p) => update(part, cell, bitFields[c]![p]!, onceWide)),
    ]);
    return section.test ? [...truth(section.test), ...op.if, ...work, ...op.end] : work;
  };

  const loops = [...turnsOf(rowsATurn), ...turnsOf(1)];
  const memories = ['own', ...words.map((_, i) => `w${i}`)];
  return {
    module: encodeModule(
      memories.map(name => ({ name, isShared: true })),
      2,
      [
        { type: i64, count: wideLocals },
        { type: i32, count: maxLocals },
      ],
      loops,
    ),
    words,
    layout: { ...scratch.laidOut(), totals },
  };

  /**
   * A row's offset along an axis, in bytes of four-byte cells. Lookup tables use two-byte entries, so that
   * all of them together fit the processor's cache.
   */
  function slotOf({ bitField, slots }: CubeAxis, step: number): Code {
    const { areCodes, max } = lookedAt(slots);
    if (areCodes) return [...codeOf(bitField), ...op.i32Const(step * 2), ...op.i32Multiply];
    if (max >= 2 ** 16) {
      const whole = scratch.add(slots, 'whole slots', () => slots);
      return [
        ...codeOf(bitField),
        ...op.i32Const(1),
        ...op.i32ShiftLeft,
        ...op.i32Load(0, whole),
        ...op.i32Const(step * 4),
        ...op.i32Multiply,
      ];
    }
    const isScaled = max * step * 4 < 2 ** 16;
    const at = scratch.add(
      slots,
      isScaled ? `slots ${step}` : 'slots',
      () => new Uint16Array(isScaled ? slots.map(slot => slot * step * 4) : slots),
    );
    return [
      ...codeOf(bitField),
      ...op.i32LoadUnsigned16(0, at),
      ...(isScaled ? [] : [...op.i32Const(step * 4), ...op.i32Multiply]),
    ];
  }

  /**
   * Inspects a lookup table once, for all rows of an iteration.
   * @param min is subtracted from each entry; always the same for one table, its minimum
   */
  function lookedAt(numbers: Int32Array | Float64Array, min = 0): LookedAt {
    const known = inspected.get(numbers);
    if (known) return known;
    const found = { areCodes: true, max: 0 };
    for (let code = 0; code < numbers.length; code++) {
      const number = numbers[code]! - min;
      if (number !== code) found.areCodes = false;
      if (number > found.max) found.max = number;
    }
    inspected.set(numbers, found);
    return found;
  }

  /** A row's count and number packed into one 64-bit integer. */
  function tallied(part: CubePart & { kind: 'tally' }, min: number): Code {
    const number = (code: number) => part.numbers[code]! - min;
    if (part.truths.includes(0)) {
      const both = () =>
        BigInt64Array.from(part.numbers, (_, code) =>
          part.truths[code] === 1 ? oneCounted + BigInt(number(code)) : 0n,
        );
      return [
        ...codeOf(part.bitField),
        ...op.i32Const(2),
        ...op.i32ShiftLeft,
        ...op.i64Load(0, scratch.add(part.numbers, `tally ${scratch.nameOf(part.truths)}`, both)),
      ];
    }
    const single = lookedAt(part.numbers, min).areCodes
      ? [...op.i32Const(1), ...op.i32ShiftRight]
      : op.i32LoadUnsigned16(
          0,
          scratch.add(
            part.numbers,
            'above minimum',
            () => new Uint16Array(part.numbers.map((_, code) => number(code))),
          ),
        );
    return [
      ...codeOf(part.bitField),
      ...single,
      ...op.i64FromUnsigned,
      ...op.i64Const(oneCounted),
      ...op.i64Add,
    ];
  }

  /**
   * A field's code times two, the offset into two-byte lookup tables. It is extracted from its word at the
   * start of the loop body.
   */
  function codeOf(bitField: BitField): Code {
    const key = bitFieldKey(bitField);
    const found = codes.get(key);
    if (found !== undefined) return op.get(found);
    if (!words.includes(bitField.word)) words.push(bitField.word);
    const code = local();
    codes.set(key, code);
    const wordKey = `word ${bitField.word}`;
    let word = codes.get(wordKey);
    if (word === undefined) {
      word = local();
      codes.set(wordKey, word);
      prologue.push([
        ...op.get(row),
        ...op.i32Load(1 + words.indexOf(bitField.word), beginOf(bitField.word) + ahead),
        ...op.set(word),
      ]);
    }
    const shifted =
      bitField.shift >= 1
        ? [...op.i32Const(bitField.shift - 1), ...op.i32ShiftRight]
        : [...op.i32Const(1), ...op.i32ShiftLeft];
    prologue.push([
      ...op.get(word),
      ...shifted,
      ...op.i32Const(bitField.mask * 2),
      ...op.i32And,
      ...op.set(code),
    ]);
    return op.get(code);
  }

  function truth(test: Test): Code {
    switch (test.kind) {
      case 'truth':
        return [...codeOf(test.bitField), ...op.i32LoadUnsigned16(0, truthsAt(test.truths))];
      case 'not':
        return [...truth(test.test), ...op.i32Eqz];
      case 'all':
      case 'any':
        return test.tests.length === 0
          ? op.i32Const(test.kind === 'all' ? 1 : 0)
          : test.tests.flatMap((inner, i) =>
              i === 0 ? truth(inner) : [...truth(inner), ...(test.kind === 'all' ? op.i32And : op.i32Or)],
            );
    }
  }

  function truthsAt(truths: Uint8Array): number {
    return scratch.add(truths, 'truths', () => new Uint16Array(truths));
  }

  function update(
    part: CubePart,
    cell: number,
    { offset, min }: Totals,
    once: (key: string, value: () => Code) => Code,
  ): Code {
    if (part.kind === 'count') {
      const one = part.of
        ? [...codeOf(part.of.bitField), ...op.i32LoadUnsigned16(0, truthsAt(part.of.truths))]
        : op.i32Const(1);
      return [
        ...op.get(cell),
        ...op.get(cell),
        ...op.i32Load(0, offset),
        ...one,
        ...op.i32Add,
        ...op.i32Store(0, offset),
      ];
    }
    const at = [...op.get(cell), ...op.i32Const(1), ...op.i32ShiftLeft];
    const wide = (bitField: BitField) => [...codeOf(bitField), ...op.i32Const(2), ...op.i32ShiftLeft];
    if (part.kind === 'tally') {
      const added = once(
        `tally ${scratch.nameOf(part.numbers)} ${scratch.nameOf(part.truths)} ${bitFieldKey(part.bitField)}`,
        () => tallied(part, min!),
      );
      return [...at, ...at, ...op.i64Load(0, offset), ...added, ...op.i64Add, ...op.i64Store(0, offset)];
    }
    const number = [
      ...wide(part.bitField),
      ...op.f64Load(
        0,
        scratch.add(part.numbers, 'f64', () => part.numbers),
      ),
    ];
    if (part.kind !== 'sum')
      return [
        ...at,
        ...at,
        ...op.f64Load(0, offset),
        ...number,
        ...(part.kind === 'min' ? op.f64Min : op.f64Max),
        ...op.f64Store(0, offset),
      ];
    const share = part.where
      ? [
          ...wide(part.where.bitField),
          ...op.f64Load(
            0,
            scratch.add(part.where.truths, 'f64', () => new Float64Array(part.where!.truths)),
          ),
          ...op.f64Multiply,
        ]
      : [];
    return [
      ...at,
      ...at,
      ...op.f64Load(0, offset),
      ...number,
      ...share,
      ...op.f64Add,
      ...op.f64Store(0, offset),
    ];
  }
}

/**
 * Lays out a thread's own memory: totals first, then each lookup table once. All offsets are multiples of
 * eight.
 */
class Scratch {
  readonly #chunks: { offset: number; bytes: Uint8Array }[] = [];
  readonly #known = new Map<object, Map<string, number>>();
  readonly #names = new Map<object, string>();
  #end: number;

  constructor(from: number) {
    this.#end = from;
  }

  /** Returns the same text for the same lookup table. */
  nameOf(lookup: object): string {
    const found = this.#names.get(lookup) ?? String(this.#names.size);
    this.#names.set(lookup, found);
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
