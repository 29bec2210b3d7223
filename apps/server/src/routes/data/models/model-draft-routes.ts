import type { Model } from '@belvedere/model';
import { ProblemError } from '../../../http/problems.ts';
import { previewModel } from '../../../queries/models/preview-model.ts';
import { queryContextOf } from '../../../queries/query-context.ts';
import type { QueryService } from '../../../queries/query-service.ts';
import type { AssembledModel } from '../../../workspace/assemble-model.ts';
import { plainProblem } from '../../../workspace/documents/document-repository.ts';
import type { ModelStore } from '../../../workspace/documents/model-store.ts';
import type { WorkspaceStore } from '../../../workspace/workspace-store.ts';
import type { Handlers } from '../../contract/mount-contract.ts';
import { presentCheck } from './present-check.ts';
import { requireEditableModel } from './require-editable-model.ts';

/** Endpoints for texts of models that are not saved yet. */
export function modelDraftRoutes(
  store: WorkspaceStore,
  texts: ModelStore,
  queries: QueryService,
): Pick<Handlers, 'putModelDraft' | 'dropModelDraft' | 'previewModel'> {
  return {
    putModelDraft: async ({ params, body, caller }) => {
      await requireEditableModel(store, caller, params.name, body.text);
      const { version } = await texts.putDraft(params.name, body.text, body.base, body.after);
      return { version, checked: presentCheck(await texts.check(params.name, body.text)) };
    },

    dropModelDraft: async ({ params, caller }) => {
      await requireEditableModel(store, caller, params.name);
      await texts.dropDraft(params.name);
      return {};
    },

    previewModel: async ({ params, body, caller, signal }) => {
      await requireEditableModel(store, caller, params.name, body.text);
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
        { ...queryContextOf(store.current, undefined, caller, signal), allowsPart: true },
        queries,
        (...models) => texts.workspaceWith(...models),
      );
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
