import { describe, expect, test } from 'vitest';
import { rankOf, rankSections } from './rank-results.ts';

describe('a search', () => {
  test('ranks equal texts before beginnings, words and parts', () => {
    const ranks = ['Revenue', 'Revenue by month', 'Total revenue', 'Netrevenue', 'Orders'].map(text =>
      rankOf(text, 'revenue'),
    );
    expect(ranks).toEqual(ranks.toSorted((a, b) => b - a));
    expect(new Set(ranks).size).toBe(ranks.length);
    expect(ranks.at(-1)).toBe(0);
  });

  test('finds words in any order, without accents and case', () => {
    expect(rankOf('Umsätze nach Monat', 'monat umsatze')).toBeGreaterThan(0);
    expect(rankOf('Revenue by month', 'revenue year')).toBe(0);
    expect(rankOf('销售额', '销售')).toBeGreaterThan(0);
  });

  test('puts the section with the best item first and lists a few of each', () => {
    const sections = rankSections(
      [
        {
          title: 'Fields',
          limit: 2,
          items: ['Net revenue', 'Old revenue', 'Big revenue'].map(title => ({ id: title, title })),
        },
        { title: 'Charts', items: [{ id: 'c', title: 'Something else', rank: 95 }] },
        { title: 'Tables', items: [{ id: 't', title: 'orders' }] },
      ],
      'revenue',
    );
    expect(sections.map(({ title, items }) => [title, items.length])).toEqual([
      ['Charts', 1],
      ['Fields', 2],
    ]);
  });

  test('without text lists the sections that are always there, in their order', () => {
    const item = { id: 'a', title: 'A' };
    expect(
      rankSections(
        [
          { title: 'Dashboards', items: [item], isAlways: true },
          { title: 'Fields', items: [item] },
          { title: 'Commands', items: [item], isAlways: true },
        ],
        ' ',
      ).map(({ title }) => title),
    ).toEqual(['Dashboards', 'Commands']);
  });

  test('finds items by other words, after those found by their titles', () => {
    const [section] = rankSections(
      [
        {
          title: 'Fields',
          items: [
            { id: 'a', title: 'Delay', terms: ['arr_delay'] },
            { id: 'b', title: 'arr_delay' },
          ],
        },
      ],
      'arr_delay',
    );
    expect(section!.items.map(({ id }) => id)).toEqual(['b', 'a']);
  });
});
