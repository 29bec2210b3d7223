import { expect, test } from 'vitest';
import { followed } from './use-pan-zoom.ts';

const box = { left: 10, top: 20 };
const from = { x: 30, y: 40, scale: 0.5 };

test('one pointer pans', () => {
  expect(followed({ from, held: [{ x: 100, y: 100 }] }, [{ x: 130, y: 90 }], box)).toEqual({
    x: 60,
    y: 30,
    scale: 0.5,
  });
});

test('two fingers zoom, and what is between them stays there', () => {
  const held = [
    { x: 100, y: 200 },
    { x: 200, y: 200 },
  ];
  const now = [
    { x: 60, y: 220 },
    { x: 260, y: 220 },
  ];
  const view = followed({ from, held }, now, box);
  expect(view.scale).toBe(1);
  const placeAt = ({ x, y, scale }: typeof from, at: { x: number; y: number }) => [
    (at.x - box.left - x) / scale,
    (at.y - box.top - y) / scale,
  ];
  expect(placeAt(view, { x: 160, y: 220 })).toEqual(placeAt(from, { x: 150, y: 200 }));
});

test('zooming ends at its limits', () => {
  const held = [
    { x: 0, y: 0 },
    { x: 10, y: 0 },
  ];
  const far = [
    { x: 0, y: 0 },
    { x: 900, y: 0 },
  ];
  expect(followed({ from, held }, far, box).scale).toBe(2);
  expect(followed({ from, held: far }, held, box).scale).toBe(0.05);
});
