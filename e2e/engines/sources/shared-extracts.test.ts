import type { Client } from '@belvedere/api';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runTeam, type Member, type RunningTeam } from '../../team/running-team.ts';
import { loadPostgres, type LoadedEngine } from '../loaded-engines.ts';

/** Access to the copies of a database's tables, which are stored among the tables of files. */

const pay = {
  name: 'pay',
  columns: [{ name: 'name', type: 'text' as const }],
  rows: [['C']],
};
const model = (table: string) => `version: 1\n${table}\ndimensions: { name: {} }\n`;

let loaded: LoadedEngine;
let team: RunningTeam;
let maker: Member;
let explorer: Member;

beforeAll(async () => {
  loaded = await loadPostgres([pay]);
  await loaded.keeper(
    "create role reader login password 'secret'; grant select on all tables in schema public to reader",
  );
  team = await runTeam({ 'belvedere.yaml': 'version: 1\n', 'data/first.csv': 'name\nA\n' });
  const { port, database } = loaded.server!;
  await team.owner.client.saveSource({
    params: { name: 'erp' },
    body: {
      kind: 'postgres',
      label: 'ERP',
      host: '127.0.0.1',
      port,
      database,
      user: 'reader',
      password: 'secret',
    },
  });
  await team.owner.client.saveModelText({
    params: { name: 'pays' },
    body: { text: model('source: erp\nextract: { every: 1 hour }\ntable: pay') },
  });
  maker = await team.join('Max', 'maker');
  explorer = await team.join('Eva', 'explorer');
  for (const { id } of [maker, explorer]) await share('files', id);
});
afterAll(async () => {
  await team?.close();
  await loaded?.close();
});

const share = (source: string, id: string) =>
  team.owner.client.putGrant({
    params: { kind: 'source', object: source },
    body: { subject: { kind: 'user', id }, level: 'explore' },
  });
const models = async (client: Client) => (await client.listModels({})).models.map(({ name }) => name);

test('the files do not include what was copied from a database that is not shared', async () => {
  const { client } = maker;
  await expect.poll(() => models(team.owner.client)).toContain('pays');
  for (const one of [client, explorer.client]) expect(await models(one)).toEqual(['first']);
  expect((await client.listTables({})).tables.map(({ name }) => name)).toEqual(['first']);
  const { tables } = await client.getSchema({ params: { name: 'files' } });
  expect(tables.map(({ name }) => name)).toEqual(['first']);
  const sql = 'select * from ERP_pay';
  const save = (text: string) =>
    client.saveModelText({ params: { name: 'copied' }, body: { text: model(text) } });
  for (const refused of await Promise.allSettled([
    client.runSql({ params: { name: 'files' }, body: { sql, limit: 5 } }),
    client.exportSql({ params: { name: 'files' }, body: { sql, format: 'csv' } }),
    client.getTable({ params: { table: 'erp_pay' } }),
    client.getTableRows({ params: { table: 'erp_pay' }, query: {} }),
    save('table: erp_pay'),
    save(`sql: ${sql}`),
    save('table: first\njoins: { pay: { table: erp_pay, on: { name: name } } }'),
  ]))
    expect(refused).toMatchObject({ status: 'rejected', reason: { problem: { status: 404 } } });
});

test('users of a database may use its copies', async () => {
  const { client } = maker;
  await share('erp', maker.id);
  expect(await models(client)).toContain('pays');
  const { rows } = await client.runSql({
    params: { name: 'files' },
    body: { sql: 'select * from erp_pay', limit: 5 },
  });
  expect(rows).toEqual([['C']]);
});
