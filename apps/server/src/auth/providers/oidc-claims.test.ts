import type { SignInProvider } from '@belvedere/document';
import { describe, expect, test } from 'vitest';
import { claimAt, isDomainAllowed, profileOf, rightsOf } from './oidc-claims.ts';

const provider: SignInProvider = {
  id: 'test',
  name: 'Test',
  issuer: 'https://login.example.org',
  clientId: 'belvedere',
};

describe('the profile of a user', () => {
  test.each([
    [true, true],
    ['true', true],
    [false, false],
    ['yes', false],
    [1, false],
    [undefined, false],
  ])('is verified by the claim %j: %s', (email_verified, isVerified) => {
    expect(profileOf({ email: 'Ana@Example.org', email_verified }, provider)).toEqual({
      name: 'ana',
      email: 'ana@example.org',
      isVerified,
    });
  });

  test('is verified without the claim only where the workspace says so', () => {
    const trusting = { ...provider, assumeEmailVerified: true };
    expect(profileOf({ email: 'ana@example.org' }, trusting).isVerified).toBe(true);
    expect(profileOf({ name: 'Ana' }, trusting)).toEqual({ name: 'Ana', isVerified: false });
  });

  test.each(['ana', 'ana@b@c.org', 'ana@b.org, eve@c.org', '<ana@b.org>', 'ana@b.org\nBcc: x'])(
    'has no address in %j',
    email => {
      expect(profileOf({ email, email_verified: true }, provider)).not.toHaveProperty('email');
    },
  );
});

test.each([
  ['ana@example.org', true, true],
  ['ana@example.org', false, false],
  ['ana@sub.example.org', true, false],
  ['ana@notexample.org', true, false],
  ['ana@example.org.evil.com', true, false],
])('the domains of a provider let %s (verified: %s) in: %s', (email, isVerified, isAllowed) => {
  const limited = { ...provider, domains: ['example.org'] };
  expect(isDomainAllowed({ name: '', email, isVerified }, limited)).toBe(isAllowed);
});

describe('the rights of a user', () => {
  test('are none where the workspace maps nothing', () => {
    expect(rightsOf({ groups: ['owner', 'admin'], role: 'owner' }, provider)).toEqual({});
  });

  test('have the highest role of the claim, or the default one', () => {
    const mapping = { ...provider, roles: { a: 'admin', e: 'editor' }, defaultRole: 'explorer' } as const;
    expect(rightsOf({ groups: ['e', 'a', 'x'] }, mapping).role).toBe('admin');
    expect(rightsOf({ groups: 'e' }, mapping).role).toBe('editor');
    expect(rightsOf({}, mapping).role).toBe('explorer');
    expect(rightsOf({ groups: { a: true } }, mapping).role).toBe('explorer');
  });

  test('have the groups of the claim, and say which groups the mapping decides on', () => {
    const { groups } = rightsOf(
      { realm_access: { roles: ['s'] } },
      { ...provider, groupsClaim: 'realm_access.roles', groups: { s: 'Sales', t: 'Stock' } },
    );
    expect([[...groups!.of], [...groups!.mapped]]).toEqual([['Sales'], ['Sales', 'Stock']]);
  });

  test('have attributes of texts, numbers, booleans and lists of texts; others are missing', () => {
    const attributes = { a: 'a', b: 'b', c: 'c', d: 'd', e: 'e' };
    const claims = { a: 'north', b: 3, c: ['x', 'y'], d: { deep: 1 }, e: ['x', 1] };
    expect(rightsOf(claims, { ...provider, attributes }).attributes).toEqual({
      a: 'north',
      b: 3,
      c: ['x', 'y'],
      d: undefined,
      e: undefined,
    });
  });
});

test('a claim is found by its name, or else by its path, and never on a prototype', () => {
  expect(claimAt({ 'https://a.b/c': 1, https: 2 }, 'https://a.b/c')).toBe(1);
  expect(claimAt({ a: { b: { c: 1 } } }, 'a.b.c')).toBe(1);
  for (const name of ['constructor', '__proto__', 'a.constructor.name', 'toString'])
    expect(claimAt({ a: {} }, name)).toBeUndefined();
});
