import { levels, objectKinds, roles, type Level, type Role } from '@belvedere/api';
import { describe, expect, test } from 'vitest';
import type { Workspace } from '../workspace/workspace.ts';
import type { Caller } from './caller.ts';
import { grantedWorkspace } from './granted-workspace.ts';
import { levelOf, requireAccess, sourcesRead } from './may.ts';

const workspace = {
  models: new Map([
    ['orders', { model: { source: 'files' } }],
    ['visits', { model: { source: 'web' } }],
  ]),
  modelFiles: new Set(['broken']),
  modelsReading: new Set(['parcels']),
  modelsWaiting: new Map(),
  dashboards: new Map(['top', 'sales/daily', 'sales/eu/daily', 'overview/orders'].map(id => [id, { id }])),
  tables: new Map(['orders', 'stock'].map(name => [name, {}])),
  sources: new Map([['web', {}]]),
  relationships: new Map(),
  decisions: [],
  extracts: new Map(),
  skippedFiles: [{ file: 'notes.txt', reason: '' }],
  problems: [],
  unappliedPolicies: [],
  people: new Map(),
} as unknown as Workspace;

const caller = (role: Role, grants: Readonly<Record<string, Level>>): Caller => ({
  userId: 'ana',
  name: 'Ana',
  role,
  grants: new Map(Object.entries(grants)),
  rows: 'all',
});
const level = (role: Role, grants: Readonly<Record<string, Level>>, object: string) => {
  const [, kind, id] = /^(\w+) (.*)$/.exec(object)!;
  return levelOf(caller(role, grants), { kind: kind as 'dashboard', id: id! }, workspace);
};

describe('a level', () => {
  test.each<[what: string, Role, Record<string, Level>, object: string, Level | undefined]>([
    ['nothing exists that is not shared', 'viewer', {}, 'dashboard top', undefined],
    ['a dashboard’s own grant', 'viewer', { 'dashboard:top': 'view' }, 'dashboard top', 'view'],
    ['a folder’s grant', 'viewer', { 'folder:sales': 'view' }, 'dashboard sales/eu/daily', 'view'],
    ['the grant of all dashboards', 'viewer', { 'folder:': 'view' }, 'dashboard sales/daily', 'view'],
    ['another folder’s grant', 'viewer', { 'folder:sal': 'view' }, 'dashboard sales/daily', undefined],
    ['a folder within', 'editor', { 'folder:sales': 'edit' }, 'folder sales/eu', 'edit'],
    ['the folder above', 'editor', { 'folder:sales/eu': 'edit' }, 'folder sales', undefined],
    [
      'the higher of two',
      'editor',
      { 'folder:sales': 'view', 'dashboard:sales/daily': 'edit' },
      'dashboard sales/daily',
      'edit',
    ],
    ['a role’s ceiling', 'viewer', { 'dashboard:top': 'manage' }, 'dashboard top', 'view'],
    ['an explorer’s ceiling', 'explorer', { 'folder:': 'manage' }, 'dashboard top', 'explore'],
    ['a draft of what one may edit', 'editor', { 'dashboard:top': 'edit' }, 'dashboard draft:top', 'edit'],
    [
      'a draft of what one may see',
      'editor',
      { 'dashboard:top': 'explore' },
      'dashboard draft:top',
      undefined,
    ],
    [
      'an earlier revision of what one may see',
      'explorer',
      { 'dashboard:top': 'explore' },
      'dashboard revision:3:top',
      undefined,
    ],
    ['a new dashboard at the top', 'editor', {}, 'dashboard new', 'manage'],
    ['a new dashboard at the top by an explorer', 'explorer', {}, 'dashboard new', undefined],
    ['a new dashboard in a folder', 'editor', {}, 'dashboard sales/new', undefined],
    [
      'a new dashboard in a folder that one may edit',
      'editor',
      { 'folder:sales': 'edit' },
      'dashboard sales/new',
      'edit',
    ],
    [
      'an exploration of a model',
      'explorer',
      { 'model:orders': 'explore' },
      'dashboard draft:explore:orders:1f',
      'edit',
    ],
    [
      'an exploration of another model',
      'explorer',
      { 'model:orders': 'explore' },
      'dashboard explore:visits',
      undefined,
    ],
    [
      'an overview of a model',
      'explorer',
      { 'model:orders': 'explore' },
      'dashboard overview/orders',
      'explore',
    ],
    [
      'an overview, by all dashboards',
      'maker',
      { 'folder:': 'manage' },
      'dashboard overview/orders',
      undefined,
    ],
    ['a model by its source', 'maker', { 'source:web': 'edit' }, 'model visits', 'edit'],
    ['a model of another source', 'maker', { 'source:web': 'edit' }, 'model orders', undefined],
    ['a new model', 'maker', {}, 'model new', 'manage'],
    ['a model whose table is still being imported', 'maker', {}, 'model parcels', undefined],
    ['a model whose file has an error', 'maker', {}, 'model broken', undefined],
    ['a model of a table that is being imported', 'maker', {}, 'model stock', undefined],
    ['its overview', 'maker', {}, 'dashboard overview/stock', undefined],
    ['a model of a source that is not connected', 'maker', {}, 'model web_pages', undefined],
    ['a model for a viewer', 'viewer', { 'model:orders': 'explore' }, 'model orders', undefined],
    ['a source for an editor', 'editor', { 'source:files': 'manage' }, 'source files', undefined],
    ['a source for a maker', 'maker', { 'source:files': 'manage' }, 'source files', 'edit'],
  ])('%s', (_, role, grants, object, expected) => {
    expect(level(role, grants, object)).toBe(expected);
  });

  test('never falls with a higher role or with one more grant', () => {
    const keys = [
      'folder:',
      'folder:sales',
      'dashboard:top',
      'dashboard:sales/daily',
      'model:orders',
      'source:web',
    ];
    const objects = [
      ...[
        'top',
        'sales/daily',
        'sales/eu/daily',
        'overview/orders',
        'draft:top',
        'sales/new',
        'explore:orders',
      ].map(id => `dashboard ${id}`),
      'folder sales',
      'model orders',
      'model visits',
      'source web',
    ];
    const rank = (one: Level | undefined) => (one ? levels.indexOf(one) : -1);
    for (const object of objects)
      for (const key of keys)
        for (const granted of levels)
          for (const [i, role] of roles.entries()) {
            const here = rank(level(role, { [key]: granted }, object));
            expect([object, key, role, here >= rank(level(role, {}, object))]).toEqual([
              object,
              key,
              role,
              true,
            ]);
            const higher = roles[i + 1];
            if (higher)
              expect([object, key, role, rank(level(higher, { [key]: granted }, object)) >= here]).toEqual([
                object,
                key,
                role,
                true,
              ]);
          }
  });
});

describe('objects that are not shared', () => {
  const seen = (role: Role, grants: Readonly<Record<string, Level>>) => {
    const own = grantedWorkspace(workspace, caller(role, grants));
    return [
      ...[...own.dashboards.keys()].map(id => `dashboard ${id}`),
      ...[...own.models.keys()].map(id => `model ${id}`),
      ...[...own.sources.keys()].map(id => `source ${id}`),
      ...[...own.tables.keys()].map(id => `table ${id}`),
      ...own.skippedFiles.map(({ file }) => `file ${file}`),
    ];
  };
  test.each<[Role, Record<string, Level>, readonly string[]]>([
    ['viewer', {}, []],
    ['viewer', { 'folder:sales': 'view' }, ['dashboard sales/daily', 'dashboard sales/eu/daily']],
    ['explorer', { 'model:orders': 'explore' }, ['dashboard overview/orders', 'model orders']],
    ['maker', { 'source:web': 'explore' }, ['model visits', 'source web']],
    [
      'maker',
      { 'source:files': 'explore' },
      ['dashboard overview/orders', 'model orders', 'table orders', 'table stock', 'file notes.txt'],
    ],
  ])('is absent from the workspace of a %s with %j', (role, grants, expected) => {
    expect(seen(role, grants)).toEqual(expected);
  });

  test.each(objectKinds)('gets the same response as a %s that does not exist', kind => {
    const refused = (id: string) => {
      try {
        requireAccess(caller('viewer', {}), { on: kind, level: 'view' }, { id, name: id }, workspace);
        return 'allowed';
      } catch (error) {
        const { type, message } = error as { type: string; message: string };
        return [type, message.replace(id, '@')];
      }
    };
    const [there] = { dashboard: ['top'], folder: ['sales'], model: ['orders'], source: ['web'] }[kind];
    expect(refused(there!)).toEqual(refused('nothing'));
    expect(refused('nothing')[0]).toBe('not-found');
  });
});

test.each<[source: string, sql: string, sources: string[]]>([
  ['files', 'select * from orders', ['files']],
  ['files', 'select * from shop_customers join shop_orders using (id)', ['files', 'shop']],
  ['shop', 'select * from shop_customers', ['shop']],
])('SQL on %s reads the sources of the extracts that it names: %s', (source, sql, sources) => {
  const extracts = new Map([
    ['shop_customers', 'shop'],
    ['shop_orders', 'shop'],
    ['crm_people', 'crm'],
  ]);
  expect(sourcesRead(source, sql, { extracts })).toEqual(sources);
});
