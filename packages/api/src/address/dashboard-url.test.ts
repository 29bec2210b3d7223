import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readCondition, searchFromState, stateFromSearch, writeCondition } from './dashboard-url.ts';
import { DashboardState } from './state.ts';

const name = fc.stringMatching(/^[a-z][a-z0-9_]{0,12}$/);
const value = fc.oneof(
  fc.string(),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.constantFrom('', 'a|b', 'x&y:z', '%7c', '"', '~', '..', 'any', 'last 3 days'),
);
const time = fc
  .date({ min: new Date('1000-01-01'), max: new Date('9999-01-01'), noInvalidDate: true })
  .map(date => date.toISOString().slice(0, 16));
const condition = fc.oneof(
  fc.record({
    last: fc
      .tuple(fc.integer({ min: 1, max: 9999 }), fc.constantFrom('days', 'months', 'year'))
      .map(([count, unit]) => `${count} ${unit}`),
  }),
  fc.record({ this: fc.constantFrom('day', 'week', 'month', 'quarter', 'year') }),
  fc.record({ from: time, below: time }, { requiredKeys: [] }),
  fc.record(
    {
      from: fc
        .double({ noNaN: true, noDefaultInfinity: true })
        .map(number => (Object.is(number, -0) ? 0 : number)),
      below: fc.integer(),
    },
    { requiredKeys: [] },
  ),
  fc.record({ oneOf: fc.array(value, { minLength: 1, maxLength: 5 }) }),
  fc.record({ noneOf: fc.array(value, { minLength: 1, maxLength: 5 }) }),
  fc.record({ contains: fc.string({ minLength: 1 }) }),
);
const box = fc.dictionary(name, condition, { minKeys: 1, maxKeys: 3 });
const adjustment = fc
  .record(
    {
      timeUnit: fc.constantFrom('year', 'month', 'minute'),
      color: name,
      drill: fc.array(box, { minLength: 1, maxLength: 3 }),
      sort: fc.record({ by: name, descending: fc.boolean() }),
      without: fc.array(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 3 }),
      zoom: fc.oneof(
        fc.record({ from: time, below: time }),
        fc.record({ from: fc.integer(), below: fc.integer() }),
      ),
    },
    { requiredKeys: [] },
  )
  .filter(one => Object.keys(one).length > 0);
const state = fc.record(
  {
    page: fc.integer({ min: 0, max: 29 }),
    filters: fc.dictionary(name, fc.option(condition)),
    selections: fc.dictionary(name, fc.array(box, { minLength: 1, maxLength: 3 })),
    tiles: fc.dictionary(name, adjustment, { minKeys: 1 }),
    parameters: fc.dictionary(
      name,
      fc.oneof(fc.string(), fc.integer(), fc.constantFrom('12', '"x"', ' 1e3', '-0.5')),
      { minKeys: 1 },
    ),
    compare: fc.constantFrom('previous period', 'previous year', 'nothing', {
      from: '2000-01-01',
      below: '2000-07-01',
    }),
    zone: fc.constantFrom('UTC', 'Europe/Berlin', 'America/Argentina/Buenos_Aires'),
  },
  { requiredKeys: ['page', 'filters', 'selections'] },
);

describe('a dashboard’s address', () => {
  test('restores exactly the state it was made from, through a browser’s encoding', () => {
    fc.assert(
      fc.property(state, one => {
        const search = Object.fromEntries(
          new URLSearchParams(new URLSearchParams(searchFromState(one as DashboardState)).toString()),
        );
        expect(stateFromSearch(search)).toEqual({ state: JSON.parse(JSON.stringify(one)), isWhole: true });
      }),
    );
  });

  test('is readable', () => {
    expect(
      searchFromState({
        page: 1,
        filters: { date: { last: '90 days' }, kind: null },
        selections: { delays: [{ delay: { from: 15, below: 60 } }] },
        parameters: { figure: 'mean_delay', most: 12 },
      }),
    ).toEqual({
      page: '2',
      'p.figure': 'mean_delay',
      'p.most': '12',
      'f.date': 'last 90 days',
      'f.kind': 'any',
      's.delays': 'delay:15..60',
    });
  });

  test('always parses to a state that the server accepts', () => {
    const word = fc.oneof(
      name,
      fc.string(),
      fc.constantFrom(
        '',
        'x'.repeat(65),
        'x'.repeat(201),
        '2024-13-01',
        '2024-02-30',
        '2024-01-01T25:00',
        '0000',
        '1e999',
        'NaN',
        'constructor',
        '__proto__',
      ),
    );
    const list = fc
      .oneof(
        fc.array(word, { maxLength: 3 }),
        fc.constantFrom(1001, 101).map(length => Array.from({ length }, (_, i) => `x${i}`)),
      )
      .map(words => JSON.stringify(words));
    const said = fc.oneof(
      word,
      list,
      list.map(words => `!${words}`),
      word.map(text => `~${text}`),
      fc.tuple(word, word).map(edges => edges.join('..')),
      fc.constantFrom(
        'any',
        'last 90 days',
        'last 6 complete months',
        'this year',
        'last 99999 days',
        'previous year',
      ),
    );
    const boxes = fc
      .oneof(
        {
          weight: 9,
          arbitrary: fc.array(
            fc
              .array(
                fc.tuple(word, said).map(pair => pair.join(':')),
                { maxLength: 9 },
              )
              .map(parts => parts.join('&')),
            { maxLength: 4 },
          ),
        },
        { weight: 1, arbitrary: fc.constant(Array.from({ length: 201 }, () => 'a:1..2')) },
      )
      .map(all => all.join('|'));
    const key = fc.oneof(
      fc
        .tuple(fc.constantFrom('f.', 's.', 't.', 'z.', 'b.', 'd.', 'o.', 'h.', 'p.', ''), word)
        .map(pair => pair.join('')),
      fc.constantFrom('page', 'compare', 'tile'),
    );
    const many = fc
      .constantFrom('f.', 's.', 't.', 'p.')
      .map(prefix =>
        Array.from({ length: 70 }, (_, i): [string, string] => [
          `${prefix}x${i}`,
          prefix === 's.' ? 'a:1..2' : prefix === 'f.' ? '1..2' : 'day',
        ]),
      );
    const search = fc.oneof(
      { weight: 30, arbitrary: fc.array(fc.tuple(key, fc.oneof(said, boxes)), { maxLength: 6 }) },
      { weight: 1, arbitrary: many },
    );
    fc.assert(
      fc.property(search, entries => {
        expect(
          DashboardState.safeParse(stateFromSearch(Object.fromEntries(entries)).state).error?.issues ?? [],
        ).toEqual([]);
      }),
      { numRuns: 2000 },
    );
  });

  test('can contain any column name', () => {
    const search = { 'h.rows': '["__proto__","constructor"]', 'b.rows': '__proto__', 'o.rows': '-__proto__' };
    expect(searchFromState(stateFromSearch(search).state)).toEqual(search);
  });

  test('that is incomplete is used in part', () => {
    expect(stateFromSearch({ page: 'x', 'f.a': '1..2', 'f.b': '[}', 's.t': 'nonsense', other: '1' })).toEqual(
      { state: { page: 0, filters: { a: { from: 1, below: 2 } }, selections: {} }, isWhole: false },
    );
  });
});

test.each([
  ['last 7 complete days', '7 complete days'],
  ['Last 1 Complete month', '1 complete month'],
  ['last 2 complete fiscal quarters', '2 complete fiscalQuarters'],
])('%s is a range without the current period', (text, last) => {
  expect(readCondition(text)).toEqual({ last });
  expect(readCondition(writeCondition({ last }))).toEqual({ last });
});

test.each([
  '',
  'last complete days',
  'last 7 incomplete days',
  'lately',
  'last year',
  'last 0 days',
  'this century',
  '[]',
  '[{}]',
  '[1',
  'x..y',
  '~',
])('cannot contain the condition %j', text => {
  expect(() => readCondition(text)).toThrow();
});
