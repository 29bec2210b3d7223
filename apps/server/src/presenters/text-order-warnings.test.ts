import type { ImportedTable } from '@belvedere/engine';
import { parseExpression, withColumnTypes, type ColumnProfile, type Model } from '@belvedere/model';
import { expect, test } from 'vitest';
import type { TableState } from '../workspace/workspace.ts';
import { numbersOrderedAsText } from './text-order-warnings.ts';

const column = (name: string, type: ColumnProfile['type'], values: readonly string[]): ColumnProfile => ({
  name,
  type,
  nulls: 0,
  empties: 0,
  distinct: values.length,
  isDistinctExact: true,
  min: values.toSorted()[0]!,
  max: values.toSorted().at(-1)!,
  top: values.map(value => ({ value, rows: 1 })),
});
const columns = [
  column('winner_rank', 'text', ['9', '10', '118']),
  column('loser_rank', 'text', ['7', '12']),
  column('points', 'integer', []),
  column('zip', 'text', ['01234', '90210']),
  column('code', 'text', ['12', '34']),
  column('name', 'text', ['9', 'Ann']),
];
const state = (name: string) =>
  ({ imported: { name, profile: { name, rows: 3, columns } } as unknown as ImportedTable }) as TableState;
const model = {
  source: 'files',
  table: 'matches',
  joins: { other: { table: 'players' } },
} as unknown as Model;

test.each([
  ['sum(case when winner_rank > loser_rank then 1 else 0 end)', ['winner_rank', 'loser_rank']],
  ["count(*) filter (where winner_rank <= '10')", ['winner_rank']],
  ['max(winner_rank)', ['winner_rank']],
  ['min(other.loser_rank)', ['other.loser_rank']],
  ["sum(case when winner_rank = '9' then 1 else 0 end)", []],
  ["count(distinct winner_rank) filter (where zip > '10000')", []],
  ['max(code)', []],
  ['max(name)', []],
  ['max(points)', []],
  ['max(cast(winner_rank as integer))', []],
])('%s orders as text, though they are numbers: %j', (text, expected) => {
  const typed = withColumnTypes(parseExpression(text), {
    columnType: name => columns.find(one => one.name === name)?.type,
    columnNames: () => [],
  });
  const tables = new Map([
    ['matches', state('matches')],
    ['players', state('players')],
  ]);
  expect(numbersOrderedAsText(typed, model, { tables })).toEqual(expected);
});
