import { expect, test } from 'vitest';
import type { Mark } from '../scene.ts';
import { textWidth } from '../text/text-width.ts';
import { paintSvg } from './svg.ts';

const word = (text: string, weight?: number): Mark => ({
  kind: 'text',
  x: 1,
  y: 2,
  text,
  fill: '#000',
  align: 'right',
  size: 11,
  ...(weight && { weight }),
});
const group = (...marks: Mark[]): Mark => ({ kind: 'group', x: 10, y: 20, marks });
const held = (marks: readonly Mark[], isForElsewhere: boolean) =>
  [
    ...paintSvg(marks, { width: 100, height: 50 }, 'Words', { isForElsewhere }).matchAll(
      /<text [^>]*?(?:textLength="([^"]*)")?>([^<]*)</g,
    ),
  ].map(([, width, text]) => [text, width]);

test('exported texts have their layout width, also in nested groups, unless it is unknown', () => {
  const marks = [word('Łódź, 1.2K'), group(word('Straße', 600), group(word('上海'))), word('▲ 5 %')];
  const width = (text: string, weight?: number) =>
    String(Math.round(textWidth(text, 11, weight) * 100) / 100);
  expect(held(marks, true)).toEqual([
    ['Łódź, 1.2K', width('Łódź, 1.2K')],
    ['Straße', width('Straße', 600)],
    ['上海', undefined],
    ['▲ 5 %', undefined],
  ]);
  expect(Number(width('Straße', 600))).toBeGreaterThan(Number(width('Straße')));
  expect(held(marks, false)).toEqual([
    ['Łódź, 1.2K', undefined],
    ['Straße', undefined],
    ['上海', undefined],
    ['▲ 5 %', undefined],
  ]);
});

test('an SVG is valid XML whatever the data contains: invalid characters are left out', () => {
  const held = '<&"\'\t\u0085\u2028😀';
  const svg = paintSvg(
    [word(`a\0\u0001\u0008\u000B\u001B\u001F\uFFFE\uFFFF\uD83D${held}`)],
    { width: 100, height: 50 },
    'title\u0007',
  );
  expect(svg).toContain('>a\uFFFD&#60;&#38;&#34;&#39;\t\u0085\u2028😀</text>');
  expect(svg).toContain('<title>title</title>');
});

test('a text with an angle is rotated about its position', () => {
  const marks = [{ ...word('slanted'), x: 10, y: 20, angle: -45 } as Mark];
  expect(paintSvg(marks, { width: 100, height: 50 }, '')).toContain(
    '<text x="10" y="20" transform="rotate(-45 10 20)"',
  );
});
