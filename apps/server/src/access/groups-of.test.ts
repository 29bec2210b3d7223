import type { UserGroup } from '@belvedere/api';
import type { AlertFile, ReportFile } from '@belvedere/document';
import { describe, expect, test } from 'vitest';
import { targetsOf } from '../alerts/alert-owner.ts';
import { resolveRecipients } from '../reports/report-recipients.ts';
import type { User } from '../state/accounts/users.ts';
import { Directory } from './directory.ts';
import { groupsOf, isMember } from './groups-of.ts';

/** The inner groups of each group. */
const inner: Readonly<Record<string, readonly string[]>> = {
  Alps: [],
  Europe: ['Alps', 'North'],
  Managers: ['North'],
  North: [],
};
const groups = new Map(
  Object.entries(inner).map(([id, all]): [string, UserGroup] => [
    id,
    { id, name: id, members: 0, groups: [...all], attributes: { from: id, all: [id] }, version: '' },
  ]),
);
const user = (id: string, ...own: readonly string[]) =>
  ({
    id,
    name: id,
    email: `${id}@example.org`,
    role: 'viewer',
    groups: own,
    attributes: {},
  }) as unknown as User;

describe('the groups of a user', () => {
  test.each<[own: string[], all: string[]]>([
    [[], []],
    [['Alps'], ['Alps', 'Europe']],
    [['North'], ['North', 'Europe', 'Managers']],
    [
      ['North', 'Alps'],
      ['Alps', 'North', 'Europe', 'Managers'],
    ],
    // Those of the outer group are not in its inner ones.
    [['Europe'], ['Europe']],
    [
      ['Managers', 'North'],
      ['Managers', 'North', 'Europe'],
    ],
    [['gone'], []],
  ])('in %j are %j', (own, all) => {
    const ana = user('ana', ...own);
    expect(groupsOf(ana, groups).map(({ id }) => id)).toEqual(all);
    for (const id of groups.keys()) expect([id, isMember(ana, id, groups)]).toEqual([id, all.includes(id)]);
  });

  const users = new Map(
    [user('ana', 'Alps'), user('nora', 'North'), user('eve', 'Europe')].map(one => [one.id, one]),
  );
  const opened = async () => {
    const people = { byId: users, subscribe: () => () => {} };
    const directory = new Directory(
      { people, groups: { list: async () => [...groups.values()] } } as never,
      { all: async () => [] } as never,
    );
    await directory.refresh();
    return directory;
  };

  test('get the reports and alerts of outer groups', async () => {
    const directory = await opened();
    const sentTo = (group: string) => {
      const to = [{ group }] as NonNullable<ReportFile['to']>;
      const { recipients } = resolveRecipients({ to }, undefined, directory);
      const notified = targetsOf({ notify: to } as unknown as AlertFile, directory);
      const names = recipients.map(one => (one.to as User).id);
      expect(notified).toEqual(names.map(userId => ({ kind: 'user', userId })));
      return names;
    };
    expect(sentTo('Europe')).toEqual(['ana', 'nora', 'eve']);
    expect(sentTo('Managers')).toEqual(['nora']);
    expect(sentTo('Alps')).toEqual(['ana']);
  });

  test('give row policies their names and attributes, nearer groups first', async () => {
    const directory = await opened();
    const workspace = {
      declaredGrants: [],
      models: new Map([['orders', { model: { policies: [{}] } }]]),
      sources: new Map(),
      unappliedPolicies: ['orders'],
    };
    expect(directory.callerOf('nora', workspace as never)?.rows).toEqual({
      groups: ['North', 'Europe', 'Managers'],
      attributes: { from: 'North', all: ['North', 'Europe', 'Managers'], email: 'nora@example.org' },
    });
  });
});
