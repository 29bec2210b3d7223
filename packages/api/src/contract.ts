import { accessRequestEndpoints } from './endpoints/sharing/access-requests.ts';
import { accessTokenEndpoints } from './endpoints/accounts/access-tokens.ts';
import { accountEndpoints } from './endpoints/accounts/accounts.ts';
import { alertEndpoints } from './endpoints/messages/alerts.ts';
import { channelEndpoints } from './endpoints/messages/channels.ts';
import { commentEndpoints } from './endpoints/messages/comments.ts';
import { dashboardRecordEndpoints } from './endpoints/dashboards/dashboard-records.ts';
import { dashboardEndpoints } from './endpoints/dashboards/dashboards.ts';
import { embedEndpoints } from './endpoints/sharing/embed.ts';
import { eventNoteEndpoints } from './endpoints/dashboards/event-notes.ts';
import { eventEndpoints } from './endpoints/administration/events.ts';
import { exportEndpoints } from './endpoints/dashboards/exports.ts';
import { backupEndpoints } from './endpoints/administration/backups.ts';
import { jobEndpoints } from './endpoints/administration/jobs.ts';
import { linkEndpoints } from './endpoints/sharing/links.ts';
import { meEndpoints } from './endpoints/accounts/me.ts';
import { modelEndpoints } from './endpoints/data/models.ts';
import { oauthEndpoints } from './endpoints/accounts/oauth.ts';
import { oembedEndpoints } from './endpoints/sharing/oembed.ts';
import { permissionEndpoints } from './endpoints/sharing/permissions.ts';
import { relationshipEndpoints } from './endpoints/data/relationships.ts';
import { reportEndpoints } from './endpoints/messages/reports.ts';
import { scheduledDocumentEndpoints } from './endpoints/messages/scheduled-documents.ts';
import { sessionEndpoints } from './endpoints/accounts/session.ts';
import { sharingEndpoints } from './endpoints/sharing/sharing.ts';
import { signInEndpoints } from './endpoints/accounts/sign-in.ts';
import { sourceEndpoints } from './endpoints/data/sources.ts';
import { externalSettingEndpoints } from './endpoints/administration/external-settings.ts';
import { systemEndpoints } from './endpoints/administration/system.ts';
import { tableEndpoints } from './endpoints/data/tables.ts';
import { tileQueryEndpoints } from './endpoints/dashboards/tile-queries.ts';
import { twoFactorEndpoints } from './endpoints/accounts/two-factor.ts';
import { uploadEndpoints } from './endpoints/data/uploads.ts';
import { workspaceEndpoints } from './endpoints/administration/workspace.ts';
import { workspaceFileEndpoints } from './endpoints/data/workspace-files.ts';
import { mailServerEndpoints } from './endpoints/administration/mail-server.ts';
import { providerEndpoints } from './endpoints/accounts/sign-in-providers.ts';

/** All endpoints. The server mounts exactly these, and the client is generated from them. */
export const contract = {
  ...sessionEndpoints,
  ...dashboardEndpoints,
  ...tileQueryEndpoints,
  ...exportEndpoints,
  ...workspaceFileEndpoints,
  ...modelEndpoints,
  ...tableEndpoints,
  ...uploadEndpoints,
  ...sourceEndpoints,
  ...meEndpoints,
  ...eventNoteEndpoints,
  ...eventEndpoints,
  ...workspaceEndpoints,
  ...externalSettingEndpoints,
  ...systemEndpoints,
  ...backupEndpoints,
  ...mailServerEndpoints,
  ...jobEndpoints,
  ...relationshipEndpoints,
  ...scheduledDocumentEndpoints,
  ...accountEndpoints,
  ...signInEndpoints,
  ...providerEndpoints,
  ...accessTokenEndpoints,
  ...oauthEndpoints,
  ...linkEndpoints,
  ...commentEndpoints,
  ...embedEndpoints,
  ...oembedEndpoints,
  ...channelEndpoints,
  ...twoFactorEndpoints,
  ...sharingEndpoints,
  ...permissionEndpoints,
  ...dashboardRecordEndpoints,
  ...accessRequestEndpoints,
  ...alertEndpoints,
  ...reportEndpoints,
} as const;

export type Contract = typeof contract;
