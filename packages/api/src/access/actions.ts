/*
 * What users do. These values are used by pages too, so no schema stands here.
 */

/** What users do, by the objects that they do it with, as the table of permissions lists it. */
export const actionNames = {
  dashboard: [
    'view',
    'exportPictures',
    'subscribe',
    'seeRows',
    'exportData',
    'comment',
    'resolveComments',
    'edit',
    'create',
    'manage',
    'link',
    'share',
  ],
  folder: ['fill', 'move', 'share'],
  model: ['explore', 'edit', 'manage', 'share'],
  source: ['query', 'upload', 'share', 'connect'],
  scheduled: ['see', 'leave', 'edit'],
  workspace: [
    'manageUsers',
    'manageGuests',
    'channels',
    'audit',
    'system',
    'settings',
    'backups',
    'connections',
    'switches',
  ],
  account: ['own', 'ask', 'signIn'],
} as const;
export type ActionObject = keyof typeof actionNames;
export const actionObjects = Object.keys(actionNames) as readonly ActionObject[];
