import { includesLevel, type Comment } from '@belvedere/api';
import { ProblemError } from '../http/problems.ts';
import type { TeamSettings } from '../state/administration/team-settings.ts';
import type { User } from '../state/accounts/users.ts';
import type { CommentRecord, Comments, Mention } from '../state/messages/comments.ts';
import type { Inbox, InboxRecord } from '../state/messages/inbox.ts';
import type { NotificationChoices } from '../state/messages/notification-choices.ts';
import type { WorkspaceStore } from '../workspace/workspace-store.ts';
import type { Caller } from './caller.ts';
import type { Directory } from './directory.ts';
import { levelOf } from './may.ts';

/** The records of comments: their texts, who has yet to read them, and which notifications users chose. */
export interface Discussion {
  readonly comments: Comments;
  readonly inbox: Inbox;
  readonly choices: NotificationChoices;
}

/** A user as comments name them. The caller may have no account, and has a name all the same. */
export function presentUser(id: string, caller: Caller, directory: Directory): Comment['author'] {
  const name = id === caller.userId ? caller.name : directory.users.get(id)?.name;
  return { id, ...(name !== undefined && { name }) };
}

/** Who may write comments on a dashboard, who can be mentioned in them, and who is notified. */
export class CommentAudience {
  readonly #store: WorkspaceStore;
  readonly #discussion: Discussion;
  readonly #directory: Directory;
  readonly #settings: TeamSettings | undefined;

  /** @param settings undefined in local mode, which has no other users */
  constructor(
    store: WorkspaceStore,
    discussion: Discussion,
    directory: Directory,
    settings: TeamSettings | undefined,
  ) {
    this.#store = store;
    this.#discussion = discussion;
    this.#directory = directory;
    this.#settings = settings;
  }

  canExplore(caller: Caller, dashboard: string): boolean {
    return includesLevel(
      levelOf(caller, { kind: 'dashboard', id: dashboard }, this.#store.current),
      'explore',
    );
  }

  mayWrite(caller: Caller, dashboard: string): boolean {
    return !this.#settings?.keepsViewersFromComments || this.canExplore(caller, dashboard);
  }

  /** @throws ProblemError `not-allowed` */
  requireWriter(caller: Caller, dashboard: string): void {
    if (!this.mayWrite(caller, dashboard))
      throw new ProblemError(
        'not-allowed',
        'In this workspace, viewers may read comments but not write them.',
      );
  }

  /** Whether comments on a dashboard may reach a user: a person who can see it. */
  canNotify(user: User | undefined, dashboard: string): boolean {
    if (user === undefined || user.isService) return false;
    const other = this.#directory.callerOf(user.id, this.#store.current);
    return (
      other !== undefined &&
      levelOf(other, { kind: 'dashboard', id: dashboard }, this.#store.current) !== undefined
    );
  }

  /**
   * Returns whether a caller may learn the name of a user: viewers only learn those whom the comments of the
   * dashboard name, since they have them already.
   * @param documentId undefined for a dashboard without records
   */
  async namesKnownTo(
    caller: Caller,
    dashboard: string,
    documentId: string | undefined,
  ): Promise<(user: string) => boolean> {
    if (this.canExplore(caller, dashboard)) return () => true;
    const all = documentId === undefined ? [] : await this.#discussion.comments.of(documentId);
    const named = new Set(all.flatMap(({ author, mentions }) => [author, ...mentions.map(({ id }) => id)]));
    return id => named.has(id);
  }

  /**
   * Returns the people whose names a text mentions.
   * @param knows whether the caller may learn the name of a user
   * @throws ProblemError `request-invalid` for one who cannot see the dashboard
   */
  mentionsIn(
    body: string,
    ids: readonly string[],
    dashboard: string,
    knows: (user: string) => boolean,
  ): Mention[] {
    return [...new Set(ids)].flatMap(id => {
      const user = knows(id) ? this.#directory.users.get(id) : undefined;
      if (!user || !this.canNotify(user, dashboard))
        throw new ProblemError(
          'request-invalid',
          user
            ? `${user.name} may not see this dashboard, so a comment cannot mention them.`
            : 'A person that the comment mentions does not exist.',
          { errors: [{ path: 'mentions', message: user?.name ?? 'unknown person' }] },
        );
      return body.includes(`@${user.name}`) ? [{ id, name: user.name }] : [];
    });
  }

  /**
   * Puts a comment into the inboxes of the users whom it mentions, and if it is new, of those in its thread and
   * of those who follow the dashboard.
   * @param thread the thread of a new comment; undefined if the text of an old one has changed
   */
  async notify(
    { id, by, mentions }: { readonly id: number; readonly by: Caller; readonly mentions: readonly Mention[] },
    dashboard: string,
    documentId: string,
    thread?: readonly CommentRecord[],
  ): Promise<void> {
    const chosen = await this.#discussion.choices.of(documentId);
    const reasons = new Map<string, InboxRecord['reason']>([
      ...[...chosen].flatMap(([user, choice]) =>
        thread && choice === 'all' ? [[user, 'follow'] as const] : [],
      ),
      ...(thread ?? []).filter(one => !one.isDeleted).map(one => [one.author, 'reply'] as const),
      ...mentions.map(one => [one.id, 'mention'] as const),
    ]);
    reasons.delete(by.userId);
    for (const [user, choice] of chosen) if (choice === 'none') reasons.delete(user);
    const notified = [...reasons].filter(([user]) =>
      this.canNotify(this.#directory.users.get(user), dashboard),
    );
    await this.#discussion.inbox.add(id, new Map(notified));
  }
}
