import { sql } from 'kysely';
import { mkdtemp } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openAccounts } from '../../../apps/server/src/auth/accounts/open-accounts.ts';
import { Comments } from '../../../apps/server/src/state/messages/comments.ts';
import { DocumentIds } from '../../../apps/server/src/state/documents/document-ids.ts';
import { Revisions } from '../../../apps/server/src/state/documents/revisions.ts';
import {
  openStateDatabase,
  type StateDatabase,
  type StateLocation,
} from '../../../apps/server/src/state/database/state-database.ts';
import { openStateSnapshot, restoreState } from '../../../apps/server/src/state/database/state-snapshot.ts';
import type { TestServer } from '../../servers/server-programs.ts';
import { startPostgres } from '../../servers/start-postgres.ts';

/* Snapshots of the state database, restored to either kind of database. */

let postgres: TestServer;
let schemas = 0;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.stop());

const kinds = ['SQLite', 'PostgreSQL'] as const;

async function locationOf(kind: (typeof kinds)[number]): Promise<StateLocation> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-snapshot-'));
  const { user, host, port, database } = postgres;
  const url = `postgres://${user}@${host}:${port}/${database}?schema=snapshot_${++schemas}`;
  return { folder, ...(kind === 'PostgreSQL' && { url }) };
}

async function linesOf(location: StateLocation): Promise<string[]> {
  const snapshot = (await openStateSnapshot(location))!;
  const lines: string[] = [];
  for await (const line of snapshot.lines()) lines.push(line);
  await snapshot.close();
  return lines;
}

/** Rows by table; the order of a row's columns may differ between databases. */
function rowsIn(lines: readonly string[]): Readonly<Record<string, readonly unknown[]>> {
  const tables: Record<string, unknown[]> = {};
  let current: unknown[] = [];
  for (const line of lines) {
    const value = JSON.parse(line) as { readonly table?: string };
    if (Object.keys(value).join() === 'table') current = tables[value.table!] = [];
    else current.push(value);
  }
  // The migrator has tables of its own.
  return Object.fromEntries(Object.entries(tables).filter(([name]) => !name.startsWith('migration')));
}

async function fill(state: StateDatabase, folder: string): Promise<void> {
  const clock = { wall: () => Date.UTC(2026, 0, 1), elapsed: () => 0, isTrusted: () => true };
  const limits = { sessionIdleMs: 86_400_000, sessionLifeMs: 86_400_000 };
  const accounts = await openAccounts(state, { limits, clock, folder, port: () => 4600 });
  const ana = await accounts.users.addService({ name: 'ana', role: 'editor' }, []);
  const ids = new DocumentIds(state);
  const id = await ids.of('dashboard', 'dashboards/sales.yaml');
  const revisions = new Revisions(state);
  for (let i = 0; i < 1200; i++) await revisions.add(id, `title: „${i}“\n\\ ' "\u{1F600}\n`, 'saved');
  const comments = new Comments(state);
  const first = await comments.add(id, { author: ana, body: 'First', mentions: [] });
  await comments.add(id, { author: ana, body: 'Reply', mentions: [], parent: first.id });
  await comments.update(first.id, 'First, changed', []);
}

describe.each(kinds)('a snapshot of %s', from => {
  test.each(kinds)('is restored to %s with all rows, and goes on counting', async to => {
    const [source, target] = [await locationOf(from), await locationOf(to)];
    const state = await openStateDatabase(source);
    await fill(state, source.folder);
    const snapshot = (await openStateSnapshot(source))!;
    // The snapshot does not contain later changes.
    await new DocumentIds(state).of('dashboard', 'dashboards/later.yaml');
    await restoreState(target, snapshot.migration, snapshot.lines());
    await snapshot.close();
    const restored = rowsIn(await linesOf(target));
    const original = rowsIn(await linesOf(source));
    expect(restored).toEqual({
      ...original,
      document: original['document']!.filter(
        row => (row as { readonly path: string }).path !== 'dashboards/later.yaml',
      ),
    });
    await state.close();

    const opened = await openStateDatabase(target);
    const comments = new Comments(opened);
    const id = (await new DocumentIds(opened).find('dashboards/sales.yaml'))!;
    const before = await comments.of(id);
    const added = await comments.add(id, { author: 'x', body: 'More', mentions: [] });
    expect(added.id).toBeGreaterThan(Math.max(...before.map(comment => comment.id)));
    await opened.close();
  });

  test('with NUL in a text, from before it was replaced, is restored to PostgreSQL', async () => {
    if (from === 'PostgreSQL') return;
    const [source, target] = [await locationOf(from), await locationOf('PostgreSQL')];
    const state = await openStateDatabase(source);
    const id = await new DocumentIds(state).of('dashboard', 'dashboards/sales.yaml');
    await new Comments(state).add(id, { author: 'ana', body: 'A', mentions: [] });
    await sql`update comment set body = 'A' || char(0) || 'B'`.execute(state.db);
    const snapshot = (await openStateSnapshot(source))!;
    await restoreState(target, snapshot.migration, snapshot.lines());
    await snapshot.close();
    await state.close();
    const opened = await openStateDatabase(target);
    expect(await new Comments(opened).of(id)).toMatchObject([{ body: 'A\uFFFDB' }]);
    await opened.close();
  });

  test('never replaces records', async () => {
    const source = await locationOf(from);
    await (await openStateDatabase(source)).close();
    const snapshot = (await openStateSnapshot(source))!;
    await expect(restoreState(source, snapshot.migration, snapshot.lines())).rejects.toMatchObject({
      type: 'state-unavailable',
    });
    await snapshot.close();
  });

  test('with a row that refers to none leaves nothing behind', async () => {
    const target = await locationOf(from);
    const lines = async function* () {
      yield '{"table":"favourite"}';
      yield '{"user_id":"ana","document_id":"gone","at":"2026-01-01"}';
    };
    await expect(restoreState(target, '0011-jobs', lines())).rejects.toThrow();
    const opened = await openStateDatabase(target);
    expect(await opened.db.selectFrom('favourite').selectAll().execute()).toEqual([]);
    await opened.close();
  });
});
