import { watch, type FSWatcher } from 'chokidar';
import path from 'node:path';
import { documentFolders } from './documents/read-documents.ts';
import type { WorkspaceFolders } from './workspace-folders.ts';

/** What a changed file of a workspace belongs to. */
export type ChangedFile = 'import options' | 'documents' | 'data';

const ignoredNames = new Set(['.belvedere', 'node_modules', '.git']);

/** Calls `changed` for each file of the documents and of the data that is added, changed or removed. */
export function watchWorkspace(
  { root, data }: Pick<WorkspaceFolders, 'root' | 'data'>,
  changed: (file: ChangedFile) => void,
): FSWatcher {
  const documents = [
    path.join(root, 'belvedere.yaml'),
    path.join(root, 'access.yaml'),
    ...documentFolders.map(folder => path.join(root, folder)),
  ];
  // Sources decide which files are tables, too.
  const importOptions = ['tables', 'sources'].map(folder => path.join(root, folder));
  const watcher = watch([...documents, data], {
    ignoreInitial: true,
    followSymlinks: false,
    ignored: file => ignoredNames.has(path.basename(file)),
  });
  watcher.on('all', (_, file) =>
    changed(
      importOptions.some(folder => isBelow(folder, file))
        ? 'import options'
        : documents.some(document => file === document || isBelow(document, file))
          ? 'documents'
          : 'data',
    ),
  );
  watcher.on('error', () => {});
  return watcher;
}

function isBelow(folder: string, file: string): boolean {
  return file.startsWith(folder + path.sep);
}
