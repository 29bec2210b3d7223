import { expect, test } from 'vitest';
import { cellsOf, headerLines } from './header-lines.ts';

test('a line of questions and one of their answers are combined into column names', () => {
  expect(
    headerLines([
      ['ID', 'Seen any?', 'Which have you seen?', ' ', '', 'Age', 'Rank them', ''],
      ['', 'Response', 'Episode I', 'Episode II', 'Episode III', 'Response', 'Episode I', 'Episode II'],
      ['329', 'Yes', 'Episode I', '', 'Episode III', '18-29', '1', '2'],
    ]),
  ).toEqual({
    names: [
      'ID',
      'Seen any?',
      'Which have you seen?: Episode I',
      'Which have you seen?: Episode II',
      'Which have you seen?: Episode III',
      'Age',
      'Rank them: Episode I',
      'Rank them: Episode II',
    ],
    lines: 2,
  });
});

test('headers of codes, questions and JSON use the questions as names, or the codes without questions', () => {
  expect(
    headerLines([
      ['Q1', 'Q2', 'Q3'],
      ['Your age', 'Your age', ''],
      ['{"ImportId":"QID1"}', '{"ImportId":"QID2"}', '{"ImportId":"QID3"}'],
    ]),
  ).toEqual({ names: ['Your age', 'Your age 2', 'Q3'], lines: 3 });
});

test.each([
  [
    'a single line of names',
    [
      ['id', 'city', 'minutes'],
      ['1', 'A', '5'],
      ['2', 'B', '6'],
    ],
  ],
  [
    'columns without a name, whose rows begin with a key',
    [
      ['id', '', ''],
      ['1', 'a', 'b'],
      ['2', 'c', 'd'],
    ],
  ],
  [
    'unnamed columns, with a first row without a key',
    [
      ['id', '', ''],
      ['', '5', '6'],
      ['2', '7', '8'],
    ],
  ],
  [
    'the same below each',
    [
      ['id', 'what', '', ''],
      ['', 'a', 'a', 'b'],
      ['1', 'a', 'b', 'b'],
    ],
  ],
  [
    'an unnamed column, as of an index',
    [
      ['', 'x', 'y'],
      ['1', 'a', 'b'],
      ['2', 'c', 'd'],
    ],
  ],
  ['a line alone', [['id', '', '']]],
  ['nothing', []],
])('%s are imported unchanged', (_, records) => expect(headerLines(records)).toBeUndefined());

test.each([
  ['a,b', ['a', 'b']],
  ['"a, b",c', ['a, b', 'c']],
  ['"he said ""no""",', ['he said "no"', '']],
  ['', ['']],
  ['a,"b', undefined],
])('the cells of %s', (line, cells) => expect(cellsOf(line, ',', '"')).toEqual(cells));
