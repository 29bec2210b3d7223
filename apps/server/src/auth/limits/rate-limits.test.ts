import { contract, isRead, requestKind, type Contract } from '@belvedere/api';
import { describe, expect, test } from 'vitest';
import { networkOf, RateLimits } from './rate-limits.ts';

/** A clock that tests set, and limits that follow it. */
function limited() {
  const clock = { now: 0 };
  const limits = new RateLimits({ read: 600, write: 60, export: 10, upload: 5 }, () => clock.now);
  const isAllowed = (user: string, kind: 'read' | 'write' | 'export' | 'upload') => {
    try {
      limits.count(user, kind);
      return true;
    } catch {
      return false;
    }
  };
  const allowed = (user: string, kind: 'read' | 'write' | 'export' | 'upload', times: number) =>
    Array.from({ length: times }, () => isAllowed(user, kind)).filter(Boolean).length;
  return { clock, limits, allowed };
}

describe('rate limits', () => {
  test('let a minute’s requests pass at once, and as many in each further minute', () => {
    const { clock, allowed } = limited();
    expect(allowed('ana', 'read', 700)).toBe(600);
    clock.now += 1000;
    expect(allowed('ana', 'read', 700)).toBe(10);
    clock.now += 3_600_000;
    expect(allowed('ana', 'read', 700)).toBe(600);
  });

  test('count users and kinds apart', () => {
    const { allowed } = limited();
    expect(allowed('ana', 'write', 100)).toBe(60);
    expect(allowed('ben', 'write', 100)).toBe(60);
    expect(allowed('ana', 'export', 100)).toBe(10);
    expect(allowed('ana', 'upload', 100)).toBe(5);
  });

  test('say when to try again', () => {
    const { limits, allowed } = limited();
    allowed('ana', 'export', 10);
    expect(() => limits.count('ana', 'export')).toThrow(
      expect.objectContaining({ type: 'rate-limited', retryAfterSeconds: 6 }),
    );
  });

  test('are not used up by refused requests', () => {
    const { clock, allowed } = limited();
    allowed('ana', 'upload', 1000);
    clock.now += 12_000;
    expect(allowed('ana', 'upload', 2)).toBe(1);
  });
});

describe('the kind of a request', () => {
  const names = Object.keys(contract) as (keyof Contract)[];

  test('is `read` for each GET, except exports', () => {
    for (const name of names.filter(one => contract[one].method === 'GET'))
      expect([name, requestKind(name)]).toEqual([name, name === 'getExport' ? 'export' : 'read']);
  });

  test('of an upload is counted once', () => {
    expect([undefined, '0', '4194304'].map(offset => requestKind('putUpload', offset))).toEqual([
      'read',
      'upload',
      'read',
    ]);
  });

  test('asks for nothing but data by GET, which links of other sites can send', () => {
    const byGet = names.filter(name => contract[name].method === 'GET');
    const others = byGet.filter(name => !/^(get|list|find|export)[A-Z]/.test(name));
    expect(others, 'name endpoints that read `get…`, `list…`, `find…` or `export…`').toEqual([]);
  });

  test('lets nothing be repeated that changes something', () => {
    expect(names.filter(name => contract[name].method !== 'GET' && isRead(name)).toSorted()).toEqual([
      'countExportRows',
      'countMatches',
      'explainTile',
      'findModelRenames',
      'getBrushIndex',
      'getDueTimes',
      'getFieldValues',
      'getTileRows',
      'postQuery',
      'previewModel',
      'queryTiles',
      'rehearseAlert',
      'runSql',
      'validate',
    ]);
  });
});

test.each([
  ['10.1.2.3', '10.1.2.3'],
  ['::ffff:10.1.2.3', '10.1.2.3'],
  ['2001:db8:0:1:aaaa::1', '2001:db8:0:1'],
  ['2001:0DB8::1', '2001:db8:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['::1', '0:0:0:0'],
])('the network of %s is %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});
