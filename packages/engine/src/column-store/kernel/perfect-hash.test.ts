import fc from 'fast-check';
import { expect, test } from 'vitest';
import { goldenSection, perfectHash } from './perfect-hash.ts';

const numberOf = (
  { displacements, shift, numbers }: NonNullable<ReturnType<typeof perfectHash>>,
  hash: bigint,
) =>
  numbers[
    Math.imul(
      Number(hash >> 32n) ^ displacements[Number(hash & BigInt(displacements.length - 1))]!,
      goldenSection,
    ) >>> shift
  ];
const hash = fc
  .tuple(fc.nat(0xffff_ffff), fc.nat(0xffff_ffff))
  .map(([upper, lower]) => (BigInt(upper) << 32n) | BigInt(lower));

test('every hash finds its own number, for one hash up to the largest number of codes', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(hash, { minLength: 1, maxLength: 700, selector: one => one >> 32n }),
      hashes => {
        const lookup = perfectHash(hashes)!;
        expect(hashes.map(one => numberOf(lookup, one))).toEqual(hashes.map((_, i) => i));
      },
    ),
  );
  // The engine's hash of 0 is 0.
  for (let count = 1; count < 200; count++) {
    const hashes = Array.from({ length: count }, (_, i) =>
      BigInt.asUintN(64, BigInt(i) * 0x9e37_79b9_7f4a_7c15n),
    );
    const lookup = perfectHash(hashes)!;
    expect(hashes.map(one => numberOf(lookup, one))).toEqual(hashes.map((_, i) => i));
  }
  let seed = 7n;
  const many = Array.from(
    { length: 2 ** 16 },
    () => (seed = (seed * 6_364_136_223_846_793_005n + 1_442_695_040_888_963_407n) & 0xffff_ffff_ffff_ffffn),
  );
  const lookup = perfectHash(many)!;
  expect(many.every((one, i) => numberOf(lookup, one) === i)).toBe(true);
  expect(lookup.numbers.length).toBe(2 ** 17);
});

test('equal hashes are rejected', () => {
  expect(perfectHash([5n << 32n, 5n << 32n])).toBeUndefined();
});
