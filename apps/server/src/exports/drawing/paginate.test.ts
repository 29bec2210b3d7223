import type { Tile } from '@belvedere/document';
import { describe, expect, test } from 'vitest';
import { paginate } from './paginate.ts';
import { layOut } from './page-layout.ts';

const room = 728;

type At = readonly [column: number, row: number, columns: number, rows: number];

const tileAt = (kind: 'kpi' | 'table', at: At) => ({ kind, at }) as unknown as Tile;

function sheetsOf(tiles: Readonly<Record<string, Tile>>) {
  const entries = Object.entries(tiles);
  return paginate(entries, layOut(entries).boxes, room);
}

const idsOf = (sheets: ReturnType<typeof sheetsOf>) => sheets.map(sheet => sheet.map(({ id }) => id));
const bottomOf = (sheet: ReturnType<typeof sheetsOf>[number]) =>
  Math.max(...sheet.map(({ box }) => box.y + box.height));

describe('sheets of a PDF', () => {
  test('keep figures with the charts below them and are filled', () => {
    const sheets = sheetsOf({
      figure: tileAt('kpi', [0, 0, 24, 3]),
      first: tileAt('table', [0, 3, 24, 8]),
      left: tileAt('table', [0, 11, 12, 8]),
      right: tileAt('table', [12, 11, 12, 8]),
      last: tileAt('table', [0, 19, 24, 8]),
    });
    expect(idsOf(sheets)).toEqual([
      ['figure', 'first'],
      ['left', 'right', 'last'],
    ]);
    for (const sheet of sheets) expect(bottomOf(sheet)).toBeCloseTo(room, 5);
    expect(sheets[0]![0]!.box.height).toBe(108);
  });

  test('compress tiles a little to save a sheet', () => {
    const sheets = sheetsOf({ a: tileAt('table', [0, 0, 24, 10]), b: tileAt('table', [0, 10, 24, 12]) });
    expect(idsOf(sheets)).toEqual([['a', 'b']]);
    expect(bottomOf(sheets[0]!)).toBeCloseTo(room, 5);
  });

  test('never overlap tiles or leave the paper, whatever the layout', () => {
    const layouts: Readonly<Record<string, Tile>>[] = [
      {
        tall: tileAt('table', [0, 0, 12, 60]),
        a: tileAt('table', [12, 0, 12, 20]),
        b: tileAt('table', [12, 20, 12, 40]),
      },
      Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`k${i}`, tileAt('kpi', [0, i * 3, 24, 3])])),
      Object.fromEntries(
        Array.from({ length: 12 }, (_, i) => [`t${i}`, tileAt('table', [(i % 3) * 8, i * 3, 8, 9])]),
      ),
    ];
    for (const tiles of layouts) {
      const sheets = sheetsOf(tiles);
      expect(idsOf(sheets).flat().toSorted()).toEqual(Object.keys(tiles).toSorted());
      for (const sheet of sheets) {
        expect(bottomOf(sheet)).toBeLessThanOrEqual(room + 0.001);
        for (const a of sheet)
          for (const b of sheet)
            if (a !== b && a.box.x < b.box.x + b.box.width && b.box.x < a.box.x + a.box.width)
              expect(a.box.y >= b.box.y + b.box.height || b.box.y >= a.box.y + a.box.height).toBe(true);
      }
    }
  });
});
