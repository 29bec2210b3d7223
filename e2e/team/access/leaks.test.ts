import { afterAll, beforeAll, expect, test } from 'vitest';
import { allRead, collect } from '../../running-belvedere.ts';
import { password, runTeam, type Member, type RunningTeam } from '../running-team.ts';

/** Past leaks of objects that are not shared. */

const model = (table: string) =>
  `version: 1\ntable: ${table}\ndimensions: { name: {} }\nmeasures: { rows: { expr: count(*) }, total: { expr: sum(pay) } }\n`;
const board = `version: 1
title: Board
model: first
pages:
  - title: One
    tiles:
      a: { kind: kpi, value: { measure: total }, at: [0, 0, 6, 3] }
      b: { kind: kpi, value: { measure: total }, model: second, at: [6, 0, 6, 3] }
`;
const posters = `version: 1
title: Posters
pages:
  - title: One
    tiles:
      text: { kind: text, text: "The next one is hidden.svg", at: [0, 0, 12, 4] }
      shown: { kind: image, file: shown.svg, alt: Poster, at: [12, 0, 6, 4] }
`;
const plain = { page: 0, filters: {}, selections: {} };

let team: RunningTeam;
let ben: Member;
let cleo: Member;

beforeAll(async () => {
  team = await runTeam({
    'belvedere.yaml': 'version: 1\n',
    'data/first.csv': 'name,pay\nA,111\n',
    'data/second.csv': 'name,pay\nB,222\n',
    'models/first.yaml': model('first'),
    'models/second.yaml': model('second'),
    'dashboards/board.yaml': board,
    'dashboards/posters.yaml': posters,
    'images/shown.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
    'images/hidden.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  });
  await allRead(team);
  ben = await team.join('Ben', 'editor');
  cleo = await team.join('Cleo', 'editor');
});
afterAll(() => team?.close());

const share = (
  kind: 'dashboard' | 'model',
  object: string,
  { id }: Member,
  level: 'view' | 'explore' | 'edit',
) =>
  team.owner.client.putGrant({
    params: { kind, object },
    body: { subject: { kind: 'user', id }, level },
  });

test('a draft shows each editor only the models that they may explore, also when another has just seen it', async () => {
  for (const member of [ben, cleo]) await share('dashboard', 'board', member, 'edit');
  await share('model', 'first', ben, 'explore');
  await share('model', 'second', cleo, 'explore');
  const { hash } = await ben.client.getDashboardText({ params: { id: 'board' } });
  await ben.client.putDraft({ params: { id: 'board' }, body: { text: board, base: hash, after: 0 } });
  const seen = async ({ client }: Member) =>
    JSON.stringify(
      await collect(
        await client.queryTiles({ params: { id: 'draft:board' }, body: { state: plain, tiles: ['a', 'b'] } }),
      ),
      (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value),
    );
  const [first, second] = [await seen(ben), await seen(cleo)];
  expect([first.includes('111'), first.includes('222')]).toEqual([true, false]);
  expect([second.includes('111'), second.includes('222')]).toEqual([false, true]);
  await ben.client.dropDraft({ params: { id: 'board' } });
});

test('a dashboard or model that does not exist yet cannot be shared in advance', async () => {
  const maker = await team.join('Max', 'maker');
  for (const [kind, object, member] of [
    ['dashboard', 'plans', ben],
    ['model', 'plans', maker],
  ] as const)
    await expect(
      member.client.putGrant({
        params: { kind, object },
        body: { subject: { kind: 'user', id: member.id }, level: 'manage' },
      }),
    ).rejects.toMatchObject({ problem: { status: 404 } });
  await share('model', 'first', cleo, 'explore');
  await cleo.client.saveDashboardText({
    params: { id: 'plans' },
    body: { text: board.replaceAll('second', 'first') },
  });
  const { dashboards } = await ben.client.listDashboards({ query: {} });
  expect(dashboards.map(({ id }) => id)).not.toContain('plans');
});

test('an editor of a model does not become its manager by saving it', async () => {
  const maker = await team.join('Mia', 'maker');
  await share('model', 'first', maker, 'edit');
  await team.owner.client.putGrant({
    params: { kind: 'source', object: 'files' },
    body: { subject: { kind: 'user', id: maker.id }, level: 'explore' },
  });
  const { text, hash } = await maker.client.getModelText({ params: { name: 'first' } });
  await maker.client.saveModelText({
    params: { name: 'first' },
    body: { text: `${text}# same\n` },
    ifMatch: hash!,
  });
  await expect(maker.client.getSharing({ params: { kind: 'model', object: 'first' } })).rejects.toMatchObject(
    { problem: { status: 403 } },
  );
});

test('an editor of a dashboard cannot move it to where others see it', async () => {
  await team.write('dashboards/open/all.yaml', board);
  await expect
    .poll(async () => (await team.owner.client.listDashboards({ query: {} })).dashboards.map(({ id }) => id))
    .toContain('open/all');
  await team.owner.client.putGrant({
    params: { kind: 'folder', object: 'open' },
    body: { subject: { kind: 'everyone', id: '' }, level: 'edit' },
  });
  await expect(
    ben.client.moveDashboard({ params: { id: 'board' }, body: { to: 'open/board' } }),
  ).rejects.toMatchObject({ problem: { status: 403 } });
});

test('an exploration is its own window’s, whose ID others who edit the same dashboard see', async () => {
  for (const member of [ben, cleo]) await share('model', 'first', member, 'explore');
  const window = 'c'.repeat(24);
  const events = await fetch(`${team.server.address}/api/v1/events?window=${window}`, {
    headers: { cookie: ben.cookie },
  });
  const id = `explore:first:${window}`;
  const text = board.replaceAll('second', 'first');
  await ben.client.putDraft({ params: { id }, body: { text, base: '', after: 0 } });
  const missing = { problem: { status: 404 } };
  await expect(cleo.client.getDashboard({ params: { id: `draft:${id}` }, query: {} })).rejects.toMatchObject(
    missing,
  );
  await expect(
    cleo.client.putDraft({ params: { id }, body: { text, base: '', after: 1 } }),
  ).rejects.toMatchObject(missing);
  await expect(cleo.client.dropDraft({ params: { id } })).rejects.toMatchObject(missing);
  expect((await ben.client.getDashboard({ params: { id: `draft:${id}` }, query: {} })).title).toBe('Board');
  await events.body!.cancel();
});

test('an image is for those who see a tile with it, not for those who read its name somewhere', async () => {
  const vera = await team.join('Vera', 'viewer');
  const statusOf = (file: string) =>
    vera.client.getImage({ params: { file } }).then(
      ({ status }) => status,
      (error: { problem: { status: number } }) => error.problem.status,
    );
  expect([await statusOf('shown.svg'), await statusOf('hidden.svg')]).toEqual([404, 404]);
  await share('dashboard', 'posters', vera, 'view');
  expect([await statusOf('shown.svg'), await statusOf('hidden.svg')]).toEqual([200, 404]);
});

test('while belvedere.yaml has errors, only owners sign in with passwords', async () => {
  const broken = await runTeam({
    'belvedere.yaml': 'version: 1\nsignIn: { password: false, providers: nobody }\n',
    'data/first.csv': 'name,pay\nA,111\n',
  });
  try {
    const { signIn, getSignIn } = broken.stranger;
    expect((await getSignIn({})).hasPasswords).toBe(false);
    await signIn({ body: { email: broken.owner.email, password } });
    const member = { email: 'dora@example.org', password };
    await expect(broken.join('Dora', 'viewer')).rejects.toMatchObject({ problem: { status: 403 } });
    await expect(signIn({ body: member })).rejects.toMatchObject({ problem: { status: 401 } });
    expect(broken.server.notices.join(' ')).toContain('only owners sign in with passwords');
  } finally {
    await broken.close();
  }
});
