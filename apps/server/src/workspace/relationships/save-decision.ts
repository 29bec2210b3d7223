import { editText, writeDocument, type RelationshipFile } from '@belvedere/document';
import { relationshipKey, type RelationshipEnds } from '@belvedere/model';
import path from 'node:path';
import { ProblemError } from '../../http/problems.ts';
import { replaceFile } from '../documents/create-file.ts';
import { writeEditorSchemas } from '../documents/editor-schemas.ts';
import { readText } from '../documents/read-documents.ts';
import { extractName } from '../sources/extract-store.ts';
import type { WorkspaceStore } from '../workspace-store.ts';
import { decisionFile, endsOf } from './decisions.ts';

export type Use = 'always' | 'never' | 'automatic';

/** By workspace: one file may be written by two requests at once. */
const writing = new WeakMap<WorkspaceStore, Promise<unknown>>();

/**
 * Saves what was decided about a relationship in the file of the table that refers. Other lines and comments
 * of that file stay.
 * @returns the file, relative to the workspace
 * @throws ProblemError `request-invalid` if the file cannot be named, is invalid, or would be
 */
export function saveDecision(
  store: WorkspaceStore,
  source: string,
  ends: RelationshipEnds,
  use: Use,
): Promise<string> {
  const saved = (writing.get(store) ?? Promise.resolve()).then(() => save(store, source, ends, use));
  writing.set(
    store,
    saved.catch(() => {}),
  );
  return saved;
}

async function save(
  store: WorkspaceStore,
  source: string,
  ends: RelationshipEnds,
  use: Use,
): Promise<string> {
  const { root } = store.folders;
  const { table } = ends.from;
  // A table of a database file may have its decisions under the database's name.
  const own = store.current.decisions.find(
    one => one.database !== undefined && one.source === source && one.table === table,
  );
  const named = (called: string) =>
    own?.database === undefined ? called : extractName(own.database, called);
  const id = source === 'files' ? table : `${source}/${table}`;
  const file = own?.file ?? store.documents.tableFiles.get(id)?.file ?? decisionFile(source, table);
  if (file === undefined)
    throw new ProblemError(
      'request-invalid',
      `\`${table}\` cannot be the name of a file, so its relationships cannot be saved.`,
    );
  // As it is on disk: it may have been changed since it was last read.
  const text = (await readText(path.join(root, file)))?.text;
  const read = text === undefined ? undefined : await store.reader.read('table', text, file);
  if (read?.ok === false) throw new ProblemError('request-invalid', `\`${file}\` has errors. Fix it first.`);
  const before = read?.value.relationships ?? [];
  const isReplaced = (one: RelationshipFile) => {
    const other = endsOf(table, { ...one, table: named(one.table) });
    if (relationshipKey(other) === relationshipKey(ends)) return true;
    // Columns refer to one table: the last choice counts.
    const isSameFrom = sorted(other.from.columns) === sorted(ends.from.columns);
    return use === 'always' && one.use !== false && isSameFrom;
  };
  const on = Object.fromEntries(ends.from.columns.map((column, i) => [column, ends.to.columns[i]!]));
  const { between } = ends;
  const decision: RelationshipFile = {
    table: own?.database === undefined ? ends.to.table : ends.to.table.slice(own.database.length + 1),
    on,
    ...(between && { between: { [between.column]: [between.begin, between.end] } }),
    ...(use === 'never' && { use: false }),
  };
  const after = [...before.filter(one => !isReplaced(one)), ...(use === 'automatic' ? [] : [decision])];
  const edited =
    text === undefined
      ? writeDocument({ version: 1, relationships: after }, 'table', file)
      : editText(text, [
          after.length > 0
            ? { kind: 'set', path: ['relationships'], value: after }
            : { kind: 'remove', path: ['relationships'] },
        ]);
  const saved = await store.reader.read('table', edited, file);
  if (!saved.ok) throw new ProblemError('request-invalid', saved.problems[0]!.message);
  await replaceFile(root, file.split('/'), edited);
  await writeEditorSchemas(root);
  await store.refresh();
  return file;
}

const sorted = (columns: readonly string[]) => JSON.stringify(columns.toSorted());
