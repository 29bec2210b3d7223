import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Edit } from './edit.ts';
import { editText } from './edit-text.ts';
import { mergeDocuments } from './merge-documents.ts';
import { writeDocument } from '../write-document.ts';

const base = `version: 1
title: Delays
pages:
  - title: Overview
    tiles:
      rows: { kind: kpi, value: { measure: rows }, at: [0, 0, 6, 3] }
      by_day: { kind: line, title: By day, at: [0, 3, 12, 8] } # the long one
  - title: Rows
    tiles:
      list: { kind: table }
`;
const set = (path: (string | number)[], value: unknown): Edit => ({ kind: 'set', path, value });
const tile = (id: string, ...rest: string[]) => ['pages', 0, 'tiles', id, ...rest];
const merged = (mine: Edit[], theirs: Edit[]) =>
  mergeDocuments(base, editText(base, mine), editText(base, theirs));

describe('a merge of two people’s changes', () => {
  test.each<[string, Edit[], Edit[]]>([
    ['different tiles', [set(tile('rows', 'at'), [6, 0, 6, 3])], [set(tile('by_day', 'title'), 'Each day')]],
    [
      'different properties of one tile',
      [set(tile('rows', 'at'), [6, 0, 6, 3])],
      [set(tile('rows', 'title'), 'All')],
    ],
    [
      'a tile while another is removed',
      [set(tile('rows', 'title'), 'All')],
      [{ kind: 'remove', path: tile('by_day') }],
    ],
    [
      'a page’s title while a tile is added to it',
      [set(['pages', 0, 'title'], 'First')],
      [set(tile('more'), { kind: 'table' })],
    ],
    [
      'a page while another is inserted before it',
      [set(['pages', 1, 'tiles', 'list', 'title'], 'All rows')],
      [{ kind: 'insert', path: ['pages', 0], value: { title: 'New', tiles: {} } }],
    ],
    ['the same thing in the same way', [set(['title'], 'Late')], [set(['title'], 'Late')]],
    [
      'the order of pages and a tile',
      [{ kind: 'move', path: ['pages', 1], to: 0 }],
      [set(tile('rows', 'title'), 'All')],
    ],
    [
      'both put a tile at the end',
      [set(tile('mine'), { kind: 'table' })],
      [set(tile('theirs'), { kind: 'table' })],
    ],
  ])('%s: keeps both', (_, mine, theirs) => {
    const result = merged(mine, theirs);
    expect(result.conflicts).toEqual([]);
    const back = mergeDocuments(base, editText(base, theirs), editText(base, mine));
    expect(back.text).toBe(result.text);
    // Nothing is lost: each one’s edits are already in it.
    const value = parse(result.text) as object;
    const all = JSON.stringify(value);
    for (const edit of [...mine, ...theirs])
      if (edit.kind === 'set') expect(all).toContain(JSON.stringify(edit.value));
  });

  test('reports both values of a property changed on both sides, and takes neither by itself', () => {
    const result = merged(
      [set(['title'], 'Mine'), set(tile('rows', 'title'), 'All')],
      [set(['title'], 'Theirs')],
    );
    expect(result.conflicts).toEqual([{ path: ['title'], base: 'Delays', mine: 'Mine', theirs: 'Theirs' }]);
    expect((parse(result.text) as { title: string }).title).toBe('Mine');
    const chosen = mergeDocuments(
      base,
      editText(base, [set(['title'], 'Mine')]),
      editText(base, [set(['title'], 'Theirs')]),
      () => 'theirs',
    );
    expect(chosen.conflicts).toEqual([]);
    expect((parse(chosen.text) as { title: string }).title).toBe('Theirs');
  });

  test('reports a tile removed on the other side as a conflict', () => {
    expect(
      merged([{ kind: 'remove', path: tile('rows') }], [set(tile('rows', 'title'), 'All')]).conflicts,
    ).toMatchObject([{ path: tile('rows'), mine: undefined }]);
  });

  test('keeps the comments of both', () => {
    const mine = base.replace('title: Delays', '# mine\ntitle: Delays');
    const theirs = base.replace('      list:', '      # theirs\n      list:');
    expect(mergeDocuments(base, mine, theirs).text).toBe(
      base
        .replace('title: Delays', '# mine\ntitle: Delays')
        .replace('      list:', '      # theirs\n      list:'),
    );
  });

  test('of invalid YAML works by lines, or is a conflict of the whole text', () => {
    const typing = base.replace('title: Delays', 'title: "Del');
    expect(
      mergeDocuments(base, typing, base.replace('list: { kind: table }', 'list: { kind: table, title: All }'))
        .text,
    ).toContain('title: "Del');
    expect(
      mergeDocuments(base, typing, base.replace('title: Delays', 'title: Late')).conflicts,
    ).toMatchObject([{ path: [] }]);
  });
});

describe('merges of random dashboards and random edits', () => {
  const name = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
  const made = fc.record({
    kind: fc.constantFrom('bar', 'line'),
    title: fc.constantFrom('x', 'y: z', 'w'),
    at: fc.tuple(fc.nat(20), fc.nat(20)),
  });
  const dashboard = fc.record({
    title: fc.constantFrom('One', 'Two'),
    pages: fc.uniqueArray(
      fc.record({
        title: fc.constantFrom('P', 'Q', 'R'),
        tiles: fc.dictionary(name, made, { maxKeys: 5, noNullPrototype: true }),
      }),
      { minLength: 1, maxLength: 3, selector: page => page.title },
    ),
  });
  const wish = fc.record({
    what: fc.constantFrom('title', 'at', 'tile', 'remove', 'dashboard', 'page', 'move'),
    page: fc.nat(5),
    name,
    made,
    to: fc.nat(5),
  });
  type Made = { title: string; pages: { title: string; tiles: Record<string, object> }[] };
  const asEdit = (
    now: Made,
    {
      what,
      page,
      name: id,
      made: value,
      to,
    }: {
      what: string;
      page: number;
      name: string;
      made: { title: string; at: [number, number] };
      to: number;
    },
  ): Edit[] => {
    const at = page % now.pages.length;
    const path = ['pages', at, 'tiles', id];
    const isThere = Object.hasOwn(now.pages[at]!.tiles, id);
    if (what === 'dashboard') return [set(['title'], value.title)];
    if (what === 'move') return [{ kind: 'move', path: ['pages', at], to: to % now.pages.length }];
    if (what === 'page')
      return [{ kind: 'insert', path: ['pages', at], value: { title: `N${to}${value.title}`, tiles: {} } }];
    if (what === 'tile') return [set(path, value)];
    if (!isThere) return [];
    return what === 'remove'
      ? [{ kind: 'remove', path }]
      : [set([...path, what], what === 'at' ? value.at : value.title)];
  };
  const run = (text: string, wishes: Parameters<typeof asEdit>[1][]) =>
    wishes.reduce((now, one) => editText(now, asEdit(parse(now) as Made, one)), text);

  test('are symmetric; without conflicts they contain every change of both sides, and nothing else', () => {
    let clean = 0;
    fc.assert(
      fc.property(
        dashboard,
        fc.array(wish, { maxLength: 4 }),
        fc.array(wish, { maxLength: 4 }),
        (content, mine, theirs) => {
          const from = writeDocument(content, 'dashboard', 'x.yaml');
          const [a, b] = [run(from, mine), run(from, theirs)];
          const ab = mergeDocuments(from, a, b);
          const ba = mergeDocuments(from, b, a);
          expect(ba.conflicts.length).toBe(ab.conflicts.length);
          if (ab.conflicts.length > 0) return;
          clean++;
          expect(ba.text).toBe(ab.text);
          const [v0, va, vb, v] = [from, a, b, ab.text].map(text => parse(text) as Made);
          expect(v!.title).toBe(va!.title === v0!.title ? vb!.title : va!.title);
          // Tiles of pages that nobody renamed: as whoever changed them has them.
          for (const page of v!.pages) {
            const at = [v0, va, vb].map(one => one!.pages.find(other => other.title === page.title));
            if (at.some(one => one === undefined)) continue;
            for (const id of new Set(at.flatMap(one => Object.keys(one!.tiles)))) {
              for (const property of ['title', 'at', 'kind']) {
                const [o, x, y, z] = [...at, page].map(one =>
                  JSON.stringify((one!.tiles[id] as Record<string, unknown> | undefined)?.[property]),
                );
                expect(z).toBe(x === o ? y : x);
              }
            }
          }
        },
      ),
      {
        numRuns: Number(process.env['BELVEDERE_QUESTIONS'] ?? 500) / 2,
        seed: Number(process.env['BELVEDERE_SEED']),
      },
    );
    expect(clean).toBeGreaterThan(100);
  }, 1_200_000);
});
