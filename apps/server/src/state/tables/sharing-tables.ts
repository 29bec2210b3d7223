import type { Level, ObjectKind } from '@belvedere/api';

/** The tables of who may see what: grants, requests, public links and embedding. */
export interface SharingTables {
  readonly access_grant: AccessGrantTable;
  readonly invitation_grant: InvitationGrantTable;
  readonly access_request: AccessRequestTable;
  readonly public_link: PublicLinkTable;
  readonly embed_key: EmbedKeyTable;
  readonly embed_key_dashboard: EmbedKeyDashboardTable;
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

/** Becomes an `access_grant` once the invitation is accepted. */
interface InvitationGrantTable {
  readonly invitation_id: string;
  readonly object_kind: ObjectKind;
  /** As in `access_grant`. */
  readonly object_id: string;
  readonly level: Level;
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
