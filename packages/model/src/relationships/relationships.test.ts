import { describe, expect, test } from 'vitest';
import { inferJoins } from '../inference/infer-joins.ts';
import { inclusionOfRows, profileOfRows, type Columns } from './profile-rows.fixture.ts';
import {
  findCandidates,
  judgeCandidates,
  lookupTables,
  type DeclaredKey,
  type GivenRelationships,
  type Inclusion,
  type Relationship,
  type RelationshipDecision,
} from './relationships.ts';

type Tables = Readonly<Record<string, Columns>>;

const related = (tables: Tables, given: Partial<GivenRelationships> = {}): Relationship[] => {
  const { declared = [], decisions = [] } = given;
  const profiles = Object.entries(tables).map(([name, columns]) => profileOfRows(name, columns));
  return judgeCandidates(
    findCandidates(profiles, { declared, decisions }),
    profiles,
    candidate => inclusionOfRows(candidate, tables),
    decisions,
  );
};
const written = ({ from, to }: Pick<Relationship, 'from' | 'to'>) =>
  `${from.table}.${from.columns.join('+')} → ${to.table}.${to.columns.join('+')}`;
const used = (tables: Tables) =>
  related(tables)
    .filter(({ verdict }) => verdict === 'used')
    .map(written)
    .toSorted();
const verdicts = (tables: Tables, given?: Partial<GivenRelationships>) =>
  related(tables, given).map(one => [written(one), one.verdict, one.reason].filter(Boolean).join(' · '));

const count = (n: number, from = 1) => Array.from({ length: n }, (_, i) => from + i);
const each = (n: number, values: readonly (number | string | null)[]) =>
  Array.from({ length: n }, (_, i) => values[i % values.length]!);
const words = (n: number, prefix: string) => count(n).map(i => `${prefix} ${i}`);
const lookup = (key: string, n = 8): Columns => ({ [key]: count(n), name: words(n, key) });

test.each([0.65, 0.8, 1, 1.3])(
  'a key whose values are estimated as %s of its rows is measured and used',
  share => {
    const tables = { sales: { customer_id: each(60, count(20)) }, customers: lookup('customer_id', 20) };
    const profiles = Object.entries(tables).map(([name, columns]) => {
      const profile = profileOfRows(name, columns);
      const estimated = profile.columns.map(column => ({
        ...column,
        distinct: Math.round(column.distinct * share),
        isDistinctExact: false,
      }));
      return { ...profile, columns: estimated };
    });
    const candidates = findCandidates(profiles, { declared: [], decisions: [] });
    expect(candidates.map(({ isKeyKnown }) => isKeyKnown)).toEqual([false]);
    const judged = judgeCandidates(candidates, profiles, candidate => inclusionOfRows(candidate, tables), []);
    expect(judged.map(one => [written(one), one.verdict])).toEqual([
      ['sales.customer_id → customers.customer_id', 'used'],
    ]);
  },
);

test.each([
  ['customer_id', 'customers', 'customer_id'],
  ['customer_id', 'customers', 'id'],
  ['customerID', 'Customer', 'CustomerID'],
  ['customerid', 'customers', 'customerid'],
  ['id_customer', 'customers', 'id'],
  ['customer_key', 'dim_customer', 'customer_key'],
  ['customer', 'customers', 'id'],
  ['category_id', 'categories', 'id'],
  ['address_id', 'addresses', 'id'],
  ['movie_id', 'movies', 'movieId'],
  ['person_id', 'people', 'id'],
  ['cust_id', 'customers', 'cust_id'],
  ['ship_via', 'shippers', 'shipper_id'],
  ['billing_address_id', 'addresses', 'id'],
  ['support_rep_id', 'employees', 'employee_id'],
])('%s names a row of %s by %s', (column, table, key) => {
  expect(
    used({ orders: { order_id: count(40, 500), [column]: each(40, count(8)) }, [table]: lookup(key) }),
  ).toEqual([`orders.${column} → ${table}.${key}`]);
});

test('a table of more than a thousand columns is not compared with others', () => {
  const wide = (columns: number) => ({
    customers: lookup('id'),
    wide: {
      customer_id: each(20, count(8)),
      ...Object.fromEntries(count(columns - 1).map(i => [`answer ${i}`, each(20, [1, 2])])),
    },
  });
  expect(used(wide(1000))).toEqual(['wide.customer_id → customers.id']);
  expect(used(wide(1001))).toEqual([]);
});

test('a table may refer to itself', () => {
  const employees = {
    employee_id: count(9),
    name: words(9, 'E'),
    reports_to: [2, null, 2, 2, 2, 5, 5, 2, 5],
  };
  expect(used({ employees })).toEqual(['employees.reports_to → employees.employee_id']);
});

test('a table may be referred to in two roles', () => {
  const airports = { row: count(60), faa: words(60, 'A'), name: words(60, 'Airport') };
  const flights = { origin: each(90, airports.faa.slice(0, 3)), dest: each(90, airports.faa) };
  expect(used({ airports, flights })).toEqual([
    'flights.dest → airports.faa',
    'flights.origin → airports.faa',
  ]);
});

test('text columns of the same name are a relationship even with unmatched rows; the share is kept as evidence', () => {
  const tailnum = words(80, 'N');
  const [flight] = related({
    planes: { rownames: count(80), tailnum, model: each(80, ['A', 'B']) },
    flights: { rownames: count(200), tailnum: each(200, [...tailnum, ...words(16, 'X')]) },
  });
  expect(flight).toMatchObject({
    from: { table: 'flights' },
    verdict: 'used',
    evidence: { rows: 200, matched: 168, isUnique: true },
  });
});

test.each<[string, Tables, string]>([
  [
    'a key that occurs twice',
    {
      orders: { customer_id: each(40, count(8)) },
      customers: { id: count(8), customer_id: each(8, [1, 2, 2, 3, 4, 5, 6, 7]) },
    },
    'orders.customer_id → customers.customer_id · refused · not unique',
  ],
  [
    'many rows without a match',
    {
      orders: { customer_id: each(40, [1, 2, 3, 9, 10, 20]) },
      customers: { id: [1, 2, 3, 4, 5, 21], name: words(6, 'c') },
    },
    'orders.customer_id → customers.id · refused · unmatched',
  ],
  [
    'some rows without a match',
    {
      orders: { customer_id: each(40, [1, 2, 3, 4, 9]) },
      customers: { id: [1, 2, 3, 4, 5, 21], name: words(6, 'c') },
    },
    'orders.customer_id → customers.id · offered · unmatched',
  ],
  [
    'a code that happens to be within the numbers of a key',
    { orders: { customer_code: each(40, [1, 2, 3]) }, customers: lookup('id', 90) },
    'orders.customer_code → customers.id · offered · ambiguous',
  ],
  [
    'a column that counts',
    { stores: { store_id: count(40), visits: each(40, [1, 2, 3]) }, visits: lookup('id', 90) },
    '',
  ],
  [
    'a column of sort positions',
    { steps: { step_id: count(40), order: each(40, count(5)) }, orders: lookup('id', 90) },
    'steps.order → orders.id · offered · ambiguous',
  ],
  [
    'two tables that fit equally well',
    {
      products: { product_id: count(30), category_id: each(30, count(8)) },
      categories: lookup('id'),
      product_categories: lookup('id'),
    },
    'products.category_id → categories.id · offered · ambiguous',
  ],
  [
    'row numbers',
    { a: { rownames: count(9), x: words(9, 'x') }, b: { rownames: count(9), y: words(9, 'y') } },
    '',
  ],
  ['ids of two tables', { a: { id: count(9), x: words(9, 'x') }, b: { id: count(9), y: words(9, 'y') } }, ''],
  [
    'years',
    { sales: { year: each(30, [2001, 2002]) }, events: { year: count(30, 1990), what: words(30, 'e') } },
    '',
  ],
  ['status codes', { tickets: { status: each(30, [1, 2, 3]) }, customers: lookup('customer_id', 50) }, ''],
  [
    'names',
    { a: { name: words(9, 'n'), n: count(9) }, b: { name: each(30, words(9, 'n')), m: each(30, [1, 2]) } },
    '',
  ],
])('%s: no relationship is used', (_, tables, expected) => {
  expect(used(tables)).toEqual([]);
  if (expected) expect(verdicts(tables)).toContain(expected);
});

test('a composite key is offered to a table with columns of the same names', () => {
  const pairs = count(40, 0).map(i => [1 + Math.floor(i / 4), 1 + (i % 4)] as const);
  const details = {
    order_id: pairs.map(([order]) => order),
    product_id: pairs.map(([, product]) => product),
    quantity: each(40, [3, 5]),
  };
  const returns = {
    return_id: count(6),
    order_id: [1, 2, 3, 4, 5, 6],
    product_id: each(6, [1, 2]),
    why: each(6, ['a', 'b']),
  };
  expect(verdicts({ order_details: details, returns })).toContain(
    'returns.order_id+product_id → order_details.order_id+product_id · offered · composite',
  );
});

describe('given relationships', () => {
  const tables: Tables = {
    orders: { order_id: count(40, 500), customer_id: each(40, count(8)), code: each(40, [1, 2, 9, 9]) },
    customers: lookup('customer_id'),
    vips: { vip: count(8), name: words(8, 'v'), rank: each(8, [1, 2]) },
  };
  /** `a.x → b.y`, or `a.x+y → b.x+y`. */
  const ends = (text: string) => {
    const [from, to] = text.split(' → ').map(side => {
      const [table, columns] = side.split('.') as [string, string];
      return { table, columns: columns.split('+') };
    });
    return { from: from!, to: to! };
  };
  const declared = (text: string): DeclaredKey => ({ ...ends(text), isUnique: true });
  const found = 'orders.customer_id → customers.customer_id';
  const other = 'orders.customer_id → vips.vip';

  test('a declared key is used whatever its name and match rate, and keeps both as evidence', () => {
    const [first] = related(tables, { declared: [declared('orders.code → vips.vip')] });
    expect(first).toMatchObject({
      verdict: 'used',
      origin: 'declared',
      evidence: { rows: 40, matched: 20, isUnique: true },
    });
  });

  test('a declared key takes precedence over a guess, and a chosen one over both', () => {
    expect(verdicts(tables, { declared: [declared(other)] }).toSorted()).toEqual([
      `${found} · offered · superseded`,
      `${other} · used`,
    ]);
    const decisions = [{ ...ends(found), isUsed: true }];
    expect(verdicts(tables, { declared: [declared(other)], decisions }).toSorted()).toEqual([
      `${found} · used`,
      `${other} · offered · superseded`,
    ]);
  });

  test('a declared key that was chosen is used even if it could not be measured', () => {
    const profiles = Object.entries(tables).map(([name, columns]) => profileOfRows(name, columns));
    const decisions = [{ ...ends(other), isUsed: true }];
    const candidates = findCandidates(profiles, { declared: [declared(other)], decisions }, 'given');
    expect(judgeCandidates(candidates, profiles, () => undefined, decisions)).toMatchObject([
      { verdict: 'used', origin: 'chosen' },
    ]);
  });

  test('columns of a key may be named in any order', () => {
    const pairs = { order_id: each(12, count(6)), line: each(12, [1, 1, 1, 2, 2, 2, 2, 2, 2, 1, 1, 1]) };
    const both = { lines: { ...pairs, n: count(12) }, returns: { ...pairs, id: count(12) } };
    const decisions = [{ ...ends('returns.line+order_id → lines.line+order_id'), isUsed: false }];
    const composite = declared('returns.order_id+line → lines.order_id+line');
    expect(verdicts(both, { declared: [composite], decisions })).toContain(
      'returns.order_id+line → lines.order_id+line · refused · removed',
    );
  });

  test('a removed one stays away, whether it is found, declared or neither', () => {
    const decisions = [found, other, 'orders.code → vips.rank'].map(text => ({
      ...ends(text),
      isUsed: false,
    }));
    expect(verdicts(tables, { declared: [declared(other)], decisions }).toSorted()).toEqual([
      'orders.code → vips.rank · refused · removed',
      `${found} · refused · removed`,
      `${other} · refused · removed`,
    ]);
  });

  test('a chosen one whose key is not unique is refused: rows would be counted several times', () => {
    const decisions = [{ ...ends('orders.code → vips.rank'), isUsed: true }];
    expect(verdicts(tables, { decisions })).toContain('orders.code → vips.rank · refused · not unique');
  });

  test('one that names tables or columns that do not exist is left out', () => {
    const decisions = ['orders.code → gone.x', 'orders.gone → vips.vip'].map(text => ({
      ...ends(text),
      isUsed: true,
    }));
    expect(verdicts(tables, { decisions })).toEqual([`${found} · used`]);
  });

  test('a declared key of several columns is used', () => {
    const pairs = { order_id: each(12, count(6)), line: each(12, [1, 1, 1, 2, 2, 2, 2, 2, 2, 1, 1, 1]) };
    const composite = 'returns.order_id+line → lines.order_id+line';
    expect(
      verdicts(
        {
          lines: { ...pairs, n: count(12) },
          returns: { id: count(3), order_id: [1, 2, 2], line: [1, 1, 2] },
        },
        { declared: [declared(composite)] },
      ),
    ).toContain(`${composite} · used`);
  });
});

test('a bridge table refers to both of its sides', () => {
  const tables = {
    authors: lookup('author_id', 9),
    books: lookup('book_id', 12),
    book_authors: { book_id: each(20, count(12)), author_id: each(20, count(9)) },
  };
  expect(used(tables)).toEqual([
    'book_authors.author_id → authors.author_id',
    'book_authors.book_id → books.book_id',
  ]);
});

test('a table with several versions of a row is never guessed: which version counts depends on dates', () => {
  const tables = {
    products: {
      product_id: each(16, count(8)),
      name: words(16, 'p'),
      valid_from: each(16, ['2020-01-01', '2021-01-01']),
      valid_to: each(16, ['2020-12-31', null]),
    },
    sales: { sale_id: count(60, 900), product_id: each(60, count(8)) },
  };
  expect(verdicts(tables)).toEqual(['sales.product_id → products.product_id · refused · versions']);
  // Keys that occur twice for another reason have no versions.
  const { valid_from: _, ...rest } = tables.products;
  expect(verdicts({ ...tables, products: { ...rest, city: each(16, ['Bonn', 'Oslo']) } })).toEqual([
    'sales.product_id → products.product_id · refused · not unique',
  ]);
});

test.each([
  ['valid_from', 'valid_to'],
  ['ValidFrom', 'ValidTo'],
  ['effective_date', 'end_date'],
  ['start_date', 'is_current'],
  ['row_effective_from', 'row_effective_until'],
  ['gueltig_ab', 'gueltig_bis'],
])('%s and %s mark versions of a row', (begin, end) => {
  const tables = {
    products: {
      product_id: each(16, count(8)),
      [begin]: each(16, ['2020-01-01', '2021-01-01']),
      [end]: each(16, ['2020-12-31', null]),
    },
    sales: { sale_id: count(60, 900), product_id: each(60, count(8)) },
  };
  expect(verdicts(tables)).toEqual(['sales.product_id → products.product_id · refused · versions']);
});

describe('a table with several versions of a row, and another one with dates', () => {
  const versions = {
    prices: {
      product_id: each(16, count(8)),
      valid_from: count(16),
      valid_to: count(16),
      price: count(16),
    },
    sales: { sale_id: count(60, 900), product_id: each(60, count(8)), sold_on: count(60) },
  };
  const profiles = Object.entries(versions)
    .map(([name, columns]) => profileOfRows(name, columns))
    .map(table => ({
      ...table,
      columns: table.columns.map(column =>
        /^valid|_on$/.test(column.name) ? { ...column, type: 'date' as const } : column,
      ),
    }));
  const judged = (inclusion: Inclusion, decisions: RelationshipDecision[] = []) =>
    judgeCandidates(
      findCandidates(profiles, { declared: [], decisions }),
      profiles,
      () => inclusion,
      decisions,
    ).map(({ between, verdict, reason }) => [between, verdict, reason]);
  const between = { column: 'sold_on', begin: 'valid_from', end: 'valid_to' };

  test('offers to join by the range, and never does so by itself', () => {
    expect(judged({ rows: 60, matched: 60, isUnique: true })).toEqual([[between, 'offered', 'versions']]);
    expect(judged({ rows: 60, matched: 60, isUnique: false })).toEqual([[between, 'refused', 'overlaps']]);
    expect(judged({ rows: 60, matched: 9, isUnique: true })).toEqual([[between, 'refused', 'unrelated']]);
  });

  test('is joined by the range once an author decided so', () => {
    const ends = {
      from: { table: 'sales', columns: ['product_id'] },
      to: { table: 'prices', columns: ['product_id'] },
    };
    const decision = { ...ends, between, isUsed: true };
    expect(judged({ rows: 60, matched: 9, isUnique: true }, [decision])).toEqual([
      [between, 'used', undefined],
    ]);
    expect(judged({ rows: 60, matched: 60, isUnique: false }, [decision])).toEqual([
      [between, 'refused', 'overlaps'],
    ]);
    const [used] = judgeCandidates(
      findCandidates(profiles, { declared: [], decisions: [decision] }),
      profiles,
      () => ({ rows: 60, matched: 60, isUnique: true }),
      [decision],
    );
    const [joined] = inferJoins(profiles[1]!, [used!], new Map(profiles.map(table => [table.name, table])));
    expect(joined!.join).toMatchObject({
      table: 'prices',
      on: { product_id: 'product_id' },
      between: { sold_on: ['valid_from', 'valid_to'] },
    });
  });
});

test('a look-up table is referred to by other tables, and has no time column', () => {
  const tables = {
    lines: { order_id: each(40, count(9)), n: each(40, [1, 2]) },
    orders: { order_id: count(9), shop_id: each(9, [1, 2, 3]) },
    shops: lookup('shop_id', 3),
  };
  expect([...lookupTables(related(tables), table => table === 'orders')]).toEqual(['shops']);
});

const seed = Number(process.env['BELVEDERE_SEED'] ?? 42);

test(`no wrong relationship is used in 1,000 random schemas, and nearly all true ones are (seed ${seed})`, () => {
  let [found, all] = [0, 0];
  for (let i = 0; i < 1000; i++) {
    const { tables, truth } = randomSchema(random(seed * 10_000 + i));
    const said = used(tables);
    expect([i, said.filter(one => !truth.has(one))]).toEqual([i, []]);
    found += said.length;
    all += truth.size;
  }
  expect(found / all).toBeGreaterThan(0.95);
});

/** Mulberry32. */
function random(state: number): () => number {
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

const nouns =
  'customer product store employee supplier category region warehouse campaign channel patient doctor course'.split(
    ' ',
  );
const plurals: Readonly<Record<string, string>> = { category: 'categories', branch: 'branches' };

/**
 * A fact with look-up tables, some of which have their own, in one of several ways to write names; among
 * columns that only look like
 * keys.
 */
function randomSchema(next: () => number): { tables: Tables; truth: Set<string> } {
  const below = (n: number) => Math.floor(next() * n);
  const pick = <T>(values: readonly T[]) => values[below(values.length)]!;
  const style = pick([
    {
      table: (noun: string) => plurals[noun] ?? `${noun}s`,
      key: () => 'id',
      reference: (noun: string) => `${noun}_id`,
    },
    {
      table: (noun: string) => plurals[noun] ?? `${noun}s`,
      key: (noun: string) => `${noun}_id`,
      reference: (noun: string) => `${noun}_id`,
    },
    {
      table: (noun: string) => noun[0]!.toUpperCase() + noun.slice(1),
      key: (noun: string) => `${noun}Id`,
      reference: (noun: string) => `${noun}Id`,
    },
    {
      table: (noun: string) => `dim_${noun}`,
      key: (noun: string) => `${noun}_key`,
      reference: (noun: string) => `${noun}_key`,
    },
    {
      table: (noun: string) => noun,
      key: (noun: string) => `${noun}id`,
      reference: (noun: string) => `${noun}id`,
    },
  ]);
  const tables: Record<string, Columns> = {};
  const truth = new Set<string>();
  const chosen = [...nouns].sort(() => next() - 0.5).slice(0, 3 + below(4));
  const sizes = new Map(chosen.map(noun => [noun, 4 + below(60)]));
  const isText = next() < 0.3;
  const keyOf = (noun: string, i: number) => (isText ? `${noun.slice(0, 2).toUpperCase()}${1000 + i}` : i);
  const references = (noun: string, rows: number, dirt: number) =>
    count(rows).map(() =>
      next() < dirt
        ? next() < 0.5
          ? null
          : keyOf(noun, 5000 + below(9))
        : keyOf(noun, 1 + below(sizes.get(noun)!)),
    );
  const noise = (rows: number): Columns =>
    Object.fromEntries(
      (
        [
          ['status', () => 1 + below(5)],
          ['rating', () => 1 + below(5)],
          ['year', () => 2015 + below(9)],
          ['quantity', () => 1 + below(20)],
          ['position', () => 1 + below(9)],
          ['level', () => 1 + below(4)],
          ['type', () => pick(['a', 'b', 'c'])],
          ['city', () => pick(['Rome', 'Oslo', 'Lima', 'Bonn'])],
          ['code', () => 1 + below(30)],
          ['order', () => 1 + below(12)],
          [`${pick(chosen)}_count`, () => 1 + below(4)],
          [`num_${pick(chosen)}s`, () => 1 + below(4)],
          [`${pick(chosen)}_rank`, () => 1 + below(4)],
          [`${pick(chosen)}_age`, () => 1 + below(4)],
        ] as const
      )
        .filter(() => next() < 0.4)
        .map(([name, value]) => [name, count(rows).map(() => value())]),
    );
  for (const [i, noun] of chosen.entries()) {
    const rows = sizes.get(noun)!;
    const parent = i > 0 && next() < 0.3 ? chosen[below(i)] : undefined;
    const key = style.key(noun);
    tables[style.table(noun)] = {
      ...(next() < 0.2 && { rownames: count(rows) }),
      [key]: count(rows).map(n => keyOf(noun, n)),
      name: words(rows, noun),
      ...(parent && { [style.reference(parent)]: references(parent, rows, 0) }),
      ...noise(rows),
    };
    if (parent)
      truth.add(
        `${style.table(noun)}.${style.reference(parent)} → ${style.table(parent)}.${style.key(parent)}`,
      );
  }
  const fact = pick(['sales', 'events', 'visits', 'fact_sales']);
  const rows = 150 + below(200);
  tables[fact] = {
    ...(next() < 0.5 && { id: count(rows) }),
    ...Object.fromEntries(
      chosen.map(noun => [style.reference(noun), references(noun, rows, pick([0, 0, 0.03]))]),
    ),
    ...noise(rows),
  };
  for (const noun of chosen)
    truth.add(`${fact}.${style.reference(noun)} → ${style.table(noun)}.${style.key(noun)}`);
  return { tables, truth };
}
