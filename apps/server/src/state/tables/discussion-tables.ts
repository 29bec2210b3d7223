import type { GeneratedAlways } from 'kysely';

/** The tables of comments, the inbox, and what users are notified of. */
export interface DiscussionTables {
  readonly comment: CommentTable;
  readonly comment_read: CommentReadTable;
  readonly inbox: InboxTable;
  readonly inbox_mail: InboxMailTable;
  readonly notification_choice: NotificationChoiceTable;
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

/** Comments that mention a user, reply to their threads, or are on a dashboard whose comments they follow. */
interface InboxTable {
  readonly user_id: string;
  readonly comment_id: number;
  readonly reason: 'mention' | 'reply' | 'follow';
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

/** What a user hears of a dashboard's comments, or of an alert, if that is not the default. */
interface NotificationChoiceTable {
  readonly document_id: string;
  readonly user_id: string;
  readonly choice: 'all' | 'none';
}
