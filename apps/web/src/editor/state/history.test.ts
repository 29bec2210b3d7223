import { editText } from '@belvedere/document';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { noHistory, record, redo, undo } from './history.ts';

const text =
  'version: 1\ntitle: One # kept\npages:\n  - title: A\n    tiles:\n      n: { kind: text, text: hello, at: [0, 0, 6, 3] }\n';
const titled = editText(text, [{ kind: 'set', path: ['title'], value: 'Two' }]);

test('undo restores the exact text before, redo the exact text after', () => {
  const history = record(noHistory, { name: 'Title', before: text, after: titled, at: 0 });
  const back = undo(history, titled)!;
  expect([back.text, back.step.name]).toEqual([text, 'Title']);
  expect(redo(back.history, back.text)!.text).toBe(titled);
  expect(undo(back.history, back.text)).toBeUndefined();
});

test('continuous typing is one step, and a new one after a pause or any other edit', () => {
  const step = (before: string, after: string, at: number, joins?: string) => ({
    name: 'Typing',
    before,
    after,
    at,
    ...(joins && { joins }),
  });
  const typed = [
    step('a', 'ab', 0, 'typing'),
    step('ab', 'abc', 500, 'typing'),
    step('abc', 'abcd', 5000, 'typing'),
    step('abcd', 'x', 5100),
  ].reduce(record, noHistory);
  expect(typed.past.map(({ before, after }) => [before, after])).toEqual([
    ['a', 'abc'],
    ['abc', 'abcd'],
    ['abcd', 'x'],
  ]);
});

test('undo keeps changes made elsewhere in the meantime', () => {
  const history = record(noHistory, { name: 'Title', before: text, after: titled, at: 0 });
  const moved = editText(titled, [
    { kind: 'set', path: ['pages', 0, 'tiles', 'n', 'at'], value: [6, 0, 6, 3] },
  ]);
  expect(undo(history, moved)!.text).toBe(text.replace('[0, 0, 6, 3]', '[6, 0, 6, 3]'));
});

test('a new step discards the undone ones', () => {
  const back = undo(record(noHistory, { name: 'Title', before: text, after: titled, at: 0 }), titled)!;
  expect(record(back.history, { name: 'Other', before: text, after: `${text}#`, at: 1 }).future).toEqual([]);
});

test('random edits: undoing all of them restores each previous text exactly, redoing all each later one', () => {
  const page = `# top\nversion: 1\ntitle: 'One'   # kept\npages:\n  - title: A\n    tiles:\n${['a', 'b', 'c', 'd'].map(id => `      ${id}: { kind: text,  text: "${id}", at: [0, 0, 6, 3] }`).join('\n')}\n`;
  const wish = fc.record({
    id: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
    what: fc.constantFrom('move', 'remove', 'title', 'comment'),
    at: fc.tuple(fc.nat(18), fc.nat(40), fc.constant(6), fc.constant(3)),
  });
  fc.assert(
    fc.property(fc.array(wish, { minLength: 1, maxLength: 12 }), wishes => {
      const texts = [page];
      let history = noHistory;
      wishes.forEach(({ id, what, at }, i) => {
        const before = texts.at(-1)!;
        const path = ['pages', 0, 'tiles', id];
        const after =
          what === 'comment'
            ? `${before}# typed ${i}\n`
            : editText(before, [
                what === 'move'
                  ? { kind: 'set', path: [...path, 'at'], value: at }
                  : what === 'title'
                    ? { kind: 'set', path: [...path, 'title'], value: `T${i}` }
                    : { kind: 'remove', path },
              ]);
        if (after === before) return;
        history = record(history, { name: what, before, after, at: i });
        texts.push(after);
      });
      const all = [...texts];
      for (let i = texts.length - 1; i > 0; i--) {
        const back = undo(history, texts[i]!)!;
        expect(back.text).toBe(all[i - 1]);
        history = back.history;
      }
      for (let i = 1; i < all.length; i++) {
        const forth = redo(history, all[i - 1]!)!;
        expect(forth.text).toBe(all[i]);
        history = forth.history;
      }
    }),
    { numRuns: 300 },
  );
});

test('a thousand and one named steps can be undone; older ones are dropped', () => {
  let now = text;
  const texts = [now];
  let history = noHistory;
  for (let step = 1; step <= 1200; step++) {
    const next = text.replace('[0, 0, 6, 3]', `[${step % 18}, ${step}, 6, 3]`);
    history = record(history, { name: `Move ${step}`, before: now, after: next, at: step });
    texts.push((now = next));
  }
  let count = 0;
  for (let back = undo(history, now); back; back = undo(history, now)) {
    expect([back.step.name, back.text]).toEqual([`Move ${1200 - count}`, texts[1200 - ++count]]);
    ({ history, text: now } = back);
  }
  expect(count).toBe(1001);
});
