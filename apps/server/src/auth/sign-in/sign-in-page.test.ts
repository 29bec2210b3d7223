import { expect, test } from 'vitest';
import { signInDetail, signInPage } from './sign-in-page.ts';

test.each([
  ['de-CH,de;q=0.9,en;q=0.8', 'lang="de"', 'Diese Adresse gilt nicht mehr.'],
  ['zh-CN,zh;q=0.9', 'lang="zh-Hans"', '此地址已失效'],
  ['en-GB', 'lang="en"', 'This address no longer works.'],
  ['fr-FR,fr', 'lang="en"', 'This address no longer works.'],
  [undefined, 'lang="en"', 'This address no longer works.'],
])('a browser with the languages %s gets instructions to sign in', (wished, language, text) => {
  const page = signInPage('spent address', wished);
  expect(page).toContain(language);
  expect(page).toContain(text);
  expect(page).toContain('<code>npm start -- open PATH</code>');
});

test('programs get the same text in English', () => {
  expect(signInDetail('no session')).toMatch(
    /^This browser is not signed in to Belvedere\. To get a new address, run `npm start -- open PATH`/,
  );
});
