import { roles } from '@belvedere/api';
import { describe, expect, test } from 'vitest';
import { isAllowed, isEditable, isShareable, permissionsOf } from './permissions.ts';

describe('the actions of the interface', () => {
  test.each([
    //  role     explore create data   administer
    ['viewer', [false, false, false, false]],
    ['explorer', [true, false, false, false]],
    ['editor', [true, true, false, false]],
    ['maker', [true, true, true, false]],
    ['admin', [true, true, true, true]],
    ['owner', [true, true, true, true]],
  ] as const)('a role of %s', (role, offered) => {
    const { explore, create, data, administer, team } = permissionsOf({ mode: 'team', role }, false);
    expect([explore, create, data, administer]).toEqual(offered);
    expect(team).toBe(true);
  });

  test('includes accounts and sharing in team mode only', () => {
    expect(permissionsOf({ mode: 'local', role: 'owner' }, false)).toMatchObject({
      administer: true,
      team: false,
    });
  });

  test('is nothing while viewing as another user, and before the session is known', () => {
    for (const role of roles)
      expect(Object.values(permissionsOf({ mode: 'team', role }, true))).not.toContain(true);
    expect(Object.values(permissionsOf(undefined, false))).not.toContain(true);
  });
});

describe('a dashboard', () => {
  const editor = permissionsOf({ mode: 'team', role: 'editor' }, false);
  const viewer = permissionsOf({ mode: 'team', role: 'viewer' }, false);

  test('is edited by editors who may edit it', () => {
    expect(isEditable({ origin: 'saved', level: 'edit' }, editor)).toBe(true);
    expect(isEditable({ origin: 'saved', level: 'explore' }, editor)).toBe(false);
    expect(isEditable({ origin: 'saved', level: 'manage' }, viewer)).toBe(false);
  });

  test('of a table is edited as a new one, whatever its level', () => {
    expect(isEditable({ origin: 'overview', level: 'view' }, editor)).toBe(true);
    expect(isEditable({ origin: 'overview', level: 'view' }, viewer)).toBe(false);
  });

  test('is shared by those who manage it, in team mode only', () => {
    const local = permissionsOf({ mode: 'local', role: 'owner' }, false);
    expect(isShareable({ origin: 'saved', level: 'manage' }, editor)).toBe(true);
    expect(isShareable({ origin: 'saved', level: 'edit' }, editor)).toBe(false);
    expect(isShareable({ origin: 'overview', level: 'manage' }, editor)).toBe(false);
    expect(isShareable({ origin: 'saved', level: 'manage' }, local)).toBe(false);
  });

  test('without a level allows everything', () => {
    expect(isAllowed({}, 'manage')).toBe(true);
  });
});
