import type { OpenFolder } from '../open-folder.ts';
import { withFolder, type FolderUse } from '../commands/with-folder.ts';
import { openStateDatabase } from '../records/state-database.ts';
import { DashboardStore } from '../workspace/dashboard-store.ts';
import { DocumentTexts } from '../workspace/document-texts.ts';
import type { OpenPlace } from '../workspace/find-place.ts';
import { ModelStore } from '../workspace/model-store.ts';

/** A folder with its documents as texts to read and to change. */
export interface FolderDocuments extends OpenFolder {
  readonly dashboards: DashboardStore;
  readonly models: ModelStore;
}

/** Does some work with a folder and its documents, as `withFolder`. */
export function withDocuments<T>(place: OpenPlace, use: FolderUse, work: (documents: FolderDocuments) => Promise<T>): Promise<T> {
  return withFolder(place, use, async folder => {
    const state = await openStateDatabase(folder.store.folders.state);
    const texts = new DocumentTexts(folder.store, state);
    try {
      return await work({ ...folder, dashboards: new DashboardStore(folder.store, texts, state), models: new ModelStore(folder.store, texts) });
    } finally {
      await texts.close();
      state.close();
    }
  });
}
