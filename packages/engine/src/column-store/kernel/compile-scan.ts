import { RowCompiler } from './compile-row.ts';
import { FieldCodes, kernelParameters, KernelLocals } from './field-codes.ts';
import { KernelMemory } from './kernel-memory.ts';
import { cellsIn, type Scan } from './scan.ts';
import type { ScanLayout } from './totals.ts';
import { encodeModule, i32, i64, op, type Code } from './wasm.ts';

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

/**
 * Compiles a scan. A generic interpreter would pay for choices of field, lookup table and cube on every row,
 * although they are the same for all rows.
 * @see Neumann, “Efficiently Compiling Efficient Query Plans for Modern Hardware”, VLDB 2011.
 * @param from the offset of the layout in a thread's own memory; several scans may follow one another there
 */
export function compileScan({ sections }: Scan, from = 8): CompiledScan {
  const memory = new KernelMemory(from);
  const locals = new KernelLocals(
    sections
      .flatMap(({ cubes }) => cubes.flatMap(({ parts }) => parts))
      .filter(({ kind }) => kind === 'tally').length,
  );
  const words: number[] = [];
  const totals = sections.map(({ cubes }) =>
    cubes.map(cube => cube.parts.map(part => memory.totals(part, cellsIn(cube)))),
  );
  const compileRow = (ahead: number) => {
    locals.reset();
    return new RowCompiler(memory, locals, new FieldCodes(locals, words, ahead)).compile(sections, totals);
  };
  const loops = [...loopOver(rowsATurn, compileRow), ...loopOver(1, compileRow)];
  const memories = ['own', ...words.map((_, i) => `w${i}`)];
  return {
    module: encodeModule(
      memories.map(name => ({ name, isShared: true })),
      Object.keys(kernelParameters).length,
      [
        { type: i64, count: locals.wide },
        { type: i32, count: locals.narrow },
      ],
      loops,
    ),
    words,
    layout: { ...memory.laidOut(), totals },
  };
}

/** A loop that runs while at least `count` rows are left. */
function loopOver(count: number, compileRow: (ahead: number) => Code): Code {
  const { row, below } = kernelParameters;
  const areLeft = [...op.i32Const(count * 4 - 4), ...op.i32Add, ...op.get(below), ...op.i32LessUnsigned];
  return [
    ...op.get(row),
    ...areLeft,
    ...op.if,
    ...op.loop,
    ...Array.from({ length: count }, (_, i) => compileRow(i)).flat(),
    ...op.get(row),
    ...op.i32Const(count * 4),
    ...op.i32Add,
    ...op.tee(row),
    ...areLeft,
    ...op.branchIf(0),
    ...op.end,
    ...op.end,
  ];
}
