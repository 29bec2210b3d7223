import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { interFonts, scriptFonts } from './fonts.ts';
import { typeset, Typesetter, visualRuns } from './font-fallback.ts';

const typesetter = new Typesetter([]);
const [inter, chinese, arabic, hebrew] = [0, 1, 2, 3];

test('every listed font file exists', () => {
  for (const file of [interFonts, ...scriptFonts].flat())
    expect([file, existsSync(file!)]).toEqual([file, true]);
});

test.each([
  ['Sales in Łódź · Ελλάδα', [['Sales in Łódź · Ελλάδα', inter]]],
  [
    '销售额 by 城市',
    [
      ['销售额 ', chinese],
      ['by ', inter],
      ['城市', chinese],
    ],
  ],
  ['上海 (浦东)', [['上海 (浦东)', chinese]]],
  [
    'مبيعات 2024',
    [
      ['مبيعات ', arabic],
      ['2024', inter],
    ],
  ],
  ['תל אביב', [['תל אביב', hebrew]]],
])('%s is set in the font families with its characters', (text, expected) => {
  expect(typesetter.runs(text).map(({ text: piece, family }) => [piece, family])).toEqual(expected);
});

test('a text stays in one piece if one family has all of its characters', () => {
  expect(typesetter.inOne('销售额 by 城市')).toEqual([{ text: '销售额 by 城市', family: chinese }]);
  expect(typesetter.inOne('上海 אביב')).toBeUndefined();
});

// What is seen from left to right; each word is laid out in its script's own direction.
test.each([
  ['Sales 2024', ['Sales 2024']],
  ['תל אביב', ['אביב', ' ', 'תל']],
  ['תל (אביב)', ['(', 'אביב', ')', ' ', 'תל']],
  ['מכירות, 12 שנים', ['שנים', ' ', '12', ' ', ',', 'מכירות']],
  // A number after such words belongs to them, as in a browser.
  ['Sales in תל אביב, 2024', ['Sales in ', '2024', ' ', ',', 'אביב', ' ', 'תל']],
  ['مبيعات القاهرة', ['القاهرة', ' ', 'مبيعات']],
])('%s is laid out in visual order', (text, expected) => {
  expect(visualRuns(text, typesetter).map(({ text: piece }) => piece)).toEqual(expected);
});

describe('an SVG drawing', () => {
  const set = (svg: string) => typeset(svg, typesetter, family => `f${family}`);

  test('keeps texts unchanged if Inter has all of their characters', () => {
    const svg = '<svg><title>销售</title><text x="1" y="2">A &#38; B</text></svg>';
    expect(set(svg)).toBe(svg);
  });
  test('splits other texts into pieces, whatever characters they contain', () => {
    expect(set('<text x="1">A &#60; 上海</text>')).toBe(
      '<text x="1"><tspan font-family="f0">A &#60; </tspan><tspan font-family="f1">上海</tspan></text>',
    );
  });
});

test('every Chinese character of the interface and of chart texts has its font', () => {
  const project = path.resolve(import.meta.dirname, '..', '..', '..', '..', '..');
  const words = [
    ...globSync('apps/web/src/**/messages/**/zh.ts', { cwd: project }),
    'packages/chart/src/text/chart-messages.ts',
  ]
    .map(file => readFileSync(path.join(project, file), 'utf8'))
    .join('');
  const letters = [...new Set(words.match(/\p{Script=Han}/gu))];
  expect(letters.length).toBeGreaterThan(600);
  expect(letters.filter(letter => typesetter.runs(letter)[0]!.family !== chinese)).toEqual([]);
});
