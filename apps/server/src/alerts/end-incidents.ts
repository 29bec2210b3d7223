import type { Directory } from '../access/directory.ts';
import type { Deliveries } from '../deliver/deliveries.ts';
import type { AlertStates } from '../state/messages/alert-states.ts';
import type { DocumentIds } from '../state/documents/document-ids.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { aboutAlert, overTitle } from './alert-message.ts';
import { targetsOf } from './alert-owner.ts';
import { localeIn } from './observe.ts';

interface Parts {
  readonly workspace: () => Workspace;
  readonly directory: Directory;
  readonly states: Pick<AlertStates, 'forgetGroups'>;
  readonly ids: Pick<DocumentIds, 'find'>;
  readonly deliveries: Pick<Deliveries, 'resolveIncidents' | 'messages'>;
}

/** Ends the incidents of alerts that have been deleted, or that no longer notify a channel. */
export async function endIncidents(ids: Iterable<string>, parts: Parts): Promise<void> {
  for (const id of ids) await endIncidentsOf(id, parts);
}

/** Returns the IDs of all alerts that have sent messages. */
export async function alertsThatSent({ deliveries }: Pick<Parts, 'deliveries'>): Promise<string[]> {
  const prefix = aboutAlert('');
  return (await deliveries.messages.alertSubjects()).map(about => about.slice(prefix.length));
}

async function endIncidentsOf(id: string, { workspace, directory, states, ids, deliveries }: Parts) {
  const { alerts } = workspace();
  const found = alerts.get(id);
  // A text with errors may be about to be corrected.
  if (found && (!found.document || found.problems.length > 0)) return;
  const targets = found ? targetsOf(found.document!, directory) : [];
  const keeps = (channel: string) => targets.some(one => one.kind === 'channel' && one.channel === channel);
  const title = overTitle(found?.document?.title ?? id, localeIn(found?.document, workspace()));
  const wasOpen = await deliveries.resolveIncidents(aboutAlert(id), title, keeps);
  if (found || !wasOpen) return;
  // So that an alert whose file comes back fires again.
  const documentId = await ids.find(`alerts/${id}.yaml`);
  if (documentId !== undefined) await states.forgetGroups(documentId);
}
