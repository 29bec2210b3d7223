import { expect, test } from 'vitest';
import { Presence } from './presence.ts';

const at = (document: string, position?: string) => ({
  document,
  isEditing: true,
  ...(position !== undefined && { position }),
});

test('a window is present on its open document until it opens another or disconnects', () => {
  const presence = new Presence();
  const heard: [string, string[]][] = [];
  presence.subscribe(
    (document, windows) =>
      void heard.push([
        document,
        windows.map(one => `${one.window}${one.position ? `@${one.position}` : ''}`),
      ]),
  );
  presence.enter('a', 'owner');
  presence.enter('b', 'owner');
  presence.put('a', at('sales'));
  presence.put('b', at('sales', 'total'));
  presence.put('b', at('sales', 'total'));
  expect(presence.on('sales').map(one => one.window)).toEqual(['a', 'b']);
  presence.put('a', at('other'));
  presence.leave('b');
  presence.put('a', undefined);
  expect(heard).toEqual([
    ['sales', ['a']],
    ['sales', ['a', 'b@total']],
    ['sales', ['b@total']],
    ['other', ['a']],
    ['sales', []],
    ['other', []],
  ]);
});

test('a window without an event stream is ignored', () => {
  const presence = new Presence();
  presence.put('ghost', at('sales'));
  presence.enter('a', 'owner');
  presence.leave('a');
  presence.put('a', at('sales'));
  expect(presence.on('sales')).toEqual([]);
});

test('a reconnecting window stays present', () => {
  const presence = new Presence();
  presence.enter('a', 'owner');
  presence.put('a', at('sales'));
  presence.enter('a', 'owner');
  expect(presence.on('sales')).toHaveLength(1);
});

test('a window that reconnects before its old stream has ended stays present', () => {
  const presence = new Presence();
  presence.enter('a', 'owner');
  presence.put('a', at('sales'));
  presence.enter('a', 'owner');
  presence.leave('a');
  expect(presence.on('sales')).toHaveLength(1);
  presence.leave('a');
  expect(presence.on('sales')).toEqual([]);
});

test('the ID of an open window is its user’s alone', () => {
  const presence = new Presence();
  expect(presence.enter('a', 'ben')).toBe(true);
  expect([presence.isOthers('a', 'ben'), presence.isOthers('a', 'cleo')]).toEqual([false, true]);
  expect(presence.enter('a', 'cleo')).toBe(false);
  presence.leave('a');
  expect(presence.isOthers('a', 'cleo')).toBe(false);
});

test('windows of other servers come after those of this one, and go with their server', () => {
  const presence = new Presence();
  const heard: [string, string[]][] = [];
  presence.subscribe((document, windows) => void heard.push([document, windows.map(({ window }) => window)]));
  presence.enter('a', 'owner');
  presence.put('a', at('sales'));
  presence.setElsewhere('second', 'sales', [{ window: 'x', ...at('sales') }]);
  presence.setElsewhere('second', 'sales', [{ window: 'x', ...at('sales') }]);
  presence.setElsewhere('third', 'sales', [{ window: 'y', ...at('sales') }]);
  expect(presence.hereOn('sales').map(({ window }) => window)).toEqual(['a']);
  expect([...presence.documentsHere]).toEqual(['sales']);
  presence.setElsewhere('third', 'sales', []);
  presence.forgetServer('second');
  presence.forgetServer('unknown');
  expect(heard).toEqual([
    ['sales', ['a']],
    ['sales', ['a', 'x']],
    ['sales', ['a', 'x', 'y']],
    ['sales', ['a', 'x']],
    ['sales', ['a']],
  ]);
});

test('the window of a user at another server is not that of others here', () => {
  const presence = new Presence();
  const window = { window: 'a', document: 'sales', isEditing: true, user: { id: 'ana', name: 'Ana' } };
  presence.setElsewhere('second', 'sales', [window]);
  expect(presence.isOthers('a', 'bea')).toBe(true);
  expect(presence.isOthers('a', 'ana')).toBe(false);
  expect(presence.enter('a', 'bea')).toBe(false);
  presence.forgetServer('second');
  expect(presence.isOthers('a', 'bea')).toBe(false);
});
