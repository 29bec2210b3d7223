import { calendarOf, type Calendar, type DashboardFile } from '@belvedere/document';
import type { Workspace } from '../workspace/workspace.ts';

/** Who asks, of which state of the workspace, by which clock and calendar. */
export interface Asker {
  readonly owner: string;
  readonly workspace: Workspace;
  readonly zone: string;
  readonly calendar: Calendar;
  /** From a sample of the model's table, where there is one: near, and at once. */
  readonly rowsFrom?: 'sample';
  readonly signal?: AbortSignal;
}

/** The one person that local mode knows, by a dashboard's own clock and calendar where it has them. */
export function askerOf(workspace: Workspace, document: DashboardFile | undefined, signal?: AbortSignal): Asker {
  return { owner: 'owner', workspace, zone: document?.timezone ?? workspace.timezone, calendar: calendarOf(workspace.settings, document), ...(signal && { signal }) };
}
