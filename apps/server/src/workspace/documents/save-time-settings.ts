import type { ChangedTimeSettings } from '@belvedere/api';
import { writeDocument, type Edit } from '@belvedere/document';
import path from 'node:path';
import { ProblemError } from '../../http/problems.ts';
import type { WorkspaceStore } from '../workspace-store.ts';
import { createFile, replaceFile } from './create-file.ts';
import { keepDataFolder } from './keep-data-folder.ts';
import { readText } from './read-documents.ts';

const file = 'belvedere.yaml';
const turns = new WeakMap<WorkspaceStore, Promise<unknown>>();

/**
 * Changes the time zone and the calendar in `belvedere.yaml`, one caller after the other, and reads the
 * workspace again. Everything else in the file stays, including comments. A workspace without the file gets
 * one.
 * @throws ProblemError `document-invalid` if the file has errors
 */
export function saveTimeSettings(store: WorkspaceStore, changes: ChangedTimeSettings): Promise<void> {
  const saved = (turns.get(store) ?? Promise.resolve()).then(() => save(store, changes));
  turns.set(
    store,
    saved.catch(() => {}),
  );
  return saved;
}

async function save(store: WorkspaceStore, changes: ChangedTimeSettings): Promise<void> {
  const { root } = store.folders;
  await keepDataFolder(store.folders);
  const disk = (await readText(path.join(root, file)))?.text;
  if (disk === undefined) {
    await createFile(root, [file], writeDocument({ version: 1, ...changes }, 'workspace', file));
  } else {
    const read = await store.reader.read('workspace', disk, file);
    if (!read.ok)
      throw new ProblemError(
        'document-invalid',
        `\`${file}\` has errors, so it was not changed. Correct them first.`,
      );
    const before: ChangedTimeSettings = read.value;
    const edits = (['timezone', 'weekStart', 'fiscalYearStart'] as const).flatMap((key): Edit[] =>
      changes[key] === undefined || changes[key] === before[key]
        ? []
        : [{ kind: 'set', path: [key], value: changes[key] }],
    );
    const text = await store.reader.edit(disk, edits);
    if (text !== disk) await replaceFile(root, [file], text);
  }
  await store.refresh();
}
