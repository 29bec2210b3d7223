import { expect, test } from 'vitest';
import { screenLayout } from './screen-layout.ts';

test.each([
  ['an editor', ['__root__', '/d/$dashboard/edit'], {}, 'editor'],
  ['SQL', ['__root__', '/sql/$source'], {}, 'editor'],
  ['a dashboard', ['__root__', '/d/$dashboard'], {}, 'standard'],
  ['a dashboard in kiosk mode', ['__root__', '/d/$dashboard'], { kiosk: 30 }, 'kiosk'],
  ['an editor ignores kiosk mode', ['__root__', '/d/$dashboard/edit'], { kiosk: 30 }, 'editor'],
  ['another screen ignores kiosk mode', ['__root__', '/alerts'], { kiosk: 30 }, 'standard'],
] as const)('screen layout > %s', (_, routes, search, layout) => {
  expect(screenLayout(routes, search)).toBe(layout);
});
