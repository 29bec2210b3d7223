import type { Sharing } from '../../../access/sharing.ts';
import type { QueryService } from '../../../queries/query-service.ts';
import type { ModelStore } from '../../../workspace/documents/model-store.ts';
import type { WorkspaceStore } from '../../../workspace/workspace-store.ts';
import type { Handlers } from '../../contract/mount-contract.ts';
import { modelDraftRoutes } from './model-draft-routes.ts';
import { modelQueryRoutes } from './model-query-routes.ts';
import { modelTextRoutes } from './model-text-routes.ts';

type ModelHandlers = Pick<
  Handlers,
  | 'listModels'
  | 'getModel'
  | 'getModelProfile'
  | 'getModelValues'
  | 'postQuery'
  | 'getModelText'
  | 'saveModelText'
  | 'findModelRenames'
  | 'putModelDraft'
  | 'dropModelDraft'
  | 'listModelRevisions'
  | 'getModelRevision'
  | 'previewModel'
>;

/** Endpoints of models. */
export function modelRoutes(
  store: WorkspaceStore,
  texts: ModelStore,
  queries: QueryService,
  sharing: Sharing,
): ModelHandlers {
  return {
    ...modelTextRoutes(store, texts, sharing),
    ...modelDraftRoutes(store, texts, queries),
    ...modelQueryRoutes(store, queries),
  };
}
