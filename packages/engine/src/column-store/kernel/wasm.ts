/*
 * The part of WebAssembly's binary format that the scan kernel needs.
 * @see https://webassembly.github.io/spec/core/binary/ and, for several memories in one module, the
 * multi-memory proposal (part of 3.0).
 */

/** Instructions and their operands, encoded. */
export type Code = readonly number[];

export const i32 = 0x7f;
export const i64 = 0x7e;

export const op = {
  block: [0x02, 0x40],
  loop: [0x03, 0x40],
  if: [0x04, 0x40],
  end: [0x0b],
  i32Const: (value: number): Code => [0x41, ...signed(value)],
  i64Const: (value: bigint): Code => [0x42, ...signed(value)],
  get: (local: number): Code => [0x20, ...unsigned(local)],
  set: (local: number): Code => [0x21, ...unsigned(local)],
  tee: (local: number): Code => [0x22, ...unsigned(local)],
  branchIf: (depth: number): Code => [0x0d, ...unsigned(depth)],
  select: [0x1b],
  f64Const: (value: number): Code => [0x44, ...new Uint8Array(Float64Array.of(value).buffer)],
  i32Eqz: [0x45],
  i32LessUnsigned: [0x49],
  i32Add: [0x6a],
  i32Subtract: [0x6b],
  i32Multiply: [0x6c],
  i32RemainderUnsigned: [0x70],
  i32And: [0x71],
  i32Or: [0x72],
  i32ExclusiveOr: [0x73],
  i32ShiftLeft: [0x74],
  i32ShiftRight: [0x76],
  i64FromUnsigned: [0xad],
  i64Add: [0x7c],
  i64Subtract: [0x7d],
  f64Add: [0xa0],
  f64Multiply: [0xa2],
  f64Divide: [0xa3],
  f64Min: [0xa4],
  f64Max: [0xa5],
  /** Keeps the lower 32 bits. */
  i32FromI64: [0xa7],
  f64FromI64: [0xb9],
  f64FromUnsigned: [0xb8],
  /** Rounds towards zero and saturates: numbers out of range become the nearest integer. */
  i32FromF64: [0xfc, 0x03],
  i32Load: (memory: number, offset = 0): Code => [0x28, ...address(2, memory, offset)],
  i32LoadSigned8: (memory: number, offset = 0): Code => [0x2c, ...address(0, memory, offset)],
  i32LoadUnsigned8: (memory: number, offset = 0): Code => [0x2d, ...address(0, memory, offset)],
  i32LoadSigned16: (memory: number, offset = 0): Code => [0x2e, ...address(1, memory, offset)],
  i32LoadUnsigned16: (memory: number, offset = 0): Code => [0x2f, ...address(1, memory, offset)],
  i64Load: (memory: number, offset = 0): Code => [0x29, ...address(3, memory, offset)],
  f64Load: (memory: number, offset = 0): Code => [0x2b, ...address(3, memory, offset)],
  i32Store: (memory: number, offset = 0): Code => [0x36, ...address(2, memory, offset)],
  i64Store: (memory: number, offset = 0): Code => [0x37, ...address(3, memory, offset)],
  f64Store: (memory: number, offset = 0): Code => [0x39, ...address(3, memory, offset)],
} as const;

export interface ImportedMemory {
  readonly name: string;
  readonly isShared: boolean;
}

/**
 * Encodes a module with one exported function, `run`, with integer parameters, over memories imported from
 * `m`.
 * @param locals the number of locals of each type, in the order of their indices
 */
export function encodeModule(
  memories: readonly ImportedMemory[],
  parameters: number,
  locals: readonly { readonly type: typeof i32 | typeof i64; readonly count: number }[],
  body: Code,
): Uint8Array<ArrayBuffer> {
  const type = [0x60, ...vector(Array.from({ length: parameters }, () => [i32])), 0];
  const imports = memories.map(({ name, isShared }) => [
    ...text('m'),
    ...text(name),
    0x02,
    ...(isShared ? [0x03, 0, ...unsigned(65_536)] : [0x00, 0]),
  ]);
  const code = [
    ...vector(locals.map(({ type: local, count }) => [...unsigned(count), local])),
    ...body,
    ...op.end,
  ];
  return Uint8Array.from([
    0x00,
    0x61,
    0x73,
    0x6d,
    0x01,
    0x00,
    0x00,
    0x00,
    ...section(1, vector([type])),
    ...section(2, vector(imports)),
    ...section(3, vector([[0]])),
    ...section(7, vector([[...text('run'), 0x00, 0]])),
    ...section(10, vector([[...unsigned(code.length), ...code]])),
  ]);
}

function section(id: number, content: Code): Code {
  return [id, ...unsigned(content.length), ...content];
}

function vector(items: readonly Code[]): Code {
  return [...unsigned(items.length), ...items.flat()];
}

function text(name: string): Code {
  const bytes = [...new TextEncoder().encode(name)];
  return [...unsigned(bytes.length), ...bytes];
}

/**
 * Alignment, memory index, then offset. Bit 6 of the alignment marks an explicit memory index, for memories
 * other than the first.
 */
function address(alignment: number, memory: number, offset: number): Code {
  return memory === 0
    ? [alignment, ...unsigned(offset)]
    : [alignment | 0x40, ...unsigned(memory), ...unsigned(offset)];
}

/** LEB128. */
function unsigned(value: number): Code {
  const bytes: number[] = [];
  for (let rest = value; ;) {
    const low = rest % 128;
    rest = Math.floor(rest / 128);
    bytes.push(rest > 0 ? low | 0x80 : low);
    if (rest === 0) return bytes;
  }
}

function signed(value: number | bigint): Code {
  const bytes: number[] = [];
  for (let rest = BigInt(value); ;) {
    const low = Number(rest & 0x7fn);
    rest >>= 7n;
    const isDone = (rest === 0n && (low & 0x40) === 0) || (rest === -1n && (low & 0x40) !== 0);
    bytes.push(isDone ? low : low | 0x80);
    if (isDone) return bytes;
  }
}
