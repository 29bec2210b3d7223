import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { Directory } from '../../../apps/server/src/access/directory.ts';
import { openAccounts } from '../../../apps/server/src/auth/accounts/open-accounts.ts';
import { Embedding } from '../../../apps/server/src/auth/guests/embedding.ts';
import { DocumentIds } from '../../../apps/server/src/state/documents/document-ids.ts';
import { Grants } from '../../../apps/server/src/state/sharing/grants.ts';
import type { StateDatabase } from '../../../apps/server/src/state/database/state-database.ts';
import type { Workspace } from '../../../apps/server/src/workspace/workspace.ts';
import { signed, type SigningKey } from '../../team/links/embed-tokens.ts';
import { stateDatabases, stateKinds } from './state-databases.ts';

/* The keys for embedding, on both state databases, with a clock that the test sets. */

const emptyState = stateDatabases();

const day = 86_400_000;
const sales = { id: 'sales', file: 'dashboards/sales.yaml' };
const origin = 'https://app.example.com';

const document = { version: 1, title: 'Sales', pages: [{ title: 'One', tiles: {} }] };

describe.each(stateKinds)('keys for embedding on %s', kind => {
  let database: StateDatabase;
  let embedding: Embedding;
  let owner: string;
  let now: number;
  let start: () => Promise<Embedding>;
  let refresh: () => Promise<void>;
  beforeEach(async () => {
    now = Date.UTC(2026, 10, 29);
    const folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-embed-'));
    database = await emptyState(kind, folder);
    const clock = { wall: () => now, elapsed: () => 5_000_000, isTrusted: () => true };
    const limits = { sessionIdleMs: 7 * day, sessionLifeMs: 30 * day };
    const accounts = await openAccounts(database, { limits, clock, folder, port: () => 4600 });
    owner = await accounts.users.addService({ name: 'maker', role: 'admin' }, []);
    await accounts.people.load();
    const ids = new DocumentIds(database);
    const directory = new Directory(accounts, new Grants(database, ids));
    refresh = () => directory.refresh();
    await refresh();
    const workspace = {
      dashboards: new Map([['sales', { id: 'sales', origin: 'saved', revision: 'r', document }]]),
      models: new Map(),
      sources: new Map(),
      unappliedPolicies: [],
      declaredGrants: [],
    } as unknown as Workspace;
    start = () =>
      Embedding.open({
        state: database,
        ids,
        settings: accounts.settings,
        secrets: ['x'.repeat(43)],
        directory,
        clock,
        workspace: () => workspace,
      });
    embedding = await start();
    await embedding.switch(true);
    return async () => {
      await database.close();
      await rm(folder, { recursive: true });
    };
  });

  const create = (name: string, dashboards?: readonly { readonly id: string; readonly file: string }[]) =>
    embedding.create({ name, origins: [origin], dashboards }, owner);
  const token = (key: SigningKey, seconds = 300) =>
    signed(key, {
      aud: 'belvedere-embed',
      iat: now / 1000,
      exp: now / 1000 + seconds,
      dashboard: 'sales',
    });
  const open = (text: string) =>
    embedding.openEmbed({ token: text, origin, dashboard: 'sales' }).then(
      access => access.token,
      (error: { readonly type: string }) => error.type,
    );
  const isGuest = (access: string) => embedding.find(`Guest ${access}`)?.guest?.dashboard === 'sales';

  test('are stored sealed, survive a restart, and end their tokens to the moment', async () => {
    const key = await create('Shop', [sales]);
    const stored = JSON.stringify(await database.db.selectFrom('embed_key').selectAll().execute());
    expect(stored.includes(key.secret)).toBe(false);
    const access = await open(token(key, 600));
    embedding = await start();
    expect(isGuest(access)).toBe(true);
    expect(embedding.list()).toMatchObject([
      { id: key.key.id, dashboards: [{ id: 'sales' }], state: 'active' },
    ]);
    expect(Date.parse(embedding.list()[0]!.usedAt!)).toBe(now);
    const late = token(key, 600);
    now += 600_000 - 1;
    expect([isGuest(access), isGuest(await open(late))]).toEqual([true, true]);
    now += 1;
    expect([isGuest(access), await open(late)]).toEqual([false, 'embed-refused']);
    expect(await open(token(key, 601))).toBe('embed-refused');
  });

  test('of one name are two at most, however many are made at once', async () => {
    const { key } = await create('Shop');
    const rotations = await Promise.allSettled(
      Array.from({ length: 5 }, () => embedding.rotate(key.id, () => undefined, owner)),
    );
    expect(rotations.filter(({ status }) => status === 'fulfilled').length).toBe(1);
    expect(embedding.list().map(({ name }) => name)).toEqual(['Shop', 'Shop']);
    const again = await Promise.allSettled([create('Other'), create('Other')]);
    expect(again.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });

  test('stay revoked, whatever is read again meanwhile', async () => {
    for (let round = 0; round < 10; round++) {
      const { key } = await create(`Shop ${round}`, [sales]);
      const reading = refresh();
      await embedding.revoke(key.id);
      await reading;
    }
    embedding = await start();
    expect(embedding.list()).toEqual([]);
    expect(await database.db.selectFrom('embed_key_dashboard').selectAll().execute()).toEqual([]);
  });
});
