import { expect, test } from 'vitest';
import { completionsAt } from './completions.ts';
import { readTiles } from '../read-tiles.ts';

const page = (lines: string) => `version: 1\ntitle: One\nmodel: flights\n${lines}`;
/** `|` is the cursor. */
const at = (text: string) => completionsAt('dashboard', text.replace('|', ''), text.indexOf('|'));

test.each<[string, string, string, readonly string[]]>([
  ['a key of the document', page('des|'), 'key', ['description']],
  ['a key on a line of its own, before others', 'version: 1\nti|\npages: []\n', 'key', ['title', 'model']],
  ['a key of a page', page('pages:\n  - title: A\n    t|\n'), 'key', ['tiles']],
  [
    'a key of a tile, by its kind',
    page('pages:\n  - title: A\n    tiles:\n      a: { kind: kpi, | }\n'),
    'key',
    ['value', 'compare', 'target', 'spark', 'title', 'at'],
  ],
  [
    'a key of a tile that has no kind yet',
    page('pages:\n  - title: A\n    tiles:\n      a: { ki| }\n'),
    'key',
    ['kind', 'title', 'at'],
  ],
  [
    'a key of an encoding',
    page(
      'pages:\n  - title: A\n    tiles:\n      a: { kind: bar, x: { field: day, ti| }, y: { measure: rows } }\n',
    ),
    'key',
    ['timeUnit', 'bin', 'sort', 'limit'],
  ],
  [
    'a tile’s kind',
    page('pages:\n  - title: A\n    tiles:\n      a: { kind: b| }\n'),
    'value',
    ['bar', 'boxplot', 'kpi', 'map'],
  ],
  [
    'a unit of time',
    page(
      'pages:\n  - title: A\n    tiles:\n      a: { kind: line, x: { field: day, timeUnit: | }, y: { measure: rows } }\n',
    ),
    'value',
    ['day', 'month', 'year'],
  ],
  [
    'the shading of a pivot',
    page(
      'pages:\n  - title: A\n    tiles:\n      a: { kind: pivot, rows: [{ field: day }], values: [{ measure: rows }], heat: | }\n',
    ),
    'value',
    ['true', 'false'],
  ],
  ['yes or no', page('filters:\n  - { field: day, locked: | }\n'), 'value', ['true', 'false']],
  [
    'a control, in a block',
    page('filters:\n  - field: day\n    control: |\n'),
    'value',
    ['dateRange', 'search'],
  ],
  [
    'a sort',
    page(
      'pages:\n  - title: A\n    tiles:\n      a: { kind: bar, x: { measure: rows }, y: { field: origin, sort: - } }\n',
    ).replace('sort: -', 'sort: |'),
    'value',
    ['ascending', '-value'],
  ],
])('%s', (_, text, kind, words) => {
  const expected = at(text)!;
  expect(expected.kind).toBe(kind);
  expect(expected.words).toEqual(expect.arrayContaining([...words]));
});

test('existing keys are not offered again', () => {
  expect(at(page('|'))!.words).not.toContain('title');
  expect(
    at(page('pages:\n  - title: A\n    tiles:\n      a: { kind: kpi, value: { measure: rows }, | }\n'))!
      .words,
  ).not.toContain('value');
});

test.each<[string, string, string]>([
  ['a field', page('filters:\n  - { field: da| }\n'), 'field'],
  [
    'a measure',
    page('pages:\n  - title: A\n    tiles:\n      a: { kind: kpi, value: { measure: | } }\n'),
    'measure',
  ],
  [
    'a column',
    page('pages:\n  - title: A\n    tiles:\n      a: { kind: table, columns: [day, |] }\n'),
    'either',
  ],
  [
    'a measure that is a target',
    page(
      'pages:\n  - title: A\n    tiles:\n      a: { kind: kpi, value: { measure: rows }, target: { measure: | } }\n',
    ),
    'measure',
  ],
  [
    'a shaded column',
    page('pages:\n  - title: A\n    tiles:\n      a: { kind: table, columns: [day, rows], heat: [|] }\n'),
    'either',
  ],
  [
    'a field as an option of a parameter',
    page('parameters:\n  by: { kind: field, options: [day, |] }\n'),
    'either',
  ],
  [
    'a field of a filter',
    page('pages:\n  - title: A\n    tiles:\n      a: { kind: text, text: b, showIf: { filtered: | } }\n'),
    'field',
  ],
  ['a model', 'version: 1\nmodel: |\n', 'model'],
])('%s of the model', (_, text, names) => {
  expect(at(text)).toMatchObject({ kind: 'value', names });
});

test.each<['alert' | 'report', string, string, string, string]>([
  ['alert', 'a dashboard', 'watch: { dashboard: sales/no| }', 'dashboard', 'sales/no|'],
  ['alert', 'a tile', 'watch: { dashboard: orders, tile: | }', 'tile', '| }'],
  ['alert', 'a measure', 'watch: { model: orders, measure: sum(am| }', 'measure', 'sum(am|'],
  ['alert', 'a dimension', 'watch: { model: orders, measure: rows, by: re| }', 'field', 're|'],
  ['alert', 'a user', 'notify:\n  - { user: ana@ex| }', 'user', 'ana@ex|'],
  ['alert', 'an owner', 'owner: an|', 'user', 'an|'],
  ['report', 'a group', 'to:\n  - group: |', 'group', '|'],
  ['report', 'a group with a space', 'to:\n  - { group: Ops te| }', 'group', 'Ops te|'],
  ['alert', 'a quoted group with a space', 'notify: [{ group: "Ops te|" }]', 'group', 'Ops te|'],
  ['report', 'a channel of a list', 'each:\n  - to: [{ channel: op| }]', 'channel', 'op|'],
  ['report', 'a page', 'pages: [1, |]', 'page', '|]'],
  ['report', 'a figure', 'onlyIf: { tile: | }', 'tile', '| }'],
])('in the text of an alert or a report (%s): %s', (kind, _, line, names, from) => {
  const text = `version: 1\n${line}\n`;
  expect(completionsAt(kind, text.replace('|', ''), text.indexOf('|'))).toMatchObject({
    kind: 'value',
    names,
    from: text.indexOf(from),
  });
});

test.each<['alert' | 'report', string, string | undefined]>([
  ['alert', 'watch: { dashboard: orders, tile: a, filters: { re| } }', 'field'],
  ['report', 'filters:\n  re|', 'field'],
  ['report', 'parameters:\n  |', 'parameter'],
  ['report', 'schedule:\n  |', undefined],
])('keys of %s: %s', (kind, line, names) => {
  const text = `version: 1\n${line}\n`;
  const expected = completionsAt(kind, text.replace('|', ''), text.indexOf('|'))!;
  expect([expected.kind, expected.names]).toEqual(['key', names]);
});

test('a parameter’s name begins with its colon', () => {
  const text = page('pages:\n  - title: A\n    tiles:\n      a: { kind: kpi, value: { measure: :fi| } }\n');
  expect(at(text)).toMatchObject({ kind: 'value', names: 'measure', from: text.indexOf(':fi|') });
});

test('tiles are parsed from a list, from a single one, from a whole dashboard, and from nothing else', () => {
  expect(
    readTiles('a: { kind: text, text: hello }\nb: { kind: kpi, value: { measure: rows } }\n')!.map(
      ([id]) => id,
    ),
  ).toEqual(['a', 'b']);
  expect(readTiles('kind: text\ntext: hello\n')).toEqual([['text', { kind: 'text', text: 'hello' }]]);
  expect(
    readTiles(page('pages:\n  - title: A\n    tiles:\n      a: { kind: text, text: hello }\n'))!.map(
      ([id]) => id,
    ),
  ).toEqual(['a']);
  for (const other of ['hello', 'a: 1', 'a: { kind: nothing }', '- 1', 'a: [', ''])
    expect(readTiles(other)).toBeUndefined();
});
