import type { scheduledDocumentEndpoints } from '@belvedere/api';
import type { Caller } from '../../access/caller.ts';
import { mayChange, requireOwner } from '../../access/scheduled-documents.ts';
import type { NoteCall } from '../../auth/limits/note-calls.ts';
import { ProblemError } from '../../http/problems.ts';
import { textHash } from '../../state/documents/revisions.ts';
import type { DocumentTrash } from '../../workspace/documents/document-trash.ts';
import type { ScheduledDocumentStore } from '../../workspace/documents/scheduled-document-store.ts';
import type { WorkspaceStore } from '../../workspace/workspace-store.ts';
import type { Call, Handlers } from '../contract/mount-contract.ts';

type Own = Pick<Call, 'caller' | 'request' | 'ifMatch'>;

/** Endpoints for the texts of alerts and reports. */
export function scheduledDocumentRoutes(
  store: WorkspaceStore,
  alerts: ScheduledDocumentStore<'alert'>,
  reports: ScheduledDocumentStore<'report'>,
  trash: DocumentTrash,
  note: NoteCall,
  isTeam: boolean,
): Pick<Handlers, keyof typeof scheduledDocumentEndpoints> {
  const known = (kind: 'alert' | 'report', id: string) =>
    (kind === 'alert' ? store.current.alerts : store.current.reports).get(id);
  /** For others, it is as if it did not exist. */
  const requireChange = (caller: Caller, kind: 'alert' | 'report', id: string) => {
    const found = known(kind, id);
    if (!found || !mayChange(caller, found.document))
      throw new ProblemError(
        'not-found',
        kind === 'alert'
          ? 'Alert not found, or it is another user’s.'
          : 'Report not found, or it is another user’s.',
      );
  };
  const getText = async (
    documents: ScheduledDocumentStore<'alert' | 'report'>,
    id: string,
    caller: Caller,
  ) => {
    requireChange(caller, documents.kind, id);
    return { id, ...(await documents.text(id)) };
  };
  const save = async (
    documents: ScheduledDocumentStore<'alert' | 'report'>,
    id: string,
    text: string,
    call: Own,
  ) => {
    if (call.ifMatch !== undefined) requireChange(call.caller, documents.kind, id);
    requireOwner(call.caller, await documents.read(id, text), `${documents.kind}s/${id}.yaml`, isTeam);
    await documents.save(id, text, call.ifMatch, { authorId: call.caller.userId });
    await note(call, `${documents.kind}.save`, `${documents.kind} ${id}`);
    return { hash: textHash(text) };
  };
  const remove = async (documents: ScheduledDocumentStore<'alert' | 'report'>, id: string, call: Own) => {
    requireChange(call.caller, documents.kind, id);
    const number = await trash.remove(documents.kind, id);
    await note(call, `${documents.kind}.remove`, `${documents.kind} ${id}`);
    return { number };
  };
  return {
    getAlertText: ({ params, caller }) => getText(alerts, params.id, caller),
    saveAlertText: ({ params, body, ...call }) => save(alerts, params.id, body.text, call),
    removeAlert: ({ params, ...call }) => remove(alerts, params.id, call),
    getReportText: ({ params, caller }) => getText(reports, params.id, caller),
    saveReportText: ({ params, body, ...call }) => save(reports, params.id, body.text, call),
    removeReport: ({ params, ...call }) => remove(reports, params.id, call),
  };
}
