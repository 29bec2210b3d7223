import type { Generated, GeneratedAlways } from 'kysely';

/** The tables of the documents of a workspace: their identity, history, drafts and trash. */
export interface DocumentTables {
  readonly document: DocumentTable;
  readonly revision: RevisionTable;
  readonly draft: DraftTable;
  readonly trash: TrashTable;
  readonly dashboard_verification: DashboardVerificationTable;
  readonly dashboard_use: DashboardUseTable;
  readonly former_path: FormerPathTable;
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

/** A path that a document had before it was moved. */
interface FormerPathTable {
  readonly path: string;
  readonly document_id: string;
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
  /** The ID of the document, or a model's name. */
  readonly name: string;
  readonly title: string;
  readonly at: string;
  /** The texts of its files, as JSON. */
  readonly files: string;
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

/** The days, in UTC, on which a user opened a dashboard. */
interface DashboardUseTable {
  readonly document_id: string;
  readonly user_id: string;
  readonly day: string;
}
