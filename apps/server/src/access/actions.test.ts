import { contract, type Endpoint } from '@belvedere/api';
import { describe, expect, test } from 'vitest';
import { actionRules, listActions, presentCeilings } from './actions.ts';

const rules = Object.entries(actionRules).flatMap(([object, all]) =>
  Object.entries(all).map(([name, rule]) => ({ action: `${object}.${name}`, ...rule })),
);
const action = (wanted: string) => listActions().find(({ object, name }) => `${object}.${name}` === wanted);

describe('the table of permissions', () => {
  test('has every endpoint', () => {
    const listed = new Set<string>(rules.flatMap(({ endpoints }) => endpoints));
    const missing = Object.keys(contract).filter(name => !listed.has(name));
    expect(missing, 'name them in actions.ts, under what users do with them').toEqual([]);
  });

  test.each(rules.filter(({ further }) => !further))(
    '$action: its endpoints require the same, unless they check further or list what their caller may see',
    ({ endpoints }) => {
      const all = endpoints.map(name => (contract[name] as Endpoint).access);
      const required = all.filter(({ on }) => on !== 'self' && on !== 'anyone');
      // The source of files is named in some.
      const kinds = new Set(required.map(one => JSON.stringify({ ...one, id: undefined })));
      expect(kinds.size).toBeLessThanOrEqual(1);
    },
  );

  test.each([
    ['dashboard.view', 'viewer', { on: 'dashboard', least: 'view' }],
    ['dashboard.comment', 'viewer', { on: 'dashboard', least: 'view' }],
    ['dashboard.resolveComments', 'explorer', { on: 'dashboard', least: 'explore' }],
    ['dashboard.subscribe', 'explorer', undefined],
    ['dashboard.exportPictures', 'viewer', { on: 'dashboard', least: 'view' }],
    ['dashboard.exportData', 'explorer', { on: 'dashboard', least: 'explore' }],
    ['dashboard.share', 'editor', { on: 'dashboard', least: 'manage' }],
    ['model.manage', 'maker', { on: 'model', least: 'manage' }],
    ['model.share', 'maker', { on: 'model', least: 'manage' }],
    ['source.query', 'maker', { on: 'source', least: 'explore' }],
    ['source.connect', 'admin', undefined],
    ['workspace.switches', 'owner', undefined],
    ['account.own', 'viewer', undefined],
    ['account.signIn', undefined, undefined],
  ])('%s is for %s', (name, role, level) => {
    expect(action(name)).toMatchObject({ ...(role && { role }), ...(level && { level }) });
    expect(action(name)?.role).toBe(role);
    expect(action(name)?.level).toEqual(level);
  });

  test('says which endpoints programs and guests may call', () => {
    const { endpoints } = action('dashboard.exportPictures')!;
    expect(endpoints).toEqual([
      {
        method: 'GET',
        path: '/api/v1/dashboards/:id/export',
        token: 'read',
        whileViewingAs: true,
        guests: 'no',
      },
      {
        method: 'POST',
        path: '/api/v1/dashboards/:id/export',
        token: 'read',
        whileViewingAs: true,
        guests: 'with-downloads',
      },
    ]);
    expect(presentCeilings().viewer).toEqual({
      dashboard: 'view',
      folder: 'view',
      model: null,
      source: null,
    });
  });
});
