import type { BitField } from './scan.ts';
import { goldenSection, type HashLookup } from './perfect-hash.ts';
import { encodeModule, i32, op, type Code } from './wasm.ts';
import { beginOf, pagesOf } from './memory-layout.ts';

/** How a row's code is computed from the number that the engine returns for it. */
export type Coding =
  /**
   * `(number - from) / per`, rounded down, modulo `cycle` if given. No number is below `from`, or 2⁵³ or
   * more above it. Null rows get the code `none`.
   */
  | {
      readonly kind: 'number';
      readonly stored: StoredNumber;
      readonly from: bigint;
      readonly per: number;
      readonly cycle?: number | undefined;
      readonly none?: number | undefined;
    }
  /** A 64-bit hash, and the code of every hash that occurs. */
  | { readonly kind: 'hash'; readonly lookup: HashLookup };

/** Signed or unsigned, and the number of bits. */
export type StoredNumber = `${'i' | 'u'}${8 | 16 | 32 | 64}`;

/** How to pack one field. */
export interface PackedField {
  readonly coding: Coding;
  /** The index of the engine's column with the field's numbers. */
  readonly column: number;
  /** The position of the field's codes: word and bits. Fields never share bits. */
  readonly bitField: BitField;
}

function bytesOf(coding: Coding): number {
  return coding.kind === 'hash' ? 8 : Number(coding.stored.slice(1)) / 8;
}

/** Packs rows of the engine's vectors into words, one batch at a time. */
export interface Packer {
  /**
   * Input buffers for the next rows' numbers, one per column. If rows carry their row numbers, one more
   * buffer holds those, 64 bits each.
   */
  readonly numbers: readonly Uint8Array[];
  /**
   * Input validity bitmaps, one bit per row; undefined for columns without nulls. Initially all bits are set.
   */
  readonly presence: readonly (Uint8Array | undefined)[];
  /**
   * @param at index in `words` of the first row; ignored if rows carry their row numbers
   * @throws WebAssembly.RuntimeError for a row number far out of range
   */
  readonly pack: (rows: number, at: number) => void;
  /** Output: one array per word, as many rows long as compiled for. */
  readonly words: readonly Uint8Array[];
}

interface PackSize {
  /** Largest batch. It is small because a running loop is not optimised before its next call. */
  readonly atATime: number;
  /** The number of rows in each of `words`. */
  readonly rows: number;
  /** If rows carry their row numbers: the row number of the first row in `words`. */
  readonly firstRow?: number;
}

/** The locals of the loop: its parameters, then the number of the row and the offset of its words. */
const [rowsNow, at, row, bytes] = [0, 1, 2, 3];

/** A field with the offsets of its input and of its lookup table, in bytes. */
type PackedFieldLayout = ReturnType<typeof layOutInput>['laid'][number];

/** Lays out the input buffers, and the lookup tables of hashed fields, in one memory. */
function layOutInput(fields: readonly PackedField[], atATime: number, hasRowNumbers: boolean) {
  let end = 0;
  const take = (bytes: number) => {
    const offset = end;
    // Buffers must not lie whole pages apart; see `beginOf`.
    end = Math.ceil((offset + bytes) / 64) * 64 + 448;
    return offset;
  };
  const columns = Array.from({ length: Math.max(...fields.map(({ column }) => column)) + 1 }, (_, column) => {
    const codings = fields.flatMap(field => (field.column === column ? [field.coding] : []));
    const bytes = bytesOf(codings[0]!) * atATime;
    return {
      bytes,
      numbers: take(bytes),
      presence: codings.some(coding => coding.kind === 'number' && coding.none !== undefined)
        ? take(atATime / 8)
        : undefined,
    };
  });
  const laid = fields.map(({ coding, column, bitField }) => ({
    coding,
    bitField,
    ...columns[column]!,
    ...(coding.kind === 'hash' && {
      displacements: take(coding.lookup.displacements.byteLength),
      slots: take(coding.lookup.numbers.byteLength),
    }),
  }));
  const rowNumbers = hasRowNumbers ? take(atATime * 8) : undefined;
  return { columns, laid, rowNumbers, end };
}

export function compilePack(fields: readonly PackedField[], { atATime, rows, firstRow }: PackSize): Packer {
  const { columns, laid, rowNumbers, end } = layOutInput(fields, atATime, firstRow !== undefined);
  const memory = new WebAssembly.Memory({ initial: Math.ceil(end / 65_536) });
  for (const { presence } of columns)
    if (presence !== undefined) new Uint8Array(memory.buffer, presence, atATime / 8).fill(0xff);
  for (const { coding, displacements, slots } of laid) {
    if (coding.kind !== 'hash') continue;
    new Uint32Array(memory.buffer, displacements).set(coding.lookup.displacements);
    new Uint16Array(memory.buffer, slots).set(coding.lookup.numbers);
  }
  const count = Math.max(...fields.map(({ bitField }) => bitField.word)) + 1;
  const packed = Array.from(
    { length: count },
    (_, word) => new WebAssembly.Memory({ initial: pagesOf(word, rows) }),
  );

  const wordOf = (word: number): Code => {
    const parts = laid.flatMap(field =>
      field.bitField.word === word
        ? [[...codeOf(field), ...op.i32Const(field.bitField.shift), ...op.i32ShiftLeft]]
        : [],
    );
    return parts.flatMap((part, i) => (i === 0 ? part : [...part, ...op.i32Or]));
  };
  const body = [
    ...op.loop,
    ...(rowNumbers === undefined
      ? [...op.get(at), ...op.get(row), ...op.i32Add]
      : [...address(3), ...op.i32Load(0, rowNumbers), ...op.i32Const(firstRow! | 0), ...op.i32Subtract]),
    ...op.i32Const(2),
    ...op.i32ShiftLeft,
    ...op.set(bytes),
    ...packed.flatMap((_, word) => [
      ...op.get(bytes),
      ...wordOf(word),
      ...op.i32Store(1 + word, beginOf(word)),
    ]),
    ...op.get(row),
    ...op.i32Const(1),
    ...op.i32Add,
    ...op.tee(row),
    ...op.get(rowsNow),
    ...op.i32LessUnsigned,
    ...op.branchIf(0),
    ...op.end,
  ];
  const memories = [
    { name: 'numbers', isShared: false },
    ...packed.map((_, word) => ({ name: `w${word}`, isShared: false })),
  ];
  const module = new WebAssembly.Module(encodeModule(memories, 2, [{ type: i32, count: 2 }], body));
  const { run } = new WebAssembly.Instance(module, {
    m: { numbers: memory, ...Object.fromEntries(packed.map((word, i) => [`w${i}`, word])) },
  }).exports as { run: (rows: number, at: number) => void };
  return {
    numbers: [
      ...columns.map(({ bytes, numbers }) => new Uint8Array(memory.buffer, numbers, bytes)),
      ...(rowNumbers === undefined ? [] : [new Uint8Array(memory.buffer, rowNumbers, atATime * 8)]),
    ],
    presence: columns.map(({ presence }) =>
      presence === undefined ? undefined : new Uint8Array(memory.buffer, presence, atATime / 8),
    ),
    words: packed.map(({ buffer }, word) => new Uint8Array(buffer, beginOf(word), rows * 4)),
    pack: run,
  };
}

/** The offset of the current row in numbers of two to the power of `log2` bytes. */
const address = (log2: number): Code => [
  ...op.get(row),
  ...(log2 === 0 ? [] : [...op.i32Const(log2), ...op.i32ShiftLeft]),
];

/** Computes the code of a field in the current row. */
function codeOf({ coding, numbers, presence, displacements, slots }: PackedFieldLayout): Code {
  if (coding.kind === 'hash') {
    const { lookup } = coding;
    return [
      ...address(3),
      ...op.i32Load(0, numbers + 4),
      ...(lookup.displacements.length === 1
        ? op.i32Const(lookup.displacements[0]! | 0)
        : [
            ...address(3),
            ...op.i32Load(0, numbers),
            ...op.i32Const(lookup.displacements.length - 1),
            ...op.i32And,
            ...op.i32Const(2),
            ...op.i32ShiftLeft,
            ...op.i32Load(0, displacements),
          ]),
      ...op.i32ExclusiveOr,
      ...op.i32Const(goldenSection | 0),
      ...op.i32Multiply,
      ...op.i32Const(lookup.shift),
      ...op.i32ShiftRight,
      ...op.i32Const(1),
      ...op.i32ShiftLeft,
      ...op.i32LoadUnsigned16(0, slots),
    ];
  }
  const { stored, from, per, cycle, none } = coding;
  const isLong = bytesOf(coding) === 8;
  const number = [...address(Math.log2(bytesOf(coding))), ...load[stored](0, numbers)];
  const above = isLong
    ? [...number, ...op.i64Const(from), ...op.i64Subtract]
    : [...number, ...op.i32Const(Number(BigInt.asIntN(32, from))), ...op.i32Subtract];
  const quotient =
    per === 1
      ? [...above, ...(isLong ? op.i32FromI64 : [])]
      : [
          ...above,
          ...(isLong ? op.f64FromI64 : op.f64FromUnsigned),
          ...op.f64Const(per),
          ...op.f64Divide,
          ...op.i32FromF64,
        ];
  const code =
    cycle === undefined ? quotient : [...quotient, ...op.i32Const(cycle), ...op.i32RemainderUnsigned];
  if (none === undefined || presence === undefined) return code;
  const isThere = [
    ...op.get(row),
    ...op.i32Const(3),
    ...op.i32ShiftRight,
    ...op.i32LoadUnsigned8(0, presence),
    ...op.get(row),
    ...op.i32Const(7),
    ...op.i32And,
    ...op.i32ShiftRight,
    ...op.i32Const(1),
    ...op.i32And,
  ];
  return [...code, ...op.i32Const(none), ...isThere, ...op.select];
}

const load: Record<StoredNumber, (memory: number, offset: number) => Code> = {
  i8: op.i32LoadSigned8,
  u8: op.i32LoadUnsigned8,
  i16: op.i32LoadSigned16,
  u16: op.i32LoadUnsigned16,
  i32: op.i32Load,
  u32: op.i32Load,
  i64: op.i64Load,
  u64: op.i64Load,
};
