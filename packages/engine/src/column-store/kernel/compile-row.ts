import { FieldCodes, type KernelLocals } from './field-codes.ts';
import type { KernelMemory } from './kernel-memory.ts';
import { bitFieldKey, type CubeAxis, type CubePart, type Scan, type Test } from './scan.ts';
import { oneCounted, type Totals } from './totals.ts';
import { op, type Code } from './wasm.ts';

type Section = Scan['sections'][number];
/** The code of a value at its first use; afterwards the variable that keeps it. */
type Once = (key: string, value: () => Code) => Code;
type PartOf<Kind extends CubePart['kind']> = CubePart & { readonly kind: Kind };

/** Compiles the loop body for one row: extracts its codes, tests it, and adds it to the cells of its cubes. */
export class RowCompiler {
  readonly #memory: KernelMemory;
  readonly #locals: KernelLocals;
  readonly #fields: FieldCodes;

  constructor(memory: KernelMemory, locals: KernelLocals, fields: FieldCodes) {
    this.#memory = memory;
    this.#locals = locals;
    this.#fields = fields;
  }

  /** @param totals of each section, cube and part */
  compile(sections: readonly Section[], totals: readonly (readonly (readonly Totals[])[])[]): Code {
    const body = sections.flatMap((section, s) => this.#section(section, totals[s]!));
    return [...this.#fields.extractions(), ...body];
  }

  #section({ test, cubes }: Section, totals: readonly (readonly Totals[])[]): Code {
    // Values computed inside a section's condition must not be used outside it.
    const known = new Map<string, number>();
    const onceIn =
      (next: () => number): Once =>
      (key, value) => {
        const found = known.get(key);
        if (found !== undefined) return op.get(found);
        const variable = next();
        known.set(key, variable);
        return [...value(), ...op.tee(variable)];
      };
    const once = onceIn(() => this.#locals.next());
    const onceWide = onceIn(() => this.#locals.nextWide());
    const cells = cubes.map(({ axes }) => this.#cell(axes, once));
    const work = cubes.flatMap(({ parts }, c) => [
      ...cells[c]!.code,
      ...parts.flatMap((part, p) => this.#update(part, cells[c]!.variable, totals[c]![p]!, onceWide)),
    ]);
    return test ? [...this.#truth(test), ...op.if, ...work, ...op.end] : work;
  }

  /** The row's cell in a cube, as an offset in bytes of four-byte cells. */
  #cell(axes: readonly CubeAxis[], once: Once): { readonly variable: number; readonly code: Code } {
    const variable = this.#locals.next();
    let stride = 1;
    const steps = axes.map(axis => {
      const step = stride;
      stride *= axis.count;
      return once(`slot ${step} ${this.#memory.nameOf(axis.slots)} ${bitFieldKey(axis.bitField)}`, () =>
        this.#slot(axis, step),
      );
    });
    const summed =
      steps.length === 0
        ? op.i32Const(0)
        : steps.flatMap((step, i) => (i === 0 ? step : [...step, ...op.i32Add]));
    return { variable, code: [...summed, ...op.set(variable)] };
  }

  /**
   * A row's offset along an axis, in bytes of four-byte cells. Lookup tables use two-byte entries, so that
   * all of them together fit the processor's cache.
   */
  #slot({ bitField, slots }: CubeAxis, step: number): Code {
    const code = this.#fields.of(bitField);
    const { areCodes, max } = this.#memory.inspect(slots);
    if (areCodes) return [...code, ...op.i32Const(step * 2), ...op.i32Multiply];
    if (max >= 2 ** 16)
      return [
        ...code,
        ...op.i32Const(1),
        ...op.i32ShiftLeft,
        ...op.i32Load(
          0,
          this.#memory.add(slots, 'whole slots', () => slots),
        ),
        ...op.i32Const(step * 4),
        ...op.i32Multiply,
      ];
    const isScaled = max * step * 4 < 2 ** 16;
    const table = this.#memory.add(
      slots,
      isScaled ? `slots ${step}` : 'slots',
      () => new Uint16Array(isScaled ? slots.map(slot => slot * step * 4) : slots),
    );
    return [
      ...code,
      ...op.i32LoadUnsigned16(0, table),
      ...(isScaled ? [] : [...op.i32Const(step * 4), ...op.i32Multiply]),
    ];
  }

  #truth(test: Test): Code {
    switch (test.kind) {
      case 'truth':
        return [...this.#fields.of(test.bitField), ...this.#loadTruth(test.truths)];
      case 'not':
        return [...this.#truth(test.test), ...op.i32Eqz];
      case 'all':
      case 'any': {
        if (test.tests.length === 0) return op.i32Const(test.kind === 'all' ? 1 : 0);
        const combine = test.kind === 'all' ? op.i32And : op.i32Or;
        return test.tests.flatMap((inner, i) =>
          i === 0 ? this.#truth(inner) : [...this.#truth(inner), ...combine],
        );
      }
    }
  }

  #loadTruth(truths: Uint8Array): Code {
    return op.i32LoadUnsigned16(
      0,
      this.#memory.add(truths, 'truths', () => new Uint16Array(truths)),
    );
  }

  /**
   * Adds the row to one part of a cube.
   * @param cell the variable with the row's cell
   */
  #update(part: CubePart, cell: number, totals: Totals, onceWide: Once): Code {
    switch (part.kind) {
      case 'count':
        return this.#count(part, cell, totals);
      case 'tally':
        return this.#tally(part, cell, totals, onceWide);
      default:
        return this.#number(part, cell, totals);
    }
  }

  #count({ of }: PartOf<'count'>, cell: number, { offset }: Totals): Code {
    const one = of ? [...this.#fields.of(of.bitField), ...this.#loadTruth(of.truths)] : op.i32Const(1);
    return [
      ...op.get(cell),
      ...op.get(cell),
      ...op.i32Load(0, offset),
      ...one,
      ...op.i32Add,
      ...op.i32Store(0, offset),
    ];
  }

  /** A tally keeps a count and a sum in one 64-bit integer. */
  #tally(part: PartOf<'tally'>, cell: number, { offset, min }: Totals, onceWide: Once): Code {
    const { numbers, truths, bitField } = part;
    const added = onceWide(
      `tally ${this.#memory.nameOf(numbers)} ${this.#memory.nameOf(truths)} ${bitFieldKey(bitField)}`,
      () => (truths.includes(0) ? this.#tallyOfSome(part, min!) : this.#tallyOfAll(part, min!)),
    );
    const address = addressOfDouble(cell);
    return [
      ...address,
      ...address,
      ...op.i64Load(0, offset),
      ...added,
      ...op.i64Add,
      ...op.i64Store(0, offset),
    ];
  }

  /** The count and the number of a row that may not count: from one table of both. */
  #tallyOfSome({ bitField, numbers, truths }: PartOf<'tally'>, min: number): Code {
    const both = () =>
      BigInt64Array.from(numbers, (number, code) =>
        truths[code] === 1 ? oneCounted + BigInt(number - min) : 0n,
      );
    return [
      ...this.#fields.wide(bitField),
      ...op.i64Load(0, this.#memory.add(numbers, `tally ${this.#memory.nameOf(truths)}`, both)),
    ];
  }

  /** The count and the number of a row that counts: one is added to each number. */
  #tallyOfAll({ bitField, numbers }: PartOf<'tally'>, min: number): Code {
    const code = this.#fields.of(bitField);
    const number = this.#memory.inspect(numbers, min).areCodes
      ? [...op.i32Const(1), ...op.i32ShiftRight]
      : op.i32LoadUnsigned16(
          0,
          this.#memory.add(numbers, 'above minimum', () => new Uint16Array(numbers.map(one => one - min))),
        );
    return [...code, ...number, ...op.i64FromUnsigned, ...op.i64Const(oneCounted), ...op.i64Add];
  }

  #number(part: PartOf<'sum' | 'min' | 'max'>, cell: number, { offset }: Totals): Code {
    const address = addressOfDouble(cell);
    const number = [...this.#fields.wide(part.bitField), ...this.#loadDouble(part.numbers)];
    const share =
      part.kind === 'sum' && part.where
        ? [
            ...this.#fields.wide(part.where.bitField),
            ...this.#loadDouble(part.where.truths),
            ...op.f64Multiply,
          ]
        : [];
    return [
      ...address,
      ...address,
      ...op.f64Load(0, offset),
      ...number,
      ...share,
      ...{ sum: op.f64Add, min: op.f64Min, max: op.f64Max }[part.kind],
      ...op.f64Store(0, offset),
    ];
  }

  #loadDouble(numbers: Float64Array | Uint8Array): Code {
    return op.f64Load(
      0,
      this.#memory.add(numbers, 'f64', () =>
        numbers instanceof Float64Array ? numbers : new Float64Array(numbers),
      ),
    );
  }
}

/** The address of a cell of eight bytes, relative to the totals. */
function addressOfDouble(cell: number): Code {
  return [...op.get(cell), ...op.i32Const(1), ...op.i32ShiftLeft];
}
