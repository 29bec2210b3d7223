import { levelOf } from '../../../access/may.ts';
import type { Caller } from '../../../access/caller.ts';
import type { Sharing } from '../../../access/sharing.ts';
import type { NoteCall } from '../../../auth/limits/note-calls.ts';
import { ProblemError } from '../../../http/problems.ts';
import type { DocumentTrash } from '../../../workspace/documents/document-trash.ts';
import type { Workspace } from '../../../workspace/workspace.ts';
import type { WorkspaceStore } from '../../../workspace/workspace-store.ts';
import type { Handlers } from '../../contract/mount-contract.ts';
import { requireEditableModel } from './require-editable-model.ts';

/** Endpoints that move models to the trash, and that say what uses them. */
export function removeModelRoutes(
  store: WorkspaceStore,
  trash: DocumentTrash,
  sharing: Sharing,
  note: NoteCall,
): Pick<Handlers, 'findModelUses' | 'removeModel'> {
  const requireFile = async (caller: Caller, name: string) => {
    await requireEditableModel(store, caller, name);
    if (store.documents.models.has(name)) return;
    throw new ProblemError(
      'request-invalid',
      `Model \`${name}\` is generated from its table and has no file, so that it cannot be deleted.`,
    );
  };
  return {
    findModelUses: async ({ params, caller }) => {
      await requireFile(caller, params.name);
      const dashboards = usesOf(params.name, store.current);
      return {
        dashboards: dashboards.filter(
          ({ id }) => levelOf(caller, { kind: 'dashboard', id }, store.current) !== undefined,
        ),
        others: dashboards.filter(
          ({ id }) => levelOf(caller, { kind: 'dashboard', id }, store.current) === undefined,
        ).length,
      };
    },

    removeModel: async ({ params, ...call }) => {
      await requireFile(call.caller, params.name);
      const number = await trash.remove('model', params.name);
      await sharing.follow();
      await note(call, 'model.delete', `model ${params.name}`);
      return { number };
    },
  };
}

/** Returns the saved dashboards with a tile that reads a model. */
function usesOf(
  model: string,
  { dashboards }: Pick<Workspace, 'dashboards'>,
): readonly { readonly id: string; readonly title: string }[] {
  return [...dashboards.values()].flatMap(({ id, title, origin, document }) => {
    if (origin !== 'saved' || !document) return [];
    const tiles = document.pages.flatMap(page => Object.values(page.tiles));
    const reads = document.model === model || tiles.some(tile => 'model' in tile && tile.model === model);
    return reads ? [{ id, title }] : [];
  });
}
