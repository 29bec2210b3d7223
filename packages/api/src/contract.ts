import { accessRequestEndpoints } from './endpoints/access-requests.ts';
import { accessTokenEndpoints } from './endpoints/access-tokens.ts';
import { accountEndpoints } from './endpoints/accounts.ts';
import { alertEndpoints } from './endpoints/alerts.ts';
import { channelEndpoints } from './endpoints/channels.ts';
import { commentEndpoints } from './endpoints/comments.ts';
import { dashboardRecordEndpoints } from './endpoints/dashboard-records.ts';
import { dashboardEndpoints } from './endpoints/dashboards.ts';
import { embedEndpoints } from './endpoints/embed.ts';
import { eventNoteEndpoints } from './endpoints/event-notes.ts';
import { eventEndpoints } from './endpoints/events.ts';
import { exportEndpoints } from './endpoints/exports.ts';
import { backupEndpoints } from './endpoints/backups.ts';
import { jobEndpoints } from './endpoints/jobs.ts';
import { linkEndpoints } from './endpoints/links.ts';
import { mailServerEndpoints } from './endpoints/mail-server.ts';
import { meEndpoints } from './endpoints/me.ts';
import { modelEndpoints } from './endpoints/models.ts';
import { oauthEndpoints } from './endpoints/oauth.ts';
import { oembedEndpoints } from './endpoints/oembed.ts';
import { permissionEndpoints } from './endpoints/permissions.ts';
import { relationshipEndpoints } from './endpoints/relationships.ts';
import { reportEndpoints } from './endpoints/reports.ts';
import { scheduledDocumentEndpoints } from './endpoints/scheduled-documents.ts';
import { sessionEndpoints } from './endpoints/session.ts';
import { sharingEndpoints } from './endpoints/sharing.ts';
import { providerEndpoints } from './endpoints/sign-in-providers.ts';
import { signInEndpoints } from './endpoints/sign-in.ts';
import { sourceEndpoints } from './endpoints/sources.ts';
import { externalSettingEndpoints } from './endpoints/external-settings.ts';
import { systemEndpoints } from './endpoints/system.ts';
import { tableEndpoints } from './endpoints/tables.ts';
import { tileQueryEndpoints } from './endpoints/tile-queries.ts';
import { twoFactorEndpoints } from './endpoints/two-factor.ts';
import { uploadEndpoints } from './endpoints/uploads.ts';
import { workspaceEndpoints } from './endpoints/workspace.ts';
import { workspaceFileEndpoints } from './endpoints/workspace-files.ts';

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
