import { sql, type Kysely } from 'kysely';
import { randomUUID } from 'node:crypto';
import { wordsOf, type Words } from './column-types.ts';

/**
 * Marks SQLite files whose versions are in the table `migration`. Older versions of Belvedere refuse them.
 */
export const userVersion = 7;

const oldTables = ['revision', 'draft', 'binned', 'favourite', 'recent', 'view', 'note', 'session'] as const;

/**
 * Creates the first tables, with an identity for each document. If the tables of Belvedere 0.1 are there,
 * which refer to documents by path, their records are taken over.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const words = wordsOf(db);
  const run = (statement: string) => sql.raw(statement).execute(db);
  const isOld = !words.isPostgres && (await hasTable(db, 'binned'));
  if (isOld) {
    await run('drop index revision_of_file');
    await run('drop index note_of_dashboard');
    for (const table of oldTables) await run(`alter table ${table} rename to old_${table}`);
  }
  for (const statement of tables(words)) await run(statement);
  if (isOld) {
    await takeOver(db);
    for (const table of oldTables) await run(`drop table old_${table}`);
  } else await run(`create table clock (seen ${words.whole} not null) ${words.strict}`);
  if (!words.isPostgres) await run(`pragma user_version = ${userVersion}`);
}

function tables({ text, whole, counter, strict }: Words): readonly string[] {
  const documentId = `document_id ${text} not null references document (id) on delete cascade`;
  return [
    `create table document (id ${text} primary key, kind ${text} not null, path ${text} not null, deleted_at ${text}) ${strict}`,
    'create unique index document_path on document (path) where deleted_at is null',
    `create table revision (number ${counter}, ${documentId}, at ${text} not null, origin ${text} not null, message ${text} not null, hash ${text} not null, text ${text} not null) ${strict}`,
    'create index revision_document on revision (document_id, number)',
    `create table draft (${documentId} primary key, text ${text} not null, base ${text} not null, version ${whole} not null, at ${text} not null) ${strict}`,
    `create table trash (number ${counter}, ${documentId}, dashboard ${text} not null, title ${text} not null, at ${text} not null, files ${text} not null) ${strict}`,
    'create index trash_document on trash (document_id)',
    `create table favourite (user_id ${text} not null, ${documentId}, at ${text} not null, primary key (user_id, document_id)) ${strict}`,
    'create index favourite_document on favourite (document_id)',
    `create table recent (user_id ${text} not null, ${documentId}, at ${text} not null, state ${text}, primary key (user_id, document_id)) ${strict}`,
    'create index recent_document on recent (document_id)',
    `create table view (user_id ${text} not null, ${documentId}, name ${text} not null, at ${text} not null, state ${text} not null, primary key (user_id, document_id, name)) ${strict}`,
    'create index view_document on view (document_id)',
    `create table event_note (id ${counter}, ${documentId}, start ${text} not null, below ${text}, text ${text} not null, at ${text} not null) ${strict}`,
    'create index event_note_document on event_note (document_id, start)',
    `create table local_session (hash ${text} primary key, created ${whole} not null, used ${whole} not null) ${strict}`,
  ];
}

async function hasTable(db: Kysely<unknown>, name: string): Promise<boolean> {
  const found = await sql`select 1 from sqlite_master where type = 'table' and name = ${name}`.execute(db);
  return found.rows.length > 0;
}

interface TrashedBefore {
  readonly number: number;
  readonly dashboard: string;
  readonly at: string;
  readonly files: string;
}

/**
 * Copies the records of Belvedere 0.1. They named a dashboard by its ID, its files by their paths, a model by
 * `model:NAME`, and what is in the trash by `trash:NUMBER`.
 */
async function takeOver(db: Kysely<unknown>): Promise<void> {
  await sql`create table old_key (key text primary key, document_id text not null) strict`.execute(db);
  const idOf = new Map<string, string>();
  const keys = new Set<string>();
  const named = async (key: string, kind: string, path: string, deletedAt: string | null) => {
    if (keys.has(key)) return;
    keys.add(key);
    // A path in the trash is free for another document.
    const identity = deletedAt === null ? path : `${deletedAt} ${key.split('/')[0]} ${path}`;
    const known = idOf.get(identity);
    const id = known ?? randomUUID();
    idOf.set(identity, id);
    if (known === undefined)
      await sql`insert into document (id, kind, path, deleted_at) values (${id}, ${kind}, ${path}, ${deletedAt})`.execute(
        db,
      );
    await sql`insert into old_key (key, document_id) values (${key}, ${id})`.execute(db);
  };

  const trashed = await sql<TrashedBefore>`select number, dashboard, at, files from old_binned`.execute(db);
  for (const { number, dashboard, at, files } of trashed.rows) {
    const paths = (JSON.parse(files) as readonly { readonly file: string }[]).map(({ file }) => file);
    const main = paths[0] ?? `dashboards/${dashboard}.yaml`;
    for (const path of new Set([main, ...paths]))
      await named(`trash:${number}/${path}`, kindOf(path), path, at);
    const { rows } = await sql<{
      id: string;
    }>`select document_id as id from old_key where key = ${`trash:${number}/${main}`}`.execute(db);
    await sql`insert into old_key (key, document_id) values (${`trash:${number}`}, ${rows[0]!.id})`.execute(
      db,
    );
    keys.add(`trash:${number}`);
  }
  const files = await sql<{ key: string }>`select distinct file as key from old_revision`.execute(db);
  for (const { key } of files.rows) await named(key, kindOf(key), key, null);
  const ids = await sql<{ key: string }>`
    select document as key from old_draft union select dashboard from old_favourite
    union select dashboard from old_recent union select dashboard from old_view
    union select dashboard from old_note`.execute(db);
  for (const { key } of ids.rows) {
    const path = pathOf(key, keys);
    await named(key, kindOf(path), path, null);
  }

  const run = (statement: string) => sql.raw(statement).execute(db);
  const from = (table: string, column: string) => `from old_${table} o join old_key k on k.key = o.${column}`;
  await run(
    `insert into revision (number, document_id, at, origin, message, hash, text) select o.number, k.document_id, o.at, o.origin, o.message, o.hash, o.text ${from('revision', 'file')}`,
  );
  await run(
    `insert or ignore into draft (document_id, text, base, version, at) select k.document_id, o.text, o.base, o.version, o.at ${from('draft', 'document')}`,
  );
  await run(
    `insert into trash (number, document_id, dashboard, title, at, files) select o.number, k.document_id, o.dashboard, o.title, o.at, o.files from old_binned o join old_key k on k.key = 'trash:' || o.number`,
  );
  await run(
    `insert or ignore into favourite (user_id, document_id, at) select o.owner, k.document_id, o.at ${from('favourite', 'dashboard')}`,
  );
  await run(
    `insert or ignore into recent (user_id, document_id, at, state) select o.owner, k.document_id, o.at, o.state ${from('recent', 'dashboard')}`,
  );
  await run(
    `insert or ignore into view (user_id, document_id, name, at, state) select o.owner, k.document_id, o.name, o.at, o.state ${from('view', 'dashboard')}`,
  );
  await run(
    `insert into event_note (id, document_id, start, below, text, at) select o.id, k.document_id, o.start, o.below, o.text, o.at ${from('note', 'dashboard')}`,
  );
  await run('insert into local_session (hash, created, used) select hash, created, used from old_session');
  await run('drop table old_key');
}

/** Returns the path of the file of a draft's or a dashboard's key. @param files paths with revisions */
function pathOf(key: string, files: ReadonlySet<string>): string {
  if (key.startsWith('explore:')) return key;
  const stem = key.startsWith('model:') ? `models/${key.slice('model:'.length)}` : `dashboards/${key}`;
  return files.has(`${stem}.yml`) && !files.has(`${stem}.yaml`) ? `${stem}.yml` : `${stem}.yaml`;
}

function kindOf(path: string): string {
  if (path.startsWith('explore:')) return 'exploration';
  if (path.startsWith('models/')) return 'model';
  // The ID of a dashboard has no dot, so its translation into German is `ID.de.yaml`.
  return /\.[^./]+\.ya?ml$/.test(path) ? 'translation' : 'dashboard';
}
