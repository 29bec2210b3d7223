import { expect, test, vi } from 'vitest';
import type { DashboardEditor, EditingClient } from './dashboard-editor.ts';

const tile = (id: string, row: number) =>
  `      ${id}: { kind: kpi, value: { measure: rows }, at: [0, ${row}, 4, 3] }\n`;
const written = (...tiles: string[]) =>
  `version: 1\ntitle: Trips\nmodel: trips\npages:\n  - title: One\n    tiles:\n${tiles.join('')}`;
const down = (id: string, row: number) =>
  ({ kind: 'set', path: ['pages', 0, 'tiles', id, 'at'], value: [0, row, 4, 3] }) as const;

/** An editor of a text, of a server that keeps everything and finds nothing wrong. */
async function editing(text: string): Promise<DashboardEditor> {
  const dashboard = {
    id: 'trips',
    revision: '1',
    state: 'ready',
    brokenTiles: {},
    models: [],
    problems: [],
    document: undefined,
  };
  const client = {
    getDashboardText: async () => ({ file: 'dashboards/trips.yaml', text, hash: 'a' }),
    getDashboard: async () => dashboard,
    putDraft: async () => ({ version: 1, dashboard }),
    queryTiles: async () => (async function* () {})(),
  };
  // What is said is in the language of the page.
  vi.stubGlobal('document', { documentElement: { dataset: {} } });
  const { DashboardEditor } = await import('./dashboard-editor.ts');
  return DashboardEditor.open('trips', client as unknown as EditingClient, {
    read: () => undefined,
    write: () => {},
    drop: () => {},
  });
}

test('a joint move affects the tiles that still exist', async () => {
  const editor = await editing(written(tile('a', 0), tile('b', 3)));
  expect(editor.apply('Move', [down('a', 1), down('gone', 1)])).toBe(true);
  expect(editor.state.text).toBe(written(tile('a', 1), tile('b', 3)));
  editor.close();
});

test('a tile removed from a text with an error is not added again by a move', async () => {
  const editor = await editing(written(tile('a', 0), tile('b', 3)));
  const wrong = written(tile('a', 0)).replace('version: 1', 'version: one');
  editor.type('Typing', wrong);
  editor.apply('Move', [down('a', 1), down('b', 9)]);
  expect(Object.keys(editor.state.document.pages[0]!.tiles)).toEqual(['a', 'b']);
  expect(editor.state.text).toBe(wrong.replace('[0, 0, 4, 3]', '[0, 1, 4, 3]'));
  editor.close();
});

test('a text that was never valid has a placeholder, until it is fixed', async () => {
  const editor = await editing(written(tile('a', 0)).replace('version: 1', 'version: one'));
  expect(editor.state).toMatchObject({ isPlaceholder: true, problems: [{ line: 1 }] });
  editor.apply('Fix', [{ kind: 'set', path: ['version'], value: 1 }]);
  expect(editor.state).toMatchObject({ isPlaceholder: false, problems: [] });
  editor.type('Typing', 'version: one');
  editor.flush();
  expect(editor.state.isPlaceholder).toBe(false);
  expect(editor.state.problems).not.toEqual([]);
  editor.close();
});
