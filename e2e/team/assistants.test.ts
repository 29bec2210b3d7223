import type { TokenScope } from '@belvedere/api';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { project } from '../browser.ts';
import { allRead, runBelvedere } from '../running-belvedere.ts';
import { runTeam, type Member, type RunningTeam } from './running-team.ts';

/* Assistants of a team, by the protocol's own client over HTTP. */

const dashboard = `version: 1
title: Sales
model: orders
pages:
  - title: One
    tiles:
      count: { kind: kpi, value: { measure: rows }, at: [0, 0, 6, 3] }
`;
const files = {
  'belvedere.yaml': 'version: 1\ntitle: Shop\n',
  'access.yaml':
    'version: 1\ngrants:\n' +
    '  - { dashboard: shared, everyone: true, level: view }\n' +
    '  - { dashboard: shared, user: ed@example.org, level: edit }\n' +
    '  - { model: orders, user: ana@example.org, level: explore }\n' +
    '  - { model: orders, user: ed@example.org, level: explore }\n',
  'data/orders.csv': 'city,amount\nAachen,1\nBonn,2\nBonn,4\n',
  'data/secret.csv': 'project,cost\nApollo,7\n',
  'models/orders.yaml': `version: 1
table: orders
dimensions: { city: {} }
measures: { rows: { expr: count(*) }, total: { expr: sum(amount) } }
policies:
  - { name: own city, groups: [sales], where: "city = 'Bonn'" }
  - { name: all, groups: [editors], where: "true" }
`,
  'dashboards/shared.yaml': dashboard,
  'dashboards/other.yaml': dashboard.replace('Sales', 'Other'),
};

let team: RunningTeam;
const members = {} as Record<'ana' | 'ed' | 'vera', Member>;
const open: Client[] = [];
beforeAll(async () => {
  team = await runTeam(files);
  await allRead(team);
  for (const name of ['sales', 'editors'])
    await team.owner.client.saveGroup({ params: { group: name }, body: { name } });
  members.ana = await team.join('Ana', 'explorer', ['sales']);
  members.ed = await team.join('Ed', 'editor', ['editors']);
  members.vera = await team.join('Vera', 'viewer', ['sales']);
});
afterAll(async () => {
  for (const client of open) await client.close();
  await team?.close();
});

const url = () => new URL('/mcp', team.server.address);
let made = 0;
const tokenOf = async ({ client }: Member, scope: TokenScope) =>
  (await client.createOwnToken({ body: { name: `assistant ${++made}`, scope, days: 7 } })).secret;
type Protocol = 'legacy' | 'auto' | { readonly pin: string };
async function connect(secret: string, mode: Protocol = 'auto'): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(
    new StreamableHTTPClientTransport(url(), {
      requestInit: { headers: { authorization: `Bearer ${secret}` } },
    }),
  );
  open.push(client);
  return client;
}
const assistant = async (member: Member, scope: TokenScope) => connect(await tokenOf(member, scope));
async function call(client: Client, name: string, given: Record<string, unknown> = {}) {
  const { content, isError = false } = await client.callTool({ name, arguments: given });
  const [first] = content as { type: string; text?: string; data?: string }[];
  return { isError, text: first?.text ?? '', data: first?.data };
}
const post = (
  headers: Record<string, string>,
  body: unknown = { jsonrpc: '2.0', id: 1, method: 'tools/list' },
) =>
  fetch(url(), {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: JSON.stringify(body),
  });

describe('an assistant has the permissions of its token', () => {
  test('a viewer’s lists, describes and draws what they may see, and nothing else', async () => {
    const client = await assistant(members.vera, 'read');
    expect((await call(client, 'list_dashboards')).text).toBe('shared: Sales');
    expect(
      JSON.parse((await call(client, 'describe_dashboard', { dashboard: 'shared' })).text),
    ).toMatchObject({
      pages: [{ tiles: { count: { kind: 'kpi' } } }],
    });
    const drawn = await call(client, 'render_dashboard', { dashboard: 'shared', tile: 'count' });
    expect(Buffer.from(drawn.data!, 'base64').subarray(1, 4).toString()).toBe('PNG');
    for (const tool of ['describe_dashboard', 'render_dashboard'])
      for (const id of ['other', 'absent'])
        expect((await call(client, tool, { dashboard: id })).text, tool).toMatch(
          /^Dashboard (?:`\w+` )?not found, or not shared with you\.$/,
        );
    expect(await call(client, 'ask', { model: 'orders', measures: ['rows'] })).toMatchObject({
      isError: true,
    });
    expect(await call(client, 'read_document', { kind: 'dashboard', name: 'shared' })).toMatchObject({
      isError: true,
    });
  });

  test('an explorer’s queries models with their own rows only, as no other user', async () => {
    const client = await assistant(members.ana, 'explore');
    const asked = { model: 'orders', measures: ['total'], by: ['city'] };
    expect((await call(client, 'ask', asked)).text).toBe('City  Total\n────  ─────\nBonn      6');
    expect((await call(client, 'list_models')).text).toMatch(/^orders: /);
    expect((await call(client, 'list_models')).text).not.toContain('secret');
    for (const model of ['secret', 'absent'])
      expect((await call(client, 'describe_model', { model })).text).toBe(
        `Model \`${model}\` not found, or not shared with you.`,
      );
    expect(await call(client, 'ask', { ...asked, as: 'ed@example.org' })).toMatchObject({ isError: true });
  });

  test('a scope cuts it', async () => {
    const client = await assistant(members.ed, 'read');
    expect(await call(client, 'ask', { model: 'orders', measures: ['rows'] })).toEqual({
      isError: true,
      text: 'This access token has the scope `read`; this needs one with `explore`.',
      data: undefined,
    });
  });

  test('ends with the token, and a cookie is none', async () => {
    const { token, secret } = await members.ana.client.createOwnToken({
      body: { name: 'ending', scope: 'read', days: 1 },
    });
    expect((await post({ authorization: `Bearer ${secret}` })).status).toBe(200);
    await members.ana.client.revokeOwnToken({ params: { token: token.id } });
    for (const headers of [
      { authorization: `Bearer ${secret}` },
      { cookie: members.ana.cookie, 'x-belvedere': '1' },
      {},
    ] as Record<string, string>[]) {
      const refused = await post(headers);
      expect([refused.status, await refused.json()]).toEqual([
        401,
        expect.objectContaining({ type: 'not-signed-in' }),
      ]);
    }
  });
});

test('an editor’s assistant changes a dashboard: read, checked, written, never over the changes of others', async () => {
  const client = await assistant(members.ed, 'write');
  const read = await call(client, 'read_document', { kind: 'dashboard', name: 'shared' });
  const [, base] = /^dashboards\/shared\.yaml, base (\S+):\n/.exec(read.text)!;
  const text = dashboard.replace('measure: rows', 'measure: rowz');
  const document = { kind: 'dashboard', name: 'shared' };
  expect((await call(client, 'check_document', { ...document, text })).text).toMatch(
    /^dashboards\/shared\.yaml:7:\d+: .*did you mean `rows`\?$/,
  );
  expect(await call(client, 'write_document', { ...document, text, base })).toMatchObject({
    isError: true,
    text: expect.stringMatching(/^Nothing was written:\n7:\d+: /) as string,
  });
  const better = dashboard.replace('title: Sales', 'title: Revenue');
  const written = { ...document, text: better, base, message: 'A better title' };
  expect((await call(client, 'write_document', written)).text).toMatch(/\n-title: Sales\n\+title: Revenue\n/);
  expect(await readFile(path.join(team.folder, 'workspace', 'dashboards', 'shared.yaml'), 'utf8')).toBe(
    better,
  );
  expect(await call(client, 'write_document', { ...written, text: dashboard })).toMatchObject({
    isError: true,
  });
  const { revisions } = await members.ed.client.listRevisions({ params: { id: 'shared' } });
  expect(revisions[0]!.message).toBe('A better title');
  expect((await call(client, 'check_workspace')).text).toMatch(/0 problems$/);
});

test('a model with a field that its table lacks is saved, and the problem is returned', async () => {
  const client = await assistant(team.owner, 'write');
  const text =
    'version: 1\ntable: secret\ndimensions: { project: {} }\nmeasures: { total: { expr: sum(cosst) } }\n';
  const written = await call(client, 'write_document', { kind: 'model', name: 'costs', text });
  expect(written.isError).toBe(false);
  expect(written.text).toMatch(/\nSaved, but with problems:\nmodels\/costs\.yaml:4:\d+: .*cosst/);
});

test.each<Protocol>(['legacy', 'auto', { pin: '2026-07-28' }])(
  'the tools are the same in the protocol %j',
  async mode => {
    const client = await connect(await tokenOf(members.vera, 'read'), mode);
    if (mode !== 'legacy') expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28');
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('describe_dashboard');
    expect((await call(client, 'list_dashboards')).isError).toBe(false);
  },
);

test('no stream stays open for changes of the tools, which never change', async () => {
  const method = 'subscriptions/listen';
  const authorization = `Bearer ${await tokenOf(members.vera, 'read')}`;
  const refused = await post(
    { authorization, 'mcp-protocol-version': '2026-07-28', 'mcp-method': method },
    {
      jsonrpc: '2.0',
      id: 1,
      method,
      params: {
        notifications: { toolsListChanged: true },
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    },
  );
  expect(await refused.json()).toMatchObject({
    error: { message: expect.stringContaining('limit') as string },
  });
});

test('a message that is no request, or too long, is refused, and is no internal error', async () => {
  const authorization = `Bearer ${await tokenOf(members.vera, 'read')}`;
  for (const body of [[], {}, 'x', null, { jsonrpc: '2.0', id: 1, method: 'nothing' }, [[]]])
    expect((await post({ authorization }, body)).status, JSON.stringify(body)).toBeLessThan(500);
  expect((await post({ authorization }, { jsonrpc: '2.0', id: 1, method: 'x'.repeat(2 ** 21) })).status).toBe(
    413,
  );
  const zeros = new Uint8Array(2 ** 22);
  const type = { 'content-type': 'application/octet-stream' };
  const bytes = await fetch(url(), { method: 'POST', headers: { authorization, ...type }, body: zeros });
  expect([bytes.status, await bytes.json()]).toEqual([
    400,
    expect.objectContaining({ detail: 'Send messages with `content-type: application/json`.' }),
  ]);
  const json = { 'content-type': 'application/json' };
  const viewing = { method: 'POST', headers: { authorization, ...json }, body: '{}' };
  expect((await fetch(new URL('?as=ana@example.org', url()), viewing)).status).toBe(400);
  expect((await fetch(url())).status).toBe(405);
  expect((await fetch(url(), { method: 'DELETE', headers: { authorization } })).status).toBe(405);
});

test('`belvedere mcp --server` serves the same over standard input and output', async () => {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [path.join(project, 'apps/cli/src/main.ts'), 'mcp', '--server', team.server.address],
      env: {
        ...(process.env as Record<string, string>),
        BELVEDERE_TOKEN: await tokenOf(members.ana, 'explore'),
      },
      stderr: 'pipe',
    }),
  );
  open.push(client);
  expect((await call(client, 'ask', { model: 'orders', measures: ['rows'] })).text).toMatch(/2$/);
});

test('a folder that one person has open serves no assistants over HTTP, and says how else', async () => {
  const folder = path.join(team.folder, 'alone');
  await mkdir(folder);
  const alone = await runBelvedere(folder);
  const refused = await fetch(new URL('/mcp', alone.server.address), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  expect([refused.status, await refused.json()]).toEqual([
    401,
    expect.objectContaining({ detail: expect.stringContaining('`belvedere mcp FOLDER`') as string }),
  ]);
  await alone.close();
});
