import { describe, expect, test } from 'vitest';
import { limits } from '../../limits.ts';
import { ActiveOwners } from './active-owners.ts';
import { QueryQueue } from './query-queue.ts';

const soon = () => new Promise(resolve => setTimeout(resolve, 5));

/** A queue whose places are all taken, and a way to free one at a time. */
function full() {
  const atOnce = 4;
  const queue = new QueryQueue({ atOnce });
  const running = Array.from({ length: atOnce }, () => Promise.withResolvers<void>());
  const taken = running.map(({ promise }) => queue.run('first', undefined, () => promise));
  return {
    queue,
    free: () => running.pop()!.resolve(),
    end: () => Promise.all([...running.map(({ resolve }) => resolve()), ...taken]),
  };
}

describe('a query queue', () => {
  test('serves its owners in turn, however many queries each of them has', async () => {
    const { queue, free, end } = full();
    const order: string[] = [];
    const ask = (owner: string) => queue.run(owner, undefined, async () => void order.push(owner));
    const asked = [ask('many'), ask('many'), ask('many'), ask('few')];
    free();
    await Promise.all(asked);
    expect(order.indexOf('few')).toBeLessThan(2);
    await end();
  });

  test('gives no place to a query that was cancelled before it came', async () => {
    const queue = new QueryQueue({ atOnce: 1 });
    const cancelled = queue.run('first', AbortSignal.abort(), () => new Promise(() => {}));
    await expect(cancelled).rejects.toMatchObject({ code: 'query-cancelled' });
    expect(queue.running).toBe(0);
  });

  test('rejects a query at once if its wait would be too long, and states when to retry', async () => {
    const { queue, end } = full();
    const waiting = Array.from({ length: limits.waitingQuestions }, () =>
      queue.run('many', AbortSignal.timeout(50), async () => {}).catch(() => {}),
    );
    await expect(queue.run('many', undefined, async () => {})).rejects.toMatchObject({
      type: 'overloaded',
      retryAfterSeconds: expect.any(Number),
    });
    expect(() => queue.refuseOverload('many')).toThrow('Too many queries');
    await Promise.all(waiting);
    expect(queue.waiting).toBe(0);
    await end();
    expect(queue.running).toBe(0);
  });

  test('without limits refuses none of an owner’s queries, however many wait and however long', async () => {
    const queue = new QueryQueue({ atOnce: 1, limits: { waiting: Infinity, waitingMs: limits.jobMs } });
    const { promise, resolve } = Promise.withResolvers<void>();
    const asked = Array.from({ length: limits.waitingQuestions + 50 }, () =>
      queue.run('one', undefined, () => promise),
    );
    expect(queue.waiting).toBe(asked.length - 1);
    resolve();
    await Promise.all(asked);
  });

  test('admits others while one owner’s queries fill it, each of them up to a share', async () => {
    const { queue, free, end } = full();
    const wait = (owner: string, count: number) =>
      Array.from({ length: count }, () =>
        queue.run(owner, AbortSignal.timeout(100), async () => owner).catch(() => 'not run'),
      );
    const flood = wait('many', limits.waitingQuestions);
    const few = wait('few', 3);
    expect(queue.waiting).toBe(limits.waitingQuestions + 3);
    // The flood has had more than its share since then.
    await expect(queue.run('many', undefined, async () => {})).rejects.toMatchObject({ type: 'overloaded' });
    free();
    expect(await Promise.all(few)).toEqual(['few', 'few', 'few']);
    await Promise.all(flood);
    await end();
  });

  test('forgets cancelled queries', async () => {
    const { queue, free, end } = full();
    const gone = new AbortController();
    const left = queue.run('gone', gone.signal, async () => 'never');
    gone.abort();
    await expect(left).rejects.toThrow('cancelled');
    expect(queue.waiting).toBe(0);
    free();
    await soon();
    expect(await queue.run('next', undefined, async () => 'now')).toBe('now');
    await end();
  });

  test('lets others go first from a flood of one owner on, and from their next one at once', async () => {
    let now = 0;
    const queue = new QueryQueue({ atOnce: 4, perOwner: 3, active: new ActiveOwners(), now: () => now });
    const backgrounds: Record<string, boolean[]> = { flood: [], few: [] };
    const ask = (owner: string) =>
      queue.run(owner, undefined, async isBackground => {
        await soon();
        backgrounds[owner]!.push(isBackground);
      });
    await Promise.all([
      ...Array.from({ length: 60 }, () => ask('flood')),
      ...Array.from({ length: 12 }, () => ask('few')),
    ]);
    // The first ones start before it is a flood.
    expect(backgrounds['flood']!.filter(one => !one).length).toBeLessThanOrEqual(3);
    expect(backgrounds['few']!.filter(one => one)).toEqual([]);
    now = 29_000;
    backgrounds['flood'] = [];
    await Promise.all(Array.from({ length: 60 }, () => ask('flood')));
    expect(backgrounds['flood'].filter(one => !one)).toEqual([]);
    now += 29_000;
    await ask('flood');
    expect(backgrounds['flood'].at(-1)).toBe(true);
    // Fewer queries than a flood do not make it last.
    now += 2000;
    await ask('flood');
    expect(backgrounds['flood'].at(-1)).toBe(false);
  });

  test('has one place for a flood while others are active, and all of its owner otherwise', async () => {
    let now = 0;
    const active = new ActiveOwners(() => now);
    const queue = new QueryQueue({ atOnce: 8, perOwner: 4, active });
    const ends: (() => void)[] = [];
    active.note('flood');
    const flood = Array.from({ length: 40 }, () =>
      queue.run('flood', undefined, () => new Promise<void>(resolve => ends.push(resolve))),
    );
    await soon();
    expect(queue.running).toBe(4);
    active.note('few');
    for (const end of ends.splice(0, 3)) end();
    await soon();
    expect(queue.running).toBe(1);
    now = 10_000;
    ends.shift()!();
    await soon();
    expect(queue.running).toBe(4);
    while (ends.length > 0) {
      ends.shift()!();
      await soon();
    }
    await Promise.all(flood);
  });

  test('runs no query in the background where all of them are one user’s', async () => {
    const queue = new QueryQueue({ atOnce: 4 });
    const backgrounds: boolean[] = [];
    await Promise.all(
      Array.from({ length: 60 }, () => queue.run('me', undefined, async one => void backgrounds.push(one))),
    );
    expect(backgrounds.filter(one => one)).toEqual([]);
  });

  test('runs at most its limit of one owner’s queries, and gives free places to the owner with the fewest', async () => {
    const queue = new QueryQueue({ atOnce: 4, perOwner: 3 });
    const running = new Map<string, PromiseWithResolvers<void>>();
    const ask = (owner: string, name: string) =>
      queue.run(owner, undefined, () => {
        running.set(name, Promise.withResolvers<void>());
        return running.get(name)!.promise;
      });
    const asked = [
      ...['a1', 'a2', 'a3', 'a4', 'a5'].map(name => ask('a', name)),
      ...['b1', 'b2'].map(name => ask('b', name)),
    ];
    await soon();
    expect([...running.keys()]).toEqual(['a1', 'a2', 'a3', 'b1']);
    running.get('a1')!.resolve();
    await soon();
    expect([...running.keys()].at(-1)).toBe('b2');
    for (const name of ['a2', 'a3', 'b1', 'b2']) running.get(name)!.resolve();
    await soon();
    expect([...running.keys()].slice(-2)).toEqual(['a4', 'a5']);
    for (const { resolve } of running.values()) resolve();
    await Promise.all(asked);
    expect(queue.running).toBe(0);
  });
});
