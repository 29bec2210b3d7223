import type { Backups as BackupStatus, ChangedBackups } from '@belvedere/api';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Jobs } from '../jobs/open-jobs.ts';
import { presentJob } from '../presenters/present-job.ts';
import { ProblemError } from '../http/problems.ts';
import type { BackupSettings, StoredBackups } from '../state/administration/backup-settings.ts';
import type { WallClock } from '../state/database/wall-clock.ts';
import type { WorkspaceStore } from '../workspace/workspace-store.ts';
import { backupFolder } from './backup-folder.ts';
import { backupJob, backupKind, backupNames, type BackupPlan } from './backup-job.ts';
import type { BackupOptions } from './write-backup.ts';

/** What holds until an owner sets something. */
const standardPlan = { at: '03:00', kept: 14 };
const object = 'workspace';
const listedFiles = 30;

interface Parts {
  readonly writing: Omit<BackupOptions, 'hasData'>;
  /** What the command line sets; then it cannot be changed in the interface. */
  readonly fixed: BackupPlan | undefined;
  readonly settings: BackupSettings;
  readonly jobs: Jobs;
  readonly clock: Pick<WallClock, 'wall'>;
  readonly store: Pick<WorkspaceStore, 'current' | 'subscribe'>;
}

/** The backups that a server makes: every day, as the command line or an owner sets it, and on request. */
export class Backups {
  readonly #parts: Parts;
  readonly #root: string;
  readonly #standard: string;
  #endFollowing = () => {};

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#root = parts.writing.location.root;
    this.#standard = path.join(parts.writing.location.state, 'backups');
    parts.jobs.runner.register(backupJob(parts.writing, () => this.#planToRun()));
  }

  async start(): Promise<void> {
    // The workspace's time zone may change.
    this.#endFollowing = this.#parts.store.subscribe(({ kind }) => {
      if (kind === 'workspace') void this.schedule().catch(() => {});
    });
    await this.schedule();
  }

  close(): void {
    this.#endFollowing();
  }

  /** Makes a daily backup due as it is set now, also by another server. */
  async schedule(): Promise<void> {
    const { isOn, at } = await this.#plan();
    await this.#parts.jobs.scheduler.setSchedules(
      backupKind,
      isOn ? [{ object, schedule: { kind: 'calendar', pattern: { at }, zone: this.#zone } }] : [],
    );
  }

  /**
   * Sets the daily backups. Their folder is checked now, and again whenever one is made.
   *
   * @throws ProblemError `request-invalid` for a folder that cannot have them, or if the command line sets them
   */
  async change({ isOn, at, kept, folder }: ChangedBackups): Promise<void> {
    if (this.#parts.fixed)
      throw new ProblemError(
        'request-invalid',
        'The option `--backups` of the server sets the backups. Start the server without it to set them here.',
      );
    const full = await this.#checked(folder ?? this.#standard);
    await this.#parts.settings.save({ isOn, at, kept, folder: full, root: this.#root });
    await this.schedule();
  }

  /** Makes a backup as soon as no other one is being made. */
  async startNow(): Promise<void> {
    const { jobs, clock } = this.#parts;
    const open = await this.#openJob();
    if (open?.state === 'running')
      throw new ProblemError('request-invalid', 'A backup is being made already. Wait until it is done.');
    const now = clock.wall();
    await jobs.runner.enqueue({
      kind: backupKind,
      object,
      dueAt: now,
      key: `${backupKind}:${object}:now:${now}`,
    });
  }

  async status(): Promise<BackupStatus> {
    const { jobs, fixed } = this.#parts;
    const [plan, open, last] = await Promise.all([this.#plan(), this.#openJob(), this.#lastJob()]);
    const next = jobs.scheduler.nextDue(backupKind, object);
    return {
      isOn: plan.isOn,
      at: plan.at,
      kept: plan.kept,
      folder: plan.folder,
      isStandardFolder: plan.folder === this.#standard,
      isFixed: fixed !== undefined,
      zone: this.#zone,
      ...(next !== undefined && plan.isOn && { nextAt: new Date(next).toISOString() }),
      ...(open && { current: presentJob(open) }),
      ...(last && { last: presentJob(last) }),
      files: await filesIn(plan.folder, backupNames(this.#root)),
    };
  }

  get #zone(): string {
    return this.#parts.store.current.timezone;
  }

  async #plan(): Promise<BackupPlan & Pick<StoredBackups, 'isOn'>> {
    const { fixed, settings } = this.#parts;
    if (fixed) return { isOn: true, ...fixed };
    return (await settings.find(this.#root)) ?? { isOn: false, ...standardPlan, folder: this.#standard };
  }

  /** A disk that is not mounted now must not get a new folder in its place. */
  async #planToRun(): Promise<BackupPlan> {
    const plan = await this.#plan();
    return this.#parts.fixed ? plan : { ...plan, folder: await this.#checked(plan.folder) };
  }

  #checked(folder: string): Promise<string> {
    return backupFolder(folder, { root: this.#root, standard: this.#standard });
  }

  /** The job that runs, or the one that waits: for its first try, or after a failed one. */
  async #openJob() {
    const { records } = this.#parts.jobs;
    const [running] = await records.list({ kind: backupKind, state: 'running' }, 1);
    return running ?? (await records.list({ kind: backupKind, state: 'queued' }, 1))[0];
  }

  async #lastJob() {
    const newest = await this.#parts.jobs.records.list({ kind: backupKind }, 20);
    return newest.find(({ state }) => state !== 'queued' && state !== 'running');
  }
}

/** The newest backups of a workspace in a folder; none if it cannot be read. */
async function filesIn(
  folder: string,
  { includes }: ReturnType<typeof backupNames>,
): Promise<BackupStatus['files']> {
  const names = (await readdir(folder).catch(() => [])).filter(includes).toSorted().toReversed();
  const sizes = names.slice(0, listedFiles).map(async name => {
    const found = await stat(path.join(folder, name)).catch(() => undefined);
    return found ? [{ name, bytes: found.size, at: found.mtime.toISOString() }] : [];
  });
  return (await Promise.all(sizes)).flat();
}
