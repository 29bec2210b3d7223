import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DocumentIds } from '../documents/document-ids.ts';
import { Drafts } from '../documents/drafts.ts';
import { EventNotes } from '../documents/event-notes.ts';
import { stepsBeforeKysely } from './sqlite-before-kysely.ts';
import { Revisions } from '../documents/revisions.ts';
import type { StateDatabase } from '../database/state-database.ts';
import { Trash } from '../documents/trash.ts';
import { UserPreferences } from '../accounts/user-preferences.ts';

const at = '2026-01-02T03:04:05.000Z';
const state = JSON.stringify({ page: 0, filters: {}, selections: {} });
const trashedFiles = JSON.stringify([
  { file: 'dashboards/old.yaml', text: 'old text' },
  { file: 'dashboards/old.de.yaml', text: 'alter Text' },
]);

/** What each version could record, as statements. */
const records: readonly (readonly string[])[] = [
  [
    `insert into revision values (7, 'dashboards/sales.yaml', '${at}', 'saved', 'first', 'h1', 'text 1'), (9, 'dashboards/sales.yaml', '${at}', 'disk', '', 'h2', 'text 2'), (11, 'models/orders.yaml', '${at}', 'saved', '', 'h3', 'model text')`,
    `insert into revision values (12, 'trash:3/dashboards/old.yaml', '${at}', 'saved', 'of old', 'h4', 'old text')`,
    `insert into binned values (3, 'old', 'Old one', '${at}', '${trashedFiles}')`,
    `insert into draft values ('sales', 'draft text', 'text 2', 4, '${at}')`,
  ],
  [
    `insert into draft values ('model:orders', 'model draft', 'model text', 1, '${at}'), ('explore:orders:w1', 'exploration', '', 2, '${at}'), ('trash:3', 'draft of old', '', 1, '${at}')`,
  ],
  [
    `insert into favourite values ('owner', 'sales', '${at}'), ('owner', 'overview/orders', '${at}'), ('owner', 'trash:3', '${at}')`,
    `insert into recent values ('owner', 'sales', '${at}', null)`,
    `insert into view values ('owner', 'sales', 'Mine', '${at}', '${state}')`,
  ],
  [`insert into note values (5, 'sales', '2026-01-01', null, 'Launch', '${at}')`],
  ["insert into session values ('hash', 1, 2)"],
  ['insert into clock values (123)'],
];

/** Writes the state database of an old version into a folder, with a record of each kind that it had. */
export function makeOld(folder: string, version: number): void {
  const sql = new DatabaseSync(path.join(folder, 'state.db'));
  stepsBeforeKysely.slice(0, version).forEach((step, i) => {
    sql.exec(step);
    for (const statement of records[i]!) sql.exec(statement);
  });
  sql.exec(`pragma user_version = ${version}`);
  sql.close();
}

/** Returns what is left of the records that `makeOld` wrote. */
export async function contentsOf(database: StateDatabase) {
  const [ids, drafts, revisions] = [new DocumentIds(database), new Drafts(database), new Revisions(database)];
  const of = async <T>(file: string, read: (id: string) => Promise<T>) => {
    const id = await ids.find(file);
    return id === undefined ? undefined : read(id);
  };
  return {
    sales: (await of('dashboards/sales.yaml', id => revisions.of(id)))?.map(({ number }) => number),
    model: await of('models/orders.yaml', id => revisions.textOf(id, 'h3')),
    old: await of('dashboards/old.yaml', id => revisions.of(id)),
    trash: (await new Trash(database).all()).map(({ number, title }) => [number, title]),
    draft: (await of('dashboards/sales.yaml', id => drafts.of(id)))?.version,
    modelDraft: (await of('models/orders.yaml', id => drafts.of(id)))?.text,
    exploration: (await of('explore:orders:w1', id => drafts.of(id)))?.text,
    favourites: (await new UserPreferences(database).of('owner', () => true)).favourites.toSorted(),
    views: (await new UserPreferences(database).of('owner', () => true)).views.map(({ name }) => name),
    notes: (await of('dashboards/sales.yaml', id => new EventNotes(database).of(id)))?.map(
      ({ text }) => text,
    ),
    sessions: (await database.db.selectFrom('local_session').select('hash').execute()).length,
    seen: (await database.db.selectFrom('clock').select('seen').executeTakeFirst())?.seen,
  };
}
