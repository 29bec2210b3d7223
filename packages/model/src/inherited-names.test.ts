import type { ModelFile } from '@belvedere/document';
import { describe, expect, test } from 'vitest';
import { buildModel } from './build-model.ts';

/* Names that every JavaScript object inherits are names like others: unknown ones are reported. */

const inherited = Object.getOwnPropertyNames(Object.prototype);
const table = {
  name: 'sales',
  columns: [
    { name: 'day', type: 'date' },
    { name: 'amount', type: 'integer' },
  ],
} as const;
const file = { version: 1, table: 'sales', dimensions: { day: {}, amount: {} } } as const;
const built = (more: Partial<ModelFile>) =>
  buildModel('sales', { ...file, ...more } as ModelFile & { table: string }, [table]);

describe.each(inherited)('the name %s', name => {
  const places: Record<string, Partial<ModelFile>> = {
    time: { time: name },
    'a hierarchy': { hierarchies: { all: ['day', name] } },
    'a default filter': { filters: Object.fromEntries([[name, ['x']]]) as ModelFile['filters'] },
    'an expression': { measures: { total: { expr: `sum(${name})` } } },
    'a column of a join': { measures: { total: { expr: `sum(${name}.amount)` } } },
    'a function': { measures: { total: { expr: `${name}(amount)` } } },
    'a cast': { measures: { total: { expr: `sum(cast(amount as ${name}))` } } },
    'a hidden field': { policies: [{ name: 'p', where: 'amount > 1', hide: [name] }] },
    'an attribute': { policies: [{ name: 'p', where: `user.${name} = 1` }] },
    'a watermark': { watermark: `max(${name})` },
    'a join’s table': { joins: { other: { table: name, on: { amount: 'amount' } } } as ModelFile['joins'] },
    'a join’s key': {
      joins: { other: { table: 'sales', on: Object.fromEntries([[name, name]]) } } as ModelFile['joins'],
    },
  };
  test.each(Object.entries(places))('as %s is reported, and not taken for an entry', (place, more) => {
    const { model, problems } = built(more);
    // The attribute of a user may have any name.
    if (place !== 'an attribute') expect(problems.length).toBeGreaterThan(0);
    expect(model?.time).toBeUndefined();
    expect(model?.hierarchies ?? {}).toEqual({});
    expect(Object.keys(model?.filters ?? {})).toEqual([]);
    expect(Object.keys(model?.measures ?? { rows: {} })).toEqual(['rows']);
    expect(Object.keys(model?.joins ?? {})).toEqual([]);
  });
});

test('a column or dimension with such a name is used like others', () => {
  // Documents cannot declare `__proto__`.
  for (const name of inherited.filter(one => one !== '__proto__')) {
    const { model, problems } = buildModel(
      'sales',
      { ...file, dimensions: Object.fromEntries([[name, {}]]), hierarchies: { all: [name] } } as ModelFile & {
        table: string;
      },
      [{ ...table, columns: [{ name, type: 'integer' }] }],
    );
    expect(problems, name).toEqual([]);
    expect(Object.hasOwn(model!.dimensions, name), name).toBe(true);
  }
});
