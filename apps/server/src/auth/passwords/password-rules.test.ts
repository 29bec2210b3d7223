import { describe, expect, test } from 'vitest';
import { hashPassword, verifyPassword } from './password-hash.ts';
import { checkPassword } from './password-rules.ts';

const user = { name: 'Ana Meier', email: 'a.meier@northwind.example' };

describe('a password', () => {
  test.each([
    'correct horse battery',
    'Kx7#pQ2m!vR9',
    'wir essen um acht',
    '我们每天早上六点钟在河边跑步',
    'meier and three more words',
  ])('such as “%s” is accepted', password => {
    expect(() => checkPassword(password, user)).not.toThrow();
  });

  test.each([
    ['elevenchars', 'fewer than 12'],
    ['👍👍👍👍👍👍', 'fewer than 12'],
    ['123456789101', 'many people use'],
    ['ChristOpher1', 'many people use'],
    ['aaaaaaaaaaaaaaaa', 'repeats'],
    ['abcabdabcabd', 'repeats'],
    ['summer24summer24', 'repeats'],
    ['abcdefghijkl', 'follows'],
    ['poiuytrewqlkjh', 'follows'],
    ['9876543210987', 'follows'],
    ['belvedere2026', '“belvedere”'],
    ['Password!2026', '“password”'],
    ['meiermeier!12', '“meier”'],
    ['northwind-2026', '“northwind”'],
    ['a.meier@northwind.example', '“a.meier@northwind.example”'],
  ])('such as “%s” is refused', (password, reason) => {
    expect(() => checkPassword(password, user)).toThrow(reason);
  });
});

describe('a hash of a password', () => {
  test('matches that password only, and differs each time', async () => {
    const [one, other] = await Promise.all([hashPassword('secret'), hashPassword('secret')]);
    expect(one).not.toBe(other);
    const attempts = ['secret', 'Secret', ''].map(password => verifyPassword({ hash: one, password }));
    expect(await Promise.all(attempts)).toEqual([true, false, false]);
    expect(await verifyPassword({ hash: 'another form', password: 'secret' })).toBe(false);
  });

  test('takes 32 MiB and three passes', async () => {
    expect(await hashPassword('secret')).toMatch(/^scrypt:32768:8:3:/);
  });

  test('is the same for one text in two Unicode forms', async () => {
    const hash = await hashPassword('caf\u00e9');
    expect(await verifyPassword({ hash, password: 'cafe\u0301' })).toBe(true);
  });
});
