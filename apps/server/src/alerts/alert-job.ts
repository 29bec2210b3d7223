import { ruleOf } from '@belvedere/alert';
import type { AlertFile } from '@belvedere/document';
import type { Caller } from '../access/caller.ts';
import type { Directory } from '../access/directory.ts';
import type { Deliveries } from '../deliver/deliveries.ts';
import type { MessageImage } from '../deliver/message.ts';
import { tileImage } from '../exports/export-dashboard.ts';
import type { ExportWriter } from '../exports/formats/export-writer.ts';
import type { JobKind, JobOutcome, RunningJob } from '../jobs/job-kind.ts';
import type { JobRunner } from '../jobs/job-runner.ts';
import { titleOf } from '../presenters/tile-title.ts';
import { problemFrom } from '../http/problems.ts';
import { contextOfTile } from '../queries/dashboard-query-context.ts';
import type { QueryService } from '../queries/query-service.ts';
import type { AlertRecord, AlertStates, StopReason } from '../state/messages/alert-states.ts';
import type { DocumentIds } from '../state/documents/document-ids.ts';
import type { NotificationChoices } from '../state/messages/notification-choices.ts';
import type { Clock } from '../state/database/wall-clock.ts';
import { contentHash } from '../workspace/documents/content-hash.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { targetsOf, watcherOf } from './alert-owner.ts';
import { aboutAlert, alertMessage, overTitle } from './alert-message.ts';
import { applyCheck, applyFirstCheck, type CheckResult, type Finding } from './apply-check.ts';
import { watchKey } from './firing-spans.ts';
import { localeIn, maxPeriodsOf, observe, watchedTile, type ObserveOptions } from './observe.ts';

export const alertJob = 'alert';

/** A table that is being imported is looked at again after this time. */
const waitMs = 5000;
const pictureWidth = 640;

export interface AlertJobParts {
  readonly workspace: () => Workspace;
  readonly root: string;
  readonly queries: QueryService;
  readonly directory: Directory;
  readonly states: AlertStates;
  readonly ids: Pick<DocumentIds, 'of'>;
  readonly deliveries: Pick<Deliveries, 'add' | 'resolveIncidents'>;
  readonly runner: Pick<JobRunner, 'enqueue'>;
  readonly writer: ExportWriter;
  readonly clock: Pick<Clock, 'wall'>;
  readonly isTeam: boolean;
  readonly choices: Pick<NotificationChoices, 'of'>;
  /** Called after a check that changed what is shown of an alert. */
  readonly onChange: (id: string) => void;
}

/** Checks alerts. A check writes its states and its message in one transaction, so that neither comes twice. */
export function alertJobKind(parts: AlertJobParts): JobKind {
  /** The end of each alert's last check: two at once would both send a message about the same change. */
  const turns = new Map<string, Promise<unknown>>();
  return {
    kind: alertJob,
    atOnce: 4,
    timeoutMs: 120_000,
    backOffMs: [5000, 30_000],
    keptMs: 3_600_000,
    run: job => {
      const { object, signal } = job;
      const check = (turns.get(object) ?? Promise.resolve()).then(() => {
        signal.throwIfAborted();
        return checkAlert(job, parts);
      });
      // A check that hangs must not hold up the next.
      const ended = Promise.race([check.catch(() => {}), aborted(signal)]);
      turns.set(object, ended);
      void ended.then(() => turns.get(object) === ended && turns.delete(object));
      return check;
    },
  };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise(resolve => signal.addEventListener('abort', () => resolve(), { once: true }));
}

async function checkAlert(job: RunningJob, parts: AlertJobParts): Promise<JobOutcome> {
  const { workspace, directory, isTeam, ids, clock, queries } = parts;
  const found = workspace().alerts.get(job.object);
  const alert = found?.document;
  if (!found || !alert || found.problems.length > 0) return { kind: 'done', detail: 'It cannot run.' };
  if (alert.paused) return { kind: 'done', detail: 'It is paused.' };
  const documentId = await ids.of('alert', found.file);
  const owner = watcherOf(alert, directory, workspace(), isTeam);
  if ('stopped' in owner) return stop(documentId, found.id, alert, owner.stopped, parts);
  const { caller } = owner;
  const options: ObserveOptions = {
    queries,
    workspace: workspace(),
    caller,
    now: clock.wall(),
    periods: maxPeriodsOf(alert),
    signal: job.signal,
  };
  const last = (await parts.states.of(documentId)).check?.checkedAt;
  const finding = await findingOf(alert, options, job.signal);
  if (finding === 'not-read') return { kind: 'postponed', until: clock.wall() + waitMs };
  const isSettled = await settle(
    { id: found.id, documentId, alert, caller, finding, job, options, last },
    parts,
  );
  return isSettled
    ? { kind: 'done', detail: 'Checked' }
    : { kind: 'postponed', until: clock.wall() + waitMs };
}

async function findingOf(
  alert: AlertFile,
  options: ObserveOptions,
  signal: AbortSignal,
): Promise<Finding | 'not-read'> {
  try {
    return { observed: await observe(alert, options) };
  } catch (error) {
    if (signal.aborted) throw error;
    const { type, detail } = problemFrom(error);
    return type === 'still-reading' ? 'not-read' : { error: detail ?? type };
  }
}

interface Check {
  readonly id: string;
  readonly documentId: string;
  readonly alert: AlertFile;
  readonly caller: Caller;
  readonly finding: Finding;
  readonly job: RunningJob;
  readonly options: ObserveOptions;
  /** When the alert was checked before its values were read. */
  readonly last: number | undefined;
}

/** Returns false if another server recorded a check meanwhile: the values of that one may be newer. */
async function settle(check: Check, parts: AlertJobParts): Promise<boolean> {
  const { id, documentId, alert, finding, options, last } = check;
  const { states, clock } = parts;
  const watched = watchedHash(alert);
  const resultFrom = (record: AlertRecord, now: number) =>
    (record.check?.watched === watched ? applyCheck : applyFirstCheck)(alert, record, finding, now);
  // Drawn before the transaction, which must not last as long as a query.
  const isDue = resultFrom(await states.of(documentId), clock.wall()).due.length > 0;
  const picture = isDue ? await pictureOf(alert, options, parts) : undefined;
  return states.transaction(async () => {
    await states.lock(documentId);
    const now = clock.wall();
    const before = await states.of(documentId);
    if (before.check?.checkedAt !== last) return false;
    const result = resultFrom(before, now);
    const problem = 'error' in finding ? finding.error : undefined;
    const measure = 'observed' in finding ? finding.observed.measure : before.check?.measure;
    await states.save(
      documentId,
      { checkedAt: now, watched, ...(problem !== undefined && { problem }), ...(measure && { measure }) },
      result.groups,
      result.changes,
      watchKey(alert),
    );
    if (result.due.length > 0) await addMessage(check, result, now, picture, parts);
    // A changed alert starts over, so that nothing else would tell that it is over.
    else if (before.check && before.check.watched !== watched && isOver(result))
      await parts.deliveries.resolveIncidents(
        aboutAlert(id),
        overTitle(alert.title, localeIn(alert, options.workspace)),
        () => false,
      );
    const wake = nextWake(alert, result, now);
    if (wake !== undefined)
      await parts.runner.enqueue({
        kind: alertJob,
        object: id,
        dueAt: wake,
        key: `${alertJob}:${id}:wake:${wake}`,
      });
    const isChanged = result.changes.length > 0 || before.check?.problem !== problem;
    if (isChanged || before.check?.stopped !== undefined || !before.check)
      states.afterCommit(() => parts.onChange(id));
    return true;
  });
}

/** Whether recipients know of nothing that goes on. */
const isOver = ({ groups }: CheckResult) => groups.every(({ state }) => state.notified === 'ok');

async function addMessage(
  { id, documentId, alert, finding, job, options }: Check,
  { due, groups }: CheckResult,
  now: number,
  picture: Picture | undefined,
  { deliveries, directory, workspace, choices }: AlertJobParts,
): Promise<void> {
  const chosen = await choices.of(documentId);
  const to = targetsOf(alert, directory).filter(
    target => target.kind !== 'user' || chosen.get(target.userId) !== 'none',
  );
  if (to.length === 0) return;
  await deliveries.add(
    alertMessage({
      id,
      alert,
      due,
      groups,
      ...('observed' in finding && { measure: finding.observed.measure }),
      watches: picture?.title ?? alert.title,
      to,
      ...(picture?.image && { image: picture.image }),
      key: `${alertJob}:${id}:${job.id}`,
      now,
      locale: localeIn(alert, options.workspace),
      zone: workspace().timezone,
    }),
  );
}

interface Picture {
  readonly title: string;
  readonly image?: MessageImage;
}

/** The tile as it looks with the alert's filters. A message does without one that cannot be drawn. */
async function pictureOf(
  alert: AlertFile,
  options: ObserveOptions,
  { root, writer }: AlertJobParts,
): Promise<Picture | undefined> {
  try {
    const { context, id, tile, model } = watchedTile(alert, options);
    const locale = localeIn(alert, options.workspace);
    const title = titleOf(tile, model, locale);
    if (alert.when.missing !== undefined) return { title: model.label };
    const png = await tileImage(
      contextOfTile(context, id),
      [id, tile],
      { width: pictureWidth, locale, root },
      writer,
    );
    return { title, image: { name: 'tile.png', alt: title, png, width: pictureWidth } };
  } catch (error) {
    if (options.signal?.aborted) throw error;
    return undefined;
  }
}

/** The next time at which something changes without new data: a hold time or a snooze ends, or a message is repeated. */
function nextWake(alert: AlertFile, { groups }: CheckResult, now: number): number | undefined {
  const { holdMs, repeatMs } = ruleOf(alert);
  const times = groups.flatMap(({ state: { state, since, lacking, notified, notifiedAt, snoozedUntil } }) => [
    ...(state === 'pending' ? [since + holdMs] : []),
    ...(lacking && state !== 'firing' ? [lacking.since + holdMs] : []),
    ...(state === 'firing' && repeatMs !== undefined && notifiedAt !== undefined
      ? [notifiedAt + repeatMs]
      : []),
    ...(state !== notified && snoozedUntil !== undefined ? [snoozedUntil] : []),
  ]);
  const next = Math.min(...times.filter(time => time > now));
  return Number.isFinite(next) ? next : undefined;
}

async function stop(
  documentId: string,
  id: string,
  alert: AlertFile,
  stopped: StopReason,
  { states, clock, onChange }: AlertJobParts,
): Promise<JobOutcome> {
  await states.transaction(async () => {
    await states.lock(documentId);
    const { check, groups } = await states.of(documentId);
    // Its states stay those of its last check, as of what it watched then.
    const { checkedAt, watched, measure } = check ?? {
      checkedAt: clock.wall(),
      watched: watchedHash(alert),
    };
    const recorded = { checkedAt, watched, stopped, ...(measure && { measure }) };
    await states.save(documentId, recorded, groups, [], watchKey(alert));
    if (check?.stopped !== stopped) states.afterCommit(() => onChange(id));
  });
  return { kind: 'done', detail: `It is stopped: ${stopped}.` };
}

/** Changes with what an alert watches, whose states then start over. */
function watchedHash({ watch, when }: AlertFile): string {
  return contentHash(JSON.stringify([watch, when]));
}
