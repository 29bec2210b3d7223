import { readDocument, type DashboardFile } from '@belvedere/document';
import { describe, expect, test } from 'vitest';
import { assembleAlert } from './assemble-alert.ts';
import type { Workspace } from './workspace.ts';

const model = {
  name: 'orders',
  label: 'Orders',
  source: 'files',
  table: 'orders',
  time: 'day',
  joins: {},
  dimensions: {
    day: { name: 'day', label: 'Day', type: 'date', expression: { kind: 'column', name: 'day' } },
    region: { name: 'region', label: 'Region', type: 'text', expression: { kind: 'column', name: 'region' } },
  },
  measures: {
    rows: {
      name: 'rows',
      label: 'Rows',
      type: 'integer',
      expression: { kind: 'call', name: 'count', args: [] },
    },
  },
};
const document: DashboardFile = {
  version: 1,
  title: 'Orders',
  model: 'orders',
  filters: [{ field: 'region', locked: true }],
  pages: [
    {
      title: 'One',
      tiles: {
        total: { kind: 'kpi', value: { measure: 'rows' }, at: [0, 0, 6, 4] },
        daily: {
          kind: 'line',
          x: { field: 'day', timeUnit: 'day' },
          y: { measure: 'rows' },
          at: [0, 0, 6, 4],
        },
        list: { kind: 'table', columns: ['region'], at: [0, 0, 6, 4] },
      },
    },
  ],
} as unknown as DashboardFile;
const workspace = {
  dashboards: new Map([['orders', { id: 'orders', document, brokenTiles: {} }]]),
  models: new Map([['orders', { model }]]),
  modelsReading: new Set(),
} as unknown as Workspace;

function problemsOf(watch: string, when = '{ above: 1 }'): string[] {
  const text = `version: 1\ntitle: Alert\nwatch: ${watch}\nwhen: ${when}\n`;
  const read = readDocument('alert', text, 'alerts/a.yaml');
  const { problems } = assembleAlert('a', { file: 'alerts/a.yaml', text, read } as never, workspace);
  return problems.map(({ line, message }) => `${line}: ${message}`);
}

describe('an alert is checked against what it watches', () => {
  test('a figure, a chart and a measure are fine', () => {
    expect(problemsOf('{ dashboard: orders, tile: total }')).toEqual([]);
    expect(problemsOf('{ dashboard: orders, tile: daily }', '{ unusual: {} }')).toEqual([]);
    expect(problemsOf('{ model: orders, measure: rows, every: day, by: region }')).toEqual([]);
  });

  test.each([
    ['{ dashboard: order, tile: total }', undefined, '3: Unknown dashboard `order`'],
    ['{ dashboard: orders, tile: totl }', undefined, '3: Unknown tile `totl` of `orders`'],
    ['{ dashboard: orders, tile: list }', undefined, '3: This kind of tile cannot be watched.'],
    ['{ dashboard: orders, tile: total, measure: cost }', undefined, '3: `cost`'],
    ['{ dashboard: orders, tile: total }', '{ unusual: {} }', '4: This condition compares periods'],
    [
      '{ dashboard: orders, tile: total, filters: { region: { oneOf: [a] } } }',
      undefined,
      '3: The dashboard locks',
    ],
    ['{ model: orders, measure: cost }', undefined, '3: `cost`'],
    ['{ model: orders, measure: rows, by: regio }', undefined, '3: Unknown dimension `regio` of `orders`'],
    ['{ model: orders, measure: rows, by: day }', undefined, '3: `day` is a time. Use `every` instead.'],
    [
      '{ model: orders, measure: rows }',
      '{ unusual: {} }',
      '4: This condition compares periods. Add `every: day`',
    ],
    [
      '{ model: orders, measure: rows, filters: { x: { last: 7 days } } }',
      undefined,
      '3: Unknown dimension `x` of `orders`',
    ],
    ['{ model: orders, measure: rows }', '{ above: 1, clear: 2 }', '4: '],
    ['{ model: orders, measure: rows }', '{ missing: 1 day, clear: 2 }', '4: '],
  ])('%s %s', (watch, when, expected) => {
    const problems = problemsOf(watch, when);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(expected);
  });
});
