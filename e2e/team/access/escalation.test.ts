import { keptDetail, type Client } from '@belvedere/api';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { allRead } from '../../running-belvedere.ts';
import { runTeam, type Member, type RunningTeam } from '../running-team.ts';

/** Attempts of signed-in users to reach more than was shared with them. */

const model = (table: string) =>
  `version: 1\ntable: ${table}\ndimensions: { name: {} }\nmeasures: { total: { expr: sum(pay) } }\n`;
const board = (title: string, name: string, tile = '') => `version: 1
title: ${title}
model: ${name}
pages:
  - title: One
    tiles:
      a: { kind: kpi, ${tile}value: { measure: total }, at: [0, 0, 6, 3] }
`;
const missing = { problem: { status: 404 } };

let team: RunningTeam;
let explorer: Member;
let editor: Member;
let maker: Member;

beforeAll(async () => {
  team = await runTeam({
    'belvedere.yaml': 'version: 1\n',
    'data/first.csv': 'name,pay\nA,111\n',
    'data/second.csv': 'name,pay\nB,222\n',
    'sources/erp.yaml':
      'version: 1\nkind: postgres\nconnection: { host: 127.0.0.1, port: 9, database: erp, user: me }\n',
    'models/first.yaml': model('first'),
    'models/second.yaml': model('second'),
    'models/left.yaml': model('second'),
    'dashboards/gone.yaml': board('Gone', 'second'),
    'dashboards/odd.yaml': board('Odd', 'first', 'model: lost, '),
    'dashboards/hidden/secret.yaml': board('Secret', 'first'),
    'dashboards/open/known.yaml': board('Known', 'first'),
    'dashboards/own/plain.yaml': board('Plain', 'first'),
  });
  await allRead(team);
  explorer = await team.join('Eva', 'explorer');
  editor = await team.join('Ed', 'editor');
  maker = await team.join('Max', 'maker');
  for (const { id } of [explorer, editor]) await share('model', 'first', id, 'explore');
  await share('model', 'first', maker.id, 'edit');
  await share('source', 'files', maker.id, 'explore');
  await share('folder', 'open', editor.id, 'edit');
  await share('folder', 'own', editor.id, 'manage');
});
afterAll(() => team?.close());

function share(
  kind: 'dashboard' | 'model' | 'folder' | 'source',
  object: string,
  id: string,
  level: 'view' | 'explore' | 'edit' | 'manage' | null,
) {
  return team.owner.client.putGrant({
    params: { kind, object },
    body: { subject: { kind: 'user', id }, level },
  });
}
const listed = async ({ client }: Member) =>
  (await client.listDashboards({ query: {} })).dashboards.map(({ id }) => id);

test.each(['explore:first:/../hidden/secret', 'explore:first:..\\hidden\\secret', 'open/../hidden/secret'])(
  'a path through a shared folder or model leads nowhere else: %s',
  async id => {
    const { client } = id.startsWith('explore') ? explorer : editor;
    const params = { id };
    await expect(client.getDashboardText({ params })).rejects.toMatchObject(missing);
    await expect(client.listRevisions({ params })).rejects.toMatchObject(missing);
    const { hash } = await team.owner.client.getDashboardText({ params: { id: 'hidden/secret' } });
    await expect(
      client.saveDashboardText({ params, body: { text: board('Taken', 'first') }, ifMatch: hash }),
    ).rejects.toMatchObject(missing);
  },
);

test('a manager of a folder cannot take over another by moving theirs there', async () => {
  for (const to of ['hidden', 'open'])
    await expect(editor.client.moveFolder({ body: { from: 'own', to } })).rejects.toMatchObject({
      problem: { status: to === 'open' ? 403 : 404 },
    });
  expect(await listed(editor)).not.toContain('hidden/secret');
  await editor.client.moveFolder({ body: { from: 'own', to: 'mine' } });
  expect(await listed(editor)).toContain('mine/plain');
});

test('a dashboard or model that was deleted on disk leaves nothing to those who may create one there', async () => {
  const { root } = team.server.store.folders;
  const { client: owner } = team.owner;
  const { hash } = await owner.getDashboardText({ params: { id: 'gone' } });
  await owner.putDraft({
    params: { id: 'gone' },
    body: { text: board('Draft', 'first'), base: hash, after: 0 },
  });
  await owner.getModelText({ params: { name: 'left' } });
  const { revisions } = await owner.listRevisions({ params: { id: 'gone' } });
  await rm(path.join(root, 'dashboards/gone.yaml'));
  await rm(path.join(root, 'models/left.yaml'));
  await expect.poll(() => listed(team.owner)).not.toContain('gone');
  await expect
    .poll(async () => (await owner.listModels({})).models.map(({ name }) => name))
    .not.toContain('left');
  const params = { id: 'gone' };
  const { number } = revisions[0]!;
  const of = (client: Client) => [
    client.listRevisions({ params }),
    client.getRevision({ params: { ...params, number } }),
    client.getDashboard({ params: { id: `revision:${number}:gone` }, query: {} }),
    client.getDashboard({ params: { id: 'draft:gone' }, query: {} }),
    client.dropDraft({ params }),
  ];
  for (const one of await Promise.allSettled(of(editor.client)))
    expect(one).toMatchObject({ status: 'rejected', reason: missing });
  await expect(maker.client.listModelRevisions({ params: { name: 'left' } })).rejects.toMatchObject(missing);
  // A dashboard that they create there is new.
  await editor.client.saveDashboardText({ params, body: { text: board('Mine', 'first') } });
  expect((await editor.client.listRevisions({ params })).revisions).toHaveLength(1);
  expect((await editor.client.getDashboardText({ params })).draft).toBeUndefined();
  await maker.client.saveModelText({ params: { name: 'left' }, body: { text: model('first') } });
  expect((await maker.client.listModelRevisions({ params: { name: 'left' } })).revisions).toHaveLength(1);
});

test('a dashboard cannot name a model before it exists, and so get it unshared', async () => {
  for (const { client } of [editor, maker])
    for (const name of ['second', 'salaries']) {
      const said = {
        problem: { status: 404, detail: `Model \`${name}\` not found, or not shared with you.` },
      };
      const { document } = await team.owner.client.getDashboard({ params: { id: 'open/known' }, query: {} });
      if (client === maker.client && name === 'second') continue;
      const params = { id: `early-${name}` };
      await expect(
        client.saveDashboardText({ params, body: { text: board('Early', name) } }),
      ).rejects.toMatchObject(said);
      await expect(
        client.saveDashboard({ params, body: { document: { ...document!, model: name } as never } }),
      ).rejects.toMatchObject(said);
    }
});

test('the errors of a shared dashboard name no model that is not shared', async () => {
  await share('dashboard', 'odd', editor.id, 'view');
  const { problems, brokenTiles } = await editor.client.getDashboard({ params: { id: 'odd' }, query: {} });
  expect(brokenTiles).toEqual({ a: 'There is no model `lost`. Models: first.' });
  expect(problems).toMatchObject([{ message: 'There is no model `lost`. Models: first.' }]);
  // Of a model that they may not see, not even its fields.
  await team.write('dashboards/odd.yaml', board('Odd', 'second').replace('total', 'totl'));
  await expect
    .poll(async () => (await editor.client.getDashboard({ params: { id: 'odd' }, query: {} })).problems)
    .toMatchObject([{ message: keptDetail }]);
  await share('dashboard', 'odd', editor.id, null);
});

test('renaming in a model names only the dashboards that its maker sees', async () => {
  await share('folder', 'open', maker.id, 'view');
  const { dashboards } = await maker.client.findModelRenames({
    params: { name: 'first' },
    body: { text: model('first').replace('total:', 'sum:') },
  });
  expect(dashboards.map(({ id }) => id)).toEqual(['open/known']);
});

test('a former editor has no trash', async () => {
  const former = await team.join('Finn', 'editor');
  await share('model', 'first', former.id, 'explore');
  const params = { id: 'former' };
  await former.client.saveDashboardText({ params, body: { text: board('Former', 'first') } });
  const { number } = await former.client.removeDashboard({ params });
  await team.owner.client.updateUser({ params: { user: former.id }, body: { role: 'viewer' } });
  expect((await former.client.listTrash({})).documents).toEqual([]);
  await expect(former.client.restoreDocument({ params: { number } })).rejects.toMatchObject(missing);
});

test('sharing with everyone has one form, which the list of grants shows and can end', async () => {
  await share('dashboard', 'odd', editor.id, 'manage');
  await expect(
    editor.client.putGrant({
      params: { kind: 'dashboard', object: 'odd' },
      body: { subject: { kind: 'everyone', id: 'else' }, level: 'view' },
    }),
  ).rejects.toMatchObject({ problem: { status: 400 } });
  expect(await listed(explorer)).not.toContain('odd');
  await share('dashboard', 'odd', editor.id, null);
});

test('a model joins tables only of sources that its maker may use', async () => {
  const text = `version: 1
table: first
extract: { every: 1 hour }
joins: { pay: { source: erp, table: pay, on: { name: name } } }
dimensions: { name: {} }
`;
  const params = { name: 'joined' };
  await expect(maker.client.saveModelText({ params, body: { text } })).rejects.toMatchObject(missing);
  await expect(
    maker.client.previewModel({ params, body: { text, part: { join: 'pay' } } }),
  ).rejects.toMatchObject(missing);
});

test('a reset link that an admin made does not lead into the account of a later owner', async () => {
  const { client: owner } = team.owner;
  const admin = await team.join('Ada', 'admin');
  const heir = await team.join('Hans', 'viewer');
  const { link } = await admin.client.createPasswordReset({ params: { user: heir.id } });
  await owner.updateUser({ params: { user: heir.id }, body: { role: 'owner' } });
  await expect(
    admin.client.resetPassword({
      params: { token: link!.split('/').at(-1)! },
      body: { password: 'seven green cats sing' },
    }),
  ).rejects.toMatchObject(missing);
});

test('the draft of a model with row policies is only an admin’s to discard', async () => {
  const { client: owner } = team.owner;
  const text = `${model('second')}policies: [{ name: all, everyone: true, where: "true" }]\n`;
  await owner.saveModelText({ params: { name: 'guarded' }, body: { text } });
  await share('model', 'guarded', maker.id, 'edit');
  const { hash } = await owner.getModelText({ params: { name: 'guarded' } });
  await owner.putModelDraft({
    params: { name: 'guarded' },
    body: { text: `${text}# more\n`, base: hash!, after: 0 },
  });
  await expect(maker.client.dropModelDraft({ params: { name: 'guarded' } })).rejects.toMatchObject({
    problem: { status: 403 },
  });
  expect((await owner.getModelText({ params: { name: 'guarded' } })).draft).toBeDefined();
});

test('SQL in a model is for admins only once there are row policies, as on the SQL screen', async () => {
  const text = `version: 1
sql: select name, pay from first
dimensions: { name: {} }
measures: { total: { expr: sum(pay) } }
`;
  const params = { name: 'asked' };
  const { client: owner } = team.owner;
  const refused = { problem: { status: 403, detail: expect.stringContaining('run SQL') as string } };
  const ruled = `${model('second')}policies: [{ name: all, everyone: true, where: "true" }]\n`;
  await owner.saveModelText({ params: { name: 'ruled' }, body: { text: ruled } });
  const attempts: readonly ((client: Client) => Promise<unknown>)[] = [
    client => client.saveModelText({ params, body: { text } }),
    client => client.putModelDraft({ params, body: { text, base: '', after: 0 } }),
    client => client.previewModel({ params, body: { text, part: { dimension: 'name' } } }),
    client => client.findModelRenames({ params, body: { text } }),
  ];
  for (const attempt of attempts) await expect(attempt(maker.client)).rejects.toMatchObject(refused);
  await owner.saveModelText({ params, body: { text } });
});
