import type { Generated } from 'kysely';

/** The tables of what users keep for themselves, and event notes. */
export interface PreferenceTables {
  readonly favourite: FavouriteTable;
  readonly recent: RecentTable;
  readonly view: ViewTable;
  readonly event_note: EventNoteTable;
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
