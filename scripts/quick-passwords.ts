// Lets tests of accounts hash passwords with a hundredth of the work: they create hundreds of accounts.
// password-rules.test.ts checks the hashes that users get.
import { vi } from 'vitest';

vi.mock('../apps/server/src/auth/passwords/password-hash.ts', async importOriginal => {
  const original =
    await importOriginal<typeof import('../apps/server/src/auth/passwords/password-hash.ts')>();
  return {
    ...original,
    hashPassword: (password: string) => original.hashPassword(password, { N: 2 ** 10, r: 8, p: 1 }),
  };
});
