export * from './access.ts';
export { AccessRequest, accessRequestEndpoints } from './endpoints/access-requests.ts';
export { AccessToken, accessTokenEndpoints } from './endpoints/access-tokens.ts';
export {
  accountEndpoints,
  AuditEntry,
  Invitation,
  SignedInSession,
  UserAccount,
  UserGroup,
} from './endpoints/accounts.ts';
export {
  alertEndpoints,
  type AlertDetail,
  type AlertStateName,
  type AlertSummary,
  type PastValues,
  type TileAlert,
} from './endpoints/alerts.ts';
export * from './append-rows.ts';
export * from './arrow.ts';
export * from './prefetch.ts';
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
} from './endpoints/channels.ts';
export * from './channel-names.ts';
export * from './client.ts';
export { Comment, commentEndpoints, InboxItem, type CommentsNotified } from './endpoints/comments.ts';
export * from './comment-limits.ts';
export * from './filters-key.ts';
export * from './contract.ts';
export { dashboardRecordEndpoints, DashboardRecord } from './endpoints/dashboard-records.ts';
export { DashboardSummary, OpenDashboard, type DashboardList } from './endpoints/dashboards.ts';
export { Revision } from './endpoints/document-text.ts';
export { EventNote, NewEventNote } from './endpoints/event-notes.ts';
export { PresentWindow, type ServerEvent } from './endpoints/events.ts';
export { CountedTable, ExportFormat, ExportRows, exportWidth } from './endpoints/exports.ts';
export { Me, SavedView } from './endpoints/me.ts';
export { Session } from './endpoints/session.ts';
export { Explanation } from './endpoints/tile-queries.ts';
export * from './dashboard-url.ts';
export * from './densify.ts';
export { DocumentError } from './document-error.ts';
export { embedEndpoints, EmbedKey } from './endpoints/embed.ts';
export { embedAddress } from './embed-address.ts';
export { oauthEndpoints, type AuthorizationRequest } from './endpoints/oauth.ts';
export { oembedEndpoints } from './endpoints/oembed.ts';
export { endpoint, type Endpoint } from './endpoint.ts';
export * from './frames.ts';
export { joinSentences } from './join-sentences.ts';
export { emptyReasonOf, type EmptyReason } from './empty-reason.ts';
export { Backups, type ChangedBackups, backupEndpoints } from './endpoints/backups.ts';
export { ChangedMailServer, MailServerStatus, mailServerEndpoints } from './endpoints/mail-server.ts';
export { Job, jobEndpoints } from './endpoints/jobs.ts';
export { GuestView, linkEndpoints, PublicLink } from './endpoints/links.ts';
export { CheckedModel, Field, ModelPreview, ModelSummary } from './endpoints/models.ts';
export {
  interfaceLanguages,
  bootstrapDataId,
  preferredLanguage,
  type InterfaceLanguage,
  type BootstrapData,
} from './bootstrap-data.ts';
export type { OfflineComparison } from './offline-comparison.ts';
export { ApiError, isUnreached, storageReasons, type Problem, type StorageReason } from './problem.ts';
export { problemTypes, type ProblemType } from './problem-types.ts';
export { germanProblems } from './problems-de.ts';
export { chineseProblems } from './problems-zh.ts';
export {
  keptDetail,
  signInAdvice,
  problemSentence,
  problemMessage,
  type ProblemWords,
  type ProblemMessage,
} from './problem-message.ts';
export { accessAddress, describeAccess, describeExternalSetting } from './describe-access.ts';
export { ExternalSetting, externalSettingEndpoints } from './endpoints/external-settings.ts';
export { streamChunks } from './stream-chunks.ts';
export { scheduledDocumentEndpoints } from './endpoints/scheduled-documents.ts';
export { SourceAccess } from './endpoints/source-access.ts';
export { NewConnection, NewFileConnection, SourceDetail, SourceSummary } from './endpoints/sources.ts';
export { isRead, requestKind, type RequestKind } from './request-kind.ts';
export { AccessOfUser, Grant, Subject } from './endpoints/sharing.ts';
export * from './actions.ts';
export type { Action } from './endpoints/permissions.ts';
export {
  MatchCount,
  RelatedTable,
  relationshipEndpoints,
  TableRelationship,
} from './endpoints/relationships.ts';
export { SignInIdentity, signInEndpoints } from './endpoints/sign-in.ts';
export { ChangedProvider, ProviderSettings, providerEndpoints } from './endpoints/sign-in-providers.ts';
export { ProviderName, SignInOptions } from './endpoints/sign-in-options.ts';
export type { ChangedTimeSettings, ListedQuery, SystemReport, TimeSettings } from './endpoints/system.ts';
export * from './report-reasons.ts';
export {
  NewSubscription,
  ReportDetail,
  ReportPreview,
  ReportRun,
  ReportSummary,
  reportEndpoints,
} from './endpoints/reports.ts';
export * from './state.ts';
export {
  Sparklines,
  Reading,
  RowsPage,
  TableDetail,
  TableSummary,
  type ImportQuestion,
  type Misfit,
} from './endpoints/tables.ts';
export * from './upload-file.ts';
export { maxExportRows } from './export-limits.ts';
export { passkeyTransports } from './passkey-transports.ts';
export {
  twoFactorEndpoints,
  type NewPasskeyResponse,
  type Passkey,
  type PasskeyResponse,
  type SignInAnswer,
} from './endpoints/two-factor.ts';
