import { describe, expect, test } from 'vitest';
import { readDocument } from './read-document.ts';
import { parametersIn, resolveDashboard, tilesShown, type Chosen } from './resolve-dashboard.ts';

const text = `version: 1
title: Sales
model: sales
filters:
  - { field: day, default: { last: 90 days } }
  - { field: shop }
  - { field: year, locked: true, default: { oneOf: [2024] } }
parameters:
  figure: { kind: measure, label: Show, options: [sold, takings] }
  by: { kind: field, options: [shop, product], default: product }
  grain: { kind: timeUnit, options: [day, month] }
  most: { kind: number, default: 8, min: 3, max: 20 }
  view: { kind: choice, options: [Bars, Table] }
pages:
  - title: By {{ :by }}
    tiles:
      plain: { kind: kpi, value: { measure: sold }, at: [0, 0, 6, 3] }
      course: { kind: line, title: '{{ :figure }} each {{ :grain }}', x: { field: day, timeUnit: ':grain' }, y: { measure: ':figure' }, references: [{ y: ':most' }], at: [6, 0, 18, 3] }
      bars: { kind: bar, x: { measure: ':figure' }, y: { field: ':by', limit: ':most' }, showIf: { parameter: view, is: Bars }, at: [0, 3, 24, 8] }
      rows: { kind: table, columns: [':by', ':figure'], showIf: { parameter: view, is: [Table, Both] }, at: [0, 3, 24, 8] }
      only: { kind: text, text: narrowed, showIf: { filtered: shop, notSelected: bars }, at: [0, 11, 12, 2] }
      hint: { kind: text, text: all shops, showIf: { notFiltered: shop }, at: [12, 11, 12, 2] }
      detail: { kind: table, showIf: { selected: bars }, at: [0, 13, 24, 8] }
      last: { kind: text, text: 'the end :by', at: [0, 21, 24, 2] }
`;
const read = readDocument('dashboard', text, 'sales.yaml');
if (!read.ok) throw new Error(read.problems.map(problem => problem.message).join());
const file = read.value;
const nothing: Chosen = { filters: {}, selections: {} };
const seen = (chosen: Partial<Chosen> = {}) =>
  resolveDashboard(file, { ...nothing, ...chosen }, (_, value, isInside) =>
    isInside ? `${value}` : `The ${value}`,
  ).pages[0]!;

describe('parameters', () => {
  test('have their defaults: the stated value, else the first option', () => {
    expect(seen().tiles['course']).toMatchObject({
      title: 'The sold each day',
      x: { timeUnit: 'day' },
      y: { measure: 'sold' },
      references: [{ y: 8 }],
    });
    expect(seen().tiles['bars']).toMatchObject({ y: { field: 'product', limit: 8 } });
    expect(seen().title).toBe('By product');
  });

  test('have their chosen values, numbers as numbers', () => {
    const page = seen({ parameters: { figure: 'takings', by: 'shop', grain: 'month', most: 5 } });
    expect(page.tiles['course']).toMatchObject({
      title: 'The takings each month',
      x: { timeUnit: 'month' },
      y: { measure: 'takings' },
      references: [{ y: 5 }],
    });
    expect(page.tiles['bars']).toMatchObject({ y: { field: 'shop', limit: 5 } });
  });

  test.each<[string, Chosen['parameters'], object]>([
    ['an unknown option', { by: 'secret' }, { field: 'product', limit: 8 }],
    ['a number above its maximum', { most: 900 }, { field: 'product', limit: 20 }],
    ['a text for a number', { most: 'many' }, { field: 'product', limit: 8 }],
    ['a number for a field', { by: 3 }, { field: 'product', limit: 8 }],
    ['names of Object.prototype', { constructor: 'x', by: 'toString' }, { field: 'product', limit: 8 }],
  ])('in a link with %s are ignored', (_, parameters, y) => {
    expect(seen({ parameters }).tiles['bars']).toMatchObject({ y });
  });

  test('leave all other parts identical', () => {
    expect(seen({ parameters: { by: 'shop' } }).tiles['plain']).toBe(file.pages[0]!.tiles['plain']);
    expect(seen().tiles['last']).toMatchObject({ text: 'the end :by' });
  });

  test('are optional: a dashboard without any is unchanged', () => {
    const plain = readDocument(
      'dashboard',
      'version: 1\ntitle: A\npages:\n  - title: B\n    tiles:\n      a: { kind: text, text: hello }\n',
      'a.yaml',
    );
    if (!plain.ok) throw new Error('unread');
    expect(resolveDashboard(plain.value, nothing, String).pages).toBe(plain.value.pages);
  });

  test('are found in every property of a tile', () => {
    const { tiles } = file.pages[0]!;
    expect(['plain', 'course', 'bars', 'rows', 'last'].map(id => parametersIn(tiles[id]).toSorted())).toEqual(
      [[], ['figure', 'grain', 'most'], ['by', 'figure', 'most', 'view'], ['by', 'figure', 'view'], []],
    );
  });
});

describe('tiles are shown', () => {
  const shown = (chosen: Partial<Chosen>) => tilesShown(file, 0, { ...nothing, ...chosen });
  test.each<[string, Partial<Chosen>, readonly string[]]>([
    ['at the beginning', {}, ['plain', 'course', 'bars', 'hint', 'last']],
    ['by a parameter', { parameters: { view: 'Table' } }, ['plain', 'course', 'rows', 'hint', 'last']],
    [
      'while a field has a filter',
      { filters: { shop: { oneOf: ['North'] } } },
      ['plain', 'course', 'bars', 'only', 'last'],
    ],
    [
      'if all of several conditions hold',
      { filters: { shop: { oneOf: ['North'] } }, selections: { bars: [{}] } },
      ['plain', 'course', 'bars', 'detail', 'last'],
    ],
    ['not for a cleared filter', { filters: { shop: null } }, ['plain', 'course', 'bars', 'hint', 'last']],
    [
      'not for a selection of nothing',
      { selections: { bars: [] } },
      ['plain', 'course', 'bars', 'hint', 'last'],
    ],
  ])('%s', (_, chosen, ids) => {
    expect(shown(chosen)).toEqual(ids);
    expect(Object.keys(seen(chosen).tiles)).toEqual(ids);
  });

  test('empty rows close up; an original gap stays', () => {
    expect(seen().tiles['last']!.at).toEqual([0, 13, 24, 2]);
    expect(seen({ selections: { bars: [{}] } }).tiles['last']!.at).toEqual([0, 21, 24, 2]);
    expect(seen().tiles['hint']!.at).toEqual([12, 11, 12, 2]);
  });
});

test.each<[string, string, string]>([
  [
    'a condition on a parameter without its value',
    'a: { kind: text, text: t, showIf: { parameter: view } }',
    '`is` is missing.',
  ],
  [
    'a value without its parameter',
    'a: { kind: text, text: t, showIf: { is: Bars } }',
    '`parameter` and `is` must be used together',
  ],
  [
    'a parameter without a valid kind',
    'a: { kind: text, text: t }\nparameters:\n  x: { kind: colour }',
    'is not one of',
  ],
  [
    'a parameter without options',
    'a: { kind: text, text: t }\nparameters:\n  x: { kind: field, options: [] }',
    'Invalid value',
  ],
  [
    'a band of a gauge without an end, before others',
    'a: { kind: gauge, value: { measure: rows }, bands: [{ look: good }, { look: bad }] }',
    'an end (`below`) for each band but the last',
  ],
  [
    'bands of a gauge in another order',
    'a: { kind: gauge, value: { measure: rows }, bands: [{ below: 9, look: good }, { below: 5, look: bad }] }',
    'bands in the order of their ends',
  ],
  [
    'a refresh interval of a second',
    'a: { kind: text, text: A }\nrefresh: { every: 1 second }',
    'a duration from `5 seconds` to `1 day`',
  ],
  [
    'a refresh interval longer than a timer',
    'a: { kind: text, text: A }\nrefresh: { every: 30 days }',
    'a duration from `5 seconds` to `1 day`',
  ],
  [
    'a text in place of a number',
    'a: { kind: gauge, value: { measure: rows }, target: many }',
    'Invalid value',
  ],
])('%s is reported', (_, tile, message) => {
  const [first, ...rest] = tile.split('\n');
  const found = readDocument(
    'dashboard',
    `version: 1\ntitle: A\n${rest.join('\n')}\npages:\n  - title: B\n    tiles:\n      ${first}\n`,
    'a.yaml',
  );
  expect(found.ok ? [] : found.problems.map(problem => problem.message)).toEqual([
    expect.stringContaining(message),
  ]);
});
