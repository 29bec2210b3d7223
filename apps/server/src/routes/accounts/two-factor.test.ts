import { twoFactorEndpoints } from '@belvedere/api';
import { expect, test } from 'vitest';
import type { Accounts } from '../../auth/accounts/accounts.ts';
import { ProblemError } from '../../http/problems.ts';
import { twoFactorRoutes } from './two-factor.ts';

const call = {
  params: {},
  query: {},
  body: {},
  request: { ip: '127.0.0.1', headers: {} },
  reply: { header: () => {} },
  caller: { userId: 'ana', session: 'session' },
};
const names = Object.keys(twoFactorEndpoints) as (keyof typeof twoFactorEndpoints)[];

async function typeOf(accounts: Accounts | undefined, name: keyof typeof twoFactorEndpoints) {
  const handle = twoFactorRoutes(accounts, () => 'Small')[name] as unknown as (given: typeof call) => unknown;
  const outcome = await Promise.resolve(call)
    .then(handle)
    .catch((error: unknown) => error);
  return outcome instanceof ProblemError ? outcome.type : 'done';
}

test.each(names)('%s does not exist in local mode', async name => {
  expect(await typeOf(undefined, name)).toBe('not-found');
});

test('changes of factors need a confirmation, but for those that carry password and code themselves', async () => {
  const refuses = () => {
    throw new ProblemError('confirmation-needed', 'Confirm your password to continue.');
  };
  const part = new Proxy({}, { get: () => () => ({}) });
  const accounts = new Proxy({} as Accounts, {
    get: (_, name) => (name === 'requireConfirmation' ? refuses : part),
  });
  const guarded = [];
  for (const name of names) if ((await typeOf(accounts, name)) === 'confirmation-needed') guarded.push(name);
  expect(guarded).toEqual([
    'startTwoFactor',
    'enableTwoFactor',
    'startPasskey',
    'addPasskey',
    'removePasskey',
    'resetTwoFactor',
    'requireTwoFactor',
  ]);
});
