import { z } from 'zod';
import { LevelName, RoleName, TokenScopeName } from '../access-names.ts';
import { objectKinds } from '../access.ts';
import { endpoint } from '../endpoint.ts';
import { routes } from '../routes.ts';

/** What users do, by the objects that they do it with, as the table of permissions lists it. */
export const actionNames = {
  dashboard: [
    'view',
    'exportPictures',
    'subscribe',
    'seeRows',
    'exportData',
    'comment',
    'edit',
    'create',
    'manage',
    'link',
    'share',
  ],
  folder: ['fill', 'move', 'share'],
  model: ['explore', 'edit', 'share'],
  source: ['query', 'upload', 'share', 'connect'],
  scheduled: ['see', 'leave', 'edit'],
  workspace: ['manageUsers', 'manageGuests', 'channels', 'audit', 'system', 'settings', 'switches'],
  account: ['own', 'ask', 'signIn'],
} as const;
export type ActionObject = keyof typeof actionNames;
export const actionObjects = Object.keys(actionNames) as readonly ActionObject[];

const Action = z.object({
  object: z.enum(actionObjects),
  /** One of `actionNames`. */
  name: z.string(),
  /** The level that it requires, and on what. Absent if the role alone decides. */
  level: z.object({ on: z.enum(objectKinds), least: LevelName }).optional(),
  /** The least role that may do it; absent if it requires no account. */
  role: RoleName.optional(),
  endpoints: z.array(
    z.object({
      method: z.string(),
      path: z.string(),
      /** The least scope of an access token; absent if only browsers may. */
      token: TokenScopeName.optional(),
      whileViewingAs: z.boolean(),
      guests: z.enum(['no', 'yes', 'with-downloads']),
    }),
  ),
});
export type Action = z.infer<typeof Action>;

/** The endpoint for the table of permissions. */
export const permissionEndpoints = {
  getPermissions: endpoint({
    ...routes.getPermissions,
    access: { on: 'workspace', role: 'admin' },
    summary: 'Get what each role may do, as the server checks it',
    answer: z.object({
      actions: z.array(Action),
      /** The highest level of each role on each kind of object; null for none. */
      ceilings: z.record(RoleName, z.record(z.enum(objectKinds), LevelName.nullable())),
    }),
  }),
} as const;
