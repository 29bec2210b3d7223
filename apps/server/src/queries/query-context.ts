import { calendarOf, type Calendar, type DashboardFile } from '@belvedere/document';
import type { Caller } from '../auth/caller.ts';
import { workspaceVisibleTo } from '../permissions/row-policies.ts';
import type { Workspace } from '../workspace/workspace.ts';

/** Who asks, of which state of the workspace, by which clock and calendar. */
export interface QueryContext {
  readonly caller: Caller;
  /** As the caller reads it. */
  readonly workspace: Workspace;
  readonly zone: string;
  readonly calendar: Calendar;
  /** From a sample of the model's table, where there is one: near, and at once. */
  readonly resultRows?: 'sample';
  /** For a file that is taken away, or a command, not for a page: it may take longer (`exportTime`), and nobody who looks at a page waits behind it. */
  readonly isTaking?: true;
  readonly signal?: AbortSignal;
}

/** A caller who asks by a dashboard's own clock and calendar, where it has them. */
export function queryContextOf(
  workspace: Workspace,
  document: DashboardFile | undefined,
  caller: Caller,
  signal?: AbortSignal,
): QueryContext {
  return {
    caller,
    workspace: workspaceVisibleTo(workspace, caller),
    zone: document?.timezone ?? workspace.timezone,
    calendar: calendarOf(workspace.settings, document),
    ...(signal && { signal }),
  };
}
