import { describe, expect, test } from 'vitest';
import { unpackLz4 } from './lz4-frame.ts';

interface Sequence {
  readonly literals: readonly number[];
  readonly match?: { readonly offset: number; readonly length: number };
}

function lengthBytes(length: number): number[] {
  return length < 15
    ? []
    : [...Array.from({ length: Math.floor((length - 15) / 255) }, () => 255), (length - 15) % 255];
}

function block(sequences: readonly Sequence[]): number[] {
  return sequences.flatMap(({ literals, match }) => [
    (Math.min(15, literals.length) << 4) | (match ? Math.min(15, match.length - 4) : 0),
    ...lengthBytes(literals.length),
    ...literals,
    ...(match ? [match.offset & 255, match.offset >> 8, ...lengthBytes(match.length - 4)] : []),
  ]);
}

const size = (value: number) => [value & 255, (value >> 8) & 255, (value >> 16) & 255, value >>> 24];
const sum = [1, 2, 3, 4];

/** @param plain the places of blocks that are written unpacked */
function frame(
  blocks: readonly (readonly number[])[],
  { sums = false, plain = [] as readonly number[] } = {},
): Uint8Array {
  const written = blocks.flatMap((bytes, i) => [
    ...size(plain.includes(i) ? (bytes.length | 0x80000000) >>> 0 : bytes.length),
    ...bytes,
    ...(sums ? sum : []),
  ]);
  return Uint8Array.from([
    0x04,
    0x22,
    0x4d,
    0x18,
    0x40 | (sums ? 16 | 8 | 4 : 0),
    0x70,
    ...(sums ? [...size(0), ...size(0)] : []),
    0,
    ...written,
    ...size(0),
    ...(sums ? sum : []),
  ]);
}

describe('an LZ4 frame', () => {
  test('of repeated letters is decoded: a match may overlap its output', () => {
    const sequences = [
      { literals: [...Buffer.from('abc')], match: { offset: 3, length: 16 } },
      { literals: [...Buffer.from('babc\n')] },
    ];
    expect(Buffer.from(unpackLz4(frame([block(sequences)]), 24)).toString()).toBe(
      'abcabcabcabcabcabcababc\n',
    );
  });

  test('of random literals and matches, over linked blocks, equals a byte-by-byte copy', () => {
    const seed = Number(process.env['BELVEDERE_SEED']);
    console.info(`LZ4 frames: seed ${seed}`);
    let state = seed;
    const below = (count: number) => {
      state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
      return Math.floor((state / 2 ** 31) * count);
    };
    for (let round = 0; round < 200; round++) {
      const expected: number[] = [];
      const plain: number[] = [];
      const blocks = Array.from({ length: 1 + below(4) }, (_, i) => {
        if (below(5) === 0) {
          plain.push(i);
          const bytes = Array.from({ length: 1 + below(30) }, () => below(256));
          expected.push(...bytes);
          return bytes;
        }
        const sequences = Array.from({ length: below(6) }, (): Sequence => {
          const literals = Array.from(
            { length: (expected.length === 0 ? 1 : 0) + below(below(8) === 0 ? 700 : 20) },
            () => below(256),
          );
          expected.push(...literals);
          const match = {
            offset: 1 + below(Math.min(65_535, expected.length)),
            length: 4 + below(below(8) === 0 ? 900 : 30),
          };
          for (let n = 0; n < match.length; n++) expected.push(expected[expected.length - match.offset]!);
          return { literals, match };
        });
        const last = Array.from({ length: 5 + below(10) }, () => below(256));
        expected.push(...last);
        return block([...sequences, { literals: last }]);
      });
      const packed = frame(blocks, { sums: below(2) === 1, plain });
      expect([...unpackLz4(packed, expected.length)]).toEqual(expected);
      // Damage ends in an error or in other bytes, never past the end.
      packed[below(packed.length)] = below(256);
      try {
        expect(unpackLz4(packed, expected.length)).toHaveLength(expected.length);
      } catch (error) {
        expect(error).toBeInstanceOf(RangeError);
      }
    }
  });

  test.each([
    ['no frame', Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8)],
    ['cut off', frame([block([{ literals: [1, 2, 3] }])]).subarray(0, 12)],
    ['a match before the beginning', frame([block([{ literals: [1], match: { offset: 9, length: 4 } }])])],
    ['more bytes than it may have', frame([block([{ literals: [1, 2, 3, 4, 5, 6, 7, 8, 9] }])])],
    ['fewer bytes than it should have', frame([block([{ literals: [1] }])])],
  ])('with %s is refused', (_, packed) => {
    expect(() => unpackLz4(packed, 5)).toThrow(RangeError);
  });
});
