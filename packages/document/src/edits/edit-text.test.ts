import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { applyEdit, type Edit, type Path } from './edit.ts';
import { writeDocument } from '../write-document.ts';
import { editText } from './edit-text.ts';

const text = `# what this is
version: 1
title: "Delays" # shown on Home

pages:
  - title: Overview
    tiles:
      # the first thing to see
      rows: { kind: kpi, value: { measure: rows }, at: [0, 0, 6, 3] } # big

      by_day: { kind: line, x: { field: date,  timeUnit: day }, y: { measure: rows }, at: [0, 3, 12, 8] }
      about: { kind: text, text: 'a, b' }
  - title: Rows
    tiles:
      list: { kind: table }
`;
const tile = (id: string): Path => ['pages', 0, 'tiles', id];
const changed = (edited: string) => {
  const before = text.split('\n');
  const after = edited.split('\n');
  return {
    gone: before.filter(line => !after.includes(line)),
    come: after.filter(line => !before.includes(line)),
  };
};

describe('an edit changes only its own lines', () => {
  test.each<[string, Edit[], { gone: string[]; come: string[] }]>([
    [
      'moving a tile',
      [{ kind: 'set', path: [...tile('by_day'), 'at'], value: [12, 3, 12, 8] }],
      {
        gone: [
          '      by_day: { kind: line, x: { field: date,  timeUnit: day }, y: { measure: rows }, at: [0, 3, 12, 8] }',
        ],
        come: [
          '      by_day: { kind: line, x: { field: date,  timeUnit: day }, y: { measure: rows }, at: [12, 3, 12, 8] }',
        ],
      },
    ],
    [
      'a new title keeps the comment behind it',
      [{ kind: 'set', path: ['title'], value: 'On: time' }],
      { gone: ['title: "Delays" # shown on Home'], come: ['title: "On: time" # shown on Home'] },
    ],
    [
      'a property put into a tile',
      [{ kind: 'set', path: [...tile('rows'), 'title'], value: 'All' }],
      {
        gone: ['      rows: { kind: kpi, value: { measure: rows }, at: [0, 0, 6, 3] } # big'],
        come: ['      rows: { kind: kpi, value: { measure: rows }, at: [0, 0, 6, 3], title: All } # big'],
      },
    ],
    [
      'a property taken out',
      [{ kind: 'remove', path: [...tile('by_day'), 'x', 'timeUnit'] }],
      {
        gone: [
          '      by_day: { kind: line, x: { field: date,  timeUnit: day }, y: { measure: rows }, at: [0, 3, 12, 8] }',
        ],
        come: ['      by_day: { kind: line, x: { field: date }, y: { measure: rows }, at: [0, 3, 12, 8] }'],
      },
    ],
    [
      'a new tile',
      [
        {
          kind: 'set',
          path: tile('more'),
          value: { kind: 'bar', x: { field: 'a' }, y: { measure: 'rows' }, at: [0, 11, 12, 8] },
        },
      ],
      {
        gone: [],
        come: ['      more: { kind: bar, x: { field: a }, y: { measure: rows }, at: [0, 11, 12, 8] }'],
      },
    ],
    [
      'a removed tile leaves the comment above it',
      [{ kind: 'remove', path: tile('rows') }],
      { gone: ['      rows: { kind: kpi, value: { measure: rows }, at: [0, 0, 6, 3] } # big'], come: [] },
    ],
    [
      'a tile renamed',
      [{ kind: 'rename', path: tile('rows'), to: 'all_rows' }],
      {
        gone: ['      rows: { kind: kpi, value: { measure: rows }, at: [0, 0, 6, 3] } # big'],
        come: ['      all_rows: { kind: kpi, value: { measure: rows }, at: [0, 0, 6, 3] } # big'],
      },
    ],
    [
      'the only tile of a page is removed',
      [{ kind: 'remove', path: ['pages', 1, 'tiles', 'list'] }],
      { gone: ['      list: { kind: table }'], come: ['    tiles: {}'] },
    ],
    [
      'a new page',
      [
        {
          kind: 'insert',
          path: ['pages', 1],
          value: { title: 'More', tiles: { one: { kind: 'text', text: 'x' } } },
        },
      ],
      { gone: [], come: ['  - title: More', '      one: { kind: text, text: x }'] },
    ],
    [
      'a missing map on the path is created',
      [{ kind: 'set', path: ['filters'], value: [{ field: 'date' }] }],
      { gone: [], come: ['filters:', '  - { field: date }'] },
    ],
    [
      'a text of several lines on one line',
      [{ kind: 'set', path: [...tile('about'), 'text'], value: 'one\n\ntwo' }],
      {
        gone: ["      about: { kind: text, text: 'a, b' }"],
        come: ['      about: { kind: text, text: "one\\n\\ntwo" }'],
      },
    ],
    [
      'a tile’s whole value is set, and only one property differs',
      [
        {
          kind: 'set',
          path: tile('rows'),
          value: { kind: 'kpi', value: { measure: 'late' }, at: [0, 0, 6, 3] },
        },
      ],
      {
        gone: ['      rows: { kind: kpi, value: { measure: rows }, at: [0, 0, 6, 3] } # big'],
        come: ['      rows: { kind: kpi, value: { measure: late }, at: [0, 0, 6, 3] } # big'],
      },
    ],
  ])('%s', (_, edits, expected) => {
    expect(changed(editText(text, edits))).toEqual(expected);
  });

  test('swapped pages keep their comments', () => {
    const edited = editText(text, [{ kind: 'move', path: ['pages', 1], to: 0 }]);
    expect(edited.split('\n').toSorted()).toEqual(text.split('\n').toSorted());
    expect((parse(edited) as { pages: { title: string }[] }).pages.map(page => page.title)).toEqual([
      'Rows',
      'Overview',
    ]);
  });

  test('an edit without a change changes no byte', () => {
    expect(
      editText(text, [
        { kind: 'set', path: [...tile('rows'), 'at'], value: [0, 0, 6, 3] },
        { kind: 'remove', path: ['nothing'] },
      ]),
    ).toBe(text);
  });

  test('line ends are preserved', () => {
    const windows = text.replaceAll('\n', '\r\n');
    expect(editText(windows, [{ kind: 'set', path: tile('more'), value: { kind: 'table' } }])).toBe(
      editText(text, [{ kind: 'set', path: tile('more'), value: { kind: 'table' } }]).replaceAll(
        '\n',
        '\r\n',
      ),
    );
  });

  test('an alias is expanded if only one of its uses changes', () => {
    const shared = 'a: &one { x: 1, y: 2 } # first\nb: *one\nc: 3 # last\n';
    expect(editText(shared, [{ kind: 'set', path: ['b', 'x'], value: 5 }])).toBe(
      'a: &one { x: 1, y: 2 } # first\nb: { x: 5, y: 2 }\nc: 3 # last\n',
    );
    expect(editText(shared, [{ kind: 'set', path: ['a', 'x'], value: 5 }])).toBe(
      'a: &one { x: 5, y: 2 } # first\nb: { x: 1, y: 2 }\nc: 3 # last\n',
    );
  });

  test('an unknown path is refused, and so is invalid YAML', () => {
    expect(() => editText(text, [{ kind: 'rename', path: tile('none'), to: 'x' }])).toThrow('no `none`');
    expect(() => editText('a: [', [{ kind: 'set', path: ['a'], value: 1 }])).toThrow('not valid YAML');
  });
});

// ---- Random documents in odd styles, random edits

const name = fc.stringMatching(/^[a-z][a-z0-9_]{0,6}$/);
const scalar = fc.oneof(
  fc.integer({ min: -1000, max: 1000 }),
  fc.boolean(),
  fc.constant(null),
  fc.constantFrom(
    'plain',
    'with: colon',
    '# not a comment',
    'a, b',
    '- dash',
    '',
    ' lead',
    'trail ',
    "it's",
    'say "x"',
    'one\ntwo',
    'one\n\n  two\n',
    'true',
    '12',
    '2024-01-01',
    '漢字',
    '*star',
    '&and',
    '{x}',
    '[y]',
    '%',
    '@at',
    '`tick',
    'null',
    '~',
    '|',
    '>',
    '!tag',
    'a\ttab',
    'x #y',
    'very '.repeat(30),
  ),
);
const { value: content } = fc.letrec<{ value: unknown }>(tie => ({
  value: fc.oneof(
    { depthSize: 'small' },
    scalar,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(name, tie('value'), { maxKeys: 5, noNullPrototype: true }),
  ),
}));
const root = fc.dictionary(name, content, { minKeys: 1, maxKeys: 6, noNullPrototype: true });

/** The same value written by somebody with other habits. */
function writtenOddly(value: unknown, random: () => number, indent = 0, inFlow = false): string {
  const margin = ' '.repeat(indent);
  const step = random() < 0.3 ? 4 : 2;
  const comment = () =>
    inFlow || random() < 0.8 ? '' : ` # ${['note', 'x: y', '{ [ "'][Math.floor(random() * 3)]}`;
  const isFlow = inFlow || random() < 0.35;
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]';
    if (isFlow)
      return `[${value.map(item => writtenOddly(item, random, 0, true)).join(random() < 0.5 ? ', ' : ' ,')}${random() < 0.2 ? ',' : ''}]`;
    return `\n${value
      .map(item => {
        const inner = writtenOddly(item, random, indent + 2);
        return `${random() < 0.1 ? `${margin}# above\n` : ''}${margin}-${inner.startsWith('\n') ? inner : ` ${inner}${inner.includes('\n') ? '' : comment()}`}`;
      })
      .join('\n')}`;
  }
  if (value !== null && typeof value === 'object') {
    const entries = Object.entries(value);
    if (entries.length === 0) return random() < 0.5 ? '{}' : '{ }';
    if (isFlow)
      return `{${random() < 0.5 ? ' ' : ''}${entries.map(([key, inner]) => `${random() < 0.2 ? JSON.stringify(key) : key}: ${writtenOddly(inner, random, 0, true)}`).join(', ')}${random() < 0.5 ? ' ' : ''}}`;
    return `\n${entries
      .map(([key, inner]) => {
        const text = writtenOddly(inner, random, indent + step);
        return `${random() < 0.15 ? `\n${margin}# before ${key}\n` : ''}${margin}${random() < 0.1 ? `'${key}'` : key}:${text.startsWith('\n') ? `${comment()}${text.replace(/^\n\n/, '\n')}` : ` ${text}${text.includes('\n') ? '' : comment()}`}`;
      })
      .join('\n')}`;
  }
  if (typeof value !== 'string') return value === null && random() < 0.3 && !inFlow ? '~' : String(value);
  if (/^[a-z]+$/.test(value) && !['true', 'null'].includes(value))
    return random() < 0.5 ? value : random() < 0.5 ? `'${value}'` : `"${value}"`;
  return JSON.stringify(value);
}

function oddText(value: object, seed: number): string {
  let state = seed | 1;
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return (state >>> 0) / 2 ** 32;
  };
  const entries = Object.entries(value).map(([key, inner]) => {
    const text = writtenOddly(inner, random, 2);
    return `${key}:${text.startsWith('\n') ? text : ` ${text}`}`;
  });
  const joined = `${random() < 0.5 ? '# top\n\n' : ''}${entries.join(random() < 0.3 ? '\n\n# between\n' : '\n')}${random() < 0.9 ? '\n' : ''}`;
  return random() < 0.15 ? joined.replaceAll('\n', '\r\n') : joined;
}

function pathsIn(value: unknown, at: Path = []): Path[] {
  if (value === null || typeof value !== 'object') return [at];
  const inner = Array.isArray(value)
    ? value.map((item, i) => pathsIn(item, [...at, i]))
    : Object.entries(value).map(([key, item]) => pathsIn(item, [...at, key]));
  return [at, ...inner.flat()];
}

function randomEdit(value: object, pick: (below: number) => number, put: unknown, key: string): Edit {
  const paths = pathsIn(value).filter(path => path.length > 0);
  const path = paths[pick(paths.length)]!;
  const parent = path
    .slice(0, -1)
    .reduce<unknown>((inner, step) => (inner as Record<string, unknown>)[step], value);
  const kinds = ['set', 'set', 'remove', 'add', 'move', Array.isArray(parent) ? 'insert' : 'rename'] as const;
  const kind = kinds[pick(kinds.length)]!;
  const length = Array.isArray(parent) ? parent.length : Object.keys(parent as object).length;
  if (kind === 'add')
    return Array.isArray(parent)
      ? { kind: 'insert', path: [...path.slice(0, -1), length], value: put }
      : { kind: 'set', path: [...path.slice(0, -1), key], value: put };
  if (kind === 'set' || kind === 'insert') return { kind, path, value: put };
  if (kind === 'rename')
    return Object.hasOwn(parent as object, key) ? { kind: 'remove', path } : { kind, path, to: key };
  if (kind === 'move') return { kind, path, to: pick(length) };
  return { kind: 'remove', path };
}

test.each<[string, string, Edit, string]>([
  [
    'a tile',
    'pages:\n  - title: A\n    tiles: {} # none yet\n',
    { kind: 'set', path: ['pages', 0, 'tiles', 'a'], value: { kind: 'text', text: 'x' } },
    'pages:\n  - title: A\n    tiles:\n      a: { kind: text, text: x } # none yet\n',
  ],
  [
    'a filter',
    'filters: []\nmodel: m\n',
    { kind: 'insert', path: ['filters', 0], value: { field: 'day' } },
    'filters:\n  - { field: day }\nmodel: m\n',
  ],
])('%s added to an empty collection gets a line of its own', (_, text, edit, edited) => {
  expect(editText(text, [edit])).toBe(edited);
});

test('an edit that needs a rewrite keeps the comments of its neighbours', () => {
  const text = '# top\n\nfirst: 1   # one\n\n# between\nlist:\n  - a: 1 # here\n    b: 2\nlast: 3 # three\n';
  expect(editText(text, [{ kind: 'move', path: ['list', 0, 'a'], to: 1 }])).toBe(
    '# top\n\nfirst: 1   # one\n\n# between\nlist:\n  - b: 2\n    a: 1\nlast: 3 # three\n',
  );
});

test.each<[string, string, Edit, string]>([
  [
    'a list in a list is another thing',
    'a:\n  -\n    - 1\n    # above\n\n# between\nb: 2 # two\n',
    { kind: 'set', path: ['a', 0], value: { x: 1 } },
    'a:\n  - x: 1\n    # above\n\n# between\nb: 2 # two\n',
  ],
  [
    'blank lines would become a part of a text',
    'a:\n  - |+\n    one\n\n  -\n\n# between\nb: 2 # two\n',
    { kind: 'remove', path: ['a', 1] },
    'a: ["one\\n\\n"]\n\n# between\nb: 2 # two\n',
  ],
])('comments between top-level keys stay, and so do line ends, where %s', (_, text, edit, edited) => {
  expect(editText(text, [edit])).toBe(edited);
  expect(editText(text.replaceAll('\n', '\r\n'), [edit])).toBe(edited.replaceAll('\n', '\r\n'));
});

describe('edits of random documents, in odd styles', () => {
  const cases = fc.tuple(
    root,
    fc.integer(),
    fc.array(fc.tuple(fc.array(fc.nat(1000), { minLength: 3, maxLength: 3 }), content, name), {
      minLength: 1,
      maxLength: 4,
    }),
  );

  test('an edited text parses to the edited document; other top-level keys keep their bytes', () => {
    fc.assert(
      fc.property(cases, ([value, seed, wishes]) => {
        let now = oddText(value, seed);
        const meant = parse(now, { version: '1.2' }) as object;
        expect(meant).toEqual(value);
        let model = meant;
        for (const [numbers, put, key] of wishes) {
          if (Object.keys(model).length === 0) break;
          let turn = 0;
          const edit = randomEdit(model, below => numbers[turn++ % 3]! % below, put, key);
          const before = now;
          now = editText(now, [edit]);
          model = applyEdit(model, edit) as object;
          expect(parse(now, { version: '1.2' })).toEqual(model);
          expect(Object.keys((parse(now) ?? {}) as object)).toEqual(Object.keys(model));
          if (edit.path.length > 1)
            for (const comment of before.match(/^# (top|between)$/gm) ?? []) expect(now).toContain(comment);
        }
      }),
      {
        numRuns: Number(process.env['BELVEDERE_QUESTIONS'] ?? 600),
        seed: Number(process.env['BELVEDERE_SEED']),
      },
    );
  }, 1_200_000);

  test('a written document reads back equal', () => {
    fc.assert(
      fc.property(root, value => {
        const text = writeDocument(value, 'model', 'x.yaml');
        expect(parse(text, { version: '1.2' })).toEqual(value);
        expect(writeDocument(parse(text, { version: '1.2' }) as object, 'model', 'x.yaml')).toBe(text);
      }),
      { numRuns: Number(process.env['BELVEDERE_QUESTIONS'] ?? 600) },
    );
  });

  test('lines outside the edit stay, byte for byte', () => {
    const tiles = fc.dictionary(
      name,
      fc.record({
        kind: fc.constantFrom('bar', 'line'),
        title: fc.constantFrom('A', 'b: c', 'it’s # x'),
        at: fc.array(fc.nat(20), { minLength: 4, maxLength: 4 }),
      }),
      { minKeys: 2, maxKeys: 8, noNullPrototype: true },
    );
    fc.assert(
      fc.property(
        tiles,
        fc.nat(),
        fc.array(fc.nat(20), { minLength: 4, maxLength: 4 }),
        (made, which, at) => {
          const lines = Object.entries(made).map(
            ([id, one], i) =>
              `${i % 3 === 0 ? `      # about ${id}\n` : ''}      ${id}: { kind: ${one.kind},  title: ${JSON.stringify(one.title)}, at: [${one.at.join(', ')}] }${i % 2 ? ' # tail' : ''}`,
          );
          const whole = `pages:\n  - title: One\n    tiles:\n${lines.join('\n')}\n`;
          const id = Object.keys(made)[which % Object.keys(made).length]!;
          const edited = editText(whole, [{ kind: 'set', path: ['pages', 0, 'tiles', id, 'at'], value: at }]);
          const isOther = (line: string) => !line.startsWith(`      ${id}:`);
          expect(edited.split('\n').filter(isOther)).toEqual(whole.split('\n').filter(isOther));
          expect(edited.split('\n')).toHaveLength(whole.split('\n').length);
        },
      ),
      { numRuns: 200 },
    );
  });
});
