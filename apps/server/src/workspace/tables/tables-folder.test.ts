import { expect, test } from 'vitest';
import { tablesFolderOf } from './tables-folder.ts';

test('imported tables are beside the other records, unless a question mark would hide their log', () => {
  expect(tablesFolderOf('/home/a/*ws*/.belvedere')).toBe('/home/a/*ws*/.belvedere/tables');
  const [one, other] = [tablesFolderOf('/home/a?/.belvedere'), tablesFolderOf('/home/b?/.belvedere')];
  expect(one).toMatch(/\/belvedere\/tables-[0-9a-f]{12}$/);
  expect(one).not.toBe(other);
});
