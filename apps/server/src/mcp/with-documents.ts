import type { Services } from '../create-services.ts';
import { withWorkspace, type FolderUse } from '../commands/with-workspace.ts';
import { Housekeeping } from '../housekeeping.ts';
import { openStateDatabase } from '../state/state-database.ts';
import { WallClock } from '../state/wall-clock.ts';
import { guardWrites } from '../workspace/documents/create-file.ts';
import { DashboardStore } from '../workspace/documents/dashboard-store.ts';
import { DocumentRepository } from '../workspace/documents/document-repository.ts';
import type { ResolvedWorkspace } from '../workspace/resolve-workspace.ts';
import { ModelStore } from '../workspace/documents/model-store.ts';

/** A folder's services, with its documents as editable texts. */
export interface FolderDocuments extends Services {
  readonly dashboards: DashboardStore;
  readonly models: ModelStore;
}

/** Like `withWorkspace`, with the folder's documents. */
export function withDocuments<T>(
  location: ResolvedWorkspace,
  use: FolderUse,
  work: (documents: FolderDocuments) => Promise<T>,
): Promise<T> {
  return withWorkspace(location, use, async folder => {
    const state = await openStateDatabase(
      { folder: folder.store.folders.state, url: location.stateUrl },
      folder.hold.check,
    );
    const endGuard = guardWrites(location.root, folder.hold.check);
    const texts = new DocumentRepository(folder.store, state);
    const dashboards = new DashboardStore(folder.store, texts, state);
    const housekeeping = new Housekeeping(await WallClock.start(state), [
      { name: 'history and trash', run: now => dashboards.prune(now) },
    ]);
    try {
      return await work({ ...folder, dashboards, models: new ModelStore(folder.store, texts) });
    } finally {
      await housekeeping.close();
      endGuard();
      await texts.close();
      await state.close();
    }
  });
}
