import { describe, expect, test } from 'vitest';
import { closestName } from './completion/closest-name.ts';
import { labelFrom } from './labels.ts';
import { freeName, Name, nameFrom } from './schema/names.ts';
import { readDocument } from './read-document.ts';
import { writeDocument } from './write-document.ts';

/** This thread's own work: other programs on the machine do not count. */
const cpuMs = () => process.threadCpuUsage().user / 1000;

const dashboard = (tiles: string) =>
  `version: 1\ntitle: X\nmodel: flights\npages:\n  - title: A\n    tiles:\n${tiles}`;
const problemsOf = (text: string) => {
  const read = readDocument('dashboard', text, 'd.yaml');
  return read.ok ? [] : read.problems.map(({ line, column, message }) => `${line}:${column} ${message}`);
};

describe('a document', () => {
  test('is read if it is valid', () => {
    const read = readDocument(
      'dashboard',
      dashboard('      n: { kind: kpi, value: { measure: rows } }\n'),
      'd.yaml',
    );
    expect(read.ok && read.value.pages[0]!.tiles['n']).toEqual({ kind: 'kpi', value: { measure: 'rows' } });
  });

  test.each([
    [
      'a misspelt key',
      'version: 1\ntitel: X\npages: []\n',
      '2:1 Unknown property `titel`; did you mean `title`?',
    ],
    [
      'a misspelt key of an encoding',
      dashboard('      a: { kind: bar, x: { feild: a }, y: { measure: n } }\n'),
      '7:28 Unknown property `feild`; did you mean `field`?',
    ],
    [
      'a key of another form of encoding',
      dashboard(
        '      a: { kind: scatter, x: { field: a, scale: { type: log } }, y: { measure: n }, detail: { field: b } }\n',
      ),
      '7:51 `scale.type` in `x` is only possible with `aggregate`. Add `aggregate`, or remove `type`.',
    ],
    [
      'a key of another form beside one of this form',
      dashboard('      a: { kind: kpi, value: { measure: n, field: a } }\n'),
      '`field` is not possible together with `measure`. Remove one of the two.',
    ],
    [
      'a key that is like none: those that are not used yet are named, with those of its kind',
      dashboard('      a: { kind: kpi, value: { measure: n }, zzz: 1 }\n'),
      '(allowed: title, subtitle, description, model, filters, at, listens, selects, showIf, opens, drill, compare, target, spark).',
    ],
    [
      'a misspelt word',
      dashboard('      a: { kind: line, x: { field: a, timeUnit: dya }, y: { measure: n } }\n'),
      '7:39 `dya` is not one of year, quarter, month, week, day, hour, minute, fiscalYear, fiscalQuarter; did you mean `day`?',
    ],
    [
      'a missing choice',
      dashboard('      a: { kind: gauge, value: { measure: n }, bands: [{ below: 3 }] }\n'),
      '7:56 `look` (one of good, warn, bad, accent) is missing.',
    ],
    ['a missing part', dashboard('      a: { kind: kpi }\n'), '7:7 `value` is missing.'],
    [
      'a doubled key',
      'version: 1\ntitle: X\ntitle: Y\npages: []\n',
      '3:1 Duplicate key. Keep one of the two.',
    ],
    ['a tab', 'version: 1\npages:\n\t- title: A\n', '3:1 This line is indented with a tab. Use spaces.'],
    ['nothing', '', '1:1 This file is empty.'],
    ['a list', '- a\n- b\n', '1:1 This file must be a map of `name: value` lines.'],
    [
      'a newer version',
      'version: 2\ntitle: X\n',
      '1:1 This file has version 2, and this Belvedere supports version 1. Update Belvedere to open it.',
    ],
    [
      'a place off the grid',
      dashboard('      a: { kind: text, text: x, at: [30, 0, 2, 2] }\n'),
      'Invalid value `30`',
    ],
  ])('with %s is reported with its position and reason', (_, text, message) => {
    expect(problemsOf(text).join('\n')).toContain(message);
  });

  test('reports all its errors at once, in the order of its lines', () => {
    expect(
      problemsOf(
        dashboard(
          '      a: { kind: kpi }\n      b: { kind: text }\n      c: { kind: line, x: { field: a }, y: { measure: n }, z: 1 }\n',
        ),
      ).map(problem => problem.slice(0, 3)),
    ).toEqual(['7:7', '8:7', '9:6'].map(start => start.slice(0, 3)));
  });

  test('reports one error a line, however often the parser fails on it', () => {
    expect(problemsOf('title: {{\n')).toEqual([expect.stringContaining('2:1 Invalid YAML')]);
  });

  test.each([
    [
      'an alias bomb',
      `version: 1\na: &a [x,x,x,x,x,x,x,x,x,x]\n${'bcdefghij'
        .split('')
        .map(
          (name, i) =>
            `${name}: &${name} [${Array.from({ length: 10 }, () => `*${'abcdefghij'[i]}`).join(',')}]`,
        )
        .join('\n')}\n`,
    ],
    ['brackets without end', `title: ${'['.repeat(100_000)}`],
    ['a merge conflict', 'version: 1\n<<<<<<< ours\ntitle: A\n=======\ntitle: B\n>>>>>>> theirs\n'],
    ['too much text', `title: ${'x'.repeat(300_000)}`],
    ['a tag that constructs an object', 'title: !!js/function "x"\n'],
    ['NUL', 'title: a\0b\n'],
    ['an unclosed quote', 'title: "x\n'],
  ])('with %s is refused at once', (_, text) => {
    const began = cpuMs();
    expect(problemsOf(text).length).toBeGreaterThan(0);
    expect(cpuMs() - began).toBeLessThan(1000);
  });

  test('survives writing and reading, with each tile on one line', () => {
    const content = {
      version: 1,
      title: 'A: “b”',
      pages: [
        {
          title: 'P',
          tiles: {
            n: { kind: 'kpi', value: { measure: 'rows' }, at: [0, 0, 6, 3] },
            t: { kind: 'text', text: '# x\ny' },
          },
        },
      ],
    };
    const text = writeDocument(content, 'dashboard', 'd.yaml');
    expect(text.split('\n')).toContain('      n: { kind: kpi, value: { measure: rows }, at: [0, 0, 6, 3] }');
    const read = readDocument('dashboard', text, 'd.yaml');
    expect(read.ok && read.value).toEqual(content);
  });
});

test.each([
  ['avg_dely', ['avg_delay', 'avg_dep', 'rows'], 'avg_delay'],
  ['tittle', ['title', 'tile'], 'title'],
  ['hte', ['the'], 'the'],
  ['zebra', ['rows', 'title'], undefined],
])('%s was probably meant as one of %j: %s', (wrong, names, closest) => {
  expect(closestName(wrong, names)).toBe(closest);
});

test.each([
  ['Arr Delay (min)', 'arr_delay_min', 'Arr delay (min)'],
  ['DepDelayMinutes', 'dep_delay_minutes', 'Dep delay minutes'],
  ['us_states', 'us_states', 'US states'],
  ['tell_us_more', 'tell_us_more', 'Tell us more'],
  ['CustomerId', 'customer_id', 'Customer ID'],
  ['Us', 'us', 'US'],
  ['identity', 'identity', 'Identity'],
  ['2021 votes', 'c_2021_votes', '2021 votes'],
  ['Größe', 'gro_e', 'Größe'],
  ['Are you a fan of Star Trek?', 'are_you_a_fan_of_star_trek', 'Are you a fan of Star Trek?'],
  ['Seen: Star Wars', 'seen_star_wars', 'Seen: Star Wars'],
  ['Household Income (Before Taxes)', 'household_income_before_taxes', 'Household income (before taxes)'],
  ['LOCATION', 'location', 'Location'],
  ['supermarket_sales_january', 'supermarket_sales_january', 'Supermarket sales January'],
  ['turnout 2023 New Jersey', 'turnout_2023_new_jersey', 'Turnout 2023 New Jersey'],
  ['closed on Sunday', 'closed_on_sunday', 'Closed on Sunday'],
  ['sales_may', 'sales_may', 'Sales May'],
  ['you may_call', 'you_may_call', 'You may call'],
  ['new_york_orders', 'new_york_orders', 'New York orders'],
  ['mainetained', 'mainetained', 'Mainetained'],
  ['DEP_TIME', 'dep_time', 'Dep time'],
  ['CUSTOMER_ID', 'customer_id', 'Customer ID'],
  ['MDC', 'mdc', 'MDC'],
  ['HTML', 'html', 'HTML'],
  ['FIPS', 'fips', 'FIPS'],
  ['名前', 'column', '名前'],
  ['', 'column', 'Column'],
])('a column %j is named %s and labelled %s', (column, name, label) => {
  expect([nameFrom(column), labelFrom(column)]).toEqual([name, label]);
});

test('a column’s name of a million characters is named and labelled in linear time', () => {
  // A million capitals took more than a quarter of an hour.
  expect([nameFrom('A'.repeat(1e6)), labelFrom('A'.repeat(1e6))]).toEqual([
    'a'.repeat(60),
    `A${'a'.repeat(199)}`,
  ]);
  expect(nameFrom(`${'_'.repeat(1e6)}x`)).toBe('column');
  expect(labelFrom(' '.repeat(1e6))).toBe('Column');
});

test('names already in use get a number', () => {
  const taken = new Set<string>();
  expect(['a', 'A', 'a ', 'Constructor', 'constructor'].map(name => freeName(name, taken))).toEqual([
    'a',
    'a_2',
    'a_3',
    'constructor_2',
    'constructor_2_2',
  ]);
});

test('columns with the same long beginning each have a valid name of their own', () => {
  const taken = new Set<string>();
  const names = Array.from({ length: 1200 }, () =>
    freeName('How much do you agree with the following statement about your employer', taken),
  );
  expect(new Set(names).size).toBe(1200);
  expect(names.filter(name => !Name.safeParse(name).success)).toEqual([]);
});

describe('the host of a source', () => {
  const read = (kind: string, host: string) =>
    readDocument(
      'source',
      `version: 1\nkind: ${kind}\nconnection: { host: '${host}', database: d, user: u }\n`,
      'sources/s.yaml',
    );

  test.each([
    ['postgres', 'db.example.org'],
    ['mysql', '10.0.0.5'],
    ['clickhouse', 'db_1'],
    ['mysql', 'München.example'],
    ['clickhouse', '::1'],
    ['mysql', 'fe80::1%eth0'],
    ['postgres', '/var/run/postgresql'],
  ])('of %s may be %s', (kind, host) => {
    expect(read(kind, host).ok).toBe(true);
  });

  test.each([
    ['postgres', 'https://db.example.org'],
    ['mysql', 'db.example.org:3306'],
    ['clickhouse', 'a:8123'],
    ['clickhouse', 'db/?database=x'],
    ['clickhouse', 'reader@db'],
    ['mysql', '/var/run/mysqld'],
    ['mysql', 'a b'],
    ['mysql', '-x'],
  ])('of %s is not %s', (kind, host) => {
    const found = read(kind, host);
    expect(found.ok ? [] : found.problems.map(({ message }) => message)).toEqual([
      expect.stringContaining(
        'a host name or address only, such as `db.example.org`: no `https://`, and the port in `port`',
      ),
    ]);
  });
});

test.each([
  [
    'My Tile',
    'Invalid name `My Tile`: use lower-case letters, digits and _, beginning with a letter (63 characters at most), and not `constructor`; did you mean `my_tile`?',
  ],
  ['constructor', 'did you mean `constructor_2`?'],
])('a tile named %s is an error with a suggested name', (name, said) => {
  const found = readDocument(
    'dashboard',
    `version: 1\ntitle: T\nmodel: m\npages:\n  - title: P\n    tiles:\n      ${name}: { kind: kpi, value: { measure: rows } }\n      other: { kind: kpi, value: { measure: rows } }\n`,
    'd.yaml',
  );
  expect(found.ok ? [] : found.problems).toEqual([
    expect.objectContaining({ line: 7, column: 7, message: expect.stringContaining(said) as string }),
  ]);
});
