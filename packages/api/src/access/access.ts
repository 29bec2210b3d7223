/*
 * What endpoints require. These values are used by pages too, so no schema stands here.
 */

/** What a user is in the workspace, least first. Each may do what those before it may. */
export const roles = ['viewer', 'explorer', 'editor', 'maker', 'admin', 'owner'] as const;
export type Role = (typeof roles)[number];

/** What a user may do with one object, least first. Each level includes those before it. */
export const levels = ['view', 'explore', 'edit', 'manage'] as const;
export type Level = (typeof levels)[number];

/** The kinds of objects that are shared with users. A folder is a folder of dashboards; `` is the whole. */
export const objectKinds = ['dashboard', 'folder', 'model', 'source'] as const;
export type ObjectKind = (typeof objectKinds)[number];

/** What a program may do with an access token, least first. Never more than the token's user may. */
export const tokenScopes = ['read', 'explore', 'write', 'admin'] as const;
export type TokenScope = (typeof tokenScopes)[number];
/** What assistants may do that users connect by signing in, least first. */
export const assistantScopes = ['read', 'explore', 'write'] as const satisfies readonly TokenScope[];
export type AssistantScope = (typeof assistantScopes)[number];
/** The longest life of an access token. */
export const maxTokenDays = 365;

/** Instead of the ID of a dashboard, which may name folders and projects, its guests use this. */
export const sharedDashboardId = 'shared';

/**
 * The permission that an endpoint requires: a level on the object that its parameters name, at least a role,
 * any signed-in user (`self`, for their own data), or nobody (`anyone`).
 */
export type RequiredAccess =
  | {
      readonly on: ObjectKind;
      readonly level: Level;
      /** The object, where no parameter names it. */
      readonly id?: string;
    }
  | { readonly on: 'workspace'; readonly role: Role }
  | { readonly on: 'self' }
  | { readonly on: 'anyone' };

/** Whether a role is at least another. */
export function isAtLeast(role: Role, required: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(required);
}

/** Whether a level includes another. */
export function includesLevel(level: Level | undefined, required: Level): boolean {
  return level !== undefined && levels.indexOf(level) >= levels.indexOf(required);
}

const allFolders = '-';
/** In an address, `-` stands for the folder that contains all dashboards. */
export const folderInAddress = (folder: string) => (folder === '' ? allFolders : folder);
export const folderOfAddress = (text: string) => (text === allFolders ? '' : text);
