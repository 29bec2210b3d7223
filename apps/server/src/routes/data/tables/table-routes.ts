import type { QueryService } from '../../../queries/query-service.ts';
import type { RowAppender } from '../../../workspace/sources/row-appender.ts';
import type { UploadStore } from '../../../workspace/sources/upload-store.ts';
import type { WorkspaceStore } from '../../../workspace/workspace-store.ts';
import type { Handlers } from '../../contract/mount-contract.ts';
import { tableImportRoutes } from './import-tables.ts';
import { tableReadingRoutes } from './read-tables.ts';
import { dataArrivalRoutes } from './receive-data.ts';

/** Endpoints of tables. */
export function tableRoutes(
  store: WorkspaceStore,
  queries: QueryService,
  uploads: UploadStore,
  appender: RowAppender,
  addSample: (() => Promise<void>) | undefined,
): Pick<
  Handlers,
  | 'listTables'
  | 'addSample'
  | 'getTable'
  | 'getTableRows'
  | 'appendRows'
  | 'setImportOptions'
  | 'previewImportOptions'
  | 'cancelImport'
  | 'retryImport'
  | 'getRejectedRows'
  | 'getUpload'
  | 'putUpload'
> {
  return {
    ...tableReadingRoutes(store, queries),
    ...tableImportRoutes(store),
    ...dataArrivalRoutes(store, uploads, appender, addSample),
  };
}
