import type { WorkspaceFile } from '@belvedere/document';
import type { Directory } from '../access/directory.ts';
import { Channels } from '../deliver/channels.ts';
import { DeliverJob } from '../deliver/deliver-job.ts';
import { Deliveries } from '../deliver/deliveries.ts';
import { Sender } from '../deliver/sender.ts';
import { testChannels } from '../deliver/test-channel.ts';
import type { JobRunner } from '../jobs/job-runner.ts';
import type { Mailer } from '../mail/mailer.ts';
import type { DeliveryServices } from '../routes/messages/channels.ts';
import type { StateDatabase } from '../state/database/state-database.ts';
import { TeamSettings } from '../state/administration/team-settings.ts';
import type { Clock } from '../state/database/wall-clock.ts';
import type { ResolvedWorkspace } from '../workspace/resolve-workspace.ts';
import type { ExternalSettings } from '../workspace/external-settings.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { sendingSecret } from '../auth/secrets/sending-secret.ts';

interface Options {
  readonly state: StateDatabase;
  readonly location: Pick<ResolvedWorkspace, 'root' | 'state'>;
  readonly clock: Clock;
  readonly runner: JobRunner;
  readonly directory: Directory;
  /** Those of the accounts; undefined in local mode. */
  readonly settings: TeamSettings | undefined;
  /** For messages. */
  readonly mailer: Mailer;
  /** `host:port` of targets that may be private. */
  readonly allowed: ReadonlySet<string>;
  readonly external: ExternalSettings;
  /** `belvedere.yaml` at the start; undefined if it has errors. */
  readonly file: WorkspaceFile | undefined;
  /** The address under which users reach the server. */
  readonly address: () => string;
  readonly workspace: () => Workspace;
}

/** Opens channels and deliveries, and registers the job that delivers. */
export async function openDeliveries({
  state,
  location,
  clock,
  runner,
  directory,
  settings,
  mailer,
  allowed,
  external,
  file = {},
  address,
  workspace,
}: Options): Promise<DeliveryServices> {
  const own = settings ?? new TeamSettings(state);
  if (!settings) await own.load();
  const domains = new Set<string>();
  await external.whenUsable('mail-domains', () => file.mail?.domains?.forEach(one => domains.add(one)));
  const titled = () => ({ title: workspace().title, locale: workspace().settings.locale });
  const channels = await Channels.open({
    state,
    settings: own,
    secrets: await sendingSecret(location, settings !== undefined),
    directory,
    isTeam: settings !== undefined,
    clock,
    mailer,
    workspace,
    allowed,
    domains,
  });
  const deliveries = new Deliveries({ state, channels, clock, runner });
  const sender = new Sender({ mailer, allowed, clock, address, workspace: titled });
  const { records, messages } = deliveries;
  const resend = (id: string) => deliveries.resend(id);
  runner.register(
    new DeliverJob({ state, records, messages, channels, sender, directory, workspace, clock, resend }),
  );
  return { channels, deliveries, test: testChannels({ channels, sender, clock, workspace: titled }) };
}
