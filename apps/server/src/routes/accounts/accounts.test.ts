import { accountEndpoints } from '@belvedere/api';
import { expect, test } from 'vitest';
import type { Accounts } from '../../auth/accounts/accounts.ts';
import { ProblemError } from '../../http/problems.ts';
import { accountRoutes } from './accounts.ts';

const call = {
  params: {},
  query: {},
  body: {},
  request: { ip: '127.0.0.1', headers: {} },
  reply: { header: () => {} },
  caller: { userId: 'ana', session: 'session' },
};
const typeOf = async (routes: ReturnType<typeof accountRoutes>, name: keyof typeof accountEndpoints) => {
  const handle = routes[name] as unknown as (given: typeof call) => unknown;
  const outcome = await Promise.resolve(call)
    .then(handle)
    .catch((error: unknown) => error);
  return outcome instanceof ProblemError ? outcome.type : 'done';
};
const names = Object.keys(accountEndpoints) as (keyof typeof accountEndpoints)[];

test.each(names)('%s does not exist in local mode', async name => {
  expect(
    await typeOf(
      accountRoutes(undefined, () => 'Small'),
      name,
    ),
  ).toBe('not-found');
});

test('changes to users, groups, invitations and sessions need a confirmed password, and nothing else does', async () => {
  const refuses = () => {
    throw new ProblemError('confirmation-needed', 'Confirm your password to continue.');
  };
  const done = () => ({});
  const accounts = new Proxy({} as Accounts, {
    get: (_, name) => (name === 'requireConfirmation' ? refuses : done),
  });
  const guarded = [];
  for (const name of names)
    if (
      (await typeOf(
        accountRoutes(accounts, () => 'Small'),
        name,
      )) === 'confirmation-needed'
    )
      guarded.push(name);
  expect(guarded).toEqual([
    'endSession',
    'updateUser',
    'endUserSessions',
    'createPasswordReset',
    'inviteUser',
    'revokeInvitation',
    'saveGroup',
    'removeGroup',
  ]);
});

test('signing out makes the browser forget what it has cached', async () => {
  const headers: unknown[] = [];
  const accounts = { signOut: async () => 'belvedere=; Max-Age=0' } as unknown as Accounts;
  const handle = accountRoutes(accounts, () => 'Small').signOut as unknown as (given: object) => unknown;
  await handle({ ...call, reply: { header: (...header: unknown[]) => headers.push(header) } });
  expect(headers).toContainEqual(['clear-site-data', '"cache"']);
});
