import { expect, test } from 'vitest';
import { Presence } from './presence.ts';

const at = (document: string, position?: string) => ({
  document,
  isEditing: true,
  ...(position !== undefined && { position }),
});

test('a window is on the document it has open, until it has another or hears no more', () => {
  const presence = new Presence();
  const heard: [string, string[]][] = [];
  presence.subscribe(
    (document, windows) =>
      void heard.push([
        document,
        windows.map(one => `${one.window}${one.position ? `@${one.position}` : ''}`),
      ]),
  );
  presence.enter('a');
  presence.enter('b');
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

test('a window that does not hear is not believed', () => {
  const presence = new Presence();
  presence.put('ghost', at('sales'));
  presence.enter('a');
  presence.leave('a');
  presence.put('a', at('sales'));
  expect(presence.on('sales')).toEqual([]);
});

test('hearing anew, as after a break, leaves a window where it was', () => {
  const presence = new Presence();
  presence.enter('a');
  presence.put('a', at('sales'));
  presence.enter('a');
  expect(presence.on('sales')).toHaveLength(1);
});

test('a window that hears anew before what it heard before has ended stays', () => {
  const presence = new Presence();
  presence.enter('a');
  presence.put('a', at('sales'));
  presence.enter('a');
  presence.leave('a');
  expect(presence.on('sales')).toHaveLength(1);
  presence.leave('a');
  expect(presence.on('sales')).toEqual([]);
});
