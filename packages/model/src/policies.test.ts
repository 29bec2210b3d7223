import { readDocument, type ModelFile } from '@belvedere/document';
import { describe, expect, test } from 'vitest';
import { buildModel } from './build-model.ts';
import { unfitAttribute, withPolicies, type PolicySubject } from './policies.ts';
import type { Model } from './model.ts';

const tables = [
  {
    name: 'flights',
    columns: [
      { name: 'carrier', type: 'text' },
      { name: 'delay', type: 'integer' },
      { name: 'day', type: 'date' },
      { name: 'public', type: 'boolean' },
    ],
  },
] as const;

function built(policies: string): {
  model: Model;
  problems: readonly { path: readonly string[]; message: string }[];
} {
  const read = readDocument(
    'model',
    `version: 1\ntable: flights\ntime: day\ndimensions: { carrier: {}, delay: {}, day: {} }\nmeasures: { mean: { expr: avg(delay) } }\nhierarchies: { all: [carrier, delay, day] }\npolicies:\n${policies}`,
    'models/flights.yaml',
  );
  if (!read.ok) throw new Error(read.problems.map(problem => problem.message).join('\n'));
  const { model, problems } = buildModel('flights', read.value as ModelFile & { table: string }, tables);
  return { model: model!, problems };
}
const subject = (attributes: PolicySubject['attributes'] = {}, ...groups: string[]): PolicySubject => ({
  groups,
  attributes,
});
const own = '  - { name: own carrier, groups: [airlines], where: "carrier = :user.carrier" }\n';
const noRow = { kind: 'literal', value: false };

/** Only what a row filter compares with, for facts to be read at a glance. */
function values(model: Model, who: PolicySubject): unknown {
  const { rowFilter } = withPolicies(model, who);
  if (JSON.stringify(rowFilter) === JSON.stringify(noRow)) return 'no row';
  return [...JSON.stringify(rowFilter).matchAll(/"literal","value":("[^"]*"|[^,}]+)/g)].map(
    match => JSON.parse(match[1]!) as unknown,
  );
}

describe('row policies', () => {
  test.each([
    ['a group’s policy applies to its members', own, subject({ carrier: 'AA' }, 'airlines'), ['AA']],
    ['a user to whom no policy applies sees no row', own, subject({ carrier: 'AA' }, 'airports'), 'no row'],
    ['a missing attribute admits no row', own, subject({}, 'airlines'), 'no row'],
    ['an empty attribute admits no row', own, subject({ carrier: '' }, 'airlines'), 'no row'],
    ['an attribute of another type admits no row', own, subject({ carrier: 7 }, 'airlines'), 'no row'],
    [
      'a list in place of a single value admits no row',
      own,
      subject({ carrier: ['AA', 'UA'] }, 'airlines'),
      'no row',
    ],
    [
      'an empty list admits no row',
      '  - { name: own, everyone: true, where: "carrier in (:user.carriers)" }\n',
      subject({ carriers: [] }),
      'no row',
    ],
    [
      'a property of Object.prototype is not an attribute',
      '  - { name: own, everyone: true, where: "carrier = :user.constructor" }\n',
      subject({}),
      'no row',
    ],
    [
      'a list attribute is inserted into a list',
      '  - { name: own, everyone: true, where: "carrier in (:user.carriers, \'XX\')" }\n',
      subject({ carriers: ['AA', 'UA'] }),
      ['AA', 'UA', 'XX'],
    ],
    [
      'a missing attribute admits no row, even when negated',
      '  - { name: others, everyone: true, where: "not (carrier = :user.carrier)" }\n',
      subject({}),
      'no row',
    ],
    [
      'the rows of several policies are combined',
      `${own}  - { name: public, everyone: true, where: public }\n  - { name: late, groups: [clerks], where: "delay > :user.least" }\n`,
      subject({ carrier: 'AA', least: 15 }, 'clerks', 'airlines'),
      ['AA', 15],
    ],
    [
      'a policy with an attribute of the wrong type does not affect the others',
      `${own}  - { name: late, groups: [clerks], where: "delay > :user.least" }\n`,
      subject({ carrier: 'AA', least: 'much' }, 'clerks', 'airlines'),
      ['AA'],
    ],
    [
      'a boolean attribute can be the whole condition',
      '  - { name: all, everyone: true, where: ":user.sees_all" }\n',
      subject({ sees_all: true }),
      [true],
    ],
    [
      'an attribute of another type cannot be the condition',
      '  - { name: all, everyone: true, where: ":user.sees_all" }\n',
      subject({ sees_all: 'yes' }),
      'no row',
    ],
    [
      'a text attribute is a value, whatever it contains',
      own,
      subject({ carrier: "' or 1 = 1 --" }, 'airlines'),
      ["' or 1 = 1 --"],
    ],
  ])('%s', (_, policies, who, expected) => expect(values(built(policies).model, who)).toEqual(expected));

  test('a model without policies is the same for every user', () => {
    const { policies: _, ...model } = built(own).model;
    expect(withPolicies(model, subject())).toBe(model);
  });

  test('fields hidden by a policy do not exist for its users, wherever the model names them', () => {
    const { model } = built(
      '  - { name: shy, groups: [guests], where: "true", hide: [delay, mean, day] }\n  - { name: all, groups: [staff], where: "true" }\n',
    );
    const seen = withPolicies(model, subject({}, 'guests'));
    expect([Object.keys(seen.dimensions), Object.keys(seen.measures), seen.hierarchies, seen.time]).toEqual([
      ['carrier'],
      ['rows'],
      { all: ['carrier'] },
      undefined,
    ]);
    expect(Object.keys(withPolicies(model, subject({}, 'staff')).measures)).toEqual(['mean', 'rows']);
    // In both groups: the rows of either, and hidden what one of them hides.
    expect(Object.keys(withPolicies(model, subject({}, 'staff', 'guests')).dimensions)).toEqual(['carrier']);
  });
});

describe('an invalid policy is reported, and admits no row', () => {
  test.each([
    [
      '"carier = :user.carrier"',
      'There is no column `carier`; did you mean `carrier`? (at character 1 of `carier = :user.carrier`)',
    ],
    ['"count(*) > 3"', 'A policy is a condition on one row, so it cannot contain an aggregate.'],
    ['"delay + 1"', 'A policy must be a condition (true or false), but this is integer.'],
    ['"carrier = :carrier"', '`:` is unexpected here. (at character 11 of `carrier = :carrier`)'],
    ['"true", hide: [dely]', 'There is no dimension or measure `dely` to hide; did you mean `delay`?'],
  ])('%s', (where, message) => {
    const { model, problems } = built(`  - { name: own, everyone: true, where: ${where} }\n`);
    expect(problems.map(problem => problem.message)).toEqual([message]);
    expect(withPolicies(model, subject({ carrier: 'AA' })).rowFilter).toEqual(noRow);
  });

  test('attributes are valid in policies only', () => {
    const read = readDocument(
      'model',
      'version: 1\ntable: flights\nmeasures: { own: { expr: "count(*) filter (where carrier = :user.carrier)" } }\n',
      'models/flights.yaml',
    );
    const { problems } = buildModel(
      'flights',
      (read as { value: ModelFile & { table: string } }).value,
      tables,
    );
    expect(problems[0]!.message).toContain(
      '`:user.carrier` depends on the viewer. Use it only in the `where` of a policy.',
    );
  });

  test.each([
    ['neither', ''],
    ['both', 'groups: [a], everyone: true, '],
  ])('a policy applies to groups or everyone: %s is an error', (_, whom) => {
    const read = readDocument(
      'model',
      `version: 1\ntable: flights\npolicies:\n  - { name: own, ${whom}where: "true" }\n`,
      'models/flights.yaml',
    );
    expect(read.ok ? [] : read.problems.map(problem => `${problem.line}: ${problem.message}`)).toEqual([
      expect.stringContaining('A policy needs either `groups` or `everyone: true`'),
    ]);
  });
});

describe('joined tables', () => {
  const schemas = [
    {
      name: 'sales',
      columns: [
        { name: 'region', type: 'text' },
        { name: 'size', type: 'integer' },
      ],
    },
    {
      name: 'regions',
      columns: ['code', 'country', 'zone', 'secret', 'cost', 'price'].map(
        name => ({ name, type: 'text' }) as const,
      ),
      unique: ['code'],
    },
    {
      name: 'zones',
      columns: [
        { name: 'id', type: 'text' },
        { name: 'called', type: 'text' },
        { name: 'size', type: 'integer' },
      ],
      unique: ['id'],
    },
  ] as const;
  const modelOf = (name: string, text: string): Model => {
    const read = readDocument('model', `version: 1\n${text}`, `models/${name}.yaml`);
    if (!read.ok) throw new Error(read.problems.map(problem => problem.message).join('\n'));
    const { model, problems } = buildModel(name, read.value as ModelFile & { table: string }, schemas);
    expect(problems).toEqual([]);
    return model!;
  };
  const zoned =
    'joins: { zone: { table: zones, on: { zone: id } } }\ndimensions: { code: {}, country: {}, secret: {}, price: {}, margin: { expr: "price || cost" }, zone_name: { column: zone.called } }';
  const regions = (policies: string) =>
    modelOf('regions', `table: regions\n${zoned}\npolicies: [${policies}]\n`);
  const sales = modelOf(
    'sales',
    'table: sales\njoins: { at: { table: regions, on: { region: code } }, zone: { table: zones, on: { at.zone: id } } }\ndimensions: { region: {}, country: { column: at.country }, secret: { column: at.secret }, lowest: { expr: "at.cost" }, price: { column: at.price }, zone: { column: zone.called }, extent: { column: zone.size } }\nmeasures: { secrets: { expr: count(distinct at.secret) } }\nwatermark: max(at.secret)\n',
  );
  const seen = (model: Model, guards: readonly Model[] | 'nobody', who = subject({ country: 'DE' })) =>
    withPolicies(model, who, (_, table) => (table === 'regions' ? guards : []));

  test('have only the rows that their own models admit, whatever the joining model says', () => {
    const { joins, rowFilter } = seen(sales, [
      regions('{ name: own, everyone: true, where: "country = :user.country" }'),
    ]);
    expect(joins['at']!.visible).toMatchObject({
      where: { kind: 'binary', operator: '=', left: { name: 'country' }, right: { value: 'DE' } },
      joins: {},
    });
    expect([joins['zone']!.visible, rowFilter]).toEqual([undefined, undefined]);
  });

  test('have no row for a user to whom no policy applies, or if policies cannot be applied to them', () => {
    for (const guards of [[regions('{ name: own, groups: [nobody], where: "true" }')], 'nobody'] as const)
      expect(seen(sales, guards).joins['at']!.visible).toEqual({ where: noRow, joins: {} });
  });

  test('obey all of their models that have policies', () => {
    const { joins } = seen(sales, [
      regions('{ name: a, everyone: true, where: "country = :user.country" }'),
      regions('{ name: b, everyone: true, where: "zone.size > 3" }'),
    ]);
    expect(joins['at']!.visible).toMatchObject({
      where: { operator: 'and', left: { operator: '=' }, right: { operator: '>', left: { join: '1 zone' } } },
      joins: { '1 zone': { table: 'zones' } },
    });
  });

  test('pass their conditions and hidden columns on to a model of the same table without policies', () => {
    const open = modelOf('areas', `table: regions\n${zoned}\n`);
    const read = seen(open, [
      regions('{ name: own, everyone: true, where: "zone.called = :user.country", hide: [secret] }'),
    ]);
    expect([read.rowFilter, Object.keys(read.joins), Object.keys(read.dimensions)]).toMatchObject([
      { left: { join: '0 zone' } },
      ['zone', '0 zone'],
      ['code', 'country', 'price', 'margin', 'zone_name'],
    ]);
  });

  test('keep hidden columns hidden: also in expressions, measures, the watermark, and through their own joins', () => {
    const fields = (hide: string) => {
      const { dimensions, measures, watermark } = seen(sales, [
        regions(`{ name: own, everyone: true, where: "true", hide: [${hide}] }`),
      ]);
      return [...Object.keys(dimensions), ...Object.keys(measures), ...(watermark ? ['watermark'] : [])];
    };
    expect(fields('code')).toEqual([
      'region',
      'country',
      'secret',
      'lowest',
      'price',
      'zone',
      'extent',
      'secrets',
      'rows',
      'watermark',
    ]);
    expect(fields('secret')).toEqual(['region', 'country', 'lowest', 'price', 'zone', 'extent', 'rows']);
    // What a visible field shows as it is stays visible; what is only in the hidden one does not.
    expect(fields('margin')).toEqual([
      'region',
      'country',
      'secret',
      'price',
      'zone',
      'extent',
      'secrets',
      'rows',
      'watermark',
    ]);
    expect(fields('zone_name')).toEqual([
      'region',
      'country',
      'secret',
      'lowest',
      'price',
      'extent',
      'secrets',
      'rows',
      'watermark',
    ]);
  });

  test('cannot be reached through a hidden column', () => {
    const guard = modelOf(
      'regions',
      'table: regions\ndimensions: { code: {}, zone: {} }\npolicies: [{ name: own, everyone: true, where: "true", hide: [zone] }]\n',
    );
    expect(Object.keys(seen(sales, [guard]).dimensions)).toEqual([
      'region',
      'country',
      'secret',
      'lowest',
      'price',
    ]);
  });

  test('do not change how policies of the joining model are evaluated: by the unfiltered data', () => {
    const guarded = modelOf(
      'sales',
      'table: sales\njoins: { at: { table: regions, on: { region: code } } }\ndimensions: { country: { column: at.country } }\npolicies: [{ name: own, everyone: true, where: "at.country = :user.country" }]\n',
    );
    const read = seen(guarded, 'nobody');
    expect([read.rowFilter, read.joins['policy at']!.visible, read.joins['at']!.visible]).toMatchObject([
      { left: { join: 'policy at' } },
      undefined,
      { where: noRow },
    ]);
    expect(read.joins['policy at']).toBeDefined();
    // Where nothing of the join is kept from anybody, it is joined once.
    expect(Object.keys(seen(guarded, []).joins)).toEqual(['at']);
  });

  test('are not filtered twice for the same user', () => {
    const once = seen(sales, [
      regions('{ name: own, everyone: true, where: "country = :user.country", hide: [secret] }'),
    ]);
    expect(withPolicies(once, subject(), () => [])).toBe(once);
  });
});

describe('attributes of signed tokens', () => {
  const two = built(
    `${own}  - { name: late, everyone: true, where: "delay > :user.least and carrier in (:user.carriers)" }\n`,
  ).model;
  test.each([
    [{}, undefined],
    [{ carrier: 'AA' }, undefined],
    [{ carrier: 'AA', least: 7, carriers: ['AA', 'UA'] }, undefined],
    [{ least: 7, carriers: [] }, undefined],
    // No policy has all its attributes, so that nothing says what type is right.
    [{ least: 'seven' }, undefined],
    [{ airline: 'AA' }, 'airline'],
    [{ carrier: 7 }, 'carrier'],
    [{ carrier: '' }, 'carrier'],
    [{ carrier: ['AA', 'UA'] }, 'carrier'],
    [{ least: 'seven', carriers: ['AA'] }, 'least'],
  ])('%j: %s does not fit', (attributes, unfit) => {
    expect(unfitAttribute([two], attributes)).toBe(unfit);
  });

  test('fit no model without policies', () => {
    const { policies: _, ...open } = two;
    expect(unfitAttribute([open], { carrier: 'AA' })).toBe('carrier');
  });
});
