import { encodeModule, i32, op, type Code } from './wasm.ts';
import type { CodePlace } from './scan.ts';

/** A field in the engine's raw words and in ours. */
export interface PackedField {
  readonly raw: { readonly word: number; readonly shift: 0 | 16 };
  /** The code for each raw number of sixteen bits, where they are not the codes themselves. */
  readonly codeOfRaw?: Uint16Array;
  readonly place: CodePlace;
}

/** Takes fields of sixteen bits each, in whatever order the engine gives its rows, to their rows' places in words without gaps. */
export interface Packer {
  /** Where to put a group's raw words, one array each; after the fields' words, one with the rows' numbers. */
  readonly raws: readonly Uint8Array[];
  /** @throws WebAssembly.RuntimeError for a row number that the table has not */
  readonly pack: (rows: number) => void;
  /** The packed words, whole once every group has been packed. */
  readonly words: readonly Uint8Array[];
}

/**
 * @param rows of the table
 * @param mostRows in one group
 */
export function compilePack(fields: readonly PackedField[], rawWords: number, words: number, rows: number, mostRows: number): Packer {
  let end = 0;
  const take = (bytes: number) => {
    const offset = end;
    end = Math.ceil((offset + bytes) / 8) * 8;
    return offset;
  };
  const rawAt = Array.from({ length: rawWords + 1 }, () => take(mostRows * 4));
  const lookups = fields.map(({ codeOfRaw }) => codeOfRaw && { offset: take(codeOfRaw.length * 4), values: Uint32Array.from(codeOfRaw) });
  const group = new WebAssembly.Memory({ initial: Math.ceil(end / 65_536) });
  for (const lookup of lookups) if (lookup) new Uint32Array(group.buffer, lookup.offset, lookup.values.length).set(lookup.values);
  const packed = Array.from({ length: words }, () => new WebAssembly.Memory({ initial: Math.ceil((rows * 4) / 65_536) }));

  const [row, below, place, firstRaw] = [0, 1, 2, 3];
  const code = ({ raw }: PackedField, lookup: (typeof lookups)[number]): Code => {
    const half = [...op.get(firstRaw + raw.word), ...op.i32Const(raw.shift), ...op.i32ShiftRight, ...op.i32Const(0xffff), ...op.i32And];
    return lookup ? [...half, ...op.i32Const(2), ...op.i32ShiftLeft, ...op.i32Load(0, lookup.offset)] : half;
  };
  const body = [
    ...op.loop,
    ...rawAt.slice(0, rawWords).flatMap((offset, i) => [...op.get(row), ...op.i32Load(0, offset), ...op.set(firstRaw + i)]),
    ...op.get(row), ...op.i32Load(0, rawAt[rawWords]), ...op.i32Const(2), ...op.i32ShiftLeft, ...op.set(place),
    ...packed.flatMap((_, word) => {
      const own = fields.flatMap((field, i) => (field.place.word === word ? [[...code(field, lookups[i]), ...op.i32Const(field.place.shift), ...op.i32ShiftLeft]] : []));
      return [...op.get(place), ...own.flatMap((one, i) => (i === 0 ? one : [...one, ...op.i32Or])), ...op.i32Store(1 + word)];
    }),
    ...op.get(row), ...op.i32Const(4), ...op.i32Add, ...op.tee(row), ...op.get(below), ...op.i32LessUnsigned, ...op.branchIf(0),
    ...op.end,
  ];
  const memories = [{ name: 'group', isShared: false }, ...packed.map((_, i) => ({ name: `w${i}`, isShared: false }))];
  const module = new WebAssembly.Module(encodeModule(memories, 2, [{ type: i32, count: 1 + rawWords }], body));
  const { run } = new WebAssembly.Instance(module, { m: { group, ...Object.fromEntries(packed.map((memory, i) => [`w${i}`, memory])) } }).exports as { run: (from: number, below: number) => void };
  return {
    raws: rawAt.map(offset => new Uint8Array(group.buffer, offset, mostRows * 4)),
    words: packed.map(memory => new Uint8Array(memory.buffer, 0, rows * 4)),
    // In steps, so that the loop is soon optimised: that happens between calls only.
    pack: count => {
      for (let from = 0; from < count; from += stepRows) run(from * 4, Math.min(count, from + stepRows) * 4);
    },
  };
}

const stepRows = 2 ** 16;
