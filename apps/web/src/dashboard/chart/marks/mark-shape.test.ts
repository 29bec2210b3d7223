import type { Panel } from '@belvedere/chart';
import { describe, expect, test } from 'vitest';
import { areaAround, positionBeside, shapeAt } from './mark-shape.ts';

const frame = { width: 400, height: 200 };
const box = { width: 120, height: 60 };

describe('a tooltip stands', () => {
  test('to the right of its mark, with room between', () => {
    expect(positionBeside(areaAround(100, 100), box, frame)).toEqual({ left: 115, top: 70 });
  });
  test('to the left where the right has no room', () => {
    expect(positionBeside(areaAround(350, 100), box, frame)).toEqual({ left: 215, top: 70 });
  });
  test('below a bar that fills the width, else above it', () => {
    expect(positionBeside({ x: 60, y: 20, width: 335, height: 20 }, box, frame)).toEqual({
      left: 167.5,
      top: 48,
    });
    expect(positionBeside({ x: 60, y: 160, width: 335, height: 20 }, box, frame)).toEqual({
      left: 167.5,
      top: 92,
    });
  });
  test('inside the chart where nothing has room', () => {
    const { left, top } = positionBeside({ x: 10, y: 0, width: 380, height: 200 }, box, frame);
    expect([left >= 0, left + box.width <= 400, top >= 0, top + box.height <= 200]).toEqual([
      true,
      true,
      true,
      true,
    ]);
  });
});

test('a line has a crosshair with a point for each series, a bar its own area', () => {
  const panel = {
    x: 10,
    y: 5,
    chart: {
      plot: { x: 40, y: 10, width: 300, height: 100 },
      x: { span: () => [100, 120] },
      series: [{ colour: 'red' }, { colour: 'blue' }],
      markAt: (_: unknown, __: number, series = 0) => ({ x: 110, y: 30 + series * 20 }),
    },
  } as unknown as Panel;
  expect(shapeAt(panel, { x: 3, y: -1 }, new Float64Array(), true)).toEqual({
    area: areaAround(120, 35),
    line: { x: 120, top: 15, height: 100 },
    dots: [
      { x: 120, y: 35, colour: 'red' },
      { x: 120, y: 55, colour: 'blue' },
    ],
  });
  expect(shapeAt(panel, { x: 3, y: -1 }, new Float64Array(), false)).toEqual({
    area: { x: 110, y: 35, width: 20, height: 80 },
  });
});
