export * from './access.ts';
export { AccessRequest, accessRequestEndpoints } from './access-requests.ts';
export { AccessToken, accessTokenEndpoints } from './access-tokens.ts';
export {
  accountEndpoints,
  AuditEntry,
  Invitation,
  SignedInSession,
  UserAccount,
  UserGroup,
} from './accounts.ts';
export {
  alertEndpoints,
  type AlertDetail,
  type AlertStateName,
  type AlertSummary,
  type PastValues,
  type TileAlert,
} from './alerts.ts';
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
} from './channels.ts';
export * from './channel-names.ts';
export * from './client.ts';
export { Comment, commentEndpoints, InboxItem } from './comments.ts';
export * from './comment-limits.ts';
export * from './contract.ts';
export { dashboardRecordEndpoints, DashboardRecord } from './dashboard-records.ts';
export {
  CountedTable,
  DashboardSummary,
  EventNote,
  ExportFormat,
  ExportRows,
  Explanation,
  Me,
  NewEventNote,
  OpenDashboard,
  PresentWindow,
  Revision,
  SavedView,
} from './dashboards.ts';
export * from './dashboard-url.ts';
export * from './densify.ts';
export { DocumentError } from './document-error.ts';
export { embedEndpoints, EmbedKey } from './embed.ts';
export { endpoint, type Endpoint } from './endpoint.ts';
export * from './frames.ts';
export { emptyReasonOf, type EmptyReason } from './empty-reason.ts';
export { Job, jobEndpoints } from './jobs.ts';
export { MatchCount, RelatedTable, relationshipEndpoints, TableRelationship } from './relationships.ts';
export { GuestView, linkEndpoints, PublicLink } from './links.ts';
export { CheckedModel, Field, ModelPreview, ModelSummary } from './models.ts';
export {
  interfaceLanguages,
  bootstrapDataId,
  preferredLanguage,
  type InterfaceLanguage,
  type BootstrapData,
} from './bootstrap-data.ts';
export type { OfflineComparison } from './offline-comparison.ts';
export { ApiError, storageReasons, type Problem, type StorageReason } from './problem.ts';
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
export { accessAddress, describeAccess } from './describe-access.ts';
export { streamChunks } from './stream-chunks.ts';
export { scheduledDocumentEndpoints } from './scheduled-documents.ts';
export { SourceAccess } from './source-access.ts';
export { NewConnection, NewFileConnection, SourceDetail, SourceSummary } from './sources.ts';
export { isRead, requestKind, type RequestKind } from './request-kind.ts';
export { AccessOfUser, Grant, Subject } from './sharing.ts';
export { SignInIdentity, signInEndpoints } from './sign-in.ts';
export { ProviderName, SignInOptions } from './sign-in-options.ts';
export type { ChangedTimeSettings, ListedQuery, SystemReport, TimeSettings } from './system.ts';
export * from './report-reasons.ts';
export {
  NewSubscription,
  ReportDetail,
  ReportPreview,
  ReportRun,
  ReportSummary,
  reportEndpoints,
} from './reports.ts';
export * from './state.ts';
export { Sparklines, Reading, RowsPage, TableDetail, TableSummary } from './tables.ts';
export * from './upload-file.ts';
export { maxExportRows } from './export-limits.ts';
export { passkeyTransports } from './passkey-transports.ts';
export {
  twoFactorEndpoints,
  type NewPasskeyResponse,
  type Passkey,
  type PasskeyResponse,
  type SignInAnswer,
} from './two-factor.ts';
