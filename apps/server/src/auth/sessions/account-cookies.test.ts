import { expect, test } from 'vitest';
import { AccountCookies } from './account-cookies.ts';

const cookies = (publicUrl?: string) =>
  new AccountCookies({ port: () => 4600, publicUrl, lifeSeconds: 60, secret: 'x'.repeat(32) });
const sent = (all: readonly string[]) => all.map(one => one.split(';')[0]).join('; ');

test('cookies under https belong to the host alone and are sent encrypted only', () => {
  const attributes = 'Max-Age=60; Path=/; HttpOnly; Secure; SameSite=Lax';
  expect(cookies('https://b.example').session('token')).toBe(`__Host-belvedere=token; ${attributes}`);
  expect(cookies('http://b.example').session('t')).toBe(
    'belvedere-4600=t; Max-Age=60; Path=/; HttpOnly; SameSite=Lax',
  );
});

test('cookies of other servers and names are ignored', () => {
  expect(cookies().token('a=1; belvedere-4601=no; belvedere-4600=yes')).toBe('yes');
  expect([undefined, '', 'belvedere-4600-device=no'].map(header => cookies().token(header))).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test('devices are known to the user who signed in on them, and to no other', () => {
  const header = sent(cookies().signedIn('token', 'ana'));
  expect(cookies().device(header, 'ana')).toMatch(/^[\w-]{16}$/);
  expect(cookies().device(header, 'bob')).toBeUndefined();
  expect(cookies().device(header.replace('.', 'x.'), 'ana')).toBeUndefined();
  expect(cookies().device('belvedere-4600-device=', 'ana')).toBeUndefined();
});
