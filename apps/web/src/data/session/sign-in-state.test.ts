import { ApiError } from '@belvedere/api';
import { expect, test } from 'vitest';
import { requestedPassword, withSignIn } from './sign-in-state.ts';

const problem = (type: string, status: number) => new ApiError({ type, title: type, status });

test('an ended session is reported, a wrong password at the sign-in is not', async () => {
  let reports = 0;
  const refuse = () => Promise.reject(problem('not-signed-in', 401));
  const client = withSignIn({ listUsers: refuse, signIn: refuse }, () => reports++);
  await expect(client.signIn()).rejects.toThrow('not-signed-in');
  expect(reports).toBe(0);
  await expect(client.listUsers()).rejects.toThrow('not-signed-in');
  expect(reports).toBe(1);
});

test('requests that need a confirmed password ask once, and are repeated', async () => {
  let isConfirmed = false;
  const call = (value: number) =>
    isConfirmed ? Promise.resolve(value) : Promise.reject(problem('confirmation-needed', 403));
  const client = withSignIn({ updateUser: call }, () => {});
  const answers = Promise.all([client.updateUser(1), client.updateUser(2)]);
  await expect.poll(() => requestedPassword.get()).toBeDefined();
  isConfirmed = true;
  requestedPassword.get()!(true);
  expect(await answers).toEqual([1, 2]);
  expect(requestedPassword.get()).toBeUndefined();
});

test('a request whose confirmation is cancelled fails with its own problem', async () => {
  const client = withSignIn(
    { updateUser: () => Promise.reject(problem('confirmation-needed', 403)) },
    () => {},
  );
  const answer = client.updateUser();
  await expect.poll(() => requestedPassword.get()).toBeDefined();
  requestedPassword.get()!(false);
  await expect(answer).rejects.toThrow('confirmation-needed');
});
