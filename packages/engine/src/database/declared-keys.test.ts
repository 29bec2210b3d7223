import { expect, test } from 'vitest';
import { keysByTable, type KeyColumn } from './declared-keys.ts';

const column = (constraint: string, name: string, refers?: string): KeyColumn => ({
  schema: 'shop',
  table: 'profiles',
  constraint,
  column: name,
  ...(refers !== undefined && { refers: { schema: 'shop', table: 'users', column: refers } }),
});
const user = { columns: ['user_id'], schema: 'shop', table: 'users', keys: ['id'] };

test.each<readonly [string, readonly KeyColumn[], readonly (readonly string[])[]]>([
  ['before it', [column('fk_user', 'user_id'), column('fk_user', 'user_id', 'id')], []],
  ['after it', [column('fk_user', 'user_id', 'id'), column('fk_user', 'user_id')], []],
  [
    'of several columns',
    [column('fk_user', 'user_id'), column('fk_user', 'user_id', 'id'), column('fk_user', 'kind')],
    [['user_id', 'kind']],
  ],
])('a foreign key has the name of a unique key %s, as MySQL allows', (_, columns, together) => {
  expect(keysByTable(columns).get('["shop","profiles"]')).toEqual({
    foreignKeys: [user],
    uniqueTogether: together,
  });
});
