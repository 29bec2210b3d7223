import { calendarOf, zoneOf, type Calendar, type DashboardFile } from '@belvedere/document';
import type { Caller } from '../access/caller.ts';
import { queryableWorkspace } from '../access/granted-workspace.ts';
import { workspaceVisibleTo } from '../access/row-policies.ts';
import type { Workspace } from '../workspace/workspace.ts';

/** The caller of a query, with the workspace, clock and calendar that the query uses. */
export interface QueryContext {
  readonly caller: Caller;
  /** As visible to the caller. */
  readonly workspace: Workspace;
  readonly zone: string;
  readonly calendar: Calendar;
  /** Queries a sample of the model's table if there is one: approximate, but immediate. */
  readonly resultRows?: 'sample';
  /** For an export or a command: it may take longer (`exportTime`) and never delays page queries. */
  readonly isExport?: true;
  /** May read a table of which only a part is imported, because it tells so beside the figures. */
  readonly allowsPart?: true;
  /** How many rows of a table the file may have, if the caller's exports are limited. */
  readonly exportRows?: number;
  /** Leaves out rows from this wall-clock time on, as if the data ended there. */
  readonly asOf?: number;
  readonly signal?: AbortSignal;
  /** The dashboard and tile that query, for the list of running queries. */
  readonly dashboard?: string;
  readonly tile?: string;
}

/** Returns the query context of a caller, with a dashboard's own clock and calendar if it sets them. */
export function queryContextOf(
  workspace: Workspace,
  document: DashboardFile | undefined,
  caller: Caller,
  signal?: AbortSignal,
): QueryContext {
  return {
    caller,
    workspace: workspaceVisibleTo(queryableWorkspace(workspace), caller),
    zone: zoneOf(document?.timezone, caller.zone ?? workspace.timezone, workspace.timezone),
    calendar: calendarOf(workspace.settings, document),
    ...(signal && { signal }),
  };
}
