import { setTimeout as sleep } from 'node:timers/promises';
import type { Directory } from '../access/directory.ts';
import { levelOf } from '../access/may.ts';
import type { JobRunner } from '../jobs/job-runner.ts';
import type { Inbox } from '../state/messages/inbox.ts';
import type { WallClock } from '../state/database/wall-clock.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { AccountMail } from './account-mail.ts';

/** How often the digest looks for something to send. */
const everyMs = 60_000;
/** Comments that are read within this time need no mail. */
const delayMs = 5 * 60_000;
/** A user gets at most one mail in this time. */
const pauseMs = 60 * 60_000;
const maxNamed = 10;
const kind = 'comment-mail';

interface Parts {
  readonly inbox: Inbox;
  readonly directory: Directory;
  readonly mail: Pick<AccountMail, 'sendDigest' | 'isOn'>;
  readonly clock: Pick<WallClock, 'wall' | 'isTrusted'>;
  readonly workspace: () => Workspace;
  readonly runner: Pick<JobRunner, 'register' | 'enqueue' | 'paused'>;
}

/** A mail to one user, with what it tells of. */
interface DueMail {
  readonly userId: string;
  readonly email: string;
  readonly items: readonly (Awaited<ReturnType<Inbox['of']>>[number] & { readonly title: string })[];
}

/**
 * Mails users about unread mentions and replies by a job, at most one mail an hour each. A mail names people
 * and dashboards; the texts of comments stay on the server. There is a job only if there is a mail to send.
 */
export class CommentDigest {
  readonly #parts: Parts;
  readonly #stop = new AbortController();
  #looking: Promise<void> | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
    parts.runner.register({
      kind,
      atOnce: 1,
      timeoutMs: 10 * 60_000,
      backOffMs: [],
      run: async ({ signal }) => {
        const mails = await this.sendDue(signal);
        return { kind: 'done', detail: mails === 1 ? 'Sent one mail' : `Sent ${mails} mails` };
      },
    });
  }

  /** Looks for mails that are due now and every minute. */
  start(): void {
    this.#looking ??= this.#look();
  }

  /** Resolves when it looks no more. */
  async close(): Promise<void> {
    this.#stop.abort();
    await this.#looking;
  }

  /** Makes a job if a mail is due: one, also of several servers that look in the same minute. */
  async enqueueDue(): Promise<void> {
    const { runner, clock } = this.#parts;
    // While the kind is paused, jobs would pile up, one a minute.
    if (runner.paused.has(kind)) return;
    const now = clock.wall();
    for await (const _ of this.#due()) {
      const key = `${kind}:workspace:${Math.floor(now / everyMs)}`;
      await runner.enqueue({ kind, object: 'workspace', dueAt: now, key });
      return;
    }
  }

  /** @returns how many mails were sent */
  async sendDue(signal: AbortSignal): Promise<number> {
    let mails = 0;
    for await (const { email, userId, items } of this.#due()) {
      if (signal.aborted) break;
      await this.#send(email, userId, items);
      mails++;
    }
    return mails;
  }

  async *#due(): AsyncGenerator<DueMail> {
    const { inbox, clock, directory, mail, workspace } = this.#parts;
    if (!mail.isOn || !clock.isTrusted()) return;
    const ago = (ms: number) => new Date(clock.wall() - ms).toISOString();
    for (const userId of await inbox.dueForMail(ago(delayMs), ago(pauseMs))) {
      const user = directory.users.get(userId);
      const caller = directory.callerOf(userId, workspace());
      if (!user || !caller) continue;
      const items = (await inbox.of(userId)).flatMap(item => {
        const object = { kind: 'dashboard', id: item.dashboard } as const;
        const dashboard = workspace().dashboards.get(item.dashboard);
        const isDue = !item.isRead && !item.isMailed && levelOf(caller, object, workspace()) !== undefined;
        return isDue && dashboard ? [{ ...item, title: dashboard.title }] : [];
      });
      if (items.length > 0) yield { userId, email: user.email, items };
    }
  }

  async #send(email: string, userId: string, items: DueMail['items']): Promise<void> {
    const { inbox, directory, mail, clock } = this.#parts;
    // Before it is sent: after a failure, the mail server is left alone for an hour.
    await inbox.mailed(
      userId,
      items.map(item => item.comment),
      new Date(clock.wall()).toISOString(),
    );
    const lines = Object.values(
      Object.groupBy(items, ({ reason, author, dashboard }) => JSON.stringify([reason, author, dashboard])),
    ) as (typeof items)[];
    mail.sendDigest(
      email,
      lines.slice(0, maxNamed).map(line => ({
        reason: line[0]!.reason,
        by: directory.users.get(line[0]!.author)?.name,
        dashboard: line[0]!.title,
        times: line.length,
      })),
      items.length,
    );
  }

  async #look(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      await this.enqueueDue().catch((error: Error) =>
        console.error(new Date().toISOString(), 'Email about comments failed:', error.message),
      );
      await sleep(everyMs, undefined, { signal, ref: false }).catch(() => {});
    }
  }
}
