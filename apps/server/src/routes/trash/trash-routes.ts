import type { Caller } from '../../access/caller.ts';
import { levelOf } from '../../access/may.ts';
import { ceilings } from '../../access/rules.ts';
import { mayChange } from '../../access/scheduled-documents.ts';
import type { Sharing } from '../../access/sharing.ts';
import type { NoteCall } from '../../auth/limits/note-calls.ts';
import { ProblemError } from '../../http/problems.ts';
import type { TrashedDocument } from '../../state/documents/trash.ts';
import type { DocumentTrash } from '../../workspace/documents/document-trash.ts';
import type { WorkspaceStore } from '../../workspace/workspace-store.ts';
import type { Handlers } from '../contract/mount-contract.ts';
import { folderOf } from '../dashboards/editing/folder-of.ts';
import { requireEditableModel } from '../data/models/require-editable-model.ts';

/** Endpoints for the trash, whose documents each kind of document moves there itself. */
export function trashRoutes(
  store: WorkspaceStore,
  trash: DocumentTrash,
  sharing: Sharing,
  note: NoteCall,
): Pick<Handlers, 'listTrash' | 'restoreDocument'> {
  const isOwnersOrAdmins = async (caller: Caller, { number, kind, name }: TrashedDocument) => {
    const text = await trash.text(number);
    if (text === undefined || (kind !== 'alert' && kind !== 'report')) return false;
    const read = await store.reader.read(kind, text, `${kind}s/${name}.yaml`);
    return mayChange(caller, read.ok ? (read.value as { readonly owner?: string }) : undefined);
  };
  /** Those who may delete it: a dashboard also by the folder that it was in. */
  const restorableBy = async (caller: Caller) => {
    if (caller.grants === 'all') return async () => true;
    const own = await sharing.managedBy(caller.userId);
    return async (trashed: TrashedDocument) => {
      const { kind, name, documentId } = trashed;
      if (kind === 'alert' || kind === 'report') return isOwnersOrAdmins(caller, trashed);
      if (own.has(documentId) && ceilings[caller.role][kind] === 'manage') return true;
      if (kind === 'model') return false;
      return levelOf(caller, { kind: 'folder', id: folderOf(name) }, store.current) === 'manage';
    };
  };

  return {
    listTrash: async ({ caller }) => {
      const mayRestore = await restorableBy(caller);
      const documents = [];
      for (const trashed of await trash.all()) {
        const { number, kind, name, title, at } = trashed;
        if (await mayRestore(trashed)) documents.push({ number, kind, name, title, at });
      }
      return { documents, keptDays: store.current.limits.trashRetentionMs / 86_400_000 };
    },

    restoreDocument: async ({ params, ...call }) => {
      const mayRestore = await restorableBy(call.caller);
      const found = (await trash.all()).find(({ number }) => number === params.number);
      if (!found || !(await mayRestore(found)))
        throw new ProblemError('not-found', 'This is no longer in the trash.');
      if (found.kind === 'model')
        await requireEditableModel(store, call.caller, found.name, await trash.text(found.number));
      const { kind, name } = await trash.restore(params.number);
      await sharing.follow();
      await note(call, `${kind}.restore`, `${kind} ${name}`);
      return { kind, id: name };
    },
  };
}
