import { Directory } from '../../apps/server/src/access/directory.ts';
import { Channels } from '../../apps/server/src/deliver/channels.ts';
import { DeliverJob } from '../../apps/server/src/deliver/deliver-job.ts';
import { Deliveries } from '../../apps/server/src/deliver/deliveries.ts';
import { Sender } from '../../apps/server/src/deliver/sender.ts';
import { mailSettings } from '../../apps/server/src/mail/mail-settings.ts';
import { Mailer } from '../../apps/server/src/mail/mailer.ts';
import { DocumentIds } from '../../apps/server/src/state/documents/document-ids.ts';
import { Grants } from '../../apps/server/src/state/sharing/grants.ts';
import { openStateDatabase } from '../../apps/server/src/state/database/state-database.ts';
import { TeamSettings } from '../../apps/server/src/state/administration/team-settings.ts';
import type { Workspace } from '../../apps/server/src/workspace/workspace.ts';

/** Opens channels and deliveries on a folder, without a server and its jobs. */
export async function openDelivering(folder: string, smtpUrl: string, allowed: ReadonlySet<string>) {
  const state = await openStateDatabase({ folder });
  const settings = new TeamSettings(state);
  await settings.load();
  const clock = { wall: () => Date.now(), elapsed: () => performance.now(), isTrusted: () => true };
  const workspace = () =>
    ({ title: 'Shop', dashboards: new Map(), models: new Map() }) as unknown as Workspace;
  const directory = new Directory(undefined, new Grants(state, new DocumentIds(state)));
  const channels = await Channels.open({
    state,
    settings,
    secrets: ['x'.repeat(43)],
    directory,
    isTeam: false,
    clock,
    mailer: { isSet: true, offReason: undefined },
    workspace,
    allowed,
    domains: new Set(),
  });
  const deliveries = new Deliveries({ state, channels, clock, runner: { enqueue: async () => true } });
  const sender = new Sender({
    mailer: new Mailer({ settings: mailSettings({ smtpUrl, mailFrom: 'belvedere@example.org' }) }),
    allowed,
    clock,
    address: () => 'http://127.0.0.1:4600',
    workspace: () => ({ title: 'Shop' }),
  });
  const { records, messages } = deliveries;
  const resend = (id: string) => deliveries.resend(id);
  const job = new DeliverJob({
    state,
    records,
    messages,
    channels,
    sender,
    directory,
    workspace,
    clock,
    resend,
  });
  return { state, channels, deliveries, job };
}
