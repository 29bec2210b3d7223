import type { Level, Role } from '@belvedere/api';
import { describe, expect, test } from 'vitest';
import type { Workspace } from '../workspace/workspace.ts';
import type { Caller } from './caller.ts';
import { givenExportRows, limitedRows, maxExportedRows } from './export-limit.ts';

const workspace = {
  models: new Map([['orders', { model: { source: 'files', table: 'orders' } }]]),
  modelFiles: new Map(),
  modelsReading: new Map(),
  modelsWaiting: new Map(),
  tables: new Map([['orders', {}]]),
  sources: new Map(),
  dashboards: new Map<string, object>([
    ['sales/daily', {}],
    ['mine', { document: { model: 'orders', pages: [] } }],
  ]),
  extracts: new Map(),
  limits: { exportRowsOf: { explorer: 500 } },
} as unknown as Workspace;

type GivenGrant = Parameters<typeof givenExportRows>[2];
type Grant = readonly [object: string, level: Level, rows?: number];
const caller = (role: Role, grants: readonly Grant[], isProgram = false) =>
  ({
    role,
    grants: new Map(grants.map(([object, level]) => [object, level])),
    exportGrants: new Map(
      [...Map.groupBy(grants, ([object]) => object)].map(([object, all]) => [
        object,
        all.map(([, level, exportRows]) => ({ level, exportRows })),
      ]),
    ),
    ...(isProgram && { token: { name: 'cron', scope: 'read' } }),
  }) as unknown as Caller;

describe('the rows of an export', () => {
  const daily = { kind: 'dashboard', id: 'sales/daily' } as const;
  test.each<[what: string, Role, Grant[], most: number]>([
    ['unlimited by default', 'editor', [['dashboard:sales/daily', 'explore']], Infinity],
    ['a grant’s limit', 'editor', [['dashboard:sales/daily', 'explore', 10]], 10],
    ['a folder’s limit', 'editor', [['folder:sales', 'edit', 20]], 20],
    [
      'the higher of two',
      'editor',
      [
        ['folder:', 'explore', 30],
        ['dashboard:sales/daily', 'explore', 10],
      ],
      30,
    ],
    [
      'a grant without a limit',
      'editor',
      [
        ['folder:', 'explore'],
        ['dashboard:sales/daily', 'explore', 10],
      ],
      Infinity,
    ],
    [
      'a grant that exports no data does not count',
      'editor',
      [
        ['folder:', 'view'],
        ['dashboard:sales/daily', 'explore', 10],
      ],
      10,
    ],
    ['a viewer’s limit', 'viewer', [['folder:', 'view', 7]], 7],
    ['a role’s limit', 'explorer', [['folder:', 'explore']], 500],
    ['a role’s limit is the most', 'explorer', [['folder:', 'explore', 900]], 500],
    ['a lower limit of a grant', 'explorer', [['folder:', 'explore', 100]], 100],
    ['of another object', 'editor', [['folder:stock', 'explore', 1]], Infinity],
  ])('%s', (_, role, grants, most) => {
    expect(maxExportedRows(caller(role, grants), daily, workspace)).toBe(most);
    const draft = { ...daily, id: 'draft:sales/daily' };
    expect(maxExportedRows(caller(role, grants), draft, workspace)).toBe(most);
  });

  test('a model, its overview and its explorations have the limits of the model and its source', () => {
    const max = caller('maker', [
      ['model:orders', 'explore', 5],
      ['source:files', 'explore', 9],
    ]);
    const objects = [
      { kind: 'model', id: 'orders' },
      { kind: 'dashboard', id: 'overview/orders' },
      { kind: 'dashboard', id: 'explore:orders:w1' },
    ] as const;
    expect(objects.map(object => maxExportedRows(max, object, workspace))).toEqual([9, 9, 9]);
  });

  test('an object has the export limits of what it is made of, for users who can change it', () => {
    const model: Grant = ['model:orders', 'explore', 5];
    const mine = { kind: 'dashboard', id: 'mine' } as const;
    const own = (...grants: Grant[]) => maxExportedRows(caller('maker', grants), mine, workspace);
    expect(own(['dashboard:mine', 'manage'], model)).toBe(5);
    expect(own(['dashboard:mine', 'explore'], model)).toBe(Infinity);
    expect(own(['dashboard:mine', 'manage', 3], model)).toBe(3);
    // Of a draft, those of the models that it shows.
    const draft = { kind: 'dashboard', id: 'draft:sales/daily' } as const;
    const document = workspace.dashboards.get('mine')!.document!;
    const editor = caller('editor', [['folder:sales', 'edit'], model]);
    expect(maxExportedRows(editor, draft, workspace, document)).toBe(5);
    const maker = caller('maker', [
      ['model:orders', 'manage'],
      ['source:files', 'explore', 9],
    ]);
    expect(maxExportedRows(maker, { kind: 'model', id: 'orders' }, workspace)).toBe(9);
  });

  test.each<[what: string, own: number, GivenGrant, given: number | null | undefined | 'refused']>([
    ['no limit', 10, { level: 'view', requested: null }, 'refused'],
    ['a higher one', 10, { level: 'view', requested: 11 }, 'refused'],
    ['the same', 10, { level: 'view', requested: 10 }, 10],
    ['none said', 10, { level: 'view', requested: undefined }, 10],
    ['a level raised', 10, { level: 'explore', requested: undefined, before: { level: 'view' } }, 10],
    ['a level lowered', 10, { level: 'view', requested: undefined, before: { level: 'explore' } }, undefined],
    [
      'a level raised with a lower one',
      10,
      { level: 'explore', requested: undefined, before: { level: 'view', exportRows: 4 } },
      undefined,
    ],
    ['without one of their own', Infinity, { level: 'view', requested: null }, null],
    ['without one of their own, none said', Infinity, { level: 'view', requested: undefined }, undefined],
  ])('a manager gives others no more than they have: %s', (_, own, given, result) => {
    const grant: Grant = ['dashboard:sales/daily', 'manage'];
    const ana = caller('editor', [own === Infinity ? grant : [grant[0], grant[1], own]]);
    const give = () => givenExportRows(ana, daily, given, workspace);
    if (result === 'refused') expect(give).toThrow('You may export at most 10 rows of this');
    else expect(give()).toBe(result);
  });

  test('owners and admins have none', () => {
    expect(maxExportedRows({ role: 'admin' } as Caller, daily, workspace)).toBe(Infinity);
  });

  test('a program gets pages up to the limit, a page of the interface all of them', () => {
    const grants: Grant[] = [['folder:', 'explore', 10]];
    const pages = (isProgram: boolean) =>
      [0, 8, 9].map(offset =>
        limitedRows(caller('editor', grants, isProgram), daily, { offset, limit: 4 }, workspace),
      );
    expect(pages(false)).toEqual([4, 4, 4]);
    expect(pages(true)).toEqual([4, 2, 1]);
    expect(() =>
      limitedRows(caller('editor', grants, true), daily, { offset: 10, limit: 4 }, workspace),
    ).toThrow('You may export at most 10 rows of this.');
  });
});
