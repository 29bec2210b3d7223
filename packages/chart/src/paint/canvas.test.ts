import { expect, test } from 'vitest';
import type { Mark } from '../scene.ts';
import { paintCanvas } from './canvas.ts';

/** As much of a canvas as words need: what is saved and restored takes the font with it. */
function canvasOfWords() {
  const said: { text: string; font: string; x: number; y: number }[] = [];
  const kept: { font: string; x: number; y: number }[] = [];
  let now = { font: '10px sans-serif', x: 0, y: 0 };
  const context = {
    canvas: { width: 300, height: 200 },
    get font() {
      return now.font;
    },
    set font(font: string) {
      now = { ...now, font };
    },
    save: () => void kept.push(now),
    restore: () => void (now = kept.pop() ?? now),
    translate: (x: number, y: number) => void (now = { ...now, x: now.x + x, y: now.y + y }),
    fillText: (text: string, x: number, y: number) =>
      void said.push({ text, font: now.font.split(' ')[0]!, x: now.x + x, y: now.y + y }),
  };
  return { context: context as unknown as CanvasRenderingContext2D, said };
}

test('texts keep their own font weight in every position: after a group, in one, and in a nested group', () => {
  const word = (text: string, weight?: number): Mark => ({
    kind: 'text',
    x: 1,
    y: 2,
    text,
    fill: '#000',
    align: 'left',
    size: 11,
    ...(weight && { weight }),
  });
  const group = (...marks: Mark[]): Mark => ({ kind: 'group', x: 10, y: 20, marks });
  const { context, said } = canvasOfWords();
  const marks = [
    word('title', 600),
    group(word('first')),
    group(word('second'), group(word('third', 600))),
    word('fourth'),
    word('fifth', 600),
  ];
  paintCanvas(context, marks);
  paintCanvas(context, marks);
  const once = [
    ['title', '600', 1, 2],
    ['first', '400', 11, 22],
    ['second', '400', 11, 22],
    ['third', '600', 21, 42],
    ['fourth', '400', 1, 2],
    ['fifth', '600', 1, 2],
  ];
  expect(said.map(({ text, font, x, y }) => [text, font, x, y])).toEqual([...once, ...once]);
});
