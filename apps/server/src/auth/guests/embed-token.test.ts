import { describe, expect, test } from 'vitest';
import { signToken } from '../../../../../samples/embed-host/sign-token.ts';
import { verifyEmbedToken } from './embed-token.ts';

describe('a signed token', () => {
  const key = { id: 'k1', secret: 's'.repeat(43) };
  const secretOf = (kid: string) => (kid === key.id ? key.secret : undefined);
  const verify = (token: string, now = Date.now()) =>
    verifyEmbedToken(token, secretOf, now).then(
      ({ claims }) => claims,
      (error: { readonly message: string }) => error.message,
    );

  test('has its claims, with their defaults', async () => {
    expect(await verify(signToken(key, { dashboard: 'sales', locked: { city: null } }))).toMatchObject({
      dashboard: 'sales',
      locked: { city: null },
      limited: {},
      free: [],
      downloads: false,
      theme: 'auto',
    });
  });

  test('that is signed is refused with a reason, and one that is not signed without any', async () => {
    const good = signToken(key, { dashboard: 'sales' });
    expect(await verify(good, Date.now() + 301_000)).toMatch(/expired/);
    expect(await verify(signToken(key, { dashboard: 'sales' }, 601))).toMatch(/lives too long/);
    expect(await verify(good, Date.now() - 120_000)).toMatch(/of the future/);
    expect(await verify(signToken(key, { dashboard: 7 }))).toMatch(/`dashboard`/);
    expect(
      await verify(signToken(key, { dashboard: 'sales', free: ['city'], locked: { city: null } })),
    ).toMatch(/names a field twice/);
    const fields = Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`f${i}`, null]));
    expect(await verify(signToken(key, { dashboard: 'sales', locked: fields }))).toMatch(/at most 50 fields/);
    const foreign = await verify(signToken({ ...key, secret: 'x' }, { dashboard: 7 }));
    expect(foreign).toBe('The token is not signed with a key of this server.');
    expect(await verify(signToken({ ...key, id: 'k2' }, { dashboard: 'sales' }))).toBe(foreign);
    expect(await verify('a.b.c')).toBe(foreign);
  });
});
