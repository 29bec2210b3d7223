import { setTimeout as sleep } from 'node:timers/promises';
import type { Directory } from '../access/directory.ts';
import { levelOf } from '../access/may.ts';
import type { Inbox } from '../state/inbox.ts';
import type { WallClock } from '../state/wall-clock.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { AccountMail } from './account-mail.ts';

/** How often the digest looks for something to send. */
const everyMs = 60_000;
/** Comments that are read within this time need no mail. */
const delayMs = 5 * 60_000;
/** A user gets at most one mail in this time. */
const pauseMs = 60 * 60_000;
const mostNamed = 10;

interface Parts {
  readonly inbox: Inbox;
  readonly directory: Directory;
  readonly mail: Pick<AccountMail, 'sendDigest' | 'isOn'>;
  readonly clock: Pick<WallClock, 'wall' | 'isTrusted'>;
  readonly workspace: () => Workspace;
}

/**
 * Mails users about unread mentions and replies, at most one mail an hour each. A mail names people and
 * dashboards; the texts of comments stay on the server.
 */
export class CommentDigest {
  readonly #parts: Parts;
  readonly #stop = new AbortController();
  #running: Promise<void> | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Sends what is due now, and looks again every minute. */
  start(): void {
    this.#running ??= this.#run();
  }

  /** Resolves when nothing is being sent any more. */
  async close(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  async sendDue(): Promise<void> {
    const { inbox, clock, mail } = this.#parts;
    if (!mail.isOn || !clock.isTrusted()) return;
    const now = clock.wall();
    const ago = (ms: number) => new Date(now - ms).toISOString();
    for (const userId of await inbox.dueForMail(ago(delayMs), ago(pauseMs))) {
      if (this.#stop.signal.aborted) return;
      await this.#sendTo(userId, new Date(now).toISOString());
    }
  }

  async #sendTo(userId: string, at: string): Promise<void> {
    const { inbox, directory, mail, workspace } = this.#parts;
    const user = directory.users.get(userId);
    const caller = directory.callerOf(userId, workspace());
    if (!user || !caller) return;
    const due = (await inbox.of(userId)).flatMap(item => {
      const object = { kind: 'dashboard', id: item.dashboard } as const;
      const dashboard = workspace().dashboards.get(item.dashboard);
      const isDue = !item.isRead && !item.isMailed && levelOf(caller, object, workspace()) !== undefined;
      return isDue && dashboard ? [{ ...item, title: dashboard.title }] : [];
    });
    if (due.length === 0) return;
    // Before it is sent: after a failure, the mail server is left alone for an hour.
    await inbox.mailed(
      userId,
      due.map(item => item.comment),
      at,
    );
    mail.sendDigest(
      user.email,
      due.slice(0, mostNamed).map(({ reason, author, title }) => ({
        reason,
        by: directory.users.get(author)?.name,
        dashboard: title,
      })),
      due.length,
    );
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      await this.sendDue().catch((error: Error) =>
        console.error(new Date().toISOString(), 'Email about comments failed:', error.message),
      );
      await sleep(everyMs, undefined, { signal, ref: false }).catch(() => {});
    }
  }
}
