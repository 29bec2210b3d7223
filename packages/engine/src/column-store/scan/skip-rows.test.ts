import { describe, expect, test } from 'vitest';
import { ClusteredRows } from './clustered-rows.ts';
import { wholeChunks } from '../kernel/row-ranges.ts';
import { bitFieldKey, type BitField, type Test } from '../kernel/scan.ts';
import { randomBelow } from '../random-below.ts';
import { chunksThatMayHold } from './skip-rows.ts';
import { beginZoning, readZones, zoneRows } from './zone-map.ts';

const time: BitField = { word: 0, shift: 0, mask: 255 };
const other: BitField = { word: 0, shift: 8, mask: 15 };
const rows = 100 * zoneRows + 30;
/** A code of time lasts two and a half blocks. */
const words = Uint32Array.from(
  { length: rows },
  (_, row) => Math.floor(row / (2.5 * zoneRows)) | ((Math.imul(row, 2_654_435_761) >>> 28) << other.shift),
);
const zoning = beginZoning(words, time);
readZones(zoning);
const clustered = new ClusteredRows(rows, new Map([[bitFieldKey(time), { zones: zoning.map, words }]]));

const when = (holds: (code: number) => boolean): Test => ({
  kind: 'truth',
  bitField: time,
  truths: Uint8Array.from({ length: 256 }, (_, code) => Number(holds(code))),
});
const odd: Test = {
  kind: 'truth',
  bitField: other,
  truths: Uint8Array.from({ length: 16 }, (_, code) => code & 1),
};
const between = (from: number, below: number) => when(code => code >= from && code < below);
const blocksLeft = (...tests: (Test | undefined)[]) => {
  const chunks = chunksThatMayHold(wholeChunks(rows), tests, clustered);
  return Array.from({ length: chunks.length / 3 }, (_, chunk) => [
    chunks[chunk * 3]! / zoneRows,
    Math.ceil(chunks[chunk * 3 + 1]! / zoneRows),
  ]);
};

describe('a scan skips', () => {
  test.each<[string, number[][], (Test | undefined)[]]>([
    ['nothing without a condition', [[0, 101]], [undefined]],
    ['nothing if one of several queries has no condition', [[0, 101]], [between(4, 8), undefined]],
    ['nothing by a field in random order', [[0, 101]], [odd]],
    ['the blocks before and after a range', [[10, 20]], [between(4, 8)]],
    [
      'the blocks between two ranges',
      [
        [0, 3],
        [95, 101],
      ],
      [when(code => code < 1 || code >= 38)],
    ],
    [
      'the blocks outside the conditions of two queries',
      [
        [10, 20],
        [50, 53],
      ],
      [between(4, 8), between(20, 21)],
    ],
    [
      'the blocks that either of two joint conditions excludes',
      [[15, 20]],
      [{ kind: 'all', tests: [between(4, 8), between(6, 20)] }],
    ],
    [
      'the blocks outside both alternatives',
      [
        [10, 20],
        [50, 53],
      ],
      [{ kind: 'any', tests: [between(4, 8), between(20, 21)] }],
    ],
    [
      'nothing if an alternative by another field could match',
      [[0, 101]],
      [{ kind: 'any', tests: [between(4, 8), odd] }],
    ],
    [
      'the blocks of a negated range',
      [
        [0, 10],
        [20, 101],
      ],
      [{ kind: 'not', test: between(4, 8) }],
    ],
    [
      'the blocks outside a nested negation',
      [[0, 10]],
      [{ kind: 'not', test: { kind: 'any', tests: [between(4, 8), { kind: 'not', test: between(0, 8) }] } }],
    ],
    ['all blocks for a condition without matches', [], [when(() => false)]],
  ])('%s', (_, left, tests) => {
    expect(blocksLeft(...tests)).toEqual(left);
  });

  test('no rows that match its condition, for any condition', () => {
    const seed = Number(process.env['BELVEDERE_SEED']);
    const next = randomBelow(seed);
    const random = (depth: number): Test => {
      const kind = depth === 0 ? next(2) : next(5);
      if (kind === 0) return odd;
      if (kind === 1) return between(next(40), next(60));
      if (kind === 2) return { kind: 'not', test: random(depth - 1) };
      return {
        kind: kind === 3 ? 'all' : 'any',
        tests: Array.from({ length: next(3) }, () => random(depth - 1)),
      };
    };
    const holds = (one: Test, row: number): boolean => {
      if (one.kind === 'truth')
        return one.truths[(words[row]! >>> one.bitField.shift) & one.bitField.mask] === 1;
      if (one.kind === 'not') return !holds(one.test, row);
      return one.kind === 'all'
        ? one.tests.every(inner => holds(inner, row))
        : one.tests.some(inner => holds(inner, row));
    };
    for (let round = 0; round < 60; round++) {
      const tests = Array.from({ length: 1 + next(3) }, () => random(3));
      const left = chunksThatMayHold(wholeChunks(rows), tests, clustered);
      const isLeft = new Uint8Array(rows);
      for (let chunk = 0; chunk < left.length; chunk += 3) isLeft.fill(1, left[chunk], left[chunk + 1]);
      for (let row = next(50); row < rows; row += 1 + next(90)) {
        if (isLeft[row] === 0 && tests.some(one => holds(one, row)))
          throw new Error(`seed ${seed}, round ${round}: row ${row} was left out`);
      }
    }
  });
});
