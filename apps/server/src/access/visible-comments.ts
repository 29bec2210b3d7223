import type { Comment, DashboardState } from '@belvedere/api';
import { namesIn, type DashboardFile } from '@belvedere/document';
import { exposedFields, type Box } from '@belvedere/query';
import type { CommentRecord } from '../state/messages/comments.ts';
import type { Workspace, WorkspaceDashboard } from '../workspace/workspace.ts';
import type { Caller } from './caller.ts';
import { dashboardVisibleTo, exposedTo, isExposed } from './exposed-fields.ts';
import { protectedModelOf } from './protected-tables.ts';
import { workspaceVisibleTo } from './row-policies.ts';

/**
 * Returns a function that gives the anchor and the state of a comment as far as a caller may see them: wholly,
 * or not at all. They name fields, and values of the rows that their author sees.
 *
 * - With rows that policies protect, they are for their author, and for callers who see all rows.
 * - Otherwise they are for callers who may name all of their fields on this dashboard.
 */
export function anchorsVisibleTo(
  caller: Caller,
  dashboard: WorkspaceDashboard,
  workspace: Workspace,
): (comment: CommentRecord) => Pick<Comment, 'anchor' | 'state' | 'isWithheld'> {
  const maySee = accessTo(caller, dashboard, workspace);
  return comment => {
    const { anchor, state, author } = comment;
    if (!anchor && !state) return { isWithheld: false };
    if (author !== caller.userId && !maySee(comment)) return { isWithheld: true };
    return { ...(anchor && { anchor }), ...(state && { state }), isWithheld: false };
  };
}

/**
 * Returns the first field of a new comment's anchor that its tile does not show to the author; undefined if it
 * shows all. A tile shows the fields of its definition, those that drilling reaches, and the one that the author
 * has broken it down by.
 */
export function fieldNotShown(
  caller: Caller,
  dashboard: WorkspaceDashboard,
  workspace: Workspace,
  { tile: id, anchor, state }: Pick<CommentRecord, 'anchor' | 'state'> & { readonly tile: string },
): string | undefined {
  const read = workspaceVisibleTo(workspace, caller);
  const { document } = dashboardVisibleTo(caller, dashboard, read);
  const page = document?.pages.find(({ tiles }) => Object.hasOwn(tiles, id));
  const tile = page?.tiles[id];
  const name = tile?.model ?? document?.model;
  const model = name === undefined ? undefined : read.models.get(name)?.model;
  const shown = new Set<string>();
  if (page && tile && model) {
    const only = { ...document!, filters: [], pages: [{ ...page, tiles: { [id]: tile } }] };
    for (const field of exposedFields(only, model)) shown.add(field);
    const color = state?.tiles?.[id]?.color;
    if (color !== undefined && Object.hasOwn(model.dimensions, color)) {
      if (isExposed(exposedTo(caller, document!, read), color)) shown.add(color);
    }
  }
  return fieldsIn(anchor ?? []).find(field => !shown.has(field));
}

function accessTo(
  caller: Caller,
  dashboard: WorkspaceDashboard,
  workspace: Workspace,
): (comment: CommentRecord) => boolean {
  if (caller.rows === 'all' && caller.grants === 'all') return () => true;
  const { document } = dashboard;
  const read = workspaceVisibleTo(workspace, caller);
  const seen = dashboardVisibleTo(caller, dashboard, read).document;
  // Without its document, the fields that a dashboard shows are unknown.
  if (!document || !seen) return () => false;
  if (caller.rows !== 'all' && protectedModelOf(document, workspace) !== undefined) return () => false;
  const exposed = exposedTo(caller, seen, read);
  if (exposed === undefined) return () => true;
  const named = new Set(namesIn(seen));
  return ({ anchor = [], state }) =>
    [...fieldsIn(anchor), ...(state ? fieldsOfState(state) : [])].every(field => isExposed(exposed, field)) &&
    (state ? namesOfState(state, seen) : []).every(name => named.has(name) || isExposed(exposed, name));
}

const fieldsIn = (boxes: readonly Box[]) => boxes.flatMap(box => Object.keys(box));

/** The fields of a state whose values it names. */
function fieldsOfState({ filters, selections, tiles = {} }: DashboardState): string[] {
  return [
    ...Object.keys(filters),
    ...Object.values(selections).flatMap(fieldsIn),
    ...Object.values(tiles).flatMap(({ drill = [] }) => fieldsIn(drill)),
  ];
}

/** Fields and measures that a state only names; of parameters, those that are not among their options. */
function namesOfState({ tiles = {}, parameters = {} }: DashboardState, seen: DashboardFile): string[] {
  const isOption = (name: string, value: string | number) => {
    const all = seen.parameters ?? {};
    const parameter = Object.hasOwn(all, name) ? all[name] : undefined;
    return (
      parameter !== undefined &&
      (parameter.kind === 'number' || (parameter.options as readonly unknown[]).includes(value))
    );
  };
  return [
    ...Object.values(tiles).flatMap(({ color, sort, without = [] }) => [
      ...(color === undefined ? [] : [color]),
      ...(sort ? [sort.by] : []),
      ...without,
    ]),
    ...Object.entries(parameters).flatMap(([name, value]) => (isOption(name, value) ? [] : [String(value)])),
  ];
}
