import { arrowMediaType, encodeArrow, type CheckedModel } from '@belvedere/api';
import { initialChart, type Model } from '@belvedere/model';
import type { Caller } from '../../access/caller.ts';
import { queryableWorkspace } from '../../access/granted-workspace.ts';
import { limitedRows } from '../../access/export-limit.ts';
import {
  levelOf,
  notFound,
  requireExtracts,
  requireLevel,
  requireRawAccess,
  sourceOf,
} from '../../access/may.ts';
import { workspaceVisibleTo } from '../../access/row-policies.ts';
import type { Sharing } from '../../access/sharing.ts';
import type { QueryService } from '../../queries/query-service.ts';
import { modelOf } from '../../queries/models/visible-models.ts';
import { queryModel, rowsPageOf } from '../../queries/models/query-model.ts';
import { queryContextOf } from '../../queries/query-context.ts';
import { columnOf, joinedColumnOf, joinedProfilesOf } from '../../queries/dashboard-query-context.ts';
import { categoryValues } from '../../queries/models/category-values.ts';
import { previewModel } from '../../queries/models/preview-model.ts';
import { ProblemError } from '../../http/problems.ts';
import { fileTableOf } from '../../workspace/workspace.ts';
import { modelOrder } from '../../workspace/documents/home-order.ts';
import { plainProblem } from '../../workspace/documents/document-repository.ts';
import type { ModelStore } from '../../workspace/documents/model-store.ts';
import type { AssembledModel } from '../../workspace/assemble-model.ts';
import type { WorkspaceStore } from '../../workspace/workspace-store.ts';
import { modelSummary } from '../../presenters/present-model.ts';
import { revisionsPage } from '../dashboards/revisions-page.ts';
import type { Handlers } from '../contract/mount-contract.ts';

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

export function modelRoutes(
  store: WorkspaceStore,
  texts: ModelStore,
  queries: QueryService,
  sharing: Sharing,
): ModelHandlers {
  /** Of the dashboards that a model is used in, those that a caller sees. */
  const titled = (ids: readonly string[], caller: Caller) =>
    ids
      .filter(id => levelOf(caller, { kind: 'dashboard', id }, store.current) !== undefined)
      .map(id => ({ id, title: store.current.dashboards.get(id)?.title ?? id }));
  const levelIn = (caller: Caller, id: string) =>
    levelOf(caller, { kind: 'model', id }, store.current) ?? 'explore';
  const requireSource = (caller: Caller, read: Parameters<typeof sourceOf>[0]) =>
    requireLevel(caller, { kind: 'source', id: sourceOf(read, store.current) }, 'explore', store.current);
  /**
   * A model reads any table of its source, and its text holds its row policies: makers write models of the
   * sources that they may use, and only admins those with policies.
   */
  const requireEditable = async (caller: Caller, name: string, text?: string) => {
    if (caller.grants === 'all') return;
    const { models, modelFiles, unappliedPolicies } = store.current;
    const before = models.get(name)?.model;
    // Who may create a model may not read what a deleted one left under its name.
    if (text === undefined && !before && !modelFiles.has(name)) throw notFound({ kind: 'model', id: name });
    const read =
      text === undefined ? undefined : await store.reader.read('model', text, `models/${name}.yaml`);
    const file = read?.ok ? read.value : undefined;
    if (before?.policies || file?.policies || unappliedPolicies.length > 0)
      throw new ProblemError('not-allowed', 'Only an admin may change a model with row policies.');
    if (text === undefined) return;
    if (before) requireSource(caller, before);
    if (!file) return;
    const { source = 'files', table, sql, joins = {} } = file;
    for (const read of [{ source, table }, ...Object.values(joins)])
      requireSource(caller, { source: read.source ?? source, table: read.table ?? '' });
    if (sql === undefined) return;
    // As on the SQL screen: SQL may read a protected table without its name being seen in it.
    requireRawAccess(caller, store.current);
    requireExtracts(source, sql, caller, store.current);
  };
  return {
    getModelText: async ({ params, caller }) => {
      await requireEditable(caller, params.name);
      const { draft, ...model } = await texts.text(params.name);
      const { text, base, baseHash, version, at } = draft ?? {};
      return {
        ...model,
        ...(draft && {
          draft: {
            text: text!,
            base: base!,
            ...(baseHash !== undefined && { baseHash }),
            version: version!,
            at: at!,
          },
        }),
        checked: checked(await texts.check(params.name, draft?.text ?? model.text)),
      };
    },

    saveModelText: async ({ params, body, caller, ifMatch }) => {
      await requireEditable(caller, params.name, body.text);
      const isNew = !store.current.models.has(params.name);
      if (caller.grants !== 'all' && isNew) await texts.retireDeleted(params.name);
      const renamed = body.follow ? await texts.renames(params.name, body.text) : undefined;
      const { number, hash } = await texts.save(params.name, body.text, ifMatch, {
        message: body.message ?? '',
        authorId: caller.userId,
        draft: body.draft,
      });
      if (caller.grants !== 'all' && isNew)
        await sharing.makeManager(caller.userId, { kind: 'model', id: params.name });
      const left = renamed ? await texts.follow(params.name, renamed.renames) : [];
      return {
        number,
        hash,
        checked: checked(await texts.check(params.name, body.text)),
        left: titled(left, caller),
      };
    },

    findModelRenames: async ({ params, body, caller }) => {
      await requireEditable(caller, params.name, body.text);
      const { renames, dashboards } = await texts.renames(params.name, body.text);
      return {
        renames: (['dimensions', 'measures'] as const).flatMap(section =>
          Object.entries(renames[section]).map(([from, to]) => ({ section, from, to })),
        ),
        dashboards: titled(dashboards, caller),
      };
    },

    putModelDraft: async ({ params, body, caller }) => {
      await requireEditable(caller, params.name, body.text);
      const { version } = await texts.putDraft(params.name, body.text, body.base, body.after);
      return { version, checked: checked(await texts.check(params.name, body.text)) };
    },

    dropModelDraft: async ({ params, caller }) => {
      await requireEditable(caller, params.name);
      await texts.dropDraft(params.name);
      return {};
    },

    listModelRevisions: async ({ params, query, caller }) => {
      await requireEditable(caller, params.name);
      return revisionsPage(query, page => texts.revisions(params.name, page));
    },

    getModelRevision: async ({ params, caller }) => {
      await requireEditable(caller, params.name);
      const found = await texts.revision(params.name, params.number);
      if (!found) throw new ProblemError('not-found', 'Revision not found.');
      return found;
    },

    previewModel: async ({ params, body, caller, signal }) => {
      await requireEditable(caller, params.name, body.text);
      const { model, problems, isImporting: isReading } = await texts.check(params.name, body.text);
      if (!model)
        throw isReading
          ? new ProblemError('still-reading', 'Its table is still being imported.')
          : new ProblemError('document-invalid', problems[0]?.message ?? 'This is not a model.', {
              errors: problems.map(plainProblem),
            });
      const own = problemsOf(body.part, model, problems);
      if (own.length > 0) return { kind: 'problems', problems: own.map(plainProblem) };
      return previewModel(
        model,
        body.part,
        queryContextOf(store.current, undefined, caller, signal),
        queries,
        (...models) => texts.workspaceWith(...models),
      );
    },

    listModels: ({ caller, granted }) => ({
      models: [...workspaceVisibleTo(granted(), caller).models.values()]
        .toSorted(modelOrder(store.current))
        .map(found => modelSummary(found, levelIn(caller, found.model.name))),
    }),

    getModel: ({ params, caller, granted }) => {
      const found = workspaceVisibleTo(granted(), caller).models.get(params.name);
      if (!found) throw notFound({ kind: 'model', id: params.name });
      return modelSummary(found, levelIn(caller, params.name));
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
        queryContextOf(granted(), undefined, caller, signal),
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

/** The problems of a part that a model lacks for them; a part with warnings is in the model. */
function problemsOf(
  part: Readonly<Record<string, unknown>>,
  model: Model,
  problems: AssembledModel['problems'],
): AssembledModel['problems'] {
  const paths = (['dimension', 'measure', 'join'] as const).flatMap(kind => {
    const name = String(part[kind]);
    return kind in part && !Object.hasOwn(model[`${kind}s`], name) ? [`${kind}s.${name}`] : [];
  });
  return problems.filter(({ path }) => paths.some(own => path === own || path.startsWith(`${own}.`)));
}

function checked({ model, problems, isImporting: isReading, columns }: AssembledModel): CheckedModel {
  const types = (fields: Readonly<Record<string, { readonly type: string }>> = {}) =>
    Object.fromEntries(Object.entries(fields).map(([name, { type }]) => [name, type]));
  return {
    problems: problems.map(plainProblem),
    isImporting: isReading,
    dimensions: types(model?.dimensions),
    measures: types(model?.measures),
    joins: Object.fromEntries(
      Object.entries(model?.joins ?? {}).map(([name, { isKeyed }]) => [name, { isKeyed }]),
    ),
    ...(columns && { columns: columns.map(({ name, type }) => ({ name, type })) }),
  };
}
