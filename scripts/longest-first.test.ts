import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import seconds from './test-seconds.json' with { type: 'json' };

test('every file with recorded seconds exists', () => {
  const root = path.resolve(import.meta.dirname, '..');
  expect(Object.keys(seconds).filter(name => !existsSync(path.join(root, name)))).toEqual([]);
});
