import { createClient, viewedGroup, type Client } from '@belvedere/api';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { allRead, collect } from '../../running-belvedere.ts';
import { enter, password, runTeam, type Member, type RunningTeam } from '../running-team.ts';

/* Row policies, sessions and open pages of people with accounts. */

const rows = ['north,Ana,10', 'north,Ben,20', 'south,Ana,30', 'south,Cleo,40', 'west,Dora,50'];
const files = {
  'belvedere.yaml': 'version: 1\ntitle: Shop\n',
  'data/sales.csv': `region,seller,amount\n${rows.join('\n')}\n`,
  'models/sales.yaml': `version: 1
table: sales
dimensions: { region: {}, seller: {}, amount: {} }
measures: { rows: { expr: count(*) }, total: { expr: sum(amount) } }
policies:
  - { name: regions, groups: [Sellers], where: "region in (:user.regions)" }
  - { name: own, groups: [Freelancers], where: "seller = :user.seller", hide: [amount] }
`,
  'data/visits.csv': `day,visits\n${Array.from({ length: 40 }, (_, i) => `${i},${i === 3 ? 'closed' : i}`).join('\n')}\n`,
  'dashboards/sales.yaml': `version: 1
title: Sales
model: sales
pages:
  - title: One
    tiles:
      count: { kind: kpi, value: { measure: rows }, at: [0, 0, 6, 3] }
      list: { kind: table, columns: [region, seller], at: [0, 3, 12, 6] }
`,
};
const plain = { page: 0, filters: {}, selections: {} };

let team: RunningTeam;
let ana: Member;
let cleo: Member;
let groups: { readonly sellers: string; readonly freelancers: string };

beforeAll(async () => {
  team = await runTeam(files);
  await allRead(team);
  const { client } = team.owner;
  const group = async (id: string, name: string, attributes = {}) =>
    (await client.saveGroup({ params: { group: id }, body: { name, attributes } })).id;
  groups = {
    sellers: await group('sellers', 'Sellers', { regions: ['north'] }),
    freelancers: await group('freelancers', 'Freelancers'),
  };
  ana = await team.join('Ana', 'explorer', [groups.sellers]);
  cleo = await team.join('Cleo', 'viewer', [groups.freelancers]);
  await client.putGrant({
    params: { kind: 'dashboard', object: 'sales' },
    body: { subject: { kind: 'everyone', id: '' }, level: 'explore' },
  });
});
afterAll(() => team?.close());

test('members of a group are added and removed with the group, all or none', async () => {
  const { client } = team.owner;
  const save = (name: string, members: object) =>
    client.saveGroup({ params: { group: 'office' }, body: { name, attributes: {}, ...members } });
  expect(await save('Office', { addMembers: [ana.id, cleo.id, ana.id] })).toMatchObject({ members: 2 });
  expect(await save('Office', { addMembers: [cleo.id], removeMembers: [ana.id] })).toMatchObject({
    members: 1,
  });
  await expect(save('Bureau', { addMembers: [ana.id, 'gone'] })).rejects.toMatchObject({
    problem: { status: 404 },
  });
  const { groups: listed } = await client.listGroups({});
  expect(listed.find(({ id }) => id === 'office')).toMatchObject({ name: 'Office', members: 1 });
  const { entries } = await client.listAudit({ query: { action: 'user.update', search: 'Office' } });
  expect(entries.map(({ detail }) => detail)).toEqual([
    'groups: Office, Sellers → Sellers',
    'groups: Freelancers → Freelancers, Office',
    'groups: Sellers → Office, Sellers',
  ]);
  const admin = await team.join('Ada', 'admin');
  const { users } = await client.listUsers({});
  const owner = users.find(({ role }) => role === 'owner')!;
  await expect(
    admin.client.saveGroup({
      params: { group: 'office' },
      body: { name: 'Office', attributes: {}, addMembers: [owner.id] },
    }),
  ).rejects.toMatchObject({ problem: { status: 403 } });
  await client.removeGroup({ params: { group: 'office' } });
});

async function counted(client: Client): Promise<number> {
  const frames = await collect(
    await client.queryTiles({ params: { id: 'sales' }, body: { state: plain, tiles: ['count'] } }),
  );
  return Number(frames.flatMap(({ cells }) => (cells ? [cells.parts[0]![0]] : []))[0] ?? Number.NaN);
}
const sellers = async (client: Client) =>
  (await client.getTileRows({ params: { id: 'sales', tile: 'list' }, body: { state: plain } })).rows.map(
    row => row.join(' '),
  );
const update = (member: Member, body: Parameters<Client['updateUser']>[0]['body']) =>
  team.owner.client.updateUser({ params: { user: member.id }, body });

let exporting: Member;
const grantLong = (level: 'explore' | 'view' | null) =>
  team.owner.client.putGrant({
    params: { kind: 'dashboard', object: 'long' },
    body: { subject: { kind: 'user', id: exporting.id }, level },
  });
const longCode = 'x'.repeat(80);
const longModel =
  'version: 1\ntable: long\ndimensions: { code: {} }\nmeasures: { n: { expr: count(*) } }\n' +
  'policies: [{ name: own, everyone: true, where: "code in (:user.codes)" }]\n';
const grantInApp = () => grantLong('explore');
const grantInFile = () =>
  team.write(
    'access.yaml',
    `version: 1\ngrants:\n  - { dashboard: long, user: ${exporting.email}, level: explore }\n`,
  );

describe('row policies', () => {
  test('compare with the attributes of users and of their groups', async () => {
    expect(await counted(team.owner.client)).toBe(5);
    expect(await counted(ana.client)).toBe(2);
    expect(await sellers(ana.client)).toEqual(['north Ana', 'north Ben']);
    // Without the attribute there is no row.
    expect(await counted(cleo.client)).toBe(0);
    await update(cleo, { attributes: { seller: 'Cleo' } });
    expect(await sellers(cleo.client)).toEqual(['south Cleo']);
  });

  test('apply from the next request after a change, whatever was cached', async () => {
    await update(ana, { attributes: { regions: ['north', 'south'] } });
    expect(await counted(ana.client)).toBe(4);
    await update(ana, { groups: [] });
    expect(await counted(ana.client)).toBe(0);
    await update(ana, { groups: [groups.sellers], attributes: {} });
    expect(await counted(ana.client)).toBe(2);
  });

  test('are shown to an admin who views as a user, with exactly that user’s rows', async () => {
    const send: typeof fetch = (input, init) =>
      fetch(input, {
        ...init,
        headers: { ...(init?.headers as Record<string, string>), cookie: team.owner.cookie },
      });
    const asAna = createClient(team.server.address, send, ana.email);
    expect(await asAna.getSession({})).toMatchObject({ viewingAs: ana.email, role: 'explorer', people: [] });
    expect(await sellers(asAna)).toEqual(await sellers(ana.client));
    await expect(
      asAna.putFavourite({ params: { id: 'sales' }, body: { isFavourite: true } }),
    ).rejects.toMatchObject({ problem: { status: 403 } });
    const anaAs = createClient(
      team.server.address,
      (input, init) =>
        fetch(input, {
          ...init,
          headers: { ...(init?.headers as Record<string, string>), cookie: ana.cookie },
        }),
      cleo.email,
    );
    await expect(anaAs.getSession({})).rejects.toMatchObject({ problem: { status: 404 } });
  });

  test('are shown to an admin who views as a member of a group, who has nothing else', async () => {
    const as = (name: string) =>
      createClient(
        team.server.address,
        (input, init) =>
          fetch(input, {
            ...init,
            headers: { ...(init?.headers as Record<string, string>), cookie: team.owner.cookie },
          }),
        name,
      );
    const seller = as(viewedGroup('Sellers'));
    expect(await seller.getSession({})).toMatchObject({
      viewingAs: 'group:Sellers',
      role: 'viewer',
      user: { name: 'Sellers' },
    });
    // The rows of the group’s own attributes, without those of any member.
    expect(await sellers(seller)).toEqual(await sellers(ana.client));
    expect(await counted(as(viewedGroup('Freelancers')))).toBe(0);
    await expect(as(viewedGroup('Nobody')).getSession({})).rejects.toMatchObject({
      problem: { status: 404 },
    });
    // Emails of a team are searched, not listed in every page.
    expect((await team.owner.client.getSession({})).people).toEqual([]);
  });

  test('keep whole tables, profiles and SQL from makers', async () => {
    const maker = await team.join('Max', 'maker', [groups.sellers]);
    for (const [kind, object] of [
      ['source', 'files'],
      ['model', 'sales'],
    ] as const)
      await team.owner.client.putGrant({
        params: { kind, object },
        body: { subject: { kind: 'user', id: maker.id }, level: 'manage' },
      });
    const { client } = maker;
    const refused = { problem: { status: 403 } };
    await expect(client.getTable({ params: { table: 'sales' } })).rejects.toMatchObject(refused);
    await expect(client.getTableRows({ params: { table: 'sales' }, query: {} })).rejects.toMatchObject(
      refused,
    );
    await expect(
      client.runSql({ params: { name: 'files' }, body: { sql: 'select * from sales' } }),
    ).rejects.toMatchObject(refused);
    // The warnings of imports quote values.
    expect((await client.listProblems({})).warnings).toEqual([]);
    expect((await team.owner.client.listProblems({})).warnings).toMatchObject([{ file: 'data/visits.csv' }]);
    await expect(client.getModelText({ params: { name: 'sales' } })).rejects.toMatchObject(refused);
    const text = files['models/sales.yaml'].replace(/policies:[\s\S]*/, '');
    await expect(client.saveModelText({ params: { name: 'sales' }, body: { text } })).rejects.toMatchObject(
      refused,
    );
    // A model of the same table is under the same policies.
    await client.saveModelText({
      params: { name: 'others' },
      body: {
        text: 'version: 1\ntable: sales\ndimensions: { seller: {} }\nmeasures: { rows: { expr: count(*) } }\n',
      },
    });
    const { rows: seen } = await client.postQuery({
      params: { name: 'others' },
      body: { dimensions: ['seller'], measures: ['rows'] },
    } as never);
    expect(seen.map(row => row[0]).toSorted()).toEqual(['Ana', 'Ben']);
    const profile = await client.getModelProfile({ params: { name: 'others' } });
    expect(JSON.stringify(profile)).not.toContain('Dora');
    await team.owner.client.removeGroup({ params: { group: 'none' } }).catch(() => {});
  });
});

describe('an invitation that shares', () => {
  const invite = (email: string, shares: Parameters<Client['inviteUser']>[0]['body']['shares']) =>
    team.owner.client.inviteUser({ body: { email, role: 'viewer', shares } });
  const seen = async ({ client }: Member) =>
    (await client.listDashboards({})).dashboards.map(({ id }) => id).filter(id => id.includes('/'));

  test('gives access once it is accepted, wherever the objects are by then, and to nothing else', async () => {
    const { client } = team.owner;
    const text = files['dashboards/sales.yaml'];
    for (const id of ['West/own', 'West/other', 'East/all'])
      await client.saveDashboardText({ params: { id }, body: { text } });
    const email = 'wanda@example.org';
    const { link } = await invite(email, [
      { kind: 'dashboard', object: 'West/own', level: 'view' },
      { kind: 'folder', object: 'East', level: 'view' },
    ]);
    const sharing = (object: string) => client.getSharing({ params: { kind: 'dashboard', object } });
    expect((await sharing('West/own')).invited).toEqual([{ email, level: 'view' }]);
    expect((await sharing('West/other')).invited).toEqual([]);
    await client.moveDashboard({ params: { id: 'West/own' }, body: { to: 'West/renamed' } });
    await client.moveFolder({ body: { from: 'East', to: 'Orient' } });
    expect((await sharing('West/renamed')).invited).toEqual([{ email, level: 'view' }]);
    const wanda = await enter(team.server, email, joining =>
      joining.acceptInvitation({
        params: { token: link!.split('/').at(-1)! },
        body: { name: 'Wanda', password },
      }),
    );
    expect((await seen(wanda)).toSorted()).toEqual(['Orient/all', 'West/renamed']);
    const { invited, grants } = await sharing('West/renamed');
    expect(invited).toEqual([]);
    expect(grants.map(({ subject, level }) => [subject.name, level])).toContainEqual(['Wanda', 'view']);
  });

  test('is refused for an object that does not exist', async () => {
    const missing = { kind: 'dashboard', object: 'West/missing', level: 'view' } as const;
    await expect(invite('walt@example.org', [missing])).rejects.toMatchObject({
      problem: { type: 'not-found' },
    });
    const { invitations } = await team.owner.client.listUsers({});
    expect(invitations.map(({ email }) => email)).not.toContain('walt@example.org');
  });
});

describe('an open page', () => {
  /** Resolves once the stream of events has ended, with its content. */
  async function listen({ cookie }: Member): Promise<{ heard: () => string; ended: Promise<void> }> {
    const response = await fetch(`${team.server.address}/api/v1/events`, { headers: { cookie } });
    let text = '';
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    const ended = (async () => {
      for (;;) {
        const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }));
        if (done) return;
        text += value ?? '';
      }
    })();
    return { heard: () => text, ended };
  }

  test('hears of a change of what it may see, and of nothing that is not shared with it', async () => {
    const { heard } = await listen(cleo);
    await expect.poll(heard).toContain('"kind":"workspace"');
    await team.owner.client.putPresence({
      params: { window: 'a'.repeat(24) },
      body: { document: 'sales', isEditing: true },
    });
    const { hash } = await team.owner.client.getDashboardText({ params: { id: 'sales' } });
    await team.owner.client.putDraft({
      params: { id: 'sales' },
      body: { text: files['dashboards/sales.yaml'], base: hash, after: 0 },
    });
    await team.owner.client.putGrant({
      params: { kind: 'folder', object: '-' },
      body: { subject: { kind: 'user', id: cleo.id }, level: 'view' },
    });
    await expect.poll(heard).toContain('"kind":"access"');
    expect(heard()).not.toMatch(/"kind":"(?:draft|presence|importing)"/);
  });

  test('ends soon after its session, its account or its password', async () => {
    const eva = await team.join('Eva', 'viewer');
    const secondly = (member: Member) =>
      enter(team.server, member.email, client => client.signIn({ body: { email: member.email, password } }));
    const [again, third] = [await secondly(eva), await secondly(eva)];
    const within = async (ends: Promise<void>) => {
      const began = Date.now();
      await ends;
      return Date.now() - began;
    };
    const streams = [await listen(eva), await listen(again), await listen(third)];
    await eva.client.signOut({});
    expect(await within(streams[0]!.ended)).toBeLessThan(15_000);
    await again.client.changePassword({ body: { current: password, next: 'eleven tall trees fall' } });
    expect(await within(streams[2]!.ended)).toBeLessThan(15_000);
    await expect(third.client.getSession({})).rejects.toMatchObject({ problem: { status: 401 } });
    await update(eva, { isDisabled: true });
    expect(await within(streams[1]!.ended)).toBeLessThan(15_000);
    await expect(secondly(eva)).rejects.toMatchObject({ problem: { status: 401 } });
  });
});

test.each([
  ['the grant is taken away', grantInApp, () => grantLong(null)],
  ['the grant allows no more than viewing', grantInApp, () => grantLong('view')],
  ['`access.yaml` no longer grants it', grantInFile, () => team.write('access.yaml', 'version: 1\n')],
  [
    'the account has other attributes',
    grantInApp,
    () => update(exporting, { attributes: { regions: ['south'] } }),
  ],
  ['the account is disabled', grantInApp, () => update(exporting, { isDisabled: true })],
  [
    'a policy of the model changes',
    grantInApp,
    () => team.write('models/long.yaml', longModel.replace('codes', 'regions')),
  ],
  [
    'its access token expires',
    async (): Promise<void> => {
      await grantInApp();
      const { secret } = await exporting.client.createOwnToken({
        body: { name: 'Exports', scope: 'explore', days: 1 },
      });
      exporting = {
        ...exporting,
        client: createClient(team.server.address, (input, init) =>
          fetch(input, {
            ...init,
            headers: { ...(init?.headers as Record<string, string>), authorization: `Bearer ${secret}` },
          }),
        ),
      };
    },
    async (): Promise<void> => {
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * 86_400_000 });
      // The rest of the file is held back here, since the server may check again only after all of it was
      // read.
      await new Promise(resolve => setTimeout(resolve, 4500));
    },
  ],
] as const)('F49: an export that has begun ends within five seconds when %s', async (_, grant, change) => {
  exporting = await team.join(`Ex ${Math.random()}`, 'editor');
  await update(exporting, { attributes: { regions: ['north'], codes: [longCode] } });
  await team.write('data/long.csv', `code\n${`${longCode}\n`.repeat(400_000)}`);
  await team.write('models/long.yaml', longModel);
  await team.write(
    'dashboards/long.yaml',
    'version: 1\ntitle: Long\nmodel: long\npages:\n  - title: One\n    tiles:\n' +
      '      t: { kind: table, columns: [code], at: [0, 0, 12, 8] }\n',
  );
  await expect.poll(() => team.server.store.current.tables.get('long')?.state).toBe('ready');
  await expect.poll(() => team.server.store.current.dashboards.get('long')?.document?.title).toBe('Long');
  // Not the policy that another case has left, under which there are no rows.
  await expect
    .poll(() => JSON.stringify(team.server.store.current.models.get('long')?.model.policies))
    .toContain('codes');
  await grant();
  const isSeen = () => exporting.client.getDashboard({ params: { id: 'long' } }).then(Boolean, () => false);
  await expect.poll(isSeen).toBe(true);
  const response = await exporting.client.postExport({
    params: { id: 'long' },
    body: { format: 'csv', state: { page: 0, filters: {}, selections: {} }, rows: 'all', tile: 't' },
  });
  const reader = response.body!.getReader();
  await reader.read();
  await change();
  const began = performance.now();
  await expect(
    (async () => {
      while (!(await reader.read()).done) await new Promise(resolve => setTimeout(resolve, 20));
    })(),
  ).rejects.toThrow('terminated');
  expect(performance.now() - began).toBeLessThan(5000);
});
afterEach(() => void vi.useRealTimers());

describe('access.yaml', () => {
  const declare = (text: string) => team.write('access.yaml', text);
  const listed = async (member: Member) =>
    (await member.client.listDashboards({ query: {} })).dashboards.map(({ id }) => id).toSorted();

  test('grants what it declares, read-only in the interface, and revokes it again', async () => {
    const fay = await team.join('Fay', 'explorer', [groups.freelancers]);
    await team.write('dashboards/plans/next.yaml', files['dashboards/sales.yaml']);
    await expect.poll(() => listed(team.owner)).toContain('plans/next');
    expect(await listed(fay)).toEqual(['sales']);
    await declare(`version: 1
grants:
  - { folder: plans, group: Freelancers, level: explore }
  - { dashboard: sales, user: nobody@example.org, level: manage }
`);
    await expect.poll(() => listed(fay)).toEqual(['plans/next', 'sales']);
    const shared = { params: { kind: 'folder', object: 'plans' } } as const;
    const { grants } = await team.owner.client.getSharing(shared);
    expect(grants.filter(({ isDeclared }) => isDeclared)).toMatchObject([
      { subject: { kind: 'group', name: 'Freelancers' }, level: 'explore', isDeclared: true },
    ]);
    await expect(
      team.owner.client.putGrant({
        ...shared,
        body: { subject: { kind: 'group', id: groups.freelancers }, level: null },
      }),
    ).rejects.toMatchObject({ problem: { status: 403 } });
    await declare('version: 1\n');
    await expect.poll(() => listed(fay)).toEqual(['sales']);
  });

  test('with an error grants nothing, and says where the error is', async () => {
    await declare('version: 1\ngrants:\n  - { folder: plans, everyone: true, level: see }\n');
    await expect
      .poll(() => team.server.store.current.problems.map(({ file, line }) => `${file}:${line}`))
      .toEqual(['access.yaml:3']);
    expect(await listed(ana)).toEqual(['sales']);
  });
});

test('a model is explored without its source being shared: values, profile, queries and charts', async () => {
  const gus = await team.join('Gus', 'explorer', [groups.sellers]);
  await team.owner.client.putGrant({
    params: { kind: 'model', object: 'sales' },
    body: { subject: { kind: 'user', id: gus.id }, level: 'explore' },
  });
  const { client } = gus;
  expect((await client.listTables({})).tables).toEqual([]);
  const { rows: found } = await client.postQuery({
    params: { name: 'sales' },
    body: { dimensions: ['seller'], measures: ['rows'] },
  } as never);
  expect(found.map(([seller]) => seller)).toEqual(['Ana', 'Ben']);
  const id = `explore:sales:${'b'.repeat(24)}`;
  const { dashboard } = await client.putDraft({
    params: { id },
    body: { text: files['dashboards/sales.yaml'], base: '', after: 0 },
  });
  expect([dashboard.state, dashboard.brokenTiles]).toEqual(['ready', {}]);
  const frames = await collect(
    await client.queryTiles({ params: { id: `draft:${id}` }, body: { state: plain, tiles: ['count'] } }),
  );
  expect(Number(frames.flatMap(({ cells }) => (cells ? [cells.parts[0]![0]] : []))[0])).toBe(2);
  const { values } = await client.getFieldValues({
    params: { id: `draft:${id}`, field: 'region' },
    body: { state: plain },
  });
  expect(values.map(({ value }) => value)).toEqual(['north']);
});

test('favourites, recent dashboards and views are each person’s own', async () => {
  await ana.client.putFavourite({ params: { id: 'sales' }, body: { isFavourite: true } });
  await ana.client.putView({ params: { id: 'sales', name: 'Mine' }, body: { state: plain } });
  expect((await ana.client.getMe({})).favourites).toEqual(['sales']);
  expect(await cleo.client.getMe({})).toMatchObject({ favourites: [], views: [] });
  expect(await team.owner.client.getMe({})).toMatchObject({ favourites: [], views: [] });
});

test('all actions are in the audit log, without passwords or tokens', async () => {
  const { entries } = await team.owner.client.listAudit({ query: { limit: 500 } });
  const actions = new Set(entries.map(({ action }) => action));
  for (const action of [
    'server.set-up',
    'invitation.create',
    'invitation.accept',
    'grant.change',
    'user.sign-in',
    'user.update',
  ])
    expect([action, actions.has(action)]).toEqual([action, true]);
  const text = JSON.stringify(entries);
  expect(text).not.toContain(password);
  expect(text).not.toContain('eleven tall trees');
});

test('a refused request is in the audit log, whether its object exists or not', async () => {
  await team.write('dashboards/closed.yaml', files['dashboards/sales.yaml']);
  const open = () => team.owner.client.getDashboard({ params: { id: 'closed' }, query: {} });
  await vi.waitFor(open, 10_000);
  const nina = await team.join('Nina', 'viewer');
  for (const id of ['closed', 'no-such'])
    await expect(nina.client.getDashboard({ params: { id }, query: {} })).rejects.toMatchObject({
      problem: { status: 404 },
    });
  await expect(nina.client.listUsers({})).rejects.toMatchObject({ problem: { status: 403 } });
  await vi.waitFor(async () => {
    const { entries } = await team.owner.client.listAudit({ query: { search: 'refuse nina', limit: 10 } });
    expect(entries.map(({ object, outcome, detail }) => [object, outcome, detail]).toSorted()).toEqual([
      ['GET /api/v1/dashboards/:id: closed', 'refused', 'not-found'],
      ['GET /api/v1/dashboards/:id: no-such', 'refused', 'not-found'],
      ['GET /api/v1/users', 'refused', 'not-allowed'],
    ]);
  });
});
