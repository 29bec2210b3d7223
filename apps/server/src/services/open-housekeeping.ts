import type { Deliveries } from '../deliver/deliveries.ts';
import { cleanUpEveryMs, cleanUpKind, Housekeeping, type CleanUpTask } from '../operations/housekeeping.ts';
import type { Jobs } from '../jobs/open-jobs.ts';
import type { WallClock } from '../state/database/wall-clock.ts';
import type { Retention } from '../workspace/retention.ts';

/** How late the job may be before the work is done without it. */
const waitsForJobMs = 60_000;
const object = 'workspace';

interface Prunes {
  prune(now: number): Promise<void>;
}

interface Parts {
  readonly clock: WallClock;
  readonly jobs: Jobs;
  readonly uploads: { removeAbandoned(now: number): Promise<void> };
  readonly trash: Prunes;
  readonly dashboards: Prunes;
  readonly accounts: (Prunes & { readonly audit: { prune(before: Date): Promise<void> } }) | undefined;
  readonly links: Prunes | undefined;
  readonly records: Prunes | undefined;
  readonly accessRequests: Prunes | undefined;
  readonly inbox: Prunes;
  readonly alertStates: Prunes;
  readonly deliveries: Prunes & Pick<Deliveries, 'recover'>;
  readonly reports: Prunes;
  readonly retention: (now: number) => Retention | undefined;
}

/** Deletes expired data by a job, at start and every hour. Before the jobs start. */
export async function openHousekeeping(parts: Parts): Promise<Housekeeping> {
  const { clock, jobs } = parts;
  const housekeeping = new Housekeeping(clock, tasksOf(parts), { waitsForJobMs });
  jobs.runner.register(housekeeping.job());
  try {
    await jobs.scheduler.setSchedules(cleanUpKind, [
      { object, schedule: { kind: 'interval', everyMs: cleanUpEveryMs } },
    ]);
    const now = clock.wall();
    await jobs.runner.enqueue({
      kind: cleanUpKind,
      object,
      dueAt: now,
      key: `${cleanUpKind}:${object}:start:${now}`,
    });
  } catch (error) {
    // Without a job, the work is done all the same.
    console.error(new Date().toISOString(), 'The clean-up could not become a job:', (error as Error).message);
  }
  return housekeeping;
}

function tasksOf(parts: Parts): CleanUpTask[] {
  const { uploads, trash, dashboards, accounts, jobs, deliveries } = parts;
  const pruning = (name: string, pruned: Prunes | undefined): CleanUpTask[] =>
    pruned ? [{ name, run: now => pruned.prune(now) }] : [];
  return [
    { name: 'uploads', run: now => uploads.removeAbandoned(now) },
    ...pruning('trash', trash),
    ...pruning('history', dashboards),
    ...pruning('accounts', accounts),
    ...(accounts ? [{ name: 'audit log', run: (now: number) => pruneAudit(accounts, parts, now) }] : []),
    ...pruning('links', parts.links),
    ...pruning('views', parts.records),
    ...pruning('access requests', parts.accessRequests),
    ...pruning('inbox', parts.inbox),
    ...pruning('jobs', jobs.runner),
    ...pruning('alerts', parts.alertStates),
    ...pruning('deliveries', deliveries),
    { name: 'lost deliveries', run: now => deliveries.recover(now) },
    ...pruning('reports', parts.reports),
  ];
}

async function pruneAudit(
  { audit }: NonNullable<Parts['accounts']>,
  { retention }: Parts,
  now: number,
): Promise<void> {
  const kept = retention(now);
  if (kept) await audit.prune(kept.auditFrom);
}
