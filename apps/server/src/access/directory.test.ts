import type { UserGroup } from '@belvedere/api';
import { expect, test } from 'vitest';
import { People } from '../auth/accounts/people.ts';
import type { User } from '../state/accounts/users.ts';
import { Directory } from './directory.ts';

/** Responds to each call once it is told to, in any order. */
function slow<T>() {
  const calls: PromiseWithResolvers<T>[] = [];
  const read = () => {
    const call = Promise.withResolvers<T>();
    calls.push(call);
    return call.promise;
  };
  return { calls, read };
}

test('groups that are read before a change, and arrive after it, do not come back', async () => {
  const { calls, read } = slow<UserGroup[]>();
  const people = { byId: new Map(), subscribe: () => () => {} };
  const directory = new Directory(
    { people, groups: { list: read } } as never,
    { all: async () => [] } as never,
  );
  const refreshed = [directory.refresh(), directory.refresh()];
  calls[1]!.resolve([{ id: 'Europe', name: 'Europe', members: 0, groups: [], attributes: {}, version: '' }]);
  await refreshed[1];
  calls[0]!.resolve([
    { id: 'Europe', name: 'Europe', members: 1, groups: ['Alps'], attributes: {}, version: '' },
  ]);
  await refreshed[0];
  expect(directory.groups.get('Europe')?.groups).toEqual([]);
});

test('users that are read before a change, and arrive after it, do not come back', async () => {
  const { calls, read } = slow<User[]>();
  const people = new People({ list: read } as never);
  const loaded = [people.load(), people.load()];
  calls[1]!.resolve([{ id: 'ana', isDisabled: true } as User]);
  await loaded[1];
  calls[0]!.resolve([{ id: 'ana', isDisabled: false } as User]);
  await loaded[0];
  expect(people.find('ana')?.isDisabled).toBe(true);
});
