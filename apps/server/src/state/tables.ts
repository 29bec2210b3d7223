import type {
  DeliveryState,
  Level,
  ObjectKind,
  ReportOutcome,
  ReportReason,
  Role,
  TokenScope,
} from '@belvedere/api';
import type { Generated, GeneratedAlways } from 'kysely';

/** The tables of the state database, as of its newest migration. Times named `at` are ISO texts in UTC. */
export interface Tables {
  readonly document: DocumentTable;
  readonly revision: RevisionTable;
  readonly draft: DraftTable;
  readonly trash: TrashTable;
  readonly favourite: FavouriteTable;
  readonly recent: RecentTable;
  readonly view: ViewTable;
  readonly event_note: EventNoteTable;
  readonly local_session: LocalSessionTable;
  readonly clock: ClockTable;
  readonly user: UserTable;
  readonly session: SessionTable;
  readonly account: AccountTable;
  readonly verification: VerificationTable;
  readonly user_group: UserGroupTable;
  readonly membership: MembershipTable;
  readonly group_in_group: GroupInGroupTable;
  readonly invitation: InvitationTable;
  readonly password_reset: PasswordResetTable;
  readonly email_change: EmailChangeTable;
  readonly provider_identity: ProviderIdentityTable;
  readonly access_grant: AccessGrantTable;
  readonly access_token: AccessTokenTable;
  readonly audit: AuditTable;
  readonly totp: TotpTable;
  readonly backup_code: BackupCodeTable;
  readonly passkey: PasskeyTable;
  readonly team_setting: TeamSettingTable;
  readonly public_link: PublicLinkTable;
  readonly comment: CommentTable;
  readonly comment_read: CommentReadTable;
  readonly inbox: InboxTable;
  readonly inbox_mail: InboxMailTable;
  readonly embed_key: EmbedKeyTable;
  readonly embed_key_dashboard: EmbedKeyDashboardTable;
  readonly dashboard_verification: DashboardVerificationTable;
  readonly dashboard_use: DashboardUseTable;
  readonly access_request: AccessRequestTable;
  readonly alert_check: AlertCheckTable;
  readonly alert_snooze: AlertSnoozeTable;
  readonly alert_state: AlertStateTable;
  readonly alert_change: AlertChangeTable;
  readonly channel: ChannelTable;
  readonly message: MessageTable;
  readonly message_file: MessageFileTable;
  readonly delivery: DeliveryTable;
  readonly job: JobTable;
  readonly schedule: ScheduleTable;
  readonly paused_jobs: PausedJobsTable;
  readonly report_run: ReportRunTable;
  readonly report_unsubscription: ReportUnsubscriptionTable;
}

/** The identity of a document. All records about it refer to its ID, so that they follow it when it moves. */
interface DocumentTable {
  readonly id: string;
  readonly kind: string;
  /** The path of its file in the workspace, or of the file it would have. Unique among documents in use. */
  readonly path: string;
  /** Set while it is in the trash, or once another document has taken its path. */
  readonly deleted_at: string | null;
  /** The user who answers questions about it. */
  readonly owner_id: Generated<string | null>;
}

/** A user has checked a dashboard as it was then. */
interface DashboardVerificationTable {
  readonly document_id: string;
  /** The hash of the dashboard's content. */
  readonly revision: string;
  readonly by_id: string | null;
  readonly at: string;
  readonly until: string;
}

/** A user asks to open a dashboard that was not shared with them. */
interface AccessRequestTable {
  readonly id: string;
  readonly document_id: string;
  readonly user_id: string;
  readonly message: string;
  readonly at: string;
  readonly declined_at: string | null;
}

/** The last check of an alert. Times of alerts are ms since 1970. */
interface AlertCheckTable {
  readonly document_id: string;
  /** When it was checked first. */
  readonly begun_at: number;
  readonly checked_at: number;
  /** A hash of what it watched. States of anything else do not count. */
  readonly watched: string;
  /** Why it does not run any more. */
  readonly stopped: string | null;
  /** Why the last check failed, for authors. */
  readonly problem: string | null;
  /** What it measures, as JSON. */
  readonly measure: string | null;
}

interface AlertSnoozeTable {
  readonly document_id: string;
  readonly until: number;
  readonly by_id: string;
}

/** The state of one group of an alert, or of its only value (an empty key). */
interface AlertStateTable {
  readonly document_id: string;
  readonly group_key: string;
  readonly label: string;
  readonly state: string;
  /** An `AlertState` and the last verdict, as JSON. */
  readonly record: string;
}

interface AlertChangeTable {
  readonly id: GeneratedAlways<number>;
  readonly document_id: string;
  readonly group_key: string;
  readonly label: string;
  readonly at: number;
  readonly from_state: string;
  readonly to_state: string;
  /** The value and the verdict's reason, as JSON. */
  readonly detail: string;
  /** What the alert watched then; null for changes from before it was recorded. */
  readonly watch: string | null;
}

/** The last try of a report at one due time. */
interface ReportRunTable {
  readonly document_id: string;
  /** ms since 1970. */
  readonly due_at: number;
  readonly started_at: string;
  readonly ended_at: string;
  readonly outcome: ReportOutcome;
  readonly reason: ReportReason | null;
  readonly detail: string | null;
  /** How many users and channels it was sent to. */
  readonly recipients: number;
  /** Recipients who got nothing, as JSON. */
  readonly left_out: string;
}

/** A user no longer wants to get a report. */
interface ReportUnsubscriptionTable {
  readonly document_id: string;
  readonly user_id: string;
  readonly at: string;
}

/** The days, in UTC, on which a user opened a dashboard. */
interface DashboardUseTable {
  readonly document_id: string;
  readonly user_id: string;
  readonly day: string;
}

interface RevisionTable {
  readonly number: GeneratedAlways<number>;
  readonly document_id: string;
  readonly at: string;
  readonly origin: string;
  readonly message: string;
  readonly hash: string;
  readonly text: string;
  readonly author_id: string | null;
}

interface DraftTable {
  readonly document_id: string;
  readonly text: string;
  readonly base: string;
  readonly version: number;
  readonly at: string;
}

interface TrashTable {
  readonly number: GeneratedAlways<number>;
  readonly document_id: string;
  /** The dashboard's ID in the workspace, under which it is restored. */
  readonly dashboard: string;
  readonly title: string;
  readonly at: string;
  /** The texts of its files, as JSON. */
  readonly files: string;
}

interface FavouriteTable {
  readonly user_id: string;
  readonly document_id: string;
  readonly at: string;
}

interface RecentTable {
  readonly user_id: string;
  readonly document_id: string;
  readonly at: string;
  /** A DashboardState as JSON; null for the default state. */
  readonly state: string | null;
}

interface ViewTable {
  readonly user_id: string;
  readonly document_id: string;
  readonly name: string;
  readonly at: string;
  /** A DashboardState as JSON. */
  readonly state: string;
}

interface EventNoteTable {
  readonly id: Generated<number>;
  readonly document_id: string;
  readonly start: string;
  readonly below: string | null;
  readonly text: string;
  readonly at: string;
  /** The ID of the user who wrote it last; null in records from before there were authors. */
  readonly author_id: string | null;
}

/** Sessions of local mode, whose only user is the owner. Times in ms since 1970. */
interface LocalSessionTable {
  readonly hash: string;
  readonly created: number;
  readonly used: number;
}

interface ClockTable {
  /** Wall-clock time of the last run, ms since 1970. */
  readonly seen: number;
}

/** Users of team mode. better-auth writes the first seven columns. */
interface UserTable {
  readonly id: string;
  readonly name: string;
  /** In lower case. */
  readonly email: string;
  readonly email_verified: number;
  readonly image: string | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly role: Role;
  readonly disabled_at: string | null;
  readonly last_seen_at: string | null;
  /** As JSON. */
  readonly attributes: string;
  /** Whether it is a program, which has access tokens only: 0 or 1. Its name stands for its address. */
  readonly is_service: Generated<number>;
}

/** Sessions of team mode. */
interface SessionTable {
  readonly id: string;
  readonly user_id: string;
  /** The SHA-256 of the session's token. */
  readonly token: string;
  readonly created_at: string;
  /** The time of its last use, to the minute. */
  readonly updated_at: string;
  readonly expires_at: string;
  readonly ip_address: string | null;
  readonly user_agent: string | null;
  /** When its user last gave the password. */
  readonly confirmed_at: string | null;
}

/** Ways to sign in. Those with a password have the provider `credential`. */
interface AccountTable {
  readonly id: string;
  readonly account_id: string;
  readonly provider_id: string;
  readonly user_id: string;
  readonly access_token: string | null;
  readonly refresh_token: string | null;
  readonly id_token: string | null;
  readonly access_token_expires_at: string | null;
  readonly refresh_token_expires_at: string | null;
  readonly scope: string | null;
  /** A scrypt hash. */
  readonly password: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

interface VerificationTable {
  readonly id: string;
  readonly identifier: string;
  readonly value: string;
  readonly expires_at: string;
  readonly created_at: string;
  readonly updated_at: string;
}

interface UserGroupTable {
  readonly id: string;
  readonly name: string;
  /** As JSON. */
  readonly attributes: string;
}

/** Groups whose members are members of another group, too. */
interface GroupInGroupTable {
  readonly outer_id: string;
  readonly inner_id: string;
}

interface MembershipTable {
  readonly user_id: string;
  readonly group_id: string;
}

interface InvitationTable {
  readonly id: string;
  readonly email: string;
  readonly role: Role;
  /** The IDs of groups, as JSON. */
  readonly groups: string;
  readonly token_hash: string;
  readonly created_by: string;
  readonly created_at: string;
  readonly expires_at: string;
  readonly accepted_at: string | null;
}

interface PasswordResetTable {
  readonly token_hash: string;
  readonly user_id: string;
  readonly expires_at: string;
}

/** Changes of e-mail addresses that wait for a confirmation from the new address. */
interface EmailChangeTable {
  readonly token_hash: string;
  readonly user_id: string;
  /** The new address, in lower case. */
  readonly email: string;
  readonly expires_at: string;
}

/** Users as sign-in providers know them. */
interface ProviderIdentityTable {
  readonly id: string;
  /** Together with the subject, this identifies a user for ever, unlike an e-mail address. */
  readonly issuer: string;
  readonly subject: string;
  readonly user_id: string;
  /** The ID of the provider in `belvedere.yaml` at the last sign-in. */
  readonly provider: string;
  /** The address that the provider gave, to recognize the identity by. */
  readonly email: string | null;
  readonly created_at: string;
  readonly used_at: string;
}

interface AccessGrantTable {
  readonly subject_kind: 'user' | 'group' | 'everyone';
  /** Empty for everyone. */
  readonly subject_id: string;
  readonly object_kind: ObjectKind;
  /** The `document.id` of a dashboard or model, the path of a folder, or the name of a source. */
  readonly object_id: string;
  readonly level: Level;
  /** How many rows of a table an export may have; null for no limit. */
  readonly export_rows: number | null;
  readonly created_by: string;
  readonly at: string;
}

/** Tokens with which programs call the API as a user. */
interface AccessTokenTable {
  readonly id: string;
  readonly user_id: string;
  readonly name: string;
  /** A SHA-256. */
  readonly token_hash: string;
  readonly scope: TokenScope;
  /** The ID of the user who created it. */
  readonly created_by: string;
  readonly created_at: string;
  readonly expires_at: string;
  /** To the minute. */
  readonly last_used_at: string | null;
}

interface AuditTable {
  readonly id: GeneratedAlways<number>;
  readonly at: string;
  /** The user's name and e-mail address then. */
  readonly actor: string | null;
  readonly actor_id: string | null;
  readonly address: string | null;
  readonly action: string;
  readonly object: string | null;
  readonly outcome: 'done' | 'refused' | 'failed';
  readonly detail: string | null;
}

/** Users with an authenticator app (RFC 6238). */
interface TotpTable {
  readonly user_id: string;
  /** The shared key, encrypted. */
  readonly key: string;
  /** The time step of the last accepted code: neither it nor an earlier one is accepted again. */
  readonly last_step: number;
  readonly at: string;
}

/** Back-up codes that were not used. */
interface BackupCodeTable {
  readonly user_id: string;
  readonly hash: string;
}

interface PasskeyTable {
  readonly id: string;
  readonly user_id: string;
  /** As base64url, like the public key. */
  readonly credential_id: string;
  readonly public_key: string;
  /** The authenticator's count of uses, as of the last one; 0 if it does not count. */
  readonly counter: number;
  /** As JSON. */
  readonly transports: string;
  readonly name: string;
  readonly at: string;
  readonly used_at: string | null;
}

/** Settings of team mode that owners change in the interface. */
interface TeamSettingTable {
  readonly name: string;
  /** As JSON. */
  readonly value: string;
}

interface PublicLinkTable {
  readonly id: string;
  /** A SHA-256; the secret itself is not stored. */
  readonly secret_hash: string;
  /** The dashboard's identity, which it keeps when it moves. */
  readonly document_id: string;
  readonly name: string;
  /** What its guests see, as JSON. */
  readonly view: string;
  readonly passphrase_hash: string | null;
  readonly most_opens: number | null;
  readonly opens: number;
  readonly opened_at: string | null;
  /** The ID of the user who created it. */
  readonly created_by: string;
  readonly created_at: string;
  readonly expires_at: string;
}

interface CommentTable {
  /** Counted up, so that a comment is newer than those with lower IDs. */
  readonly id: GeneratedAlways<number>;
  readonly document_id: string;
  /** The comment that begins the thread; null for that comment itself. */
  readonly parent_id: number | null;
  readonly tile: string | null;
  /** What was selected on the tile: boxes as JSON. */
  readonly anchor: string | null;
  /** The DashboardState in which it was written, as JSON. */
  readonly state: string | null;
  /** The ID of a user; `owner` in local mode. */
  readonly author_id: string;
  /** Markdown; empty once it was deleted while it had replies. */
  readonly body: string;
  /** IDs and names of people, as JSON. */
  readonly mentions: string;
  readonly created_at: string;
  readonly edited_at: string | null;
  readonly deleted_at: string | null;
  readonly resolved_at: string | null;
  readonly resolved_by: string | null;
}

/** The newest comment on a dashboard that a user has seen. */
interface CommentReadTable {
  readonly user_id: string;
  readonly document_id: string;
  readonly read_to: number;
}

/** Comments that mention a user or reply to their threads. */
interface InboxTable {
  readonly user_id: string;
  readonly comment_id: number;
  readonly reason: 'mention' | 'reply';
  readonly at: string;
  readonly read_at: string | null;
  readonly mailed_at: string | null;
}

/** Whether a user gets mail about their inbox, and when the last one was sent. */
interface InboxMailTable {
  readonly user_id: string;
  /** 0 or 1. */
  readonly is_off: number;
  readonly sent_at: string | null;
}

interface EmbedKeyTable {
  readonly id: string;
  readonly name: string;
  /** Sealed with the instance's secret: verifying a signature needs the key itself. */
  readonly secret: string;
  /** As JSON. */
  readonly origins: string;
  /** Whether it shows only the dashboards of `embed_key_dashboard`: 0 or 1. */
  readonly is_limited: number;
  /** The ID of the user who created it. */
  readonly created_by: string;
  readonly created_at: string;
  readonly used_at: string | null;
}

interface EmbedKeyDashboardTable {
  readonly key_id: string;
  /** The dashboard's identity, which it keeps when it moves. */
  readonly document_id: string;
}

/** Where alerts and reports are sent, beside users. */
interface ChannelTable {
  readonly id: string;
  /** Documents name it. */
  readonly name: string;
  readonly kind: 'mail' | 'webhook';
  /** As JSON, without secrets. */
  readonly settings: string;
  /** Addresses and keys as JSON, sealed with the instance's secret. */
  readonly secret: string;
  /** As JSON. */
  readonly limits: string;
  /** The ID of a user; null in local mode, and once that user is gone. */
  readonly created_by: string | null;
  readonly created_at: string;
}

interface MessageTable {
  readonly id: string;
  readonly kind: 'alert' | 'report' | 'test';
  readonly about: string;
  /** A message with a known key is not stored again. */
  readonly key: string;
  /** As JSON, without files. */
  readonly content: string;
  readonly at: string;
}

interface MessageFileTable {
  readonly message_id: string;
  readonly position: number;
  readonly name: string;
  readonly type: string;
  /** Whether it is a picture in the body of a mail: 0 or 1. */
  readonly is_inline: number;
  readonly alt: string | null;
  /** Of a picture, in CSS pixels. */
  readonly width: number | null;
  /** Its bytes, as text: backups copy rows as JSON. */
  readonly base64: string;
}

/** One message on its way to one recipient: a user, or a channel. */
interface DeliveryTable {
  readonly id: string;
  readonly message_id: string;
  readonly user_id: string | null;
  /** The name of a channel. */
  readonly channel: string | null;
  /** The ID of that channel; null if there was none of this name. */
  readonly channel_id: string | null;
  /** Of a channel by mail, which has one delivery for each of its addresses. */
  readonly address: string | null;
  /** The delivery with which it is sent in one message; its own ID if it leads others. */
  readonly leader_id: string | null;
  readonly state: DeliveryState;
  /** In this round. */
  readonly attempts: number;
  /** How many times it was sent again by hand. */
  readonly round: number;
  readonly reason: string | null;
  readonly created_at: string;
  readonly changed_at: string;
  /** The first attempt of this round. */
  readonly tried_at: string | null;
  readonly next_at: string | null;
}

export type JobState = 'queued' | 'running' | 'done' | 'given-up' | 'cancelled';

/** Work that runs at a time, once. Times in ms since 1970. */
interface JobTable {
  readonly id: string;
  readonly kind: string;
  /** What it is about, such as the ID of an alert. */
  readonly object: string;
  /** The same work has the same key. */
  readonly key: string;
  readonly due_at: number;
  /** The time of its next try. */
  readonly run_at: number;
  readonly state: JobState;
  /** Tries so far, the running one included. */
  readonly attempt: number;
  /** The process that runs it, and until when that may be believed. */
  readonly locked_by: string | null;
  readonly locked_until: number | null;
  readonly queued_at: number;
  readonly started_at: number | null;
  readonly ended_at: number | null;
  /** What it is doing, or has done. */
  readonly detail: string | null;
  readonly error: string | null;
}

/** Up to when the due times of a schedule have become jobs. */
interface ScheduleTable {
  readonly kind: string;
  readonly object: string;
  readonly seen_to: number;
}

/** Kinds of jobs that an admin has paused. */
interface PausedJobsTable {
  readonly kind: string;
}
