import {
  actionObjects,
  contract,
  includesLevel,
  isAtLeast,
  objectKinds,
  requestKind,
  roles,
  type Action,
  type actionNames,
  type ActionObject,
  type Contract,
  type Endpoint,
  type RequiredAccess,
  type Role,
} from '@belvedere/api';
import { ceilings, forGuests, furtherRules, requiredScope, whileViewingAs } from './rules.ts';

type Name = keyof Contract;

interface ActionRule {
  readonly endpoints: readonly Name[];
  /** What these endpoints check once they know what is asked for, if that is more than for each request. */
  readonly further?: RequiredAccess;
}

const sharing = { endpoints: ['getSharing', 'putGrant', 'findSubjects'] } as const;

/**
 * All endpoints, by what users do with them. What an action requires is not said here: it follows from the
 * rules of its endpoints.
 */
export const actionRules: {
  readonly [O in ActionObject]: { readonly [N in (typeof actionNames)[O][number]]: ActionRule };
} = {
  dashboard: {
    view: {
      endpoints: [
        'getDashboard',
        'listDashboards',
        'findTiles',
        'findMovedDashboard',
        'getThumbnail',
        'queryTiles',
        'getBrushIndex',
        'getTileRows',
        'getFieldValues',
        'getImage',
        'getMap',
        'explainTile',
        'putFavourite',
        'putRecent',
        'putView',
        'removeView',
        'listComments',
        'markCommentsRead',
        'followComments',
        'listTileAlerts',
        'getEvents',
        'putPresence',
      ],
    },
    exportPictures: { endpoints: ['getExport', 'postExport'] },
    subscribe: { endpoints: ['subscribe', 'putSubscription'], further: furtherRules.subscribe },
    seeRows: { endpoints: ['getTileRows'], further: furtherRules.seeRows },
    exportData: {
      endpoints: ['getExport', 'postExport', 'countExportRows'],
      further: furtherRules.exportData,
    },
    comment: {
      endpoints: ['addComment', 'updateComment', 'removeComment', 'findMentionable'],
    },
    resolveComments: { endpoints: ['resolveComment'] },
    edit: {
      endpoints: [
        'getDashboardText',
        'saveDashboardText',
        'saveDashboard',
        'patchDashboard',
        'putDraft',
        'dropDraft',
        'listRevisions',
        'getRevision',
        'moveDashboard',
        'addEventNote',
        'updateEventNote',
        'removeEventNote',
      ],
    },
    create: { endpoints: ['validate', 'listProblems'] },
    manage: {
      endpoints: [
        'removeDashboard',
        'verifyDashboard',
        'unverifyDashboard',
        'setDashboardOwner',
        'listTrash',
        'restoreDocument',
      ],
    },
    link: { endpoints: ['listLinks', 'createLink', 'previewLink', 'setLinkLife', 'revokeLink'] },
    share: { ...sharing, further: furtherRules.share('dashboard') },
  },
  folder: {
    fill: { endpoints: ['moveDashboard', 'moveFolder'], further: furtherRules.fillFolder },
    move: { endpoints: ['moveFolder'], further: furtherRules.moveFolder },
    share: { ...sharing, further: furtherRules.share('folder') },
  },
  model: {
    explore: { endpoints: ['listModels', 'getModel', 'getModelProfile', 'getModelValues', 'postQuery'] },
    edit: {
      endpoints: [
        'getModelText',
        'saveModelText',
        'findModelRenames',
        'putModelDraft',
        'dropModelDraft',
        'listModelRevisions',
        'getModelRevision',
        'previewModel',
      ],
    },
    manage: { endpoints: ['findModelUses', 'removeModel', 'listTrash', 'restoreDocument'] },
    share: { ...sharing, further: furtherRules.share('model') },
  },
  source: {
    query: {
      endpoints: [
        'listSources',
        'getSource',
        'getSchema',
        'listTables',
        'getTable',
        'getTableRows',
        'getRejectedRows',
        'getRelationships',
        'countMatches',
        'runSql',
        'exportSql',
      ],
    },
    upload: {
      endpoints: [
        'getUpload',
        'putUpload',
        'appendRows',
        'setImportOptions',
        'previewImportOptions',
        'cancelImport',
        'retryImport',
        'saveRelationship',
        'retrySource',
      ],
    },
    share: { ...sharing, further: furtherRules.share('source') },
    connect: {
      endpoints: [
        'testSource',
        'saveSource',
        'saveFileSource',
        'confirmSource',
        'pauseSource',
        'removeSource',
        'addSample',
      ],
    },
  },
  scheduled: {
    see: {
      endpoints: [
        'listAlerts',
        'getAlert',
        'snoozeAlerts',
        'putAlertSubscription',
        'checkAlerts',
        'listReports',
        'getReport',
        'previewReport',
        'sendReport',
        'runReport',
        'pauseReports',
        'getDueTimes',
      ],
    },
    leave: { endpoints: ['getReportText', 'removeReport'] },
    edit: {
      endpoints: [
        'getAlertText',
        'saveAlertText',
        'removeAlert',
        'rehearseAlert',
        'pauseAlerts',
        'saveReportText',
        'listChannels',
      ],
    },
  },
  workspace: {
    manageUsers: {
      endpoints: [
        'listUsers',
        'updateUser',
        'createPasswordReset',
        'inviteUser',
        'revokeInvitation',
        'resetTwoFactor',
        'endUserSessions',
        'listGroups',
        'saveGroup',
        'removeGroup',
        'getAccessOfUser',
        'getPermissions',
        'createServiceAccount',
        'listTokens',
        'createServiceToken',
        'revokeToken',
      ],
    },
    manageGuests: {
      endpoints: [
        'listAllLinks',
        'setAnyLinkLife',
        'revokeAnyLink',
        'listEmbedKeys',
        'createEmbedKey',
        'rotateEmbedKey',
        'revokeEmbedKey',
      ],
    },
    channels: {
      endpoints: [
        'listChannelSettings',
        'createChannel',
        'updateChannel',
        'rotateChannelSecret',
        'removeChannel',
        'testChannel',
        'listDeliveries',
        'resendDelivery',
      ],
    },
    audit: { endpoints: ['listAudit'] },
    system: {
      endpoints: [
        'getSystem',
        'cancelQuery',
        'listJobs',
        'cancelJob',
        'retryJob',
        'pauseJobs',
        'getBackups',
        'getMailServer',
        'listProviders',
      ],
    },
    settings: { endpoints: ['putTimeSettings'] },
    backups: { endpoints: ['saveBackups', 'startBackup'] },
    connections: {
      endpoints: [
        'saveMailServer',
        'removeMailServer',
        'testMailServer',
        'createProvider',
        'updateProvider',
        'removeProvider',
        'checkProvider',
      ],
    },
    switches: {
      endpoints: [
        'switchLinks',
        'switchEmbedding',
        'switchWebhooks',
        'confirmSetting',
        'switchAccessRequests',
        'switchViewerComments',
        'switchAssistants',
        'requireTwoFactor',
      ],
    },
  },
  account: {
    own: {
      endpoints: [
        'getSession',
        'getMe',
        'updateProfile',
        'changePassword',
        'confirmPassword',
        'getConfirmOptions',
        'confirmWithPasskey',
        'beginProviderConfirmation',
        'listSessions',
        'endSession',
        'requestEmailChange',
        'listIdentities',
        'beginIdentity',
        'removeIdentity',
        'listOwnTokens',
        'createOwnToken',
        'revokeOwnToken',
        'getConsent',
        'giveConsent',
        'getTwoFactor',
        'startTwoFactor',
        'enableTwoFactor',
        'disableTwoFactor',
        'renewBackupCodes',
        'startPasskey',
        'addPasskey',
        'renamePasskey',
        'removePasskey',
        'getInbox',
        'markInboxRead',
        'getMailChoice',
        'putMailChoice',
      ],
    },
    ask: { endpoints: ['requestAccess', 'listAccessRequests', 'answerAccessRequest'] },
    signIn: {
      endpoints: [
        'getSignIn',
        'setUp',
        'signIn',
        'signOut',
        'getInvitation',
        'acceptInvitation',
        'requestPasswordReset',
        'resetPassword',
        'confirmEmailChange',
        'beginProviderSignIn',
        'enterCode',
        'startRequiredTwoFactor',
        'enableRequiredTwoFactor',
        'getPasskeyOptions',
        'signInWithPasskey',
        'openLink',
        'openEmbed',
        'getOembed',
      ],
    },
  },
};

/**
 * Returns what an action requires: what its endpoints check further, or else what most of them require. Those
 * for any signed-in user are lists, which leave out what their caller may not see.
 */
function requiredFor({ endpoints, further }: ActionRule): RequiredAccess {
  if (further) return further;
  const all = endpoints.map((name): RequiredAccess => (contract[name] as Endpoint).access);
  return all.find(({ on }) => on !== 'self' && on !== 'anyone') ?? all[0]!;
}

/** Returns all actions with what they require, in the order of `actionNames`. */
export function listActions(): Action[] {
  return actionObjects.flatMap(object =>
    Object.entries<ActionRule>(actionRules[object]).map(([name, rule]) => {
      const required = requiredFor(rule);
      const role = lowestRole(required);
      return {
        object,
        name,
        ...('level' in required && { level: { on: required.on, least: required.level } }),
        ...(role && { role }),
        endpoints: rule.endpoints.map(endpoint => presentEndpoint(endpoint)),
      };
    }),
  );
}

/** Returns the least role that may do something, on objects that are shared with it; undefined for anyone. */
function lowestRole(required: RequiredAccess) {
  return roles.find(role => {
    if (required.on === 'anyone') return false;
    if (required.on === 'self') return true;
    if (required.on === 'workspace') return isAtLeast(role, required.role);
    return includesLevel(ceilings[role][required.on], required.level);
  });
}

function presentEndpoint(name: Name): Action['endpoints'][number] {
  const { method, path }: Endpoint = contract[name];
  const token = requiredScope(name);
  return {
    method,
    path,
    ...(token && { token }),
    whileViewingAs: whileViewingAs.has(name),
    guests: forGuests.has(name) ? (requestKind(name) === 'export' ? 'with-downloads' : 'yes') : 'no',
  };
}

/** Returns the highest level of each role on each kind of object. */
export function presentCeilings() {
  const levelsOf = (role: Role) => mapped(objectKinds, kind => ceilings[role][kind] ?? null);
  return mapped(roles, levelsOf);
}

function mapped<Key extends string, Value>(keys: readonly Key[], valueOf: (key: Key) => Value) {
  return Object.fromEntries(keys.map(key => [key, valueOf(key)])) as Record<Key, Value>;
}
