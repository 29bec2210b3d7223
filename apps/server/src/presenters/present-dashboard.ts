import {
  includesLevel,
  isAtLeast,
  sharedDashboardId,
  type DashboardSummary,
  type EventNote,
  type Level,
  type ModelSummary,
  type OpenDashboard,
} from '@belvedere/api';
import { calendarOf, namesIn, resolveTheme, zoneOf, type DashboardFile } from '@belvedere/document';
import { createHash } from 'node:crypto';
import type { Caller } from '../access/caller.ts';
import { guestDashboard } from '../access/guest.ts';
import { dashboardVisibleTo, exposedTo } from '../access/exposed-fields.ts';
import { queryableWorkspace } from '../access/granted-workspace.ts';
import { maxExportedRows } from '../access/export-limit.ts';
import { levelOf } from '../access/may.ts';
import { scopeOf, workspaceVisibleTo } from '../access/row-policies.ts';
import type { DashboardStore } from '../workspace/documents/dashboard-store.ts';
import { plainProblem } from '../workspace/documents/document-repository.ts';
import type { SourceState } from '../workspace/sources/source.ts';
import {
  modelsNamed,
  modelsOf,
  sourceAwaited,
  type Workspace,
  type WorkspaceDashboard,
} from '../workspace/workspace.ts';
import { ProblemError } from '../http/problems.ts';
import { modelSummary } from './present-model.ts';
import { publishedDashboard } from './published-dashboard.ts';

/** Returns a dashboard with its texts translated, if it has translations. */
export function localized<D extends WorkspaceDashboard | undefined>(
  dashboard: D,
  language: string | undefined,
): D {
  const document = language === undefined ? undefined : dashboard?.translations?.get(language);
  return document ? { ...dashboard, document, title: document.title } : dashboard;
}

export function dashboardSummary(dashboard: WorkspaceDashboard, level: Level): DashboardSummary {
  const { id, title, origin, state, document, updated, revision } = dashboard;
  const tiles = document?.pages.reduce((sum, page) => sum + Object.keys(page.tiles).length, 0) ?? 0;
  const tilesWithErrors = Object.keys(dashboard.brokenTiles).length;
  const models = document ? modelsNamed(document) : [];
  const folder = origin === 'overview' ? '' : id.split('/').slice(0, -1).join('/');
  return {
    id,
    title,
    ...(document?.description && { description: document.description }),
    ...(document?.tags && { tags: [...document.tags] }),
    folder,
    origin,
    state,
    tiles,
    ...(tilesWithErrors > 0 && includesLevel(level, 'edit') && { tilesWithErrors }),
    models,
    ...(updated && { updated }),
    revision,
    level,
  };
}

/**
 * Returns a dashboard by its ID, or a draft or earlier revision, which only those get who were let through by
 * `requireAccess`. Guests get it as their link shows it.
 */
export async function foundFor(
  { viewingAs, guest }: Caller,
  id: string,
  dashboards: DashboardStore,
  granted: Workspace,
): Promise<WorkspaceDashboard | undefined> {
  if (guest) {
    const published = await dashboards.findPublished(id);
    return published && guestDashboard(published, guest);
  }
  return viewingAs === undefined
    ? dashboards.find(id, queryableWorkspace(granted))
    : dashboards.findPublished(id);
}

/** Returns a dashboard as visible to a caller, with the exposed part of its models. */
export function openedFor(
  caller: Caller,
  dashboard: WorkspaceDashboard,
  workspace: Workspace,
  notes: readonly EventNote[],
): OpenDashboard {
  const read = workspaceVisibleTo(workspace, caller);
  const seen = dashboardVisibleTo(caller, dashboard, read);
  const object = { kind: 'dashboard', id: dashboard.id } as const;
  const level = levelOf(caller, object, workspace) ?? 'view';
  const exportRows = maxExportedRows(caller, object, workspace, dashboard.document);
  const opened = {
    ...presentDashboard(seen, read, notes, level),
    timezone: zoneOf(dashboard.document?.timezone, caller.zone ?? workspace.timezone, workspace.timezone),
    ...(Number.isFinite(exportRows) && { exportRows }),
  };
  const exposed = seen.document && exposedTo(caller, seen.document, read);
  if (!exposed) return isAtLeast(caller.role, 'admin') ? opened : { ...opened, waitsFor: [] };
  const named = new Set(namesIn(seen.document));
  return {
    ...opened,
    waitsFor: [],
    models: opened.models.map(model => exposedSummary(model, exposed.get(model.name) ?? new Set(), named)),
  };
}

/** What guests of one link see alike, by workspace: thousands of them may open a link in the same second. */
const shownToGuests = new WeakMap<Workspace, Map<string, OpenDashboard>>();
const maxRemembered = 200;

/**
 * Returns a dashboard for a guest: without its ID and folder, notes, and the names of models and files.
 * @param language into which the dashboard was translated
 */
export function openedForGuest(
  caller: Caller,
  dashboard: WorkspaceDashboard,
  workspace: Workspace,
  language: string | undefined,
): OpenDashboard {
  const { grants, guest, role, exportGrants } = caller;
  const key = JSON.stringify([
    dashboard.id,
    // It names the link's view, too.
    dashboard.revision,
    language,
    scopeOf(caller),
    role,
    grants === 'all' ? grants : [...grants],
    [...(exportGrants ?? [])],
    guest?.exportRows,
    guest?.isStrict,
  ]);
  const known = shownToGuests.get(workspace) ?? new Map<string, OpenDashboard>();
  shownToGuests.set(workspace, known);
  const found = known.get(key) ?? presentForGuest(caller, dashboard, workspace);
  if (known.size >= maxRemembered) known.clear();
  known.set(key, found);
  return found;
}

function presentForGuest(caller: Caller, dashboard: WorkspaceDashboard, workspace: Workspace): OpenDashboard {
  const { document, ...opened } = openedFor(caller, dashboard, workspace, []);
  // An error in its file, or pages with other titles: once that is corrected, the link works again.
  if (!document) throw new ProblemError('not-found', 'Nothing of this dashboard can be shown now.');
  const published = publishedDashboard({ ...opened, document }).dashboard;
  return {
    ...published,
    id: sharedDashboardId,
    folder: '',
    revision: createHash('sha256').update(dashboard.revision).digest('hex').slice(0, 16),
  };
}

/**
 * Returns a model with the fields that a dashboard exposes. Fields that it only names are included as hidden.
 */
function exposedSummary(
  model: ModelSummary,
  exposed: ReadonlySet<string>,
  named: ReadonlySet<string>,
): ModelSummary {
  const { time, hierarchies, filters, dimensions, measures, ...rest } = model;
  return {
    ...rest,
    ...(time !== undefined && exposed.has(time) && { time }),
    dimensions: dimensions.flatMap(field =>
      exposed.has(field.name) ? [field] : named.has(field.name) ? [{ ...field, isHidden: true }] : [],
    ),
    measures: measures.filter(({ name }) => name === 'rows' || named.has(name)),
    ...(hierarchies && {
      hierarchies: hierarchies.map(levels => levels.filter(level => exposed.has(level))),
    }),
    ...(filters && {
      filters: Object.fromEntries(Object.entries(filters).filter(([field]) => exposed.has(field))),
    }),
  };
}

export function presentDashboard(
  dashboard: WorkspaceDashboard,
  workspace: Workspace,
  notes: readonly EventNote[],
  level: Level,
): OpenDashboard {
  const { document } = dashboard;
  return {
    ...dashboardSummary(dashboard, level),
    ...(document && { document }),
    models: document ? modelsOf(document, workspace).map(found => modelSummary(found)) : [],
    timezone: zoneOf(document?.timezone, workspace.timezone, workspace.timezone),
    calendar: calendarOf(workspace.settings, document),
    look: resolveTheme(workspace.settings, document),
    problems: dashboard.problems.map(plainProblem),
    brokenTiles: { ...dashboard.brokenTiles },
    waitsFor: document
      ? sourcesAwaited(document, workspace).map(({ name, label }) => ({ source: name, label }))
      : [],
    notes: [...notes],
    languages: [...(dashboard.translations?.keys() ?? [])],
    untranslated: (dashboard.untranslated ?? []).map(text => ({ ...text })),
  };
}

/** The distinct sources that must be confirmed before all of a dashboard can be shown. */
export function sourcesAwaited(document: DashboardFile, workspace: Workspace): SourceState[] {
  return [...new Set(modelsNamed(document).flatMap(name => sourceAwaited(workspace, name) ?? []))];
}
