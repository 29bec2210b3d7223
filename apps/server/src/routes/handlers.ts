import type { Caller } from '../access/caller.ts';
import type { AppServices } from '../app-services.ts';
import { noteCalls, type NoteCall } from '../auth/limits/note-calls.ts';
import { presentRecords } from '../presenters/present-records.ts';
import type { ServerOptions } from '../server-options.ts';
import type { DocumentText } from '../workspace/documents/read-documents.ts';
import { recipientNames, unknownRecipientsIn, type RecipientNames } from '../workspace/unknown-recipients.ts';
import { accessTokenRoutes } from './accounts/access-tokens.ts';
import { accountRoutes } from './accounts/accounts.ts';
import { meRoutes } from './accounts/me.ts';
import { oauthRoutes } from './accounts/oauth.ts';
import { signInRoutes } from './accounts/sign-in.ts';
import { twoFactorRoutes } from './accounts/two-factor.ts';
import { backupRoutes } from './administration/backups.ts';
import { connectionRoutes } from './administration/connections.ts';
import { externalSettingRoutes } from './administration/external-settings.ts';
import { jobRoutes } from './administration/jobs.ts';
import { systemRoutes } from './administration/system.ts';
import type { Handlers } from './contract/mount-contract.ts';
import { dashboardRecordRoutes } from './dashboards/dashboard-records.ts';
import { editingRoutes } from './dashboards/editing/editing-routes.ts';
import { eventNoteRoutes } from './dashboards/event-notes.ts';
import { exportRoutes } from './dashboards/exports.ts';
import { dashboardRoutes } from './dashboards/viewing/dashboard-routes.ts';
import { removeModelRoutes } from './data/models/remove-model-routes.ts';
import { trashRoutes } from './trash/trash-routes.ts';
import { modelRoutes } from './data/models/model-routes.ts';
import { relationshipRoutes } from './data/relationships.ts';
import { sourceRoutes } from './data/sources.ts';
import { sqlRoutes } from './data/sql.ts';
import { tableRoutes } from './data/tables/table-routes.ts';
import { alertRoutes } from './messages/alerts/alert-routes.ts';
import { channelRoutes } from './messages/channels.ts';
import { commentRoutes } from './messages/comments/comment-routes.ts';
import { inboxRoutes } from './messages/inbox.ts';
import { reportRoutes } from './messages/reports/report-routes.ts';
import { scheduledDocumentRoutes } from './messages/scheduled-documents.ts';
import { accessRequestRoutes } from './sharing/access-requests.ts';
import { embedRoutes } from './sharing/embed.ts';
import { linkRoutes } from './sharing/links.ts';
import { oembedRoutes } from './sharing/oembed.ts';
import { sharedObject, sharingRoutes } from './sharing/sharing.ts';

/** The services and functions that endpoints of several subjects use. */
interface HandlerContext {
  readonly services: AppServices;
  readonly options: ServerOptions;
  readonly note: NoteCall;
  readonly requireConfirmation: (caller: Caller) => void;
  /** Whom alerts and reports can name. */
  readonly namedRecipients: () => RecipientNames;
  /** Called when what callers may see has changed. */
  readonly onAccessChange: (tell: () => void) => () => void;
}

/** Returns the handler of each endpoint. */
export function createHandlers(
  services: AppServices,
  options: ServerOptions,
  onAccessChange: HandlerContext['onAccessChange'],
): Handlers {
  const { accounts, directory, delivering } = services;
  const context: HandlerContext = {
    services,
    options,
    note: noteCalls(accounts),
    requireConfirmation: caller => accounts?.requireConfirmation(caller),
    namedRecipients: () =>
      recipientNames(directory.users.values(), directory.groups.values(), delivering.channels.list()),
    onAccessChange,
  };
  return {
    ...dashboardHandlers(context),
    ...dataHandlers(context),
    ...accountHandlers(context),
    ...sharingHandlers(context),
    ...messageHandlers(context),
    ...administrationHandlers(context),
  };
}

/** Endpoints of dashboards: showing, editing, exporting and annotating them. */
function dashboardHandlers({ services, options, note }: HandlerContext) {
  const { clock, dashboards, trash, directory, sharing, records, store, queries } = services;
  return {
    ...dashboardRoutes(
      store,
      dashboards,
      queries,
      presentRecords(records, () => store.current, directory, sharing, clock),
    ),
    ...editingRoutes(store, dashboards, trash, sharing, records, note),
    ...trashRoutes(store, trash, sharing, note),
    ...dashboardRecordRoutes(records, store, dashboards, directory, clock, note),
    ...eventNoteRoutes(store, dashboards),
    ...exportRoutes(store, dashboards, queries, options.pagesFolder, note),
  };
}

/** Endpoints of models, tables, sources and SQL. */
function dataHandlers({ services, options, note, requireConfirmation }: HandlerContext) {
  const { models, trash, uploads, appender, sharing, store, queries } = services;
  return {
    ...modelRoutes(store, models, queries, sharing),
    ...removeModelRoutes(store, trash, sharing, note),
    ...tableRoutes(
      store,
      queries,
      uploads,
      appender,
      options.addSample && (() => options.addSample!(options.location)),
    ),
    ...sourceRoutes(store, note, requireConfirmation),
    ...sqlRoutes(store, queries, note),
    ...relationshipRoutes(store),
  };
}

/** Endpoints of accounts, and of the ways to sign in. */
function accountHandlers({ services, note }: HandlerContext) {
  const { clock, dashboards, sharing, accounts, signIn, oauth, records, store } = services;
  return {
    ...meRoutes(dashboards, records, clock),
    ...accountRoutes(
      accounts,
      () => store.current.title,
      signIn,
      (share, call) => sharing.promise(sharedObject(share, call, store.current), share.level),
    ),
    ...signInRoutes(signIn),
    ...accessTokenRoutes(accounts, note),
    ...oauthRoutes(oauth, note),
    ...twoFactorRoutes(accounts, () => store.current.title),
  };
}

/** Endpoints by which dashboards are shared with users and guests. */
function sharingHandlers({ services, note, requireConfirmation }: HandlerContext) {
  const { guard, clock, dashboards, directory, sharing, links, embedding, accessRequests, store } = services;
  return {
    ...accessRequestRoutes(accessRequests, store, dashboards, clock, note),
    ...sharingRoutes(store, sharing, note, directory, guard.isTeam),
    ...linkRoutes(links, store, dashboards, note, requireConfirmation),
    ...oembedRoutes(links, embedding),
    ...embedRoutes(embedding, store, dashboards, note, requireConfirmation),
  };
}

/** Endpoints of comments, alerts, reports and channels. */
function messageHandlers({ services, note, requireConfirmation, namedRecipients }: HandlerContext) {
  const {
    guard,
    clock,
    dashboards,
    trash,
    alerts,
    alertChecks,
    reports,
    directory,
    jobs,
    delivering,
    publicAddress,
    discussion,
    accounts,
    signIn,
    store,
    queries,
  } = services;
  const unknownIn = (text: DocumentText<'alert'> | DocumentText<'report'> | undefined) =>
    text ? unknownRecipientsIn(text.file, text, namedRecipients()) : [];
  return {
    ...commentRoutes({ store, dashboards, discussion, directory, note, settings: accounts?.settings }),
    ...inboxRoutes(discussion, directory, accounts?.settings, () => signIn?.mail.isOn === true),
    ...channelRoutes(delivering, directory, guard.isTeam, note, requireConfirmation),
    ...reportRoutes({
      ...services.scheduledReports,
      runner: jobs.runner,
      note,
      hasMail: () => signIn?.mail.isOn === true,
      address: publicAddress,
      unknownRecipients: id => unknownIn(store.documents.reports.get(id)),
    }),
    ...scheduledDocumentRoutes(store, alerts, reports, trash, note, guard.isTeam),
    ...alertRoutes({
      store,
      texts: alerts,
      ids: dashboards.texts.ids,
      alerts: alertChecks,
      scheduler: jobs.scheduler,
      queries,
      directory,
      clock,
      note,
      deliveries: delivering.deliveries.records,
      choices: discussion.choices,
      unknownRecipients: id => unknownIn(store.documents.alerts.get(id)),
    }),
  };
}

/** Endpoints for those who run the server. */
function administrationHandlers({
  services,
  options,
  note,
  requireConfirmation,
  namedRecipients,
  onAccessChange,
}: HandlerContext) {
  const {
    guard,
    status,
    presence,
    jobs,
    backups,
    delivering,
    publicAddress,
    signIn,
    mailServer,
    external,
    store,
    queries,
  } = services;
  return {
    ...externalSettingRoutes(external, note, requireConfirmation),
    ...backupRoutes(backups, note, requireConfirmation),
    ...connectionRoutes({
      mailServer,
      signIn,
      note,
      requireConfirmation,
      address: publicAddress,
      workspace: () => ({ title: store.current.title, locale: store.current.settings.locale }),
    }),
    ...jobRoutes(jobs, delivering.deliveries.records, () => store.current, note),
    ...systemRoutes(store, queries, presence, status, note, {
      version: options.version,
      isSample: options.location.isSample,
      mode: options.mode ?? 'local',
      people: () => [...store.current.people.keys()],
      recipients: namedRecipients,
      onAccessChange,
      callerNow: guard.identify,
    }),
  };
}
