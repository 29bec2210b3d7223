import type { Role, TokenScope } from '@belvedere/api';
import type { Generated, GeneratedAlways } from 'kysely';

/** The tables of accounts: users, groups, sign-in and its second factors. */
export interface AccountTables {
  readonly local_session: LocalSessionTable;
  readonly clock: ClockTable;
  readonly user: UserTable;
  readonly session: SessionTable;
  readonly account: AccountTable;
  readonly verification: VerificationTable;
  readonly user_group: UserGroupTable;
  readonly group_in_group: GroupInGroupTable;
  readonly membership: MembershipTable;
  readonly invitation: InvitationTable;
  readonly password_reset: PasswordResetTable;
  readonly email_change: EmailChangeTable;
  readonly provider_identity: ProviderIdentityTable;
  readonly access_token: AccessTokenTable;
  readonly audit: AuditTable;
  readonly totp: TotpTable;
  readonly backup_code: BackupCodeTable;
  readonly passkey: PasskeyTable;
  readonly team_setting: TeamSettingTable;
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
  /** The time zone that the user chose; null for that of the browser. */
  readonly zone: string | null;
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
  /** Of an assistant whose user signed in: the site or program that received the token. Else all are null. */
  readonly client: string | null;
  /** The SHA-256 of its client ID. */
  readonly client_hash: string | null;
  /** The SHA-256 of the part that all refresh tokens of one consent have in common. */
  readonly family_hash: string | null;
  /** The SHA-256 of the refresh token that may be used next. */
  readonly refresh_hash: string | null;
  /** When the token ends, unlike the consent. */
  readonly access_expires_at: string | null;
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
