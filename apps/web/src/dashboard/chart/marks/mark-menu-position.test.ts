import { describe, expect, test } from 'vitest';
import { besidePointer } from './mark-menu-position.ts';

const menu = { width: 200, height: 30 };
const frame = { width: 500, top: -100, bottom: 600 };

describe('the menu of a mark stands', () => {
  test('beside the pointer among marks in a list, and above it among columns', () => {
    expect(besidePointer({ x: 100, y: 80 }, menu, frame, true, undefined)).toEqual({ left: 114, top: 65 });
    expect(besidePointer({ x: 250, y: 80 }, menu, frame, false, undefined)).toEqual({ left: 150, top: 36 });
  });
  test('clear of the tooltip', () => {
    const tooltip = { x: 110, y: 50, width: 120, height: 60 };
    expect(besidePointer({ x: 100, y: 80 }, menu, frame, true, tooltip)).toEqual({ left: 0, top: 13 });
  });
  test('inside its tile and the window, and never under the pointer', () => {
    for (const isListed of [true, false])
      for (const x of [0, 30, 250, 480, 500])
        for (const y of [-90, 0, 300, 590]) {
          const { left, top } = besidePointer({ x, y }, menu, frame, isListed, undefined);
          expect(left).toBeGreaterThanOrEqual(0);
          expect(left + menu.width).toBeLessThanOrEqual(frame.width);
          expect(x > left && x < left + menu.width && y > top && y < top + menu.height).toBe(false);
        }
  });
});
