import { expect, test } from 'vitest';
import { writeText } from './write-terminal-table.ts';

const day = (text: string) => Date.parse(`${text}Z`);

test('numbers are right-aligned in their format, wide characters count twice, the three empty values differ', () => {
  const columns = [
    { label: 'city', type: 'text' },
    { label: 'day', type: 'time' },
    { label: 'share', type: 'number', format: 'percent' },
  ] as const;
  const rows = [
    ['上海', day('2024-01-01T00:00'), 0.5],
    ['', day('2024-02-01T00:00'), 12.345],
    [null, null, null],
  ];
  expect(writeText(columns, rows, 'en')).toEqual([
    'city  day            share',
    '────  ──────────  ────────',
    '上海  2024-01-01     50.0%',
    '""    2024-02-01  1,234.5%',
    '–     –                  –',
  ]);
});

test('an hour is shown if one of the times has it; numbers beyond a double keep all digits', () => {
  const columns = [
    { label: 'at', type: 'time' },
    { label: 'n', type: 'number', format: 'plain' },
  ] as const;
  expect(
    writeText(
      columns,
      [
        [day('2024-01-01T00:00'), '9007199254740993'],
        [day('2024-01-01T06:30'), 7],
      ],
      'en',
    ).slice(2),
  ).toEqual(['2024-01-01T00:00:00  9007199254740993', '2024-01-01T06:30:00                 7']);
});

test('long texts end in an ellipsis, and control characters do not move the cursor', () => {
  const [, , first, second] = writeText(
    [{ label: 'text', type: 'text' }],
    [['上'.repeat(40)], ['a\u001B[2Jb\nc']],
    'en',
  );
  expect(first).toBe(`${'上'.repeat(29)}…`);
  expect(second).toBe('a [2Jb c');
});

test('a table without columns is empty', () => {
  expect(writeText([], [[]], 'en')).toEqual([]);
});
