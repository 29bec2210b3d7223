import type { Model, Policy } from '@belvedere/model';
import { describe, expect, test } from 'vitest';
import type { UnappliedPolicies, Workspace } from '../workspace/workspace.ts';
import { protectionIn } from './protected-tables.ts';

const policies: readonly Policy[] = [
  { name: 'own', where: { kind: 'literal', value: true }, text: 'true', hides: [] },
];
const model = (name: string, table: string, rest: Partial<Model> = {}): Model => ({
  name,
  label: name,
  source: 'files',
  table,
  joins: {},
  dimensions: {},
  measures: {},
  ...rest,
});
const workspace = (models: readonly Model[], unappliedPolicies: readonly UnappliedPolicies[] = []) =>
  ({
    models: new Map(models.map(one => [one.name, { model: one, isGuessed: false, problems: [] }])),
    unappliedPolicies,
    tables: new Map(['regions', 'cities', 'lands', 'pg_shop_towns'].map(name => [name, {}])),
    sources: new Map([['pg', { tables: [{ called: 'shop.towns' }] }]]),
  }) as unknown as Workspace;
const protecting = (of: Workspace, ...position: Parameters<ReturnType<typeof protectionIn>>) => {
  const found = protectionIn(of)(...position);
  return found === 'nobody' ? found : found.map(({ name }) => name);
};

describe('a protected table', () => {
  const guarded = workspace([
    model('areas', 'regions', { policies }),
    model('open', 'regions'),
    model('lands', 'regions', { policies }),
    model('towns', 'shop.towns', { source: 'pg', policies }),
  ]);

  test('obeys every model of it that has policies, and no other', () => {
    expect([
      protecting(guarded, 'files', 'regions'),
      protecting(guarded, 'files', 'cities'),
      protecting(guarded, 'pg', 'regions'),
    ]).toEqual([['areas', 'lands'], [], []]);
  });

  test('with the lists of another protected table is hidden from all viewers until a model of it has policies', () => {
    const lists = { notes: 'regions', notes_words: 'notes', marks: 'cities' };
    const tables = new Map<string, object>(['regions', 'cities'].map(name => [name, {}]));
    for (const [name, table] of Object.entries(lists))
      tables.set(name, { imported: { parent: { table, column: 'id', equals: 'id' } } });
    const withLists = (...models: Model[]) =>
      ({
        ...workspace([model('areas', 'regions', { policies }), ...models]),
        tables,
      }) as unknown as Workspace;
    const found = (of: Workspace) => Object.keys(lists).map(name => protecting(of, 'files', name));
    expect(found(withLists())).toEqual(['nobody', 'nobody', []]);
    expect(found(withLists(model('open', 'notes')))).toEqual(['nobody', 'nobody', []]);
    expect(found(withLists(model('own', 'notes', { policies })))).toEqual([['own'], 'nobody', []]);
    expect(protecting(withLists(), 'files', 'sql:it', 'select * from notes_words')).toBe('nobody');
  });

  test('is protected as a copy beside the files, too', () => {
    expect([protecting(guarded, 'pg', 'shop.towns'), protecting(guarded, 'files', 'pg_shop_towns')]).toEqual([
      ['towns'],
      ['towns'],
    ]);
  });

  test.each([
    ['files', 'select * from regions', 'nobody'],
    ['files', 'SELECT r.x FROM "Regions" r', 'nobody'],
    ['pg', 'select * from shop.towns', 'nobody'],
    ['pg', 'select * from towns', 'nobody'],
    ['files', 'select * from pg_shop_towns', 'nobody'],
    ['files', 'select * from subregions join regions_old using (x)', []],
    ['files', 'select 1', []],
  ] as const)('is hidden from SQL of %s that names it: %s', (source, sql, expected) =>
    expect(protecting(guarded, source, 'sql:written', sql)).toEqual(expected),
  );

  test('is hidden from all viewers if only a model of SQL with policies names it', () => {
    const written = workspace([
      model('written', 'sql:written', { sql: 'select * from regions join cities using (id)', policies }),
      model('cities', 'cities', { policies }),
    ]);
    expect([
      protecting(written, 'files', 'regions'),
      protecting(written, 'files', 'cities'),
      protecting(written, 'files', 'lands'),
      protecting(written, 'files', 'sql:other', 'select * from regions'),
    ]).toEqual(['nobody', ['cities'], [], 'nobody']);
  });

  test('is hidden from all viewers if a model of it with policies has become invalid', () => {
    const broken = workspace(
      [model('areas', 'regions', { policies })],
      [{ source: 'files', table: 'regions' }, { text: 'table: cities\npolicies: [' }],
    );
    expect([
      protecting(broken, 'files', 'regions'),
      protecting(broken, 'files', 'cities'),
      protecting(broken, 'files', 'lands'),
    ]).toEqual(['nobody', 'nobody', []]);
  });
});
