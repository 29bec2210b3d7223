import { describe, expect, test } from 'vitest';
import { unpackSnappy } from './snappy.ts';

/** The length as a whole number of seven bits a byte. */
function sizeBytes(length: number): number[] {
  return length < 128 ? [length] : [(length & 127) | 128, ...sizeBytes(length >>> 7)];
}

function literal(bytes: readonly number[]): number[] {
  const size = bytes.length - 1;
  return [...(size < 60 ? [size << 2] : [61 << 2, size & 255, size >> 8]), ...bytes];
}

function match(offset: number, length: number): number[] {
  return length >= 4 && length < 12 && offset < 2048
    ? [((offset >> 8) << 5) | ((length - 4) << 2) | 1, offset & 255]
    : [((length - 1) << 2) | 2, offset & 255, offset >> 8];
}

describe('a Snappy block', () => {
  test('of repeated letters is decoded: a match may overlap its output', () => {
    const packed = [
      22,
      ...literal([...Buffer.from('abc')]),
      ...match(3, 14),
      ...literal([...Buffer.from('babc\n')]),
    ];
    expect(Buffer.from(unpackSnappy(Uint8Array.from(packed), 100)).toString()).toBe(
      'abcabcabcabcabcabbabc\n',
    );
  });

  test('of random literals and matches equals a byte-by-byte copy', () => {
    const seed = Number(process.env['BELVEDERE_SEED']);
    console.info(`Snappy blocks: seed ${seed}`);
    let state = seed;
    const below = (count: number) => {
      state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
      return Math.floor((state / 2 ** 31) * count);
    };
    for (let round = 0; round < 300; round++) {
      const expected: number[] = [];
      const packed: number[] = [];
      for (let part = 0; part < 1 + below(12); part++) {
        if (expected.length === 0 || below(2) === 0) {
          const bytes = Array.from({ length: 1 + below(300) }, () => below(256));
          packed.push(...literal(bytes));
          expected.push(...bytes);
        } else {
          const [offset, length] = [1 + below(expected.length), 1 + below(64)];
          packed.push(...match(offset, length));
          for (let i = 0; i < length; i++) expected.push(expected.at(-offset)!);
        }
      }
      const block = Uint8Array.from([...sizeBytes(expected.length), ...packed]);
      expect([...unpackSnappy(block, 2 ** 20)]).toEqual(expected);
    }
  });

  test.each<[string, readonly number[]]>([
    ['is empty', []],
    ['is cut off', [4, 3 << 2, 1]],
    ['refers before its beginning', [4, ...literal([1]), ...match(2, 3)]],
    ['refers to itself', [4, ...literal([1]), ...match(0, 3)]],
    ['is longer than it says', [1, ...literal([1, 2])]],
    ['is shorter than it says', [9, ...literal([1, 2])]],
    ['says that it is larger than the limit', sizeBytes(2 ** 27)],
  ])('that %s is refused', (_, packed) => {
    expect(() => unpackSnappy(Uint8Array.from(packed), 1000)).toThrow(RangeError);
  });
});
