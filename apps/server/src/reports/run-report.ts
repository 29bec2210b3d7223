import { includesLevel, isAtLeast, type EventNote, type Level, type ReportReason } from '@belvedere/api';
import { viewersZone, type DashboardFile, type ReportFile } from '@belvedere/document';
import { owner as localOwner, type Caller } from '../access/caller.ts';
import type { Directory } from '../access/directory.ts';
import { unexposed } from '../access/exposed-fields.ts';
import { maxExportedRows } from '../access/export-limit.ts';
import { levelOf } from '../access/may.ts';
import { sightOf } from '../access/sight.ts';
import type { NewMessage, Target } from '../deliver/message.ts';
import type { ExportWriter } from '../exports/formats/export-writer.ts';
import type { QueryService } from '../queries/query-service.ts';
import { localeOf, openForExport } from '../routes/dashboards/exports.ts';
import type { User } from '../state/accounts/users.ts';
import type { ScheduledDocument, Workspace } from '../workspace/workspace.ts';
import { renderReport, type ReportContent } from './render-report.ts';
import { hasRows, requireResult, unmetCondition } from './report-conditions.ts';
import { withinTime } from './drawing-limit.ts';
import { reportState, restrictsAll, shownPages } from './report-filters.ts';
import { resolveRecipients, userOf, type LeftOut, type ResolvedRecipient } from './report-recipients.ts';

/** How long it may take to draw a report for recipients who see the same. */
const longestDrawingMs = 55_000;
/** Size of a report's mail. */
const maxMailBytes = 15e6;

/** What a report needs to run. */
export interface ReportParts {
  readonly workspace: () => Workspace;
  /** The workspace's folder. */
  readonly root: string;
  readonly pagesFolder: string;
  readonly queries: QueryService;
  readonly directory: Directory;
  /** In local mode, the only user owns all reports. */
  readonly isTeam: boolean;
  readonly writer: ExportWriter;
  readonly notesOf: (dashboard: string) => Promise<readonly EventNote[]>;
  /** Wall-clock time, ms since 1970. */
  readonly now: () => number;
  /** IDs of the users who have unsubscribed from a report. */
  readonly unsubscribed: (report: string) => Promise<ReadonlySet<string>>;
  readonly maxBytes?: number;
  readonly longestDrawingMs?: number;
  /**
   * For the last try of a run: a tile whose query is interrupted is drawn with its error. A message with the
   * other tiles is better than none.
   */
  readonly drawsInterruptions?: boolean;
}

export type ReportResult =
  | { readonly kind: 'sent'; readonly messages: readonly NewMessage[]; readonly left: readonly LeftOut[] }
  | { readonly kind: 'skipped'; readonly reason: ReportReason; readonly left: readonly LeftOut[] }
  | { readonly kind: 'stopped'; readonly reason: ReportReason };

type Report = ScheduledDocument<ReportFile>;

/**
 * Runs a report as its owner, with the rights that they have now. Returns the messages for its recipients,
 * without sending them. Recipients who see the same share one message.
 * @param due wall-clock time, ms since 1970
 * @throws ProblemError, QueryError, EngineError if the content cannot be computed
 */
export async function runReport(
  report: Report,
  due: number,
  parts: ReportParts,
  signal: AbortSignal,
): Promise<ReportResult> {
  const workspace = parts.workspace();
  const { document } = report;
  if (!document || report.problems.length > 0) return { kind: 'stopped', reason: 'invalid' };
  const owner = ownerOf(document, parts);
  if ('reason' in owner) return { kind: 'stopped', reason: owner.reason };
  const object = { kind: 'dashboard', id: document.dashboard } as const;
  const ownerLevel = levelOf(owner.caller, object, workspace);
  const shown = workspace.dashboards.get(document.dashboard)?.document;
  if (!ownerLevel) return { kind: 'stopped', reason: 'owner-forbidden' };
  if (!shown) return { kind: 'stopped', reason: 'invalid' };

  const limitMs = parts.longestDrawingMs ?? longestDrawingMs;
  const { onlyIf } = document;
  const unmet = await withinTime(limitMs, signal, async limited => {
    const { context } = await openReport(
      document,
      { caller: owner.caller, filters: {}, mayExport: true },
      parts,
      limited,
    );
    await requireResult(context, shownPages(document, context));
    return onlyIf && unmetCondition(context, onlyIf, parts.now());
  });
  if (unmet) return { kind: 'skipped', reason: unmet, left: [] };

  const resolved = resolveRecipients(document, owner.user, parts.directory);
  const left = [...resolved.left];
  const unsubscribed = await parts.unsubscribed(report.id);
  const audiences = new Map<string, Audience>();
  for (const recipient of resolved.recipients) {
    const runsAs = { ...owner, level: ownerLevel };
    const audience = audienceOf(recipient, document, runsAs, shown, unsubscribed, parts);
    if ('reason' in audience) {
      left.push(audience);
      continue;
    }
    const known = audiences.get(audience.key);
    audiences.set(audience.key, { ...audience, to: [...(known?.to ?? []), ...audience.to] });
  }

  const messages: NewMessage[] = [];
  for (const audience of audiences.values()) {
    const content = await withinTime(limitMs, signal, limited =>
      contentFor(audience, document, parts, limited),
    );
    if (typeof content === 'string')
      left.push(...audience.to.map(to => ({ recipient: nameOf(to), reason: content })));
    else messages.push(...messagesOf(report.id, document, due, audience, content));
  }
  if (messages.length > 0) return { kind: 'sent', messages, left };
  const isEmpty = left.length > 0 && left.every(({ reason }) => reason === 'empty');
  return { kind: 'skipped', reason: isEmpty ? 'empty' : 'no-recipients', left };
}

/** Draws a report as one caller sees it, for any recipients. */
export async function previewReport(
  document: ReportFile,
  caller: Caller,
  parts: ReportParts,
  signal: AbortSignal,
): Promise<ReportContent> {
  const level = levelOf(caller, { kind: 'dashboard', id: document.dashboard }, parts.workspace());
  const mayExport = includesLevel(level, 'explore');
  return draw(document, { caller, filters: {}, mayExport }, parts, signal);
}

interface Owner {
  readonly caller: Caller;
  /** Absent in local mode. */
  readonly user?: User;
}

/** Returns with whose rights a report runs. */
export function ownerOf(
  { owner }: Pick<ReportFile, 'owner'>,
  { isTeam, directory, workspace }: Pick<ReportParts, 'isTeam' | 'directory' | 'workspace'>,
): Owner | { readonly reason: ReportReason } {
  if (!isTeam) return { caller: localOwner };
  const user = owner === undefined ? undefined : userOf(owner, directory.users);
  if (!user) return { reason: 'owner-unknown' };
  const caller = directory.callerOf(user.id, workspace());
  return caller ? { caller, user } : { reason: 'owner-disabled' };
}

/** Recipients who see the same. */
interface Audience {
  readonly key: string;
  readonly to: readonly ResolvedRecipient[];
  readonly caller: Caller;
  readonly filters: NonNullable<ReportFile['filters']>;
  readonly mayExport: boolean;
  /** How many rows of a table the files may have. */
  readonly exportRows: number;
  /** Whether filters alone keep their rows apart from those of others. */
  readonly isBurst: boolean;
  /** What they see under their own rights, see `sightOf`. */
  readonly sight?: string;
}

function audienceOf(
  recipient: ResolvedRecipient,
  document: ReportFile,
  owner: Owner & { readonly level: Level },
  dashboard: DashboardFile,
  unsubscribed: ReadonlySet<string>,
  { directory, workspace }: ReportParts,
): Audience | LeftOut {
  const { to, filters, list } = recipient;
  const leave = (reason: LeftOut['reason']) => ({ recipient: nameOf(recipient), reason });
  const shared = { to: [recipient], filters };
  const object = { kind: 'dashboard', id: document.dashboard } as const;
  const ofOwner = maxExportedRows(owner.caller, object, workspace());
  if (typeof to === 'string') {
    const mayExport = includesLevel(owner.level, 'explore');
    const caller = asReader(owner.caller);
    const key = `owner ${list} ${mayExport} ${ofOwner}`;
    return { ...shared, key, caller, mayExport, exportRows: ofOwner, isBurst: list > 0 };
  }
  if (unsubscribed.has(to.id)) return leave('unsubscribed');
  const caller = directory.callerOf(to.id, workspace());
  if (!caller) return leave('disabled');
  const level = levelOf(caller, object, workspace());
  if (!level) return leave('forbidden');
  const own = maxExportedRows(caller, object, workspace());
  if (document.rows === 'owner') {
    const mayExport = includesLevel(level, 'explore') && includesLevel(owner.level, 'explore');
    const exportRows = Math.min(own, ofOwner);
    const key = `owner ${list} ${mayExport} ${exportRows}`;
    return { ...shared, key, caller: asReader(owner.caller), mayExport, exportRows, isBurst: list > 0 };
  }
  const mayExport = includesLevel(level, 'explore');
  const sight = sightOf(caller, dashboard, workspace());
  const zone = dashboard.timezone === viewersZone ? (caller.zone ?? '') : '';
  return {
    ...shared,
    key: `${list} ${mayExport} ${own} ${zone} ${sight}`,
    caller,
    mayExport,
    exportRows: own,
    isBurst: false,
    sight,
  };
}

/**
 * The owner as the recipients' eyes: with the owner's rows, but without what only authors of dashboards see,
 * such as details of errors.
 */
function asReader(caller: Caller): Caller {
  return isAtLeast(caller.role, 'editor') ? { ...caller, role: 'explorer' } : caller;
}

const nameOf = ({ to }: ResolvedRecipient): string => (typeof to === 'string' ? to : to.email);

async function contentFor(
  audience: Audience,
  document: ReportFile,
  parts: ReportParts,
  signal: AbortSignal,
): Promise<ReportContent | LeftOut['reason']> {
  const { filters, isBurst } = audience;
  const { context } = await openReport(document, audience, parts, signal);
  const pages = shownPages(document, context);
  if (context.refused.length > 0 || (isBurst && !(await restrictsAll(context, pages, Object.keys(filters)))))
    return 'filter-not-applied';
  if (document.onlyIf?.notEmpty && !(await hasRows(context, pages))) return 'empty';
  return draw(document, audience, parts, signal);
}

async function draw(
  document: ReportFile,
  audience: Pick<Audience, 'caller' | 'filters' | 'mayExport'> & Partial<Pick<Audience, 'exportRows'>>,
  parts: ReportParts,
  signal: AbortSignal,
): Promise<ReportContent> {
  const { mayExport } = audience;
  const { context, opened } = await openReport(document, audience, parts, signal);
  const [refused] = context.refused;
  if (refused !== undefined) throw unexposed(refused);
  return renderReport(context, {
    report: document,
    pages: shownPages(document, context),
    mayExport,
    opened,
    locale: localeOf(localeIn(document, parts)),
    root: parts.root,
    pagesFolder: parts.pagesFolder,
    writer: parts.writer,
    maxBytes: parts.maxBytes ?? maxMailBytes,
    ...(parts.drawsInterruptions && { drawsInterruptions: true }),
  });
}

function openReport(
  document: ReportFile,
  { caller, filters, exportRows }: Parameters<typeof draw>[1],
  parts: ReportParts,
  signal: AbortSignal,
): ReturnType<typeof openForExport> {
  const { queries, notesOf } = parts;
  const workspace = parts.workspace();
  const locale = localeIn(document, parts);
  return openForExport(
    {
      caller,
      dashboard: workspace.dashboards.get(document.dashboard),
      state: reportState(document, filters),
      workspace,
      language: locale?.slice(0, 2),
      locale: localeOf(locale),
      isOffline: false,
      ...(exportRows !== undefined && { exportRows }),
      signal,
    },
    { queries, notesOf },
  );
}

/** Returns the language in which a report is written and drawn. */
export function localeIn(
  { locale }: Pick<ReportFile, 'locale'>,
  { workspace }: Pick<ReportParts, 'workspace'>,
): string | undefined {
  return locale ?? workspace().settings.locale;
}

/** One message for users, who can unsubscribe, and one for channels. */
function messagesOf(
  id: string,
  { dashboard }: ReportFile,
  due: number,
  { to, sight }: Audience,
  content: ReportContent,
): NewMessage[] {
  const users = to.flatMap(({ to: user }): Target[] =>
    typeof user === 'string' ? [] : [{ kind: 'user', userId: user.id }],
  );
  const channels = to.flatMap(({ to: channel }): Target[] =>
    typeof channel === 'string' ? [{ kind: 'channel', channel }] : [],
  );
  const message = {
    ...content,
    kind: 'report' as const,
    about: `report:${id}`,
    requires: [{ kind: 'dashboard' as const, id: dashboard }],
    ...(sight !== undefined && { sight: { dashboard, hash: sight } }),
  };
  const unsubscribe = `/reports/${encodeURIComponent(id)}/unsubscribe`;
  const keyOf = (first: Target) =>
    `report:${id}:${due}:${first.kind === 'user' ? first.userId : `channel ${first.channel}`}:${to[0]!.list}`;
  return [
    ...(users.length > 0 ? [{ ...message, key: keyOf(users[0]!), to: users, unsubscribe }] : []),
    ...(channels.length > 0 ? [{ ...message, key: keyOf(channels[0]!), to: channels }] : []),
  ];
}
