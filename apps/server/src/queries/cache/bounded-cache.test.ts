import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ResultCache } from './result-cache.ts';
import { BoundedCache, MemoryBudget } from './bounded-cache.ts';

describe('caches with a shared budget', () => {
  test('never exceed it together, in whatever order they are used', () => {
    const request = fc.record({
      cache: fc.nat(2),
      key: fc.nat(30).map(String),
      bytes: fc.nat(200),
      isSet: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(request, { maxLength: 300 }), requests => {
        const budget = new MemoryBudget(1000);
        const caches = Array.from({ length: 3 }, () => new BoundedCache<number>(budget));
        for (const { cache, key, bytes, isSet } of requests) {
          if (isSet) caches[cache]!.set(key, bytes, bytes);
          else
            expect([
              undefined,
              ...requests.filter(one => one.isSet && one.key === key).map(one => one.bytes),
            ]).toContain(caches[cache]!.get(key));
          expect(budget.bytes).toBeLessThanOrEqual(1000);
        }
        for (const cache of caches) cache.clear();
        expect(budget.bytes).toBe(0);
      }),
    );
  });

  test('evict the least recently used entry of all', () => {
    const budget = new MemoryBudget(1000);
    const [one, other] = [new BoundedCache<string>(budget), new BoundedCache<string>(budget)];
    for (let i = 0; i < 4; i++) one.set(`a${i}`, 'kept', 120);
    for (let i = 0; i < 4; i++) other.set(`b${i}`, 'kept', 120);
    expect(one.get('a0')).toBe('kept');
    other.set('b4', 'kept', 110);
    expect([one.get('a0'), one.get('a1'), other.get('b0'), other.get('b4')]).toEqual([
      'kept',
      undefined,
      'kept',
      'kept',
    ]);
  });

  test('reject an entry above an eighth of it, and drop its old value', () => {
    const cache = new BoundedCache<string>(new MemoryBudget(1000));
    cache.set('k', 'small', 10);
    cache.set('k', 'large', 500);
    expect([cache.get('k'), cache.bytes, cache.size]).toEqual([undefined, 0, 0]);
  });
});

test('a cached result counts long texts by their length', () => {
  const cache = new ResultCache(new MemoryBudget(2 ** 20));
  cache.set('k', {
    rowCount: 1,
    columns: [{ name: 'text', type: 'text', values: ['x'.repeat(10_000)] }],
  } as never);
  expect(cache.bytes).toBeGreaterThan(20_000);
});
