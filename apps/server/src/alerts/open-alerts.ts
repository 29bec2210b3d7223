import type { AlertStates } from '../state/messages/alert-states.ts';
import { alertsThatSent, endIncidents } from './end-incidents.ts';
import { alertJobKind, alertJob, type AlertJobParts } from './alert-job.ts';
import { watcherOf } from './alert-owner.ts';
import type { Deliveries } from '../deliver/deliveries.ts';
import type { DocumentIds } from '../state/documents/document-ids.ts';
import type { Scheduler } from '../jobs/scheduler.ts';
import type { JobRunner } from '../jobs/job-runner.ts';
import { versionsOf } from '../queries/models/stored-tables.ts';
import { contentHash } from '../workspace/documents/content-hash.ts';
import { modelsNamed, type ScheduledDocument, type Workspace } from '../workspace/workspace.ts';
import type { WorkspaceStore } from '../workspace/workspace-store.ts';
import { durationMs, type AlertFile } from '@belvedere/document';

const minuteMs = 60_000;
/** Changes that come within this time are checked once: a folder of files arrives one by one. */
const settleMs = 500;
/** A deleted file may be back at once: some programs save in that way. */
const goneMs = 5000;

export interface Alerts {
  readonly states: AlertStates;
  /** Begins to check alerts, after the workspace was opened. */
  start(): Promise<void>;
  /** Checks one now. */
  checkNow(id: string): Promise<void>;
  close(): Promise<void>;
}

interface Options extends Omit<
  AlertJobParts,
  'workspace' | 'root' | 'onChange' | 'runner' | 'deliveries' | 'ids'
> {
  readonly deliveries: Deliveries;
  readonly ids: DocumentIds;
  readonly store: WorkspaceStore;
  readonly runner: JobRunner;
  readonly scheduler: Pick<Scheduler, 'setSchedules'>;
}

/**
 * Checks the workspace's alerts: at their interval, or when the data changes that they watch, when their texts
 * change, and when their owners lose access or get it again.
 */
export function openAlerts({ store, scheduler, runner, ...parts }: Options): Alerts {
  runner.register(
    alertJobKind({
      ...parts,
      runner,
      workspace: () => store.current,
      root: store.folders.root,
      onChange: id => store.tell({ kind: 'alert', id }),
    }),
  );
  /** The text, the data and the owner's access of each alert's last check that was asked for. */
  const seen = new Map<string, string>();
  let schedules = '';
  let timer: NodeJS.Timeout | undefined;
  let work: Promise<void> = Promise.resolve();
  let stop: (() => void) | undefined;
  const enqueue = (id: string, why: string) => {
    const dueAt = parts.clock.wall();
    return runner.enqueue({ kind: alertJob, object: id, dueAt, key: `${alertJob}:${id}:${why}:${dueAt}` });
  };
  /** The text of each alert when its incidents were last looked at. */
  let texts: ReadonlyMap<string, string> | undefined;
  let goneTimer: NodeJS.Timeout | undefined;
  const gone = new Set<string>();
  const end = (ids: Iterable<string>) => endIncidents(ids, { ...parts, workspace: () => store.current });
  const followIncidents = async () => {
    const before = texts;
    texts = new Map([...store.current.alerts].map(([id, { revision }]) => [id, revision]));
    if (!before) return end(await alertsThatSent(parts));
    await end([...texts].flatMap(([id, text]) => (before.get(id) === text ? [] : id)));
    for (const id of before.keys()) if (!texts.has(id)) gone.add(id);
    if (gone.size === 0) return;
    clearTimeout(goneTimer);
    goneTimer = setTimeout(() => {
      const ids = [...gone];
      gone.clear();
      inTurn(() => end(ids));
    }, goneMs);
    goneTimer.unref();
  };
  const follow = async () => {
    await followIncidents();
    const { current } = store;
    const running = [...current.alerts.values()].filter(isRunning);
    const intervals = running.flatMap(alert => {
      const everyMs = intervalOf(alert.document!);
      return everyMs === undefined
        ? []
        : [
            {
              object: alert.id,
              schedule: { kind: 'interval' as const, everyMs, shiftMs: shiftOf(alert.id, everyMs) },
            },
          ];
    });
    const wanted = JSON.stringify(intervals);
    if (wanted !== schedules) {
      await scheduler.setSchedules(alertJob, intervals);
      schedules = wanted;
    }
    for (const alert of running) {
      const watcher = watcherOf(alert.document!, parts.directory, current, parts.isTeam);
      const stopped = 'stopped' in watcher ? watcher.stopped : '';
      const version = `${versionOf(alert, current)} ${stopped}`;
      if (seen.get(alert.id) === version) continue;
      seen.set(alert.id, version);
      await enqueue(alert.id, 'data');
    }
    for (const id of seen.keys()) if (!running.some(alert => alert.id === id)) seen.delete(id);
  };
  const inTurn = (next: () => Promise<void>) => {
    work = work.then(next).catch((error: Error) => {
      console.error(new Date().toISOString(), 'Alerts could not be followed:', error.message);
    });
  };
  const soon = () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      inTurn(follow);
    }, settleMs);
    timer.unref();
  };
  return {
    states: parts.states,
    start: async () => {
      const stops = [
        store.subscribe(event => {
          if (event.kind === 'workspace') soon();
        }),
        parts.directory.subscribe(soon),
      ];
      stop = () => stops.forEach(one => one());
      work = work.then(follow);
      await work;
    },
    checkNow: async id => {
      await enqueue(id, 'now');
    },
    close: async () => {
      stop?.();
      clearTimeout(timer);
      clearTimeout(goneTimer);
      await work;
    },
  };
}

function isRunning({ document, problems }: ScheduledDocument<AlertFile>): boolean {
  return document !== undefined && problems.length === 0 && !document.paused;
}

function intervalOf({ check, when }: AlertFile): number | undefined {
  if (check !== undefined && check !== 'new data') return durationMs(check);
  // Data grows old without any change.
  return when.missing === undefined ? undefined : minuteMs;
}

/** Spreads the checks of many alerts over their interval. */
function shiftOf(id: string, everyMs: number): number {
  return parseInt(contentHash(id).slice(0, 8), 16) % everyMs;
}

/** Changes with the alert's text and, unless it has an interval, with the data and the tile that it watches. */
function versionOf({ document, revision }: ScheduledDocument<AlertFile>, workspace: Workspace): string {
  const { watch } = document!;
  if (intervalOf(document!) !== undefined && document!.when.missing === undefined) return revision;
  const dashboard = 'dashboard' in watch ? workspace.dashboards.get(watch.dashboard) : undefined;
  const names = 'model' in watch ? [watch.model] : dashboard?.document ? modelsNamed(dashboard.document) : [];
  const versions = names.flatMap(name => {
    const model = workspace.models.get(name)?.model;
    return model ? [name, JSON.stringify(model), ...versionsOf(model, workspace)] : [name];
  });
  return contentHash(JSON.stringify([revision, dashboard?.revision, versions]));
}
