import type { OpenFolder } from '../open-folder.ts';
import { withFolder, type FolderUse } from '../commands/with-folder.ts';
import { Housekeeping } from '../housekeeping.ts';
import { openStateDatabase } from '../records/state-database.ts';
import { WallClock } from '../records/wall-clock.ts';
import { guardWrites } from '../workspace/create-file.ts';
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
export function withDocuments<T>(
  place: OpenPlace,
  use: FolderUse,
  work: (documents: FolderDocuments) => Promise<T>,
): Promise<T> {
  return withFolder(place, use, async folder => {
    const state = await openStateDatabase(folder.store.folders.state, folder.hold.check);
    const endGuard = guardWrites(place.root, folder.hold.check);
    const texts = new DocumentTexts(folder.store, state);
    const dashboards = new DashboardStore(folder.store, texts, state);
    const housekeeping = new Housekeeping(new WallClock(state), [now => dashboards.prune(now)]);
    try {
      return await work({ ...folder, dashboards, models: new ModelStore(folder.store, texts) });
    } finally {
      await housekeeping.close();
      endGuard();
      await texts.close();
      state.close();
    }
  });
}
