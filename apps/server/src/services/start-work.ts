import path from 'node:path';
import { followOtherServers } from '../events/follow-other-servers.ts';
import type { ServerOptions } from '../server-options.ts';
import type { StateDatabase } from '../state/database/state-database.ts';
import { removePartialFiles } from '../workspace/documents/create-file.ts';
import { writeEditorSchemas } from '../workspace/documents/editor-schemas.ts';
import { retentionOf } from '../workspace/retention.ts';
import { logSourceFailures } from '../workspace/sources/log-source-failures.ts';
import type { Services } from './create-services.ts';
import { openHousekeeping } from './open-housekeeping.ts';
import type { OpenServer, StartedWork } from './open-server.ts';

/** Folders of documents, relative to the workspace. */
const documentFolders = ['alerts', 'dashboards', 'models', 'reports', 'sources', 'tables'];

/**
 * Begins to listen, reads the workspace, and starts the work beside requests.
 * @returns a function that ends the log of databases' failures
 */
export async function startWork(
  options: ServerOptions,
  { store }: Services,
  state: StateDatabase,
  server: OpenServer,
  started: StartedWork,
): Promise<() => void> {
  const { app, address, background, callers, dashboards, trash, uploads, appender, records, accessRequests } =
    server;
  const { accounts, links } = callers;
  const { jobs, delivering, alertChecks, scheduledReports } = background;
  await address.listen(app, options);
  await removePartialDocuments(options.location, store.folders.data);
  await trash.recover();
  if (options.location.state === path.join(options.location.root, '.belvedere'))
    await writeEditorSchemas(options.location.root);
  const endSourceLog = logSourceFailures(store);
  await appender.recover();
  await store.open();
  started.housekeeping = await openHousekeeping({
    clock: callers.clock,
    jobs,
    uploads,
    trash,
    dashboards,
    accounts,
    links,
    records,
    accessRequests: accessRequests?.requests,
    inbox: server.discussion.inbox,
    alertStates: alertChecks.states,
    deliveries: delivering.deliveries,
    reports: scheduledReports.records,
    retention: now => retentionOf(store.current, now),
  });
  await background.start();
  started.endFollowing = await followOtherServers({
    state,
    store,
    presence: server.presence,
    directory: callers.directory,
    accounts,
    links,
    embedding: callers.embedding,
    channels: delivering.channels,
    backups: background.backups,
    runner: jobs.runner,
    mailServer: callers.mailServer,
    providers: callers.signIn?.settings,
  });
  return endSourceLog;
}

/** Removes files that an earlier process did not finish writing. */
async function removePartialDocuments({ root }: ServerOptions['location'], data: string): Promise<void> {
  for (const folder of documentFolders)
    await removePartialFiles(path.join(root, folder), { recursive: true });
  await removePartialFiles(data, { recursive: false });
}
