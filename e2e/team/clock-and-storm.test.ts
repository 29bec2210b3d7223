import type { Client } from '@belvedere/api';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { allRead } from '../running-belvedere.ts';
import { password, runTeam, type Member, type RunningTeam } from './running-team.ts';

/* A team's server while its wall clock jumps, and while someone guesses passwords. */

const hour = 3_600_000;
const files = {
  'belvedere.yaml': 'version: 1\n',
  'data/orders.csv': 'city,amount\nAachen,1\nBonn,2\n',
  'models/orders.yaml':
    'version: 1\ntable: orders\ndimensions: { city: {} }\nmeasures: { total: { expr: sum(amount) } }\n',
};

let team: RunningTeam;
let ana: Member;
beforeAll(async () => {
  team = await runTeam(files, { hasRateLimits: true, trustedProxies: ['127.0.0.1'] });
  await allRead(team);
  ana = await team.join('Ana', 'viewer');
});
afterEach(() => void vi.useRealTimers());
afterAll(() => team?.close());

const outcome = (work: Promise<unknown>) =>
  work.then(
    () => 200,
    (error: { problem?: { status: number } }) => error.problem?.status,
  );

describe('F24: a wall clock', () => {
  const total = (client: Client) =>
    client.postQuery({ params: { name: 'orders' }, body: { measures: ['total'] } });

  test.each([
    ['that stands still', 0],
    ['an hour ahead', hour],
    ['an hour behind', -hour],
    ['ten years ahead', 10 * 365 * 24 * hour],
  ])('%s ends no session, and queries go on', async (_, jump) => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + jump });
    expect(await outcome(ana.client.getSession({}))).toBe(200);
    expect(await outcome(total(team.owner.client))).toBe(200);
    vi.useRealTimers();
    expect(await outcome(ana.client.getSession({}))).toBe(200);
    expect((await total(team.owner.client)).rows).toEqual([[3]]);
  });

  test('that jumps resets no limit of requests', async () => {
    const { client } = await team.join('Ben', 'viewer');
    const change = () => outcome(client.updateProfile({ body: { name: 'Ben' } }));
    const changes = async (count: number) => {
      const statuses = [];
      for (let i = 0; i < count; i++) statuses.push(await change());
      return statuses;
    };
    // A slow machine is allowed some more meanwhile, but not as many again.
    expect(await changes(90)).toContain(429);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 10 * hour });
    expect(await changes(30)).toContain(429);
  });
});

test('F40: a storm of wrong passwords hardly delays other users, and locks its victim out on no known device', async () => {
  const guesses = 400;
  const signIn = (cookie: string, address: string, guess: string) =>
    fetch(`${team.server.address}/api/v1/sign-in`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-belvedere': '1',
        'x-forwarded-for': address,
        cookie,
      },
      body: JSON.stringify({ email: ana.email, password: guess }),
    });
  const timed = async (times: number) => {
    const ms: number[] = [];
    for (let i = 0; i < times; i++) {
      const began = performance.now();
      await team.owner.client.getSession({});
      ms.push(performance.now() - began);
    }
    return ms.toSorted((a, b) => a - b)[Math.floor(times * 0.9)]!;
  };
  const alone = await timed(40);
  const storm = Promise.all(
    Array.from({ length: guesses }, async (_, i) => {
      await new Promise(resolve => setTimeout(resolve, i * 5));
      return (await signIn('', `10.1.${i % 200}.${i % 250}`, `wrong password ${i}`)).status;
    }),
  );
  const meanwhile = await timed(40);
  const known = await signIn(ana.cookie, '10.2.0.1', password);
  const statuses = Map.groupBy(await storm, status => status);
  // Ten for the account; the others are not even compared.
  expect([...statuses.keys()].toSorted()).toEqual([401, 429]);
  expect(statuses.get(401)!.length).toBeLessThanOrEqual(10);
  expect(known.status).toBe(200);
  expect((await signIn('', '10.2.0.2', password)).status).toBe(429);
  // Twice as long, or so little that it does not matter.
  expect(meanwhile).toBeLessThan(Math.max(2 * alone, 250));
});
