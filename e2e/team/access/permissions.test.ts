import {
  contract,
  levels,
  roles,
  type Endpoint,
  type Level,
  type ObjectKind,
  type Role,
} from '@belvedere/api';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { allRead } from '../../running-belvedere.ts';
import { runTeam, type Member, type RunningTeam } from '../running-team.ts';

/**
 * Every endpoint that names an object, by every role, for objects that are shared in every way and with every
 * level, not shared, or missing (SAFETY 57, N4). The expectations are written here by hand, independent of
 * the program's own table.
 */

const dashboard = (title: string, model = 'orders') => `version: 1
title: ${title}
model: ${model}
pages:
  - title: One
    tiles:
      count: { kind: kpi, value: { measure: rows }, at: [0, 0, 6, 3] }
`;
const files = {
  'belvedere.yaml': 'version: 1\ntitle: Shop\n',
  'data/orders.csv': 'city,amount\nAachen,1\nBonn,2\n',
  'data/visits.csv': 'page,seconds\nhome,3\nshop,4\n',
  'models/orders.yaml':
    'version: 1\ntable: orders\ndimensions: { city: {} }\nmeasures: { rows: { expr: count(*) } }\n',
  'models/visits.yaml':
    'version: 1\ntable: visits\ndimensions: { page: {} }\nmeasures: { rows: { expr: count(*) } }\n',
  ...Object.fromEntries(
    ['shared', 'folder/inside', 'foreign', 'hidden/foreign'].map(id => [
      `dashboards/${id}.yaml`,
      dashboard(`Board ${id}`),
    ]),
  ),
};

/** The highest level that each role allows, by SPEC part 6. */
const most: Readonly<Record<Role, Readonly<Record<'dashboard' | 'model' | 'source', Level | 'none'>>>> = {
  viewer: { dashboard: 'view', model: 'none', source: 'none' },
  explorer: { dashboard: 'explore', model: 'explore', source: 'none' },
  editor: { dashboard: 'manage', model: 'explore', source: 'none' },
  maker: { dashboard: 'manage', model: 'manage', source: 'edit' },
  admin: { dashboard: 'manage', model: 'manage', source: 'manage' },
  owner: { dashboard: 'manage', model: 'manage', source: 'manage' },
};
const all = ['none', ...levels] as const;
const atLeast = (level: Level | 'none', least: Level) => all.indexOf(level) >= all.indexOf(least);
const lower = (a: Level | 'none', b: Level | 'none') => all[Math.min(all.indexOf(a), all.indexOf(b))]!;

const sharedKinds: readonly ObjectKind[] = ['dashboard', 'model', 'source'];
const endpoints = (Object.entries(contract) as [string, Endpoint][]).flatMap(([name, endpoint]) =>
  'level' in endpoint.access && sharedKinds.includes(endpoint.access.on)
    ? [{ name, ...endpoint, access: endpoint.access }]
    : [],
);
type Named = (typeof endpoints)[number];

let team: RunningTeam;
const members = new Map<Role | 'anonymous', Member | undefined>([['anonymous', undefined]]);
let group: string;

beforeAll(async () => {
  team = await runTeam(files);
  await allRead(team);
  const { client } = team.owner;
  group = (await client.saveGroup({ params: { group: 'team-a' }, body: { name: 'Team A' } })).id;
  for (const role of roles)
    members.set(role, role === 'owner' ? team.owner : await team.join(`${role}1`, role, [group]));
});
afterAll(async () => {
  const names = new Set(Array.from(tried, one => one.split(' ')[0]!));
  console.log(
    `permissions: ${sent} requests, ${tried.size} different of endpoint × caller × object, ` +
      `${names.size} of ${Object.keys(contract).length} endpoints`,
  );
  await team?.close();
});

interface Said {
  readonly status: number;
  readonly body: string;
}
/** The requests come from several addresses, because their number is limited for each. */
let sent = 0;
/** Endpoint, caller and object of each request. */
const tried = new Set<string>();
async function call(
  { name, method, path }: Named,
  member: Pick<Member, 'cookie'> | undefined,
  id: string,
  { token, as }: { readonly token?: string; readonly as?: string } = {},
): Promise<Said> {
  const caller = token?.slice(0, 20) ?? as ?? member?.cookie ?? 'anonymous';
  tried.add(`${name} ${caller} ${id}`);
  const response = await team.server.app.inject({
    method,
    query: { ...(as !== undefined && { as }) },
    url: path
      .replace(/:(id|name)\b/, encodeURIComponent(id))
      .replace(':tile', 'count')
      .replace(':table', 'orders')
      .replace(':field', 'city')
      .replace(/:(number|note)\b/, '1')
      .replace(/:\w+/, 'x'),
    headers: {
      host: new URL(team.server.address).host,
      'x-belvedere': '1',
      ...(token === undefined ? member && { cookie: member.cookie } : { authorization: `Bearer ${token}` }),
    },
    remoteAddress: `10.0.${Math.floor(sent / 200) % 250}.${sent++ % 200}`,
  });
  return { status: response.statusCode, body: response.body };
}
/** A response without the parts that differ between two equal requests. */
const plain = ({ status, body }: Said, id: string) => [
  status,
  body.replace(/"(?:requestId|instance|id)":"[^"]*"/g, '').replaceAll(id, '@'),
];
/** The built-in source `files` has tables, but no page and no connection. */
const aboutConnections = new Set(['getSource', 'retrySource']);
const isRefused = ({ status, body }: Said) =>
  status === 401 || status === 403 || (status === 404 && body.includes('not shared with you.'));

/** Objects of each kind: one to share, one that is shared with nobody, and one that does not exist. */
const objects = {
  dashboard: { shared: 'shared', foreign: 'foreign', absent: 'nothing' },
  model: { shared: 'orders', foreign: 'visits', absent: 'nothing' },
  source: { shared: 'files', foreign: 'files', absent: 'nothing' },
} as const;

/** Endpoints without a body, which would change something if they were allowed. */
const undo: Readonly<Record<string, () => Promise<void>>> = {
  removeDashboard: restoreAll,
  removeModel: restoreAll,
};

async function restoreAll(): Promise<void> {
  const { documents } = await team.owner.client.listTrash({});
  for (const { number } of documents)
    await team.owner.client.restoreDocument({ params: { number: String(number) } } as never);
}

async function share(
  kind: ObjectKind,
  object: string,
  subject: { kind: 'user' | 'group' | 'everyone'; id: string },
  level: Level | null,
): Promise<void> {
  await team.owner.client.putGrant({ params: { kind, object }, body: { subject, level } });
}

const ways = {
  'to the user': (_: string, member: Member) => ['own', { kind: 'user', id: member.id }] as const,
  'to a group': () => ['own', { kind: 'group', id: group }] as const,
  'to everyone': () => ['own', { kind: 'everyone', id: '' }] as const,
};

test('all endpoints that name an object are tried', () => {
  expect(endpoints.length).toBeGreaterThan(40);
});

describe.each(roles.filter(role => role !== 'owner' && role !== 'admin'))('%s', role => {
  test.each(sharedKinds.filter(kind => kind !== 'folder') as ('dashboard' | 'model' | 'source')[])(
    'may do with a shared %s what role and level allow, and no more',
    async kind => {
      const member = members.get(role)!;
      const { shared } = objects[kind];
      for (const [way, of] of Object.entries(ways))
        for (const level of levels) {
          const [, subject] = of(shared, member);
          await share(kind, shared, subject, level);
          for (const endpoint of endpoints.filter(
            one => one.access.on === kind && !aboutConnections.has(one.name),
          )) {
            const id = endpoint.access.id ?? shared;
            const said = await call(endpoint, member, id);
            const expected = atLeast(lower(level, most[role][kind]), endpoint.access.level);
            expect([way, level, endpoint.name, said.status, said.body, !isRefused(said)]).toEqual([
              way,
              level,
              endpoint.name,
              said.status,
              said.body,
              expected,
            ]);
            if (expected) await undo[endpoint.name]?.();
          }
          await share(kind, shared, subject, null);
        }
    },
  );

  test('may do with a dashboard in a shared folder what the folder’s level allows', async () => {
    const member = members.get(role)!;
    for (const level of levels) {
      await share('folder', 'folder', { kind: 'user', id: member.id }, level);
      for (const endpoint of endpoints.filter(one => one.access.on === 'dashboard')) {
        const said = await call(endpoint, member, 'folder/inside');
        const expected = atLeast(lower(level, most[role].dashboard), endpoint.access.level);
        expect([level, endpoint.name, said.body, !isRefused(said)]).toEqual([
          level,
          endpoint.name,
          said.body,
          expected,
        ]);
        if (expected) await undo[endpoint.name]?.();
      }
      await share('folder', 'folder', { kind: 'user', id: member.id }, null);
    }
  });

  test.each(['dashboard', 'model'] as const)(
    'gets the same response for a foreign %s as for one that does not exist',
    async kind => {
      const member = members.get(role)!;
      const { foreign, absent } = objects[kind];
      // In a folder, where nobody may create dashboards; a new model is a maker's to write.
      const [there, nowhere] =
        kind === 'dashboard' ? ['hidden/foreign', 'hidden/nothing'] : [foreign, absent];
      if (kind === 'model' && role === 'maker') return;
      for (const endpoint of endpoints.filter(one => one.access.on === kind)) {
        const [here, elsewhere] = [
          await call(endpoint, member, there),
          await call(endpoint, member, nowhere),
        ];
        expect([endpoint.name, here.status]).toEqual([endpoint.name, 404]);
        expect([endpoint.name, ...plain(here, there)]).toEqual([endpoint.name, ...plain(elsewhere, nowhere)]);
      }
    },
  );
});

/** Endpoints that change nothing, listed by hand. */
const reading =
  /^(query|get|list|find|explain|count|export|preview|stream)|^(postExport|postQuery|runSql|rehearseAlert|validate)/;

describe.each([
  ['a token that reads', 'viewer'],
  ['a token that explores', 'explorer'],
  ['a token that writes', 'maker'],
  ['an admin who views as a maker', 'maker'],
] as const)('%s', (principal, atMost) => {
  const maker = () => members.get('maker')!;
  const isViewing = principal.startsWith('an admin');
  let by: Parameters<typeof call>[3];
  beforeAll(async () => {
    const scope = ({ viewer: 'read', explorer: 'explore', maker: 'write' } as const)[atMost];
    by = isViewing
      ? { as: maker().email }
      : {
          token: (await maker().client.createOwnToken({ body: { name: principal, scope, days: 1 } })).secret,
        };
  });
  const said = (endpoint: Named, id: string) =>
    call(endpoint, isViewing ? members.get('admin') : undefined, id, by);
  const rights = (level: Level, kind: 'dashboard' | 'model' | 'source') => lower(level, most[atMost][kind]);

  test.each([
    ['dashboard', 'shared', 'user'],
    ['dashboard', 'shared', 'group'],
    ['dashboard', 'folder/inside', 'folder'],
    ['model', 'orders', 'user'],
    ['model', 'orders', 'group'],
  ] as const)(
    'may do with a %s, %s, shared by %s, what rights and scope allow',
    async (kind, object, way) => {
      const subject =
        way === 'group'
          ? ({ kind: 'group', id: group } as const)
          : ({ kind: 'user', id: maker().id } as const);
      const on = way === 'folder' ? ({ kind: 'folder', id: 'folder' } as const) : { kind, id: object };
      let [allowed, refused] = [0, 0];
      for (const level of levels) {
        await share(on.kind, on.id, subject, level);
        for (const endpoint of endpoints.filter(one => one.access.on === kind)) {
          const { status, body } = await said(endpoint, object);
          const isAllowed = !isRefused({ status, body });
          const mayChange = atMost === 'maker' && !isViewing;
          const isWithin =
            atLeast(rights(level, kind), endpoint.access.level) &&
            (mayChange ||
              reading.test(endpoint.name) ||
              endpoint.method === 'GET' ||
              endpoint.name.endsWith('Comment'));
          if (isAllowed) {
            allowed++;
            expect([level, endpoint.name, body, isWithin]).toEqual([level, endpoint.name, body, true]);
            await undo[endpoint.name]?.();
          } else refused++;
          // An admin who views as another user has only the pages for reading.
          if (isWithin && (isViewing ? endpoint.name === 'getDashboard' : endpoint.method === 'GET'))
            expect([level, endpoint.name, body, isAllowed]).toEqual([level, endpoint.name, body, true]);
        }
        await share(on.kind, on.id, subject, null);
      }
      expect([allowed > 0 || kind === 'model', refused > 0]).toEqual([true, true]);
    },
  );

  test.each(['dashboard', 'model'] as const)(
    'gets the same response for a foreign %s as for one that does not exist',
    async kind => {
      // A new model is a maker's to write.
      if (kind === 'model' && atMost === 'maker' && !isViewing) return;
      const [there, nowhere] =
        kind === 'dashboard' ? ['hidden/foreign', 'hidden/nothing'] : ['visits', 'nothing'];
      for (const endpoint of endpoints.filter(one => one.access.on === kind)) {
        const [here, elsewhere] = [await said(endpoint, there), await said(endpoint, nowhere)];
        expect([endpoint.name, here.status === 404 || here.status === 403]).toEqual([endpoint.name, true]);
        expect([endpoint.name, ...plain(here, there)]).toEqual([endpoint.name, ...plain(elsewhere, nowhere)]);
      }
    },
  );
});

test.each([
  ['dashboard', 'hidden/foreign', 'hidden/nothing'],
  ['model', 'visits', 'nothing'],
] as const)(
  'a foreign %s takes as long to refuse as one that does not exist, at every endpoint',
  async (kind, there, nowhere) => {
    const member = members.get('explorer')!;
    const middle = (times: readonly number[]) => times.toSorted((a, b) => a - b)[times.length >> 1]!;
    for (const endpoint of endpoints.filter(one => one.access.on === kind)) {
      const times = new Map<string, number[]>([
        [there, []],
        [nowhere, []],
      ]);
      // In turn, so that a busy moment of the machine meets both.
      for (let i = 0; i < 25; i++)
        for (const id of [there, nowhere]) {
          const began = performance.now();
          await call(endpoint, member, id);
          times.get(id)!.push(performance.now() - began);
        }
      const [foreign, absent] = [middle(times.get(there)!), middle(times.get(nowhere)!)];
      expect([endpoint.name, foreign < 2 * absent + 5, absent < 2 * foreign + 5]).toEqual([
        endpoint.name,
        true,
        true,
      ]);
    }
  },
);

test('admins and owners may do everything with everything', async () => {
  for (const role of ['admin', 'owner'] as const)
    for (const endpoint of endpoints) {
      const { shared } = objects[endpoint.access.on as 'dashboard'];
      const said = await call(endpoint, members.get(role), endpoint.access.id ?? shared);
      expect([role, endpoint.name, said.body, said.status === 401 || said.status === 403]).toEqual([
        role,
        endpoint.name,
        said.body,
        false,
      ]);
      await undo[endpoint.name]?.();
    }
});

test('without a session every endpoint responds with 401, except those for signing in', async () => {
  for (const [name, endpoint] of Object.entries(contract) as [string, Endpoint][]) {
    const { status } = await call({ name, ...endpoint } as Named, undefined, 'shared');
    expect([name, status === 401 && endpoint.access.on !== 'anyone']).toEqual([
      name,
      endpoint.access.on !== 'anyone',
    ]);
  }
});

test.each(roles)('%s may use the endpoints of the workspace that the role allows', async role => {
  const least = (Object.entries(contract) as [string, Endpoint][]).flatMap(([name, endpoint]) =>
    endpoint.access.on === 'workspace' ? [[name, endpoint, endpoint.access.role] as const] : [],
  );
  for (const [name, endpoint, wanted] of least) {
    const { status, body } = await call({ name, ...endpoint } as Named, members.get(role), 'x');
    const isAllowed = roles.indexOf(role) >= roles.indexOf(wanted);
    expect([name, body, !body.includes('Only a')]).toEqual([name, body, isAllowed]);
    if (!isAllowed) expect([name, status]).toEqual([name, 403]);
  }
});

describe('objects that are not shared', () => {
  test.each(roles.filter(role => role !== 'owner' && role !== 'admin'))(
    'are not found by an earlier address, for a %s',
    async role => {
      const owner = members.get('owner')!.client;
      const [was, is] = [`hidden/was-${role}`, `hidden/is-${role}`];
      const { text } = await owner.getDashboardText({ params: { id: 'hidden/foreign' } });
      await owner.saveDashboardText({ params: { id: was }, body: { text } });
      await owner.moveDashboard({ params: { id: was }, body: { to: is } });
      expect(await owner.findMovedDashboard({ params: { id: was } })).toEqual({ id: is });
      const { client, id } = members.get(role)!;
      expect(await client.findMovedDashboard({ params: { id: was } })).toEqual({});
      await share('dashboard', is, { kind: 'user', id }, 'view');
      expect(await client.findMovedDashboard({ params: { id: was } })).toEqual({ id: is });
      await share('dashboard', is, { kind: 'user', id }, null);
    },
  );

  const canaries = ['Board foreign', 'hidden/foreign', 'visits', 'Board hidden'];

  test.each(roles.filter(role => role !== 'owner' && role !== 'admin'))(
    'is in no list, search, profile or event for a %s',
    async role => {
      const { client, cookie, id } = members.get(role)!;
      await share('dashboard', 'shared', { kind: 'user', id }, 'manage');
      await share('model', 'orders', { kind: 'user', id }, 'manage');
      const seen = JSON.stringify([
        await client.getSession({}),
        await client.listDashboards({ query: {} }),
        await client.listDashboards({ query: { search: 'foreign' } }),
        await client.findTiles({ query: { search: 'board' } }),
        await client.listModels({}),
        await client.listSources({}),
        await client.listTables({}),
        await client.listTrash({}),
        await client.getMe({}),
        await client.getDashboard({ params: { id: 'shared' }, query: {} }),
      ]);
      for (const canary of canaries) expect([canary, seen.includes(canary)]).toEqual([canary, false]);
      expect(seen).toContain('Board shared');
      for (const address of ['/', '/d/shared', '/d/hidden%2Fforeign', '/data', '/models/visits']) {
        const page = await fetch(`${team.server.address}${address}`, { headers: { cookie } });
        const text = await page.text();
        for (const canary of canaries)
          expect([address, canary, text.includes(canary)]).toEqual([address, canary, false]);
      }
      await share('dashboard', 'shared', { kind: 'user', id }, null);
      await share('model', 'orders', { kind: 'user', id }, null);
    },
  );

  test('cannot be reached by naming it in a draft or a saved dashboard', async () => {
    const { client, id } = members.get('editor')!;
    await share('dashboard', 'shared', { kind: 'user', id }, 'edit');
    await share('model', 'orders', { kind: 'user', id }, 'explore');
    const { text, hash } = await client.getDashboardText({ params: { id: 'shared' } });
    const other = text.replace('model: orders', 'model: visits');
    const draft = (body: string, after: number) =>
      client.putDraft({ params: { id: 'shared' }, body: { text: body, base: hash, after } });
    const { version, dashboard: stolen } = await draft(other, 0);
    const { dashboard: missing } = await draft(text.replace('model: orders', 'model: nothing'), version);
    const named = (open: typeof stolen, model: string) =>
      JSON.stringify([open.models, open.problems, open.brokenTiles]).replaceAll(model, '@');
    expect(named(stolen, 'visits')).toEqual(named(missing, 'nothing'));
    await expect(
      client.saveDashboardText({ params: { id: 'shared' }, body: { text: other }, ifMatch: hash }),
    ).rejects.toMatchObject({ problem: { status: 404 } });
    await expect(
      client.saveDashboard({
        params: { id: 'mine' },
        body: { document: { ...stolen.document!, model: 'visits' } as never },
      }),
    ).rejects.toMatchObject({ problem: { status: 404 } });
    await client.dropDraft({ params: { id: 'shared' } });
    await share('dashboard', 'shared', { kind: 'user', id }, null);
    await share('model', 'orders', { kind: 'user', id }, null);
  });
});

describe('objects that a user creates', () => {
  test('is theirs, moves with its grants, and a folder takes its grants along', async () => {
    const { client, id } = members.get('editor')!;
    const viewer = members.get('viewer')!;
    await share('model', 'orders', { kind: 'user', id }, 'explore');
    await client.saveDashboardText({ params: { id: 'mine' }, body: { text: dashboard('Mine') } });
    const listed = async (member: Member) =>
      (await member.client.listDashboards({ query: {} })).dashboards.map(one => one.id);
    expect(await listed(members.get('editor')!)).toEqual(['mine']);
    expect(await listed(viewer)).toEqual([]);
    await client.putGrant({
      params: { kind: 'dashboard', object: 'mine' },
      body: { subject: { kind: 'user', id: viewer.id }, level: 'view' },
    });
    await client.moveDashboard({ params: { id: 'mine' }, body: { to: 'ours' } });
    expect(await listed(viewer)).toEqual(['ours']);
    await expect(
      client.moveDashboard({ params: { id: 'ours' }, body: { to: 'hidden/ours' } }),
    ).rejects.toMatchObject({
      problem: { status: 404 },
    });
    await share('folder', 'folder', { kind: 'user', id: viewer.id }, 'view');
    await team.owner.client.moveFolder({ body: { from: 'folder', to: 'elsewhere' } });
    expect((await listed(viewer)).toSorted()).toEqual(['elsewhere/inside', 'ours']);
    await team.owner.client.moveFolder({ body: { from: 'elsewhere', to: 'folder' } });
    await client.removeDashboard({ params: { id: 'ours' } });
    expect(await listed(viewer)).toEqual(['folder/inside']);
    const { documents } = await client.listTrash({});
    expect(documents.map(one => one.name)).toEqual(['ours']);
    expect((await viewer.client.listTrash({})).documents).toEqual([]);
    await client.restoreDocument({ params: { number: documents[0]!.number } });
    expect((await listed(viewer)).toSorted()).toEqual(['folder/inside', 'ours']);
    await share('folder', 'folder', { kind: 'user', id: viewer.id }, null);
    await client.removeDashboard({ params: { id: 'ours' } });
  });

  test('is shared by those who may manage it only', async () => {
    const { client, id } = members.get('editor')!;
    await share('dashboard', 'shared', { kind: 'user', id }, 'edit');
    await expect(
      client.getSharing({ params: { kind: 'dashboard', object: 'shared' } }),
    ).rejects.toMatchObject({ problem: { status: 403 } });
    await share('dashboard', 'shared', { kind: 'user', id }, 'manage');
    expect(
      (await client.getSharing({ params: { kind: 'dashboard', object: 'shared' } })).grants,
    ).toMatchObject([{ subject: { kind: 'user', id }, level: 'manage' }]);
    await share('dashboard', 'shared', { kind: 'user', id }, null);
  });
});
