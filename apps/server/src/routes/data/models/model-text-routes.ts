import type { Caller } from '../../../access/caller.ts';
import { levelOf } from '../../../access/may.ts';
import type { Sharing } from '../../../access/sharing.ts';
import { ProblemError } from '../../../http/problems.ts';
import type { ModelStore } from '../../../workspace/documents/model-store.ts';
import type { WorkspaceStore } from '../../../workspace/workspace-store.ts';
import type { Handlers } from '../../contract/mount-contract.ts';
import { revisionsPage } from '../../dashboards/revisions-page.ts';
import { presentCheck } from './present-check.ts';
import { requireEditableModel } from './require-editable-model.ts';

/** Endpoints for the saved texts of models. */
export function modelTextRoutes(
  store: WorkspaceStore,
  texts: ModelStore,
  sharing: Sharing,
): Pick<
  Handlers,
  'getModelText' | 'saveModelText' | 'findModelRenames' | 'listModelRevisions' | 'getModelRevision'
> {
  return {
    getModelText: async ({ params, caller }) => {
      await requireEditableModel(store, caller, params.name);
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
        checked: presentCheck(await texts.check(params.name, draft?.text ?? model.text)),
      };
    },

    saveModelText: async ({ params, body, caller, ifMatch }) => {
      await requireEditableModel(store, caller, params.name, body.text);
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
        checked: presentCheck(await texts.check(params.name, body.text)),
        left: titled(left, caller, store),
      };
    },

    findModelRenames: async ({ params, body, caller }) => {
      await requireEditableModel(store, caller, params.name, body.text);
      const { renames, dashboards } = await texts.renames(params.name, body.text);
      return {
        renames: (['dimensions', 'measures'] as const).flatMap(section =>
          Object.entries(renames[section]).map(([from, to]) => ({ section, from, to })),
        ),
        dashboards: titled(dashboards, caller, store),
      };
    },

    listModelRevisions: async ({ params, query, caller }) => {
      await requireEditableModel(store, caller, params.name);
      return revisionsPage(query, page => texts.revisions(params.name, page));
    },

    getModelRevision: async ({ params, caller }) => {
      await requireEditableModel(store, caller, params.name);
      const found = await texts.revision(params.name, params.number);
      if (!found) throw new ProblemError('not-found', 'Revision not found.');
      return found;
    },
  };
}

/** Of the dashboards that a model is used in, those that a caller sees. */
function titled(
  ids: readonly string[],
  caller: Caller,
  store: WorkspaceStore,
): { readonly id: string; readonly title: string }[] {
  return ids
    .filter(id => levelOf(caller, { kind: 'dashboard', id }, store.current) !== undefined)
    .map(id => ({ id, title: store.current.dashboards.get(id)?.title ?? id }));
}
