import { expect, test } from 'vitest';
import { readConnectionAddress } from './read-connection-address.ts';

test.each([
  [
    'postgres://reader:k%40y@db.example.org:5433/shop',
    {
      kind: 'postgres',
      host: 'db.example.org',
      port: '5433',
      database: 'shop',
      user: 'reader',
      password: 'k@y',
    },
  ],
  [
    'postgresql://db.example.org/shop?sslmode=require',
    { kind: 'postgres', host: 'db.example.org', database: 'shop' },
  ],
  ['jdbc:mysql://localhost/shop', { kind: 'mysql', host: 'localhost', database: 'shop' }],
  ['mariadb://reader@10.0.0.5/', { kind: 'mysql', host: '10.0.0.5', user: 'reader' }],
  ['https://abc.example.cloud:8443', { kind: 'clickhouse', host: 'abc.example.cloud', port: '8443' }],
  ['https://abc.example.cloud', { kind: 'clickhouse', host: 'abc.example.cloud', port: '443' }],
  [
    'HTTP://reader:50%@warehouse:8123/default',
    {
      kind: 'clickhouse',
      host: 'warehouse',
      port: '8123',
      database: 'default',
      user: 'reader',
      password: '50%',
    },
  ],
  ['postgres://[::1]:5432/shop', { kind: 'postgres', host: '::1', port: '5432', database: 'shop' }],
  [' localhost:5432 ', { host: 'localhost', port: '5432' }],
])('%s is an address', (text, connection) => {
  expect(readConnectionAddress(text)).toEqual(connection);
});

test.each([
  'localhost',
  'db.example.org',
  '::1',
  'fe80::1:2',
  'a b',
  '',
  'oracle://host/db',
  'postgres://',
  'host:',
  'host:port',
])('%s is none', text => {
  expect(readConnectionAddress(text)).toBeUndefined();
});
