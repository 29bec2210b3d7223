import {
  includesLevel,
  isAtLeast,
  levels,
  type Level,
  type ObjectKind,
  type RequiredAccess,
  type Role,
} from '@belvedere/api';
import { ProblemError } from '../http/problems.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { Caller } from './caller.ts';
import { namesTable } from '../workspace/tables/table-names.ts';
import { hasPolicies } from './protected-tables.ts';
import { ceilings } from './rules.ts';

/** Something that can be shared: a dashboard, model or source by its name, a folder by its path. */
export interface ObjectName {
  readonly kind: ObjectKind;
  readonly id: string;
}

export const grantKey = ({ kind, id }: ObjectName): string => `${kind}:${id}`;

const overviewPrefix = 'overview/';
const ownText = /^(?:draft:|revision:\d+:)(.+)$/s;
const exploration = /^explore:([^:]*)/;

/**
 * Returns what a caller may do with an object; undefined if it does not exist for them. An object that does
 * not exist at all has the level that a new one there would have.
 *
 * - A dashboard has its own grants and those of its folders, an overview those of its model.
 * - A draft or an earlier revision is for those who may edit the dashboard.
 * - An exploration of a model is for those who may explore the model.
 * - A model has its own grants and those of its source.
 */
export function levelOf(caller: Caller, object: ObjectName, workspace: Workspace): Level | undefined {
  const { kind, id } = object;
  if (kind === 'dashboard') {
    const [, of] = ownText.exec(id) ?? [];
    if (of !== undefined) {
      const level = levelOf(caller, { kind, id: of }, workspace);
      const isThere = caller.grants === 'all' || exploration.test(of) || workspace.dashboards.has(of);
      return isThere && includesLevel(level, 'edit') ? level : undefined;
    }
    const [, explored] = exploration.exec(id) ?? [];
    if (explored !== undefined) {
      const level = levelOf(caller, { kind: 'model', id: explored }, workspace);
      return includesLevel(level, 'explore') ? 'edit' : undefined;
    }
    if (id.startsWith(overviewPrefix) && caller.grants !== 'all') {
      const model = { kind: 'model', id: id.slice(overviewPrefix.length) } as const;
      const level = levelOf(caller, model, workspace);
      return includesLevel(level, 'explore') ? 'explore' : lowest(caller.grants.get('overviews'), 'explore');
    }
  }
  return lowest(grantedLevel(caller, object, workspace), ceilings[caller.role][kind]);
}

function grantedLevel({ grants, role }: Caller, object: ObjectName, workspace: Workspace): Level | undefined {
  if (grants === 'all') return 'manage';
  switch (object.kind) {
    case 'dashboard':
      // A new one at the top is its author's own; in a folder it would be shared with others.
      if (!object.id.includes('/') && isAtLeast(role, 'editor') && !workspace.dashboards.has(object.id))
        return 'manage';
    // falls through
    case 'folder':
      return highest(grantsOn(object, workspace).map(key => grants.get(key)));
    case 'model': {
      // A new model: what its text may read is checked when it is saved.
      if (isAtLeast(role, 'maker') && isFree(object.id, workspace)) return 'manage';
      return highest(grantsOn(object, workspace).map(key => grants.get(key)));
    }
    case 'source':
      return grants.get(grantKey(object));
  }
}

/**
 * Returns the keys of the grants that open an object: its own, and those of what contains it. A draft has those
 * of its dashboard, an exploration and an overview those of their model.
 */
export function grantsOn({ kind, id }: ObjectName, workspace: Workspace): string[] {
  const key = (of: ObjectKind, one: string) => grantKey({ kind: of, id: one });
  if (kind === 'dashboard') {
    const [, of] = ownText.exec(id) ?? [];
    if (of !== undefined) return grantsOn({ kind, id: of }, workspace);
    const [, explored] = exploration.exec(id) ?? [];
    const model = explored ?? (id.startsWith(overviewPrefix) ? id.slice(overviewPrefix.length) : undefined);
    if (model !== undefined) return grantsOn({ kind: 'model', id: model }, workspace);
  }
  if (kind === 'dashboard' || kind === 'folder')
    return [key(kind, id), ...foldersAbove(id).map(folder => key('folder', folder))];
  const model = kind === 'model' ? workspace.models.get(id)?.model : undefined;
  return [key(kind, id), ...(model ? [key('source', sourceOf(model, workspace))] : [])];
}

/** Whether an ID is that of a text that its author, not the dashboard's audience, sees. */
export function isOwnText(id: string): boolean {
  return ownText.test(id) || exploration.test(id);
}

/** The source that a model belongs to: that of a table's copy is where the table came from. */
export function sourceOf(
  { source, table }: { readonly source: string; readonly table: string },
  { extracts }: Pick<Workspace, 'extracts'>,
): string {
  return source === 'files' ? (extracts.get(table) ?? source) : source;
}

/** Whether no model has a name, or will have it once a table is imported or a source is connected. */
export function isFree(name: string, workspace: Workspace): boolean {
  const { models, modelFiles, modelsReading, modelsWaiting, tables, sources } = workspace.whole ?? workspace;
  const isTaken = [models, modelFiles, modelsReading, modelsWaiting, tables].some(all => all.has(name));
  return !isTaken && ![...sources.keys()].some(source => name.startsWith(`${source}_`));
}

/** The folders that a path is in, the one of all dashboards included. */
export function foldersAbove(path: string): string[] {
  const parts = path.split('/').slice(0, -1);
  return ['', ...parts.map((_, i) => parts.slice(0, i + 1).join('/'))];
}

function highest(all: readonly (Level | undefined)[]): Level | undefined {
  return levels.findLast(level => all.includes(level));
}

export function lowest(a: Level | undefined, b: Level | undefined): Level | undefined {
  return a && b && levels[Math.min(levels.indexOf(a), levels.indexOf(b))];
}

/** Whether a caller writes dashboards, and so may read their drafts, errors and expressions. */
export function isAuthor({ role, viewingAs }: Caller): boolean {
  return isAtLeast(role, 'editor') && viewingAs === undefined;
}

const roleNames: Readonly<Record<Role, string>> = {
  viewer: 'a viewer',
  explorer: 'an explorer',
  editor: 'an editor',
  maker: 'a maker',
  admin: 'an admin',
  owner: 'an owner',
};

/**
 * @throws ProblemError `not-allowed` if the caller's role is too low, `not-found` if the object does not exist
 * for them
 */
export function requireAccess(
  caller: Caller,
  required: RequiredAccess,
  params: Readonly<Record<string, string>>,
  workspace: Workspace,
): void {
  if (required.on === 'self' || required.on === 'anyone') return;
  if (required.on === 'workspace') {
    if (!isAtLeast(caller.role, required.role))
      throw new ProblemError('not-allowed', `Only ${roleNames[required.role]} may do this.`);
    return;
  }
  const id = required.id ?? params[required.on === 'dashboard' ? 'id' : 'name'] ?? '';
  requireLevel(caller, { kind: required.on, id }, required.level, workspace);
}

/** @throws ProblemError as `requireAccess` */
export function requireLevel(
  caller: Caller,
  object: ObjectName,
  required: Level,
  workspace: Workspace,
): void {
  const level = levelOf(caller, object, workspace);
  if (level === undefined) throw notFound(object);
  if (!includesLevel(level, required))
    throw new ProblemError('not-allowed', 'You may see this, but not change it or do more with it.');
}

/**
 * Tables, their profiles and SQL show all rows, so with row policies in the workspace they are for admins.
 * @throws ProblemError `not-allowed`
 */
export function requireRawAccess(caller: Caller, workspace: Workspace): void {
  if (!mayReadRaw(caller, workspace))
    throw new ProblemError(
      'not-allowed',
      'This workspace has row policies, so only admins may see whole tables and run SQL.',
    );
}

/** Whether a user may see all rows of the tables that are shared with them. */
export function mayReadRaw({ rows, role }: Caller, workspace: Workspace): boolean {
  return rows === 'all' && (!hasPolicies(workspace) || isAtLeast(role, 'admin'));
}

/** Returns the source that SQL is sent to, and those whose extracts it names: they are among the files' tables. */
export function sourcesRead(
  source: string,
  sql: string,
  { extracts }: Pick<Workspace, 'extracts'>,
): string[] {
  const copied = source === 'files' ? [...extracts].filter(([table]) => namesTable(sql, 'files', table)) : [];
  return [...new Set([source, ...copied.map(([, id]) => id)])];
}

/**
 * Extracts are among the files' tables, but for those who may use the source that they were copied from.
 * @throws ProblemError `not-found` for SQL on the files that names another one
 */
export function requireExtracts(source: string, sql: string, caller: Caller, workspace: Workspace): void {
  for (const id of sourcesRead(source, sql, workspace))
    if (id !== source) requireLevel(caller, { kind: 'source', id }, 'explore', workspace);
}

/** The same problem for what does not exist and for what is not shared. */
export function notFound({ kind, id }: ObjectName): ProblemError {
  const what = kind === 'dashboard' ? 'Dashboard' : `${kind[0]!.toUpperCase()}${kind.slice(1)} \`${id}\``;
  return new ProblemError('not-found', `${what} not found, or not shared with you.`);
}
