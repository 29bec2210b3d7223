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
}

/** The identity of a document. All records about it refer to its ID, so that they follow it when it moves. */
interface DocumentTable {
  readonly id: string;
  readonly kind: string;
  /** The path of its file in the workspace, or of the file it would have. Unique among documents in use. */
  readonly path: string;
  /** Set while it is in the trash, or once another document has taken its path. */
  readonly deleted_at: string | null;
}

interface RevisionTable {
  readonly number: GeneratedAlways<number>;
  readonly document_id: string;
  readonly at: string;
  readonly origin: string;
  readonly message: string;
  readonly hash: string;
  readonly text: string;
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
