import { describe, expect, test } from 'vitest';
import type { BitField } from '../kernel/scan.ts';
import { beginZoning, isClustered, readZones, zoneRows } from './zone-map.ts';

const bitField: BitField = { word: 0, shift: 7, mask: 4095 };
const rows = 100 * zoneRows + 17;
const words = (code: (row: number) => number) =>
  Uint32Array.from(
    { length: rows },
    (_, row) => (code(row) << bitField.shift) | (Math.imul(row, 2_654_435_761) & 0xfff8_007f),
  );

describe('a zone map', () => {
  test.each<[string, boolean, (row: number) => number]>([
    ['of rows in time order', true, row => Math.floor(row / 60)],
    [
      'of rows in time order, one in a thousand late',
      true,
      row => Math.max(0, Math.floor(row / 60) - (row % 1000 === 0 ? 200 : 0)),
    ],
    ['of consecutive groups', true, row => (Math.floor(row / 9000) * 1237) % 4096],
    ['that are nearly all equal', true, row => (row % 5000 === 0 ? 9 : 3)],
    ['in random order', false, row => (row * 7919) % 4096],
    ['that repeat within a block', false, row => row % 1000],
  ])('is useful for codes %s: %s', (_, isWorth, code) => {
    expect(isClustered(words(code), bitField)).toBe(isWorth);
  });

  test('is not built for few rows', () => {
    expect(isClustered(words(row => Math.floor(row / 60)).subarray(0, 20 * zoneRows), bitField)).toBe(false);
  });

  test('has the minimum and maximum code of each block, of the shorter last one, too', () => {
    const codes = (row: number) => (Math.floor(row / 60) + (row % 13) * 3) % 4096;
    const zoning = beginZoning(words(codes), bitField);
    readZones(zoning);
    for (const [block, min] of zoning.map.min.entries()) {
      const inBlock = Array.from({ length: Math.min(zoneRows, rows - block * zoneRows) }, (__, i) =>
        codes(block * zoneRows + i),
      );
      expect([min, zoning.map.max[block]]).toEqual([Math.min(...inBlock), Math.max(...inBlock)]);
    }
    expect(zoning.map.min.length).toBe(101);
  });
});
