import { expect, test } from 'vitest';
import { localize } from './localize.ts';

const said = { en: 'yes', de: 'ja', fi: 'kyllä' };

test.each([
  ['de', 'ja'],
  ['de-AT', 'ja'],
  ['DE_at', 'ja'],
  ['en-US', 'yes'],
  ['fr-FR', 'yes'],
  ['', 'yes'],
  ['fil-PH', 'yes'],
  ['constructor', 'yes'],
])('in %s it is %s', (locale, expected) => {
  expect(localize(said, locale)).toBe(expected);
});
