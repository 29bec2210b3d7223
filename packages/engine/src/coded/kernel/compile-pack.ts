import { encodeModule, i32, op, type Code } from './wasm.ts';

/** What the engine gives of one word, in one of its columns of 64 bits: a half that lies as it shall lie, or sixteen bits (lane 0 is the lowest) that stand for others. */
export type WordPart =
  | { readonly kind: 'half'; readonly column: number; readonly half: 0 | 1 }
  | { readonly kind: 'lane'; readonly column: number; readonly lane: number; /** For each number of sixteen bits, the word's bits. */ readonly bits: Uint32Array };

/** Makes words of rows as the engine gives them, some rows at a time. */
export interface Packer {
  /** Where to put the next rows' columns, one array each of 64 bits a row; where rows have no order, one more with their numbers, of 32. */
  readonly raws: readonly Uint8Array[];
  /** @throws WebAssembly.RuntimeError for a row that the table has not */
  readonly pack: (rows: number) => void;
  /** Each word of the rows just packed, from the start on; where rows have no order, of all rows, each at its own place. */
  readonly words: readonly Uint8Array[];
}

/**
 * @param words the parts of each, which have no bit in common
 * @param size.atATime rows at most; few, since a loop that runs is not optimised before it is called again · numbered: of how many rows, where they bring their numbers along
 */
export function compilePack(words: readonly (readonly WordPart[])[], { columns, atATime, numbered }: { readonly columns: number; readonly atATime: number; readonly numbered?: number }): Packer {
  let end = 0;
  const take = (bytes: number) => {
    const offset = end;
    end = Math.ceil((offset + bytes) / 8) * 8;
    return offset;
  };
  const columnAt = Array.from({ length: columns }, () => take(atATime * 8));
  const numberAt = numbered === undefined ? undefined : take(atATime * 4);
  const tables = words.flat().flatMap(part => (part.kind === 'lane' ? [{ part, offset: take(part.bits.byteLength) }] : []));
  const memory = new WebAssembly.Memory({ initial: Math.ceil(end / 65_536) });
  for (const { part, offset } of tables) new Uint32Array(memory.buffer, offset, part.bits.length).set(part.bits);
  const rows = numbered ?? atATime;
  const packed = words.map((_, word) => new WebAssembly.Memory({ initial: Math.ceil((rows * 4 + beginOf(word)) / 65_536) }));

  // Counted in bytes: `row` of a column, `place` of a word.
  const [row, below, place] = [0, 1, 2];
  const bitsOf = (part: WordPart): Code => {
    if (part.kind === 'half') return [...op.get(row), ...op.i32Load(0, columnAt[part.column]! + 4 * part.half)];
    const table = tables.find(candidate => candidate.part === part)!;
    return [...op.get(row), ...op.i32LoadUnsigned16(0, columnAt[part.column]! + 2 * part.lane), ...op.i32Const(2), ...op.i32ShiftLeft, ...op.i32Load(0, table.offset)];
  };
  const body = [
    ...op.loop,
    ...op.get(row), ...op.i32Const(1), ...op.i32ShiftRight,
    ...(numberAt === undefined ? [] : [...op.i32Load(0, numberAt), ...op.i32Const(2), ...op.i32ShiftLeft]), ...op.set(place),
    ...words.flatMap((parts, word) => [...op.get(place), ...parts.flatMap((part, i) => (i === 0 ? bitsOf(part) : [...bitsOf(part), ...op.i32Or])), ...op.i32Store(1 + word, beginOf(word))]),
    ...op.get(row), ...op.i32Const(8), ...op.i32Add, ...op.tee(row), ...op.get(below), ...op.i32LessUnsigned, ...op.branchIf(0),
    ...op.end,
  ];
  const memories = [{ name: 'raws', isShared: false }, ...packed.map((_, i) => ({ name: `w${i}`, isShared: false }))];
  const module = new WebAssembly.Module(encodeModule(memories, 2, [{ type: i32, count: 1 }], body));
  const { run } = new WebAssembly.Instance(module, { m: { raws: memory, ...Object.fromEntries(packed.map((word, i) => [`w${i}`, word])) } }).exports as { run: (from: number, below: number) => void };
  return {
    raws: [...columnAt.map(offset => new Uint8Array(memory.buffer, offset, atATime * 8)), ...(numberAt === undefined ? [] : [new Uint8Array(memory.buffer, numberAt, atATime * 4)])],
    words: packed.map(({ buffer }, word) => new Uint8Array(buffer, beginOf(word), rows * 4)),
    pack: count => run(0, count * 8),
  };
}

/** Stores whose addresses differ by whole pages hold up the loads between them: with all words at the start of their memories a row took nine times as long. */
const beginOf = (word: number) => 448 * (word + 1);
