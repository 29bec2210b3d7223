import { describe, expect, test } from 'vitest';
import { tooltipPosition } from './tooltip-position.ts';

const size = { width: 250, height: 64 };
const covers = (position: ReturnType<typeof tooltipPosition>, mark: { x: number; y: number }) =>
  mark.x >= position.left &&
  mark.x <= position.left + size.width &&
  mark.y >= position.top &&
  mark.y <= position.top + size.height;

describe('a tooltip', () => {
  test('stands beside its mark where there is room', () => {
    const wide = { width: 900, height: 300 };
    expect(tooltipPosition({ x: 100, y: 150 }, size, wide)).toEqual({ left: 114, top: 118 });
    expect(tooltipPosition({ x: 850, y: 150 }, size, wide)).toEqual({ left: 586, top: 118 });
  });

  test('of a bar along x stands after its end, or above it', () => {
    const tile = { width: 400, height: 300 };
    expect(tooltipPosition({ x: 120, y: 150, start: 80 }, size, tile)).toEqual({ left: 134, top: 118 });
    expect(tooltipPosition({ x: 350, y: 150, start: 80 }, size, tile)).toEqual({ left: 150, top: 64 });
  });

  test('never covers its mark and stays between the edges, wherever the mark is on a phone', () => {
    const phone = { width: 340, height: 260 };
    for (let x = 0; x <= phone.width; x += 10)
      for (let y = 0; y <= phone.height; y += 10) {
        const position = tooltipPosition({ x, y }, size, phone);
        expect([x, y, covers(position, { x, y })]).toEqual([x, y, false]);
        expect(position.left).toBeGreaterThanOrEqual(0);
        expect(position.top).toBeGreaterThanOrEqual(0);
        expect(position.top + size.height).toBeLessThanOrEqual(phone.height);
        expect(position.left + size.width).toBeLessThanOrEqual(phone.width);
      }
  });
});
