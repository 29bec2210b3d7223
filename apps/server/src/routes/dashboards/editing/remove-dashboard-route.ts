import type { Sharing } from '../../../access/sharing.ts';
import type { NoteCall } from '../../../auth/limits/note-calls.ts';
import type { DocumentTrash } from '../../../workspace/documents/document-trash.ts';
import type { Handlers } from '../../contract/mount-contract.ts';

/** The endpoint that moves dashboards to the trash. */
export function removeDashboardRoute(
  trash: DocumentTrash,
  sharing: Sharing,
  note: NoteCall,
): Pick<Handlers, 'removeDashboard'> {
  return {
    removeDashboard: async ({ params, ...call }) => {
      const number = await trash.remove('dashboard', params.id);
      await sharing.follow();
      await note(call, 'dashboard.delete', `dashboard ${params.id}`);
      return { number };
    },
  };
}
