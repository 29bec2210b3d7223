import { arrowMediaType, encodeArrow, type Level } from '@belvedere/api';
import { initialChart } from '@belvedere/model';
import type { Caller } from '../../../access/caller.ts';
import { limitedRows } from '../../../access/export-limit.ts';
import { queryableWorkspace } from '../../../access/granted-workspace.ts';
import { levelOf, notFound } from '../../../access/may.ts';
import { workspaceVisibleTo } from '../../../access/row-policies.ts';
import { modelSummary } from '../../../presenters/present-model.ts';
import { categoryValues } from '../../../queries/models/category-values.ts';
import { columnOf, joinedColumnOf, joinedProfilesOf } from '../../../queries/models/column-profiles.ts';
import { queryModel, rowsPageOf } from '../../../queries/models/query-model.ts';
import { modelOf } from '../../../queries/models/visible-models.ts';
import { queryContextOf } from '../../../queries/query-context.ts';
import type { QueryService } from '../../../queries/query-service.ts';
import { modelOrder } from '../../../workspace/documents/home-order.ts';
import type { WorkspaceStore } from '../../../workspace/workspace-store.ts';
import { fileTableOf } from '../../../workspace/workspace.ts';
import type { Handlers } from '../../contract/mount-contract.ts';

/** Endpoints that list models and query them. */
export function modelQueryRoutes(
  store: WorkspaceStore,
  queries: QueryService,
): Pick<Handlers, 'listModels' | 'getModel' | 'getModelProfile' | 'getModelValues' | 'postQuery'> {
  return {
    listModels: ({ caller, granted }) => ({
      models: [...workspaceVisibleTo(granted(), caller).models.values()]
        .toSorted(modelOrder(store.current))
        .map(found => modelSummary(found, levelOfModel(caller, found.model.name, store))),
    }),

    getModel: ({ params, caller, granted }) => {
      const found = workspaceVisibleTo(granted(), caller).models.get(params.name);
      if (!found) throw notFound({ kind: 'model', id: params.name });
      return modelSummary(found, levelOfModel(caller, params.name, store));
    },

    getModelProfile: ({ params, caller, granted }) => {
      const workspace = workspaceVisibleTo(queryableWorkspace(granted()), caller);
      const model = modelOf(workspace, params.name);
      const rows = fileTableOf(workspace, model)?.imported?.profile.rows;
      const profiled = (find: typeof columnOf) =>
        Object.fromEntries(
          Object.keys(model.dimensions).flatMap(name => {
            const column = find(workspace, model, name);
            return column ? [[name, { ...column, top: [...column.top] }]] : [];
          }),
        );
      const initial = initialChart(
        model,
        fileTableOf(workspace, model)?.imported?.profile,
        joinedProfilesOf(workspace, model),
      );
      return {
        ...(rows !== undefined && { rows }),
        ...(initial && { initial }),
        fields: profiled(columnOf),
        joined: profiled(joinedColumnOf),
      };
    },

    getModelValues: async ({ params, caller, granted, signal }) => ({
      fields: await categoryValues(
        params.name,
        { ...queryContextOf(granted(), undefined, caller, signal), allowsPart: true },
        queries,
      ),
    }),

    postQuery: async ({ params, body, request, reply, caller, granted, signal }) => {
      const found = await queryModel(
        params.name,
        {
          ...body,
          limit: limitedRows(caller, { kind: 'model', id: params.name }, body, store.current),
        },
        queryContextOf(granted(), undefined, caller, signal),
        queries,
      );
      if (!request.headers.accept?.includes(arrowMediaType)) return rowsPageOf(found);
      return reply
        .header('content-type', arrowMediaType)
        .serializer(payload => payload as string)
        .send(Buffer.from(encodeArrow(found.result.columns)));
    },
  };
}

function levelOfModel(caller: Caller, id: string, store: WorkspaceStore): Level {
  return levelOf(caller, { kind: 'model', id }, store.current) ?? 'explore';
}
