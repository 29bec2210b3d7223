export * from './access/access.ts';
export { AccessRequest, accessRequestEndpoints } from './endpoints/sharing/access-requests.ts';
export { AccessToken, accessTokenEndpoints } from './endpoints/accounts/access-tokens.ts';
export {
  accountEndpoints,
  AuditEntry,
  Invitation,
  SignedInSession,
  UserAccount,
  UserGroup,
} from './endpoints/accounts/accounts.ts';
export {
  alertEndpoints,
  type AlertDetail,
  type AlertStateName,
  type AlertSummary,
  type PastValues,
  type TileAlert,
} from './endpoints/messages/alerts.ts';
export * from './client/append-rows.ts';
export * from './frames/arrow.ts';
export * from './client/prefetch.ts';
export { isViewable } from './is-viewable.ts';
export {
  ChannelSettings,
  channelEndpoints,
  Delivery,
  DeliveryState,
  NewChannel,
  QuietHours,
  WebhookTemplate,
  type ChannelLimits,
  type ChannelTarget,
} from './endpoints/messages/channels.ts';
export * from './constants/channel-names.ts';
export * from './client/client.ts';
export {
  Comment,
  commentEndpoints,
  InboxItem,
  type CommentsNotified,
} from './endpoints/messages/comments.ts';
export * from './constants/comment-limits.ts';
export * from './address/filters-key.ts';
export * from './contract.ts';
export { dashboardRecordEndpoints, DashboardRecord } from './endpoints/dashboards/dashboard-records.ts';
export { DashboardSummary, OpenDashboard, type DashboardList } from './endpoints/dashboards/dashboards.ts';
export { Revision } from './endpoints/dashboards/document-text.ts';
export { EventNote, NewEventNote } from './endpoints/dashboards/event-notes.ts';
export { PresentWindow, type ServerEvent } from './endpoints/administration/events.ts';
export { CountedTable, ExportFormat, ExportRows, exportWidth } from './endpoints/dashboards/exports.ts';
export { Me, SavedView } from './endpoints/accounts/me.ts';
export { Session } from './endpoints/accounts/session.ts';
export { Explanation } from './endpoints/dashboards/tile-queries.ts';
export * from './address/dashboard-url.ts';
export * from './frames/densify.ts';
export { DocumentError } from './problems/document-error.ts';
export { embedEndpoints, EmbedKey } from './endpoints/sharing/embed.ts';
export { embedAddress } from './address/embed-address.ts';
export { oauthEndpoints, type AuthorizationRequest } from './endpoints/accounts/oauth.ts';
export { oembedEndpoints } from './endpoints/sharing/oembed.ts';
export { endpoint, type Endpoint } from './endpoint.ts';
export * from './frames/frames.ts';
export { joinSentences } from './problems/join-sentences.ts';
export { emptyReasonOf, type EmptyReason } from './frames/empty-reason.ts';
export { Backups, type ChangedBackups, backupEndpoints } from './endpoints/administration/backups.ts';
export { Job, jobEndpoints } from './endpoints/administration/jobs.ts';
export { GuestView, linkEndpoints, PublicLink } from './endpoints/sharing/links.ts';
export { CheckedModel, Field, ModelPreview, ModelSummary } from './endpoints/data/models.ts';
export {
  interfaceLanguages,
  bootstrapDataId,
  preferredLanguage,
  type InterfaceLanguage,
  type BootstrapData,
} from './client/bootstrap-data.ts';
export type { OfflineComparison } from './frames/offline-comparison.ts';
export {
  ApiError,
  isUnreached,
  storageReasons,
  type Problem,
  type StorageReason,
} from './problems/problem.ts';
export { problemTypes, type ProblemType } from './problems/problem-types.ts';
export { germanProblems } from './problems/problems-de.ts';
export { chineseProblems } from './problems/problems-zh.ts';
export {
  keptDetail,
  notAddedUpDetail,
  signInAdvice,
  problemSentence,
  problemMessage,
  type ProblemWords,
  type ProblemMessage,
} from './problems/problem-message.ts';
export { accessAddress, describeAccess, describeExternalSetting } from './access/describe-access.ts';
export { ExternalSetting, externalSettingEndpoints } from './endpoints/administration/external-settings.ts';
export { streamChunks } from './frames/stream-chunks.ts';
export { scheduledDocumentEndpoints } from './endpoints/messages/scheduled-documents.ts';
export { SourceAccess } from './endpoints/data/source-access.ts';
export { NewConnection, NewFileConnection, SourceDetail, SourceSummary } from './endpoints/data/sources.ts';
export { isRead, requestKind, type RequestKind } from './access/request-kind.ts';
export { groupViewedAs, viewedGroup } from './access/viewed-group.ts';
export { AccessOfUser, Grant, Subject } from './endpoints/sharing/sharing.ts';
export * from './access/actions.ts';
export type { Action } from './endpoints/sharing/permissions.ts';
export {
  MatchCount,
  RelatedTable,
  relationshipEndpoints,
  TableRelationship,
} from './endpoints/data/relationships.ts';
export {
  ChangedMailServer,
  MailServerStatus,
  mailServerEndpoints,
} from './endpoints/administration/mail-server.ts';
export { SignInIdentity, signInEndpoints } from './endpoints/accounts/sign-in.ts';
export {
  ChangedProvider,
  ProviderSettings,
  providerEndpoints,
} from './endpoints/accounts/sign-in-providers.ts';
export { ProviderName, SignInOptions } from './endpoints/accounts/sign-in-options.ts';
export type {
  ChangedTimeSettings,
  ListedQuery,
  SystemReport,
  TimeSettings,
} from './endpoints/administration/system.ts';
export * from './constants/report-reasons.ts';
export {
  NewSubscription,
  ReportDetail,
  ReportPreview,
  ReportRun,
  ReportSummary,
  reportEndpoints,
} from './endpoints/messages/reports.ts';
export * from './address/state.ts';
export {
  Sparklines,
  ImportOptions,
  RowsPage,
  TableDetail,
  TableSummary,
  type ImportQuestion,
  type Misfit,
} from './endpoints/data/tables.ts';
export * from './client/upload-file.ts';
export { maxExportRows } from './constants/export-limits.ts';
export { passkeyTransports } from './constants/passkey-transports.ts';
export {
  twoFactorEndpoints,
  type NewPasskeyResponse,
  type Passkey,
  type PasskeyResponse,
  type SignInAnswer,
} from './endpoints/accounts/two-factor.ts';
