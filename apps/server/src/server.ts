import type { FileEngine } from '@belvedere/engine';
import type { FastifyInstance } from 'fastify';
import type { Deliveries } from './deliver/deliveries.ts';
import { StreamCache } from './queries/cache/stream-cache.ts';
import type { QueryService } from './queries/query-service.ts';
import type { ServerOptions } from './server-options.ts';
import { createServices, type Services } from './services/create-services.ts';
import { mailNotices } from './services/open-background-work.ts';
import type { Callers } from './services/open-callers.ts';
import { openServer, stateLocationOf, type OpenServer, type StartedWork } from './services/open-server.ts';
import { signInNotices, unconfirmedNotices } from './services/open-sign-in.ts';
import { startWork } from './services/start-work.ts';
import { openStateDatabase, type StateDatabase } from './state/database/state-database.ts';
import { guardWrites } from './workspace/documents/create-file.ts';
import type { WorkspaceStore } from './workspace/workspace-store.ts';

export interface RunningServer {
  readonly address: string;
  readonly port: number;
  /** The address that signs in one browser; in team mode the server's own. */
  readonly openAddress: string;
  /** The code with which the first owner is created, while there is none. */
  readonly setupCode: string | undefined;
  readonly store: WorkspaceStore;
  readonly queries: QueryService;
  readonly streams: StreamCache;
  readonly engine: FileEngine;
  readonly app: FastifyInstance;
  readonly deliveries: Deliveries;
  /**
   * Messages for the user who starts it: a folder without write access, or a state database that was moved
   * aside.
   */
  readonly notices: readonly string[];
  /**
   * Resolves once another server has taken over the folder, with that server's name if known. Nothing is
   * written from then on.
   */
  readonly lost: Promise<string | undefined>;
  /** Opens the file of the audit log again, and reads the certificate again. */
  reopenFiles(): void;
  close(): Promise<void>;
}

/** What the operator should know once the server has started. */
function startNotices(
  { location, mail }: ServerOptions,
  { settings }: Services,
  { damage }: StateDatabase,
  { accounts, external }: Callers,
): string[] {
  return [
    location.notice,
    damage,
    ...(accounts ? signInNotices(settings, external) : mailNotices(mail, settings, external)),
    ...unconfirmedNotices(external),
  ].filter(notice => notice !== undefined);
}

/** Starts Belvedere on a folder. @throws WorkspaceLockedError if another process has it open */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const opened = await createServices(options.location, { isShared: options.mode === 'team' });
  const { engine, hold } = opened;
  const state = await openStateDatabase(stateLocationOf(options), hold.check).catch(async error => {
    await engine.close();
    await hold.release();
    throw error;
  });
  const endGuard = guardWrites(options.location.root, hold.check);
  const started: StartedWork = { housekeeping: undefined, endFollowing: () => {} };
  const server = await openServer(options, opened, state, started, async () => {
    endGuard();
    await state.close();
    await engine.close();
    await hold.release();
  });
  const endWork = async () => {
    started.endFollowing();
    await started.housekeeping?.close();
    await server.background.close();
  };
  try {
    const endSourceLog = await startWork(options, opened, state, server, started);
    await hold.say(`${server.address.origin}/`);
    return {
      ...describeServer(options, opened, state, server),
      close: async () => {
        await endWork();
        await closeServer(opened, state, server, endSourceLog);
        endGuard();
        await hold.release();
      },
    };
  } catch (error) {
    await endWork();
    await engine.close();
    endGuard();
    await hold.release();
    throw error;
  }
}

/** Returns a server that listens, as those who started it use it. */
function describeServer(
  options: ServerOptions,
  opened: Services,
  state: StateDatabase,
  { app, address, callers, streams, background, auditFile, certificate }: OpenServer,
): Omit<RunningServer, 'close'> {
  const { engine, store, queries, hold } = opened;
  const { port, origin } = address;
  const { accounts, sessions } = callers;
  return {
    address: origin,
    port,
    openAddress: accounts
      ? (options.publicUrl ?? `${origin}/`)
      : `${origin}/open/${sessions.newStartToken()}`,
    setupCode: accounts?.signUp.setupCode,
    store,
    queries,
    streams,
    engine,
    app,
    deliveries: background.delivering.deliveries,
    notices: startNotices(options, opened, state, callers),
    lost: hold.lost,
    reopenFiles: () => {
      auditFile?.reopen();
      void certificate?.reload();
    },
  };
}

/** Ends the requests, then closes everything that they use. */
async function closeServer(
  { engine, store }: Services,
  state: StateDatabase,
  { app, callers, certificate, auditFile, background, streams, texts }: OpenServer,
  endSourceLog: () => void,
): Promise<void> {
  const { accounts, sessions, signIn } = callers;
  certificate?.close();
  await Promise.race([app.close(), new Promise(resolve => setTimeout(resolve, 5000).unref())]);
  background.scheduledReports.close();
  await texts.close();
  endSourceLog();
  await store.close();
  await sessions.settled();
  await accounts?.sessions.settled();
  await accounts?.tokens.settled();
  await signIn?.mail.settled();
  await auditFile?.close();
  await state.close();
  await streams.close();
  await engine.close();
}
