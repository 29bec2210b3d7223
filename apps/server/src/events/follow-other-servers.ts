import { PresentWindow, type ServerEvent } from '@belvedere/api';
import { z } from 'zod';
import type { Directory } from '../access/directory.ts';
import type { Accounts } from '../auth/accounts/accounts.ts';
import type { Embedding } from '../auth/guests/embedding.ts';
import type { PublicLinks } from '../auth/guests/public-links.ts';
import type { Providers } from '../auth/providers/providers.ts';
import type { Backups } from '../backup/backups.ts';
import type { Channels } from '../deliver/channels.ts';
import type { JobRunner } from '../jobs/job-runner.ts';
import type { MailServer } from '../mail/mail-server.ts';
import type { Notification } from '../state/database/notifications.ts';
import type { StateDatabase } from '../state/database/state-database.ts';
import type { WorkspaceStore } from '../workspace/workspace-store.ts';
import type { Presence } from './presence.ts';

interface Parts {
  readonly state: StateDatabase;
  readonly store: WorkspaceStore;
  readonly presence: Presence;
  readonly directory: Directory;
  /** Undefined in local mode. */
  readonly accounts: Accounts | undefined;
  /** Undefined in local mode. */
  readonly links: PublicLinks | undefined;
  /** Undefined in local mode. */
  readonly embedding: Embedding | undefined;
  readonly channels: Channels;
  readonly backups: Pick<Backups, 'schedule'>;
  readonly mailServer: MailServer;
  /** Undefined in local mode. */
  readonly providers: Providers | undefined;
  readonly runner: JobRunner;
}

type Followed = 'people' | 'access' | 'sessions' | 'tokens' | 'settings' | 'channels' | 'jobs';

/** What is in memory of each table that notifies. */
const followedOf: Readonly<Record<string, Followed>> = {
  user: 'people',
  user_group: 'people',
  membership: 'people',
  group_in_group: 'people',
  totp: 'people',
  passkey: 'people',
  provider_identity: 'people',
  document: 'access',
  access_grant: 'access',
  public_link: 'access',
  embed_key: 'access',
  session: 'sessions',
  access_token: 'tokens',
  team_setting: 'settings',
  channel: 'channels',
  paused_jobs: 'jobs',
};

const Sent = z.union([
  z.object({
    event: z.union([
      z.object({ kind: z.literal('draft'), document: z.string(), version: z.number() }),
      z.object({ kind: z.enum(['comments', 'notes']), dashboard: z.string() }),
      z.object({ kind: z.literal('alert'), id: z.string() }),
    ]),
  }),
  z.object({ document: z.string(), windows: z.array(PresentWindow) }),
]);
/** Events that are passed on to other servers. */
const passedOn: ReadonlySet<ServerEvent['kind']> = new Set(['draft', 'comments', 'notes', 'alert']);

/** Several changes at once, as of a team's import, are read once. */
const gatheringMs = 50;
/** Until records that could not be read are read again. */
const retryMs = 1000;
/** Windows of a document in a notification, whose size is limited. */
const maxWindows = 15;
const presenceMs = 3000;
/** A server that sends no beat for so long has ended. */
const silenceMs = 10_000;

/**
 * Keeps what this server has in memory up to date with what other servers change in the same state database,
 * and passes their events and windows on to open pages. With a SQLite file there is no other server.
 *
 * @returns a function that ends it
 */
export async function followOtherServers(parts: Parts): Promise<() => void> {
  const { state, store, presence } = parts;
  const { notifications } = state;
  if (!notifications) return () => {};
  const read = readerOf(parts);
  const heardAt = new Map<string, number>();
  let isPassingOn = false;

  const onMessage = ({ from, table, sent }: Notification) => {
    heardAt.set(from, performance.now());
    const followed = table === undefined ? undefined : followedOf[table];
    if (followed) read.soon([followed]);
    const { data } = sent === undefined ? {} : Sent.safeParse(sent);
    if (!data) return;
    isPassingOn = true;
    try {
      if ('event' in data) store.tell(data.event);
      else
        presence.setElsewhere(from, data.document, data.windows as Parameters<Presence['setElsewhere']>[2]);
    } finally {
      isPassingOn = false;
    }
  };
  /** When the last window of this server left a document. */
  const leftAt = new Map<string, number>();
  const send = (document: string) => {
    const windows = presence.hereOn(document).slice(0, maxWindows);
    if (windows.length > 0) leftAt.delete(document);
    else if (!leftAt.has(document)) leftAt.set(document, performance.now());
    void notifications.send({ document, windows });
  };

  const stops = [
    store.subscribe(event => {
      if (passedOn.has(event.kind) && !isPassingOn)
        state.afterCommit(() => void notifications.send({ event }));
    }),
    presence.subscribe(document => {
      if (!isPassingOn) send(document);
    }),
  ];
  // Again and again, for servers that start later or have missed something.
  const timer = setInterval(() => {
    for (const document of [...presence.documentsHere, ...leftAt.keys()]) send(document);
    // A server that has heard nothing for longer has forgotten the windows of this one.
    for (const [document, at] of leftAt) if (performance.now() - at > silenceMs) leftAt.delete(document);
    for (const [server, at] of heardAt) {
      if (performance.now() - at < silenceMs) continue;
      heardAt.delete(server);
      isPassingOn = true;
      presence.forgetServer(server);
      isPassingOn = false;
    }
  }, presenceMs).unref();
  await notifications.start({ onMessage, onGap: () => read.soon([...new Set(Object.values(followedOf))]) });
  return () => {
    for (const stop of stops) stop();
    clearInterval(timer);
    read.close();
  };
}

/** Reads records again, one after another, those that were asked for meanwhile once more. */
function readerOf({
  accounts,
  directory,
  links,
  embedding,
  channels,
  backups,
  runner,
  mailServer,
  providers,
}: Parts) {
  const readings: Readonly<Record<Followed, () => Promise<unknown> | undefined>> = {
    settings: async () => {
      await backups.schedule();
      await mailServer.followOthers();
      await providers?.followOthers();
      await accounts?.settings.load().then(() => directory.refresh());
    },
    // The directory follows the people.
    people: () => accounts?.people.load(),
    access: async () => {
      await directory.refresh();
      await links?.followOthers();
      await embedding?.followOthers();
    },
    sessions: () => accounts?.sessions.followOthers(),
    tokens: () => accounts?.tokens.followOthers(),
    channels: () => channels.followOthers(),
    jobs: () => runner.followOthers(),
  };
  const wanted = new Set<Followed>();
  let timer: NodeJS.Timeout | undefined;
  let [isReading, isClosed] = [false, false];
  const soon = (followed: Iterable<Followed>, delayMs: number) => {
    for (const one of followed) wanted.add(one);
    if (!isClosed) timer ??= setTimeout(() => void read(), delayMs).unref();
  };
  const read = async () => {
    timer = undefined;
    if (isReading) return;
    isReading = true;
    const failed = new Set<Followed>();
    for (const followed of wanted) {
      wanted.delete(followed);
      await Promise.resolve(readings[followed]()).catch(() => failed.add(followed));
    }
    isReading = false;
    // Messages go on while a query fails, as with all connections in use: none would ask for it again.
    if (failed.size > 0) soon(failed, retryMs);
  };
  return {
    soon: (followed: readonly Followed[]) => soon(followed, gatheringMs),
    close: () => {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}
