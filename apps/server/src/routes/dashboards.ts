import type { DashboardSummary, EventNote, Frame, ModelSummary, OpenDashboard } from '@belvedere/api';
import { listeningIn, listensTo } from '@belvedere/crossfilter';
import {
  calendarOf,
  labelFrom,
  resolveTheme,
  namesIn,
  type DashboardFile,
  type Tile,
} from '@belvedere/document';
import { allOf, hasNoQuery, type Value } from '@belvedere/query';
import {
  appliedFilters,
  dashboardContext,
  dataTime,
  filtersFor,
  tileModel,
  tilesOnPage,
  type DashboardContext,
} from '../queries/dashboard-query-context.ts';
import { queryBrushIndex } from '../queries/query-brush-index.ts';
import {
  resultOrProblems,
  queryTile,
  canSample,
  problemFrame,
  underlyingRows,
  resolveTile,
  tableRows,
} from '../queries/query-tile.ts';
import { shownRows } from '../queries/result-rows.ts';
import { modelOf, type QueryService } from '../queries/query-service.ts';
import { queryContextOf } from '../queries/query-context.ts';
import type { Caller } from '../auth/caller.ts';
import { dashboardVisibleTo, exposedTo, refuseUnexposed, unexposed } from '../permissions/exposed-fields.ts';
import { scopeOf, workspaceVisibleTo } from '../permissions/row-policies.ts';
import { explainTile } from '../queries/explain-tile.ts';
import { drawThumbnail } from '../queries/draw-thumbnail.ts';
import { limits } from '../limits.ts';
import { ProblemError } from '../problems.ts';
import type { DashboardStore } from '../workspace/documents/dashboard-store.ts';
import { plainProblem } from '../workspace/documents/document-repository.ts';
import { homeOrder } from '../workspace/documents/home-order.ts';
import { findTiles } from '../queries/find-tiles.ts';
import { isFoundIn } from '../workspace/documents/search-dashboards.ts';
import type { WorkspaceStore } from '../workspace/workspace-store.ts';
import type { SourceState } from '../workspace/sources/source.ts';
import {
  fileTableOf,
  modelsNamed,
  sourceAwaited,
  type Workspace,
  type WorkspaceDashboard,
  type WorkspaceModel,
} from '../workspace/workspace.ts';
import type { Handlers } from './mount-contract.ts';
import { readWorkspaceAsset } from '../workspace/workspace-assets.ts';
import type { FastifyReply } from 'fastify';

type DashboardHandlers = Pick<
  Handlers,
  | 'listDashboards'
  | 'findTiles'
  | 'getDashboard'
  | 'getThumbnail'
  | 'queryTiles'
  | 'getBrushIndex'
  | 'getTileRows'
  | 'explainTile'
  | 'getFieldValues'
  | 'getImage'
  | 'getMap'
>;

export function dashboardRoutes(
  store: WorkspaceStore,
  dashboards: DashboardStore,
  answers: QueryService,
): DashboardHandlers {
  const open = (
    id: string,
    state: DashboardContext['state'],
    caller: Caller,
    signal: AbortSignal,
  ): DashboardContext => {
    const dashboard = foundFor(caller, id, dashboards);
    return dashboardContext(
      dashboard,
      state,
      queryContextOf(store.current, dashboard?.document, caller, signal),
      answers,
    );
  };

  /** The queue of the dashboard's default source, which most of its tiles query. */
  const queueFor = ({ dashboard, queryContext: { workspace } }: DashboardContext) =>
    answers.queueOf(workspace.models.get(dashboard.model ?? '')?.model.source ?? 'files');

  return {
    listDashboards: ({ query, caller }) => ({
      dashboards: [...store.current.dashboards.values()]
        .map(dashboard => dashboardVisibleTo(caller, dashboard, workspaceVisibleTo(store.current, caller)))
        .filter(dashboard => !query.search || isFoundIn(localized(dashboard, query.language), query.search))
        .map(dashboard => localized(dashboard, query.language))
        .toSorted(homeOrder(store.current))
        .map(summary),
      look: resolveTheme(store.current.settings),
      skippedFiles: caller.reads === 'everything' ? [...store.current.skippedFiles] : [],
    }),

    findTiles: ({ query }) => {
      const all = [...store.current.dashboards.values()]
        .toSorted(homeOrder(store.current))
        .map(dashboard => localized(dashboard, query.language));
      const found = findTiles(all, store.current, query.search, query.language ?? 'en');
      return { tiles: found.slice(0, limits.foundTiles), isCut: found.length > limits.foundTiles };
    },

    getDashboard: ({ params, query, caller }) => {
      const dashboard = localized(foundFor(caller, params.id, dashboards), query.language);
      if (!dashboard) throw new ProblemError('not-found', 'Dashboard not found, or not shared with you.');
      return openedFor(caller, dashboard, store.current, dashboards.notes.of(params.id));
    },

    getThumbnail: async ({ params, query, reply, caller, signal }) => {
      const context = open(params.id, { page: 0, filters: {}, selections: {} }, caller, signal);
      const svg = await drawThumbnail(context, query.theme, store.folders.root);
      return reply
        .header('content-type', 'image/svg+xml')
        .header('cache-control', 'private, max-age=60')
        .send(svg);
    },

    queryTiles: ({ params, body, caller, signal }) => {
      const here = open(params.id, body.state, caller, signal);
      const dashboard = foundFor(caller, params.id, dashboards)!;
      const broken = dashboard.brokenTiles;
      const frames = (shared: AbortSignal) => {
        queueFor(here).refuseOverload();
        const context = { ...here, queryContext: { ...here.queryContext, signal: shared } };
        const wanted = tilesOnPage(context).filter(
          ([id]) => !(id in broken) && (!body.tiles || body.tiles.includes(id)),
        );
        const tiles = wanted.flatMap(([id, tile]) => {
          const exact = resultOrProblems(context, id, tile, body.scope);
          return [
            exact,
            ...(canSample(context, tile) ? [nearAnswer(context, id, tile, body.scope, exact)] : []),
          ];
        });
        return withEnd(asCompleted(tiles), context);
      };
      return { key: keyOf('answers', dashboard, here, body), frames };
    },

    getBrushIndex: ({ params, body, caller, signal }) => {
      const here = open(params.id, body.state, caller, signal);
      const dashboard = foundFor(caller, params.id, dashboards)!;
      const { brokenTiles } = dashboard;
      const tiles = tilesOnPage(here);
      const tile = tiles.find(([id]) => id === body.active)?.[1];
      if (!tile || hasNoQuery(tile) || tile.kind === 'table' || tile.kind === 'text')
        throw new ProblemError('not-found', `Chart \`${body.active}\` not found on this page.`);
      const frames = async (shared: AbortSignal) => {
        queueFor(here).refuseOverload();
        const context = { ...here, queryContext: { ...here.queryContext, signal: shared } };
        const active = (await resolveTile(context, body.active, tile))!;
        const listening = listeningIn(context.dashboard);
        const passive = tiles.filter(
          ([id]) =>
            listensTo(listening, id, body.active) &&
            !(id in brokenTiles) &&
            (!body.tiles || body.tiles.includes(id)),
        );
        return asCompleted(
          passive.map(([id, other]) =>
            queryBrushIndex(context, active, id, other).catch((error: unknown) => [
              problemFrame(context, id, 'filtered', error),
            ]),
          ),
        );
      };
      return { key: keyOf('index', dashboard, here, body), frames };
    },

    getTileRows: async ({ params, body, caller, signal }) => {
      const context = open(params.id, body.state, caller, signal);
      const tile = tilesOnPage(context).find(([id]) => id === params.tile)?.[1];
      if (!tile || hasNoQuery(tile))
        throw new ProblemError(
          'not-found',
          `Tile \`${params.tile}\` not found on this page, or it has no rows.`,
        );
      refuseUnexposed(context.exposed, Object.keys(body.mark ?? {}));
      const page =
        tile.kind === 'table' && !body.mark
          ? await tableRows(context, params.tile, tile, body)
          : await underlyingRows(context, params.tile, tile, body.mark, body);
      const { columns, rows, total } = page;
      return {
        columns: columns.map(column => ({ ...column })),
        rows: shownRows(rows),
        total,
        ...(page.totals && { totals: [...page.totals] }),
        ...(page.courses && { courses: page.courses }),
      };
    },

    getImage: async ({ params, reply }) =>
      sendOwnFile(reply, await readWorkspaceAsset(store.folders.root, 'images', params.file)),
    getMap: async ({ params, reply }) =>
      sendOwnFile(reply, await readWorkspaceAsset(store.folders.root, 'maps', params.file)),

    explainTile: async ({ params, body, caller, signal }) => {
      const context = open(params.id, body.state, caller, signal);
      const tile = tilesOnPage(context).find(([id]) => id === params.tile)?.[1];
      if (!tile) throw new ProblemError('not-found', `Tile \`${params.tile}\` not found on this page.`);
      refuseUnexposed(context.exposed, Object.keys(body.mark ?? {}));
      return explainTile(context, params.tile, tile, body.mark, body.locale);
    },

    getFieldValues: async ({ params, body, caller, signal }) => {
      const context = open(params.id, body.state, caller, signal);
      const model = modelsOf(context.dashboard, context.queryContext.workspace).find(
        ({ model: { name, dimensions } }) =>
          Object.hasOwn(dimensions, params.field) && (context.exposed?.get(name)?.has(params.field) ?? true),
      )?.model;
      if (!model) throw unexposed(params.field);
      const { base, selected } = await filtersFor(context, model, { leaveOut: params.field });
      const search = body.search
        ? [{ kind: 'contains', field: params.field, text: body.search } as const]
        : [];
      const where = allOf([base, selected, ...search]);
      const { type } = model.dimensions[params.field]!;
      const ask = (question: Parameters<QueryService['ask']>[0]) =>
        answers.ask(question, context.queryContext, limits.valuesMs);
      if (type !== 'text' && type !== 'boolean') {
        const extent = await ask({
          kind: 'groups',
          model: model.name,
          dimensions: [],
          measures: [],
          extents: [params.field],
          where: base,
        });
        const [min, max] = extent.columns.map(column => Number(column.values[0] ?? Number.NaN));
        const isWhole = Number.isFinite(min) && Number.isFinite(max);
        if (type !== 'integer')
          return { values: [], isCut: false, ...(isWhole && { extent: { min: min!, max: max! } }) };
      }
      const values = await ask({
        kind: 'groups',
        model: model.name,
        dimensions: [{ field: params.field }],
        measures: ['rows'],
        where,
        order: [{ by: 'rows', descending: true }],
        limit: body.limit + 1,
      });
      const list = Array.from({ length: Math.min(values.rowCount, body.limit) }, (_, i) => ({
        value: values.columns[0]!.values[i] as Value,
        rows: Number(values.columns[1]!.values[i]),
      }));
      return { values: list, isCut: values.rowCount > body.limit };
    },
  };
}

/**
 * Sends an image with its exact type and no script permissions: an SVG may hold scripts, which must not run
 * under this origin.
 */
function sendOwnFile(
  reply: FastifyReply,
  { bytes, type }: { readonly bytes: Buffer; readonly type: string },
): FastifyReply {
  return reply
    .header('content-type', type)
    .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox")
    .send(bytes);
}

/** Returns a dashboard with its texts translated, if it has translations. */
export function localized<D extends WorkspaceDashboard | undefined>(
  dashboard: D,
  language: string | undefined,
): D {
  const document = language === undefined ? undefined : dashboard?.translations?.get(language);
  return document ? { ...dashboard, document, title: document.title } : dashboard;
}

export function summary(dashboard: WorkspaceDashboard): DashboardSummary {
  const { id, title, origin, state, document, updated, revision } = dashboard;
  const tiles = document?.pages.reduce((sum, page) => sum + Object.keys(page.tiles).length, 0) ?? 0;
  const models = document ? modelsNamed(document) : [];
  const folder = origin === 'overview' ? '' : id.split('/').slice(0, -1).join('/');
  return {
    id,
    title,
    ...(document?.description && { description: document.description }),
    folder,
    origin,
    state,
    tiles,
    models,
    ...(updated && { updated }),
    revision,
  };
}

/** Returns a dashboard by its ID, if the caller may see it. */
export function foundFor(
  { reads }: Caller,
  id: string,
  dashboards: DashboardStore,
): WorkspaceDashboard | undefined {
  return reads === 'everything' ? dashboards.find(id) : dashboards.findPublished(id);
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
  const opened = openDashboard(seen, read, notes);
  const exposed = seen.document && exposedTo(caller, seen.document, read);
  if (!exposed) return caller.reads === 'everything' ? opened : { ...opened, waitsFor: [] };
  const named = new Set(namesIn(seen.document));
  return {
    ...opened,
    waitsFor: [],
    models: opened.models.map(model => exposedSummary(model, exposed.get(model.name) ?? new Set(), named)),
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

export function openDashboard(
  dashboard: WorkspaceDashboard,
  workspace: Workspace,
  notes: readonly EventNote[],
): OpenDashboard {
  const { document } = dashboard;
  return {
    ...summary(dashboard),
    ...(document && { document }),
    models: document ? modelsOf(document, workspace).map(modelSummary) : [],
    timezone: document?.timezone ?? workspace.timezone,
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

function modelsOf(document: DashboardFile, workspace: Workspace): WorkspaceModel[] {
  return modelsNamed(document).flatMap(name => workspace.models.get(name) ?? []);
}

/** The distinct sources that must be confirmed before all of a dashboard can be shown. */
export function sourcesAwaited(document: DashboardFile, workspace: Workspace): SourceState[] {
  return [...new Set(modelsNamed(document).flatMap(name => sourceAwaited(workspace, name) ?? []))];
}

export function modelSummary({ model, isGuessed }: WorkspaceModel): ModelSummary {
  const field = ({
    name,
    label,
    type,
    format,
    description,
    isHidden,
  }: {
    name: string;
    label: string;
    type: string;
    format?: string;
    description?: string;
    isHidden?: boolean;
  }) => ({
    name,
    label,
    type,
    ...(format && { format }),
    ...(description && { description }),
    ...(isHidden && { isHidden }),
  });
  return {
    name: model.name,
    label: model.label || labelFrom(model.name),
    table: model.table,
    ...(model.time && { time: model.time }),
    dimensions: Object.values(model.dimensions).map(field),
    measures: Object.values(model.measures).map(measure => ({
      ...field(measure),
      ...(measure.unit && { unit: measure.unit }),
      ...(measure.better && { better: measure.better }),
    })),
    isGuessed,
    ...(model.hierarchies && { hierarchies: Object.values(model.hierarchies).map(levels => [...levels]) }),
    ...(model.filters && { filters: { ...model.filters } }),
  };
}

/**
 * A cache key. Any change in the workspace changes its revision, and any change in a draft changes the
 * draft's. Callers who see different data have different keys.
 */
function keyOf(
  what: string,
  { id, revision }: WorkspaceDashboard,
  { queryContext }: DashboardContext,
  body: object,
): string {
  return JSON.stringify([
    what,
    id,
    revision,
    scopeOf(queryContext.caller),
    queryContext.workspace.revision,
    queryContext.zone,
    body,
  ]);
}

/** No sample is queried if the exact result arrives within this time. */
const soonMs = 40;
/** Tables with more rows never respond that fast, unless the result is cached. */
const neverSoonRows = 30_000_000;

/**
 * Returns a tile's sampled result, unless the exact one is faster. Errors of the sample are ignored; the
 * exact query reports them.
 */
async function nearAnswer(
  context: DashboardContext,
  id: string,
  tile: Tile,
  scope: 'both' | 'filtered',
  exact: Promise<Frame[]>,
): Promise<Frame[]> {
  let isDone = false;
  const done = exact.then(() => {
    isDone = true;
    return [];
  });
  const rows =
    fileTableOf(context.queryContext.workspace, tileModel(context, tile))?.imported?.profile.rows ?? 0;
  await Promise.race([done, new Promise(resolve => setTimeout(resolve, rows > neverSoonRows ? 0 : soonMs))]);
  if (isDone) return [];
  const near = queryTile(
    { ...context, queryContext: { ...context.queryContext, resultRows: 'sample' } },
    id,
    tile,
    scope,
  ).catch(() => []);
  return Promise.race([done, near]);
}

/** Yields the promises' frames in the order in which they settle. */
async function* asCompleted(promises: readonly Promise<Frame[]>[]): AsyncGenerator<Frame> {
  const open = new Map(promises.map((promise, i) => [i, promise.then(frames => ({ i, frames }))]));
  while (open.size > 0) {
    const { i, frames } = await Promise.race(open.values());
    open.delete(i);
    yield* frames;
  }
}

async function* withEnd(frames: AsyncGenerator<Frame>, context: DashboardContext): AsyncGenerator<Frame> {
  yield* frames;
  const name = context.dashboard.model;
  const model =
    name && context.queryContext.workspace.models.has(name)
      ? modelOf(context.queryContext.workspace, name)
      : undefined;
  const newest = model && (await dataTime(context, model).catch(() => undefined));
  const applied = await appliedFilters(context).catch(() => ({}));
  yield {
    header: {
      kind: 'end',
      applied,
      ...(newest !== undefined && { dataTime: new Date(newest).toISOString().slice(0, 19) }),
    },
  };
}
