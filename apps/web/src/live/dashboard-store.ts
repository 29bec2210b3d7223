import {
  ApiError,
  isUnreached,
  type CellsHeader,
  type Client,
  type DashboardState,
  type Frame,
  type OpenDashboard,
  type TilePart,
} from '@belvedere/api';
import {
  areSame,
  buildIndex,
  IndexStore,
  listeningIn,
  listensTo,
  planUpdate,
  areasNear,
  areasOnAxes,
  select,
  selectionsFor,
  type BrushIndex,
  type SelectionScope,
  type Selections,
} from '@belvedere/crossfilter';
import { tilesShown, type DashboardFile } from '@belvedere/document';
import type { Box } from '@belvedere/query';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { LiveTile, type Slice } from './live-tile.ts';

/** The state of a dashboard, apart from its tiles' results. */
export interface LiveState {
  readonly state: DashboardState;
  /** The state at the end of the last gesture, for parts of the page that ignore the steps of a brush. */
  readonly settled: DashboardState;
  readonly applied: Readonly<Record<string, string>>;
  readonly dataTime?: string;
}

const longestTaskMs = 8;
/**
 * For benchmarks: `performance.getEntriesByName('belvedere:index')`. Frames have no marks, since marks take a
 * fifth of a frame; benchmarks read frames from the browser's trace.
 */
const isMeasured = typeof localStorage !== 'undefined' && localStorage.getItem('belvedere-measure') !== null;

/** Whether a result is for selections that are no longer current. */
type IsOutdated = (result: Pick<CellsHeader, 'tile' | 'scope'>) => boolean;

interface PendingRequest {
  readonly controller: AbortController;
  /** Undefined for all tiles of the page. */
  readonly tiles: readonly string[] | undefined;
  /** The scope that fails if the request fails. */
  readonly scope: 'base' | 'filtered';
  readonly isOutdated: IsOutdated;
  /** The selections that each tile is queried with; the same objects as in `#requestedFor`. */
  readonly requestedFor: ReadonlyMap<string, Selections>;
  /** Whether a result replaces the slice of a brush. Called for each result. */
  readonly endsSlice?: () => boolean;
}

interface ActiveIndex {
  readonly key: string;
  readonly controller: AbortController;
  readonly tiles: Map<string, Map<TilePart, BrushIndex>>;
  /** Tiles that the brush does not filter. */
  readonly unmoved: Set<string>;
}

/**
 * The state of an open dashboard: queries its tiles, keeps the brush indexes, and decides for each tile whether
 * a changed selection leaves, slices or queries it.
 * It lives outside React, so that a brush can move sixty times a second without a render.
 */
export class DashboardStore {
  readonly id: string;
  readonly store: StoreApi<LiveState>;
  readonly tiles = new Map<string, LiveTile>();
  readonly #client: Pick<Client, 'queryTiles' | 'getBrushIndex'>;
  readonly #selectsOne: boolean;
  readonly #document: DashboardFile | undefined;
  /** Some tiles have conditions under which they are shown. */
  readonly #isConditional: boolean;
  readonly #listening: SelectionScope;
  readonly #selectionListeners = new Map<string, Set<() => void>>();
  readonly #indexes = new IndexStore();
  /** Tiles that a brush does not filter, by the key of the active tile's indexes. */
  readonly #unmoved = new Map<string, Set<string>>();
  #load: AbortController | undefined;
  /** The tiles that are loading; `tiles` is undefined for all of the page. */
  #loading: { readonly tiles: readonly string[] | undefined } | undefined;
  /** The tiles that were shown when the last gesture ended. */
  #shown: readonly string[];
  #request:
    | {
        readonly controller: AbortController;
        readonly tiles: readonly string[];
        readonly selections: Selections;
      }
    | undefined;
  #nextTiles: readonly string[] | undefined;
  #active: ActiveIndex | undefined;
  /** The selections as they were when the last gesture ended. */
  #settled: Selections;
  /** The selections of the last load of the whole page. */
  #loadedFor: Selections;
  /**
   * By tile, the selections of its shown or requested result since that load; undefined if it has no such
   * result.
   */
  readonly #requestedFor = new Map<string, Selections | undefined>();

  /** @param options `selectsOne`: a selection replaces those of other tiles */
  constructor(
    client: Pick<Client, 'queryTiles' | 'getBrushIndex'>,
    dashboard: Pick<OpenDashboard, 'id' | 'document'>,
    state: DashboardState,
    options: { readonly selectsOne?: boolean } = {},
  ) {
    this.#client = client;
    this.#selectsOne = options.selectsOne ?? false;
    this.id = dashboard.id;
    this.#document = dashboard.document;
    this.#isConditional = (dashboard.document?.pages ?? []).some(page =>
      Object.values(page.tiles).some(tile => tile.showIf),
    );
    this.#listening = listeningIn(dashboard.document);
    this.#shown = this.#tilesShown(state);
    this.store = createStore<LiveState>(() => ({ state, settled: state, applied: {} }));
    this.store.subscribe(({ state: { selections } }, { state: { selections: before } }) => {
      if (selections === before) return;
      for (const [tile, listeners] of this.#selectionListeners)
        if (selections[tile] !== before[tile]) for (const listener of listeners) listener();
    });
    this.#settled = this.#visibleSelections(state);
    this.#loadedFor = this.#settled;
  }

  get state(): DashboardState {
    return this.store.getState().state;
  }

  tile(id: string): LiveTile {
    const found = this.tiles.get(id) ?? new LiveTile(id);
    this.tiles.set(id, found);
    return found;
  }

  /** As its file has it; undefined if it cannot be read. */
  get document(): DashboardFile | undefined {
    return this.#document;
  }

  /**
   * Calls the listener at every step of a selection on this tile.
   * @returns a function that removes the listener
   */
  onSelection(tile: string, listener: () => void): () => void {
    const listeners = this.#selectionListeners.get(tile) ?? new Set();
    this.#selectionListeners.set(tile, listeners.add(listener));
    return () => void listeners.delete(listener);
  }

  /** Replaces the state, from a URL or a filter, and queries the tiles that change. */
  setState(next: DashboardState): void {
    const before = this.state;
    if (JSON.stringify(before) === JSON.stringify(next)) return;
    this.store.setState({ state: next });
    const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
    const filtersStay =
      isSame(before.filters, next.filters) &&
      before.page === next.page &&
      isSame(before.compare, next.compare) &&
      before.zone === next.zone &&
      isSame(before.parameters, next.parameters);
    const adjusted = [
      ...new Set([...Object.keys(before.tiles ?? {}), ...Object.keys(next.tiles ?? {})]),
    ].filter(id => !isSame(queriedAdjustment(before.tiles?.[id]), queriedAdjustment(next.tiles?.[id])));
    if (!filtersStay) void this.load();
    else {
      void this.settle();
      if (adjusted.length > 0) void this.load(adjusted);
    }
  }

  /** Queries every tile of the page, unless that happened since the store was created or closed. */
  open(): void {
    if (!this.#load || this.#load.signal.aborted) void this.load();
  }

  /** Queries the tiles again for which the server could not be reached. */
  loadUnreached(): void {
    const unreached = [...this.tiles.values()].filter(
      ({ view }) => view.status === 'failed' && view.problem === undefined,
    );
    if (unreached.length > 0) void this.load(unreached.map(({ id }) => id));
  }

  /** Queries all or the given tiles of the page again, together with those that are still loading. */
  async load(wanted?: readonly string[]): Promise<void> {
    const tiles =
      wanted && this.#loading
        ? this.#loading.tiles && [...new Set([...this.#loading.tiles, ...wanted])]
        : wanted;
    this.#load?.abort();
    const controller = new AbortController();
    this.#load = controller;
    this.#loading = { tiles };
    this.#shown = this.#tilesShown(this.state);
    this.#indexes.clear();
    this.#unmoved.clear();
    this.#dropIndex();
    const bound = this.#visibleSelections(this.state);
    this.#settled = bound;
    this.store.setState({ settled: this.state });
    if (!tiles) {
      this.#cancelRequest();
      this.#requestedFor.clear();
      this.#loadedFor = bound;
    }
    const standFor = new Map<string, Selections>();
    for (const tile of this.#allTiles()) {
      if (tiles && !tiles.includes(tile.id)) continue;
      const binding = selectionsFor(bound, tile.id, this.#listening);
      standFor.set(tile.id, binding);
      this.#requestedFor.set(tile.id, binding);
      if (Object.keys(binding).length === 0) tile.unfilter();
      else tile.outdateRows();
      tile.update({
        status: tile.view.base.main || tile.view.rows ? 'refreshing' : 'loading',
        isSliced: false,
        failed: undefined,
      });
    }
    // Selections that change meanwhile have requests of their own.
    const isOutdated: IsOutdated = ({ tile, scope }) =>
      scope === 'filtered' &&
      !areSame(
        selectionsFor(bound, tile, this.#listening),
        selectionsFor(this.#settled, tile, this.#listening),
      );
    await this.#receive(
      () =>
        this.#client.queryTiles(
          {
            params: { id: this.id },
            body: { state: this.state, scope: 'both', ...(tiles && { tiles: [...tiles] }) },
          },
          { signal: controller.signal },
        ),
      { controller, tiles, scope: 'base', isOutdated, requestedFor: standFor },
    );
    if (this.#load === controller) this.#loading = undefined;
  }

  /** Fetches a tile's brush indexes when the pointer enters it, before a brush needs them. */
  prepare(active: string): void {
    const { filters, page, tiles: adjusted, parameters } = this.state;
    const selections = this.#visibleSelections(this.state);
    const key = JSON.stringify([
      active,
      filters,
      page,
      adjusted,
      parameters,
      selectionsFor(selections, active, {}),
    ]);
    if (this.#active?.key === key) return;
    this.#dropIndex();
    const controller = new AbortController();
    const tiles = new Map<string, Map<TilePart, BrushIndex>>();
    const kept = [...this.tiles.keys()].filter(tile => tile !== active);
    for (const tile of kept) {
      for (const part of ['main', 'spark'] as const) {
        const index = this.#indexes.get(`${key}|${tile}|${part}`);
        if (index) tiles.set(tile, (tiles.get(tile) ?? new Map<TilePart, BrushIndex>()).set(part, index));
      }
    }
    const unmoved = this.#unmoved.get(key) ?? new Set();
    this.#unmoved.set(key, unmoved);
    this.#active = { key, controller, tiles, unmoved };
    if (tiles.size === 0) void this.#fetchIndex(this.#active, active);
  }

  /** Changes a selection during a gesture. Tiles with an index follow in the same frame. */
  brush(active: string, boxes: readonly Box[]): void {
    const before = this.state.selections;
    const after = select(this.#selectsOne ? {} : before, active, boxes);
    if (areSame(before, after)) return;
    this.store.setState({ state: { ...this.state, selections: after as Record<string, Box[]> } });
    this.#follow(active, this.#visibleSelections(this.state));
  }

  /** Ends a gesture: queries the exact results, which replace the slices of the indexes. */
  async settle(): Promise<void> {
    const selections = this.#visibleSelections(this.state);
    this.store.setState({ settled: this.state });
    // The second click of a double click must not cancel the request of the first.
    const isRequested =
      this.#request !== undefined &&
      areSame(this.#settled, selections) &&
      areSame(this.#request.selections, selections);
    if (
      isRequested &&
      this.#allTiles().every(tile =>
        this.#hasResultFor(tile.id, selectionsFor(selections, tile.id, this.#listening)),
      )
    )
      return;
    const shown = this.#tilesShown(this.state);
    const arrived = shown.filter(id => !this.#shown.includes(id));
    this.#shown = shown;
    this.#settled = selections;
    // The running request may be from the middle of the gesture.
    this.#cancelRequest();
    const toQuery: string[] = [];
    for (const tile of this.#allTiles()) {
      const wanted = selectionsFor(selections, tile.id, this.#listening);
      if (Object.keys(wanted).length === 0) {
        tile.unfilter();
        // A table without unfiltered rows must fetch them.
        if (tile.lacksBase && !this.#hasResultFor(tile.id, wanted)) toQuery.push(tile.id);
        else this.#requestedFor.set(tile.id, wanted);
      } else if (!this.#hasResultFor(tile.id, wanted)) {
        toQuery.push(tile.id);
        if (!tile.view.isSliced)
          tile.update({ status: tile.view.status === 'loading' ? 'loading' : 'refreshing' });
      } else tile.endSlice();
    }
    if (arrived.length > 0) void this.load(arrived);
    if (toQuery.length > 0) await this.#queryTiles(toQuery);
  }

  close(): void {
    this.#load?.abort();
    this.#cancelRequest();
    this.#dropIndex();
  }

  /** Cancels the running request. Its tiles then have no result for their selections. */
  #cancelRequest(): void {
    this.#nextTiles = undefined;
    if (!this.#request) return;
    this.#request.controller.abort();
    for (const tile of this.#request.tiles) this.#requestedFor.set(tile, undefined);
    this.#request = undefined;
  }

  /** Whether a tile has, or is about to get, the result for these selections. */
  #hasResultFor(tile: string, wanted: Selections): boolean {
    const standFor = this.#requestedFor.has(tile)
      ? this.#requestedFor.get(tile)
      : selectionsFor(this.#loadedFor, tile, this.#listening);
    return standFor !== undefined && areSame(standFor, wanted);
  }

  /** All known tiles, and those of the page, which are queried before they are rendered. */
  #allTiles(): readonly LiveTile[] {
    for (const id of this.#tilesShown(this.state)) this.tile(id);
    return [...this.tiles.values()];
  }

  #tilesShown(state: DashboardState): readonly string[] {
    return this.#document
      ? tilesShown(this.#document, Math.min(state.page, this.#document.pages.length - 1), state)
      : [];
  }

  /** The selections on tiles that are shown, on any page. Selections on hidden tiles filter nothing. */
  #visibleSelections(state: DashboardState): Selections {
    const document = this.#document;
    if (!document || !this.#isConditional || Object.keys(state.selections).length === 0)
      return state.selections;
    const shown = new Set(document.pages.flatMap((_, page) => tilesShown(document, page, state)));
    const kept = Object.entries(state.selections).filter(([tile]) => shown.has(tile));
    return kept.length === Object.keys(state.selections).length ? state.selections : Object.fromEntries(kept);
  }

  #follow(active: string, selections: Selections): void {
    const boxes = selections[active] ?? [];
    const ready = this.#active?.tiles ?? new Map<string, Map<TilePart, BrushIndex>>();
    const plan = planUpdate(
      this.#settled,
      selections,
      [...this.tiles.keys()],
      active,
      tile => ready.has(tile),
      this.#listening,
    );
    const toQuery: string[] = [];
    for (const [id, update] of Object.entries(plan)) {
      if (!listensTo(this.#listening, id, active)) continue;
      const tile = this.tiles.get(id)!;
      if (boxes.length === 0 && Object.keys(selectionsFor(selections, id, this.#listening)).length === 0) {
        tile.unfilter();
        // Its filtered result is gone, even if the gesture ends with the selection it began with.
        this.#requestedFor.set(id, tile.lacksBase ? undefined : {});
        continue;
      }
      // An index covers no cleared selection: show the kept result or query it.
      if (boxes.length === 0) {
        if (this.#hasResultFor(id, selectionsFor(selections, id, this.#listening))) tile.endSlice();
        else if (!tile.showsRows && !this.#active?.unmoved.has(id)) toQuery.push(id);
        continue;
      }
      // `leave` returns to the result of the settled selections, so an earlier slice must be replaced.
      const indexes = ready.get(id);
      if (update === 'query' || (update === 'leave' && !indexes)) {
        // Tables of rows are queried only when the gesture ends.
        if (update === 'query' && !tile.showsRows && !this.#active?.unmoved.has(id)) toQuery.push(id);
        continue;
      }
      const slices = indexes && slicesOf(indexes, boxes);
      if (slices) tile.slice(slices);
      else if (!tile.showsRows) toQuery.push(id);
    }
    if (toQuery.length > 0) this.#queryLatest(toQuery);
  }

  /** Keeps at most one request running during a brush, and then sends the latest. */
  #queryLatest(tiles: readonly string[]): void {
    if (this.#request) {
      this.#nextTiles = tiles;
      return;
    }
    void this.#queryTiles(tiles).then(() => {
      const again = this.#nextTiles;
      this.#nextTiles = undefined;
      if (again) this.#queryLatest(again);
    });
  }

  /** Queries tiles with the current selections. */
  async #queryTiles(tiles: readonly string[]): Promise<void> {
    const controller = new AbortController();
    const state = this.state;
    const request = { controller, tiles, selections: this.#visibleSelections(state) };
    this.#request = request;
    // A tile that failed without selections cannot show a filtered result alone, so it is retried.
    const scope = tiles.some(tile => this.tile(tile).view.failed === 'base') ? 'both' : 'filtered';
    const standFor = new Map(
      tiles.map(tile => [tile, selectionsFor(request.selections, tile, this.#listening)]),
    );
    for (const [tile, selections] of standFor) this.#requestedFor.set(tile, selections);
    // A tile that was loaded meanwhile has another object here.
    const isOutdated: IsOutdated = ({ tile }) => this.#requestedFor.get(tile) !== standFor.get(tile);
    await this.#receive(
      () =>
        this.#client.queryTiles(
          { params: { id: this.id }, body: { state: state, scope, tiles: [...tiles] } },
          { signal: controller.signal },
        ),
      {
        controller,
        tiles,
        scope: 'filtered',
        isOutdated,
        requestedFor: standFor,
        endsSlice: () => areSame(state.selections, this.state.selections),
      },
    );
    if (this.#request === request) this.#request = undefined;
  }

  async #receive(
    request: () => Promise<AsyncGenerator<Frame>>,
    { controller, tiles, scope, isOutdated, requestedFor: standFor, endsSlice = () => true }: PendingRequest,
  ): Promise<void> {
    // The tiles that received an unfiltered result, and those that received a filtered one.
    const received = { base: new Set<string>(), filtered: new Set<string>() };
    try {
      let startedAt = performance.now();
      for await (const frame of await request()) {
        // A cached response arrives at once. Handling it in several tasks keeps the page responsive.
        if (performance.now() - startedAt > longestTaskMs) {
          await new Promise(resolve => setTimeout(resolve));
          startedAt = performance.now();
        }
        if (controller.signal.aborted) return;
        const { header } = frame;
        if (header.kind === 'end') {
          this.store.setState({
            applied: header.applied,
            ...(header.dataTime && { dataTime: header.dataTime }),
          });
          // A tile with only an unfiltered result is not filtered by the selections, for example since their
          // fields belong to another model. It must not show the result of an earlier selection.
          for (const id of received.base) {
            const wanted = standFor.get(id);
            if (received.filtered.has(id) || !wanted || this.#requestedFor.get(id) !== wanted) continue;
            if (this.tile(id).view.isSliced && !endsSlice()) this.#requestedFor.set(id, undefined);
            else this.tile(id).unfilter();
          }
        } else {
          // Only results and problems have a scope.
          if (!('scope' in header)) continue;
          received[header.scope].add(header.tile);
          if (isOutdated(header)) continue;
          const tile = this.tile(header.tile);
          // The exact result replaces the slice, unless the brush has moved meanwhile.
          const isLatest = endsSlice();
          if (!isLatest && tile.view.isSliced) {
            this.#requestedFor.set(tile.id, undefined);
            continue;
          }
          if (tile.view.isSliced && isLatest) tile.view = { ...tile.view, isSliced: false };
          tile.receive(frame);
        }
      }
    } catch (error) {
      if (controller.signal.aborted) return;
      // Undefined if the server could not be reached.
      const problem = error instanceof ApiError && !isUnreached(error) ? error.problem : undefined;
      for (const tile of this.tiles.values()) {
        if (tiles && !tiles.includes(tile.id)) continue;
        this.#requestedFor.set(tile.id, undefined);
        tile.fail(scope, problem);
      }
    }
  }

  async #fetchIndex({ key, tiles, unmoved, controller }: ActiveIndex, active: string): Promise<void> {
    try {
      const frames = await this.#client.getBrushIndex(
        { params: { id: this.id }, body: { state: this.state, active } },
        { signal: controller.signal },
      );
      for await (const { header, cells } of frames) {
        if (header.kind === 'unmoved') unmoved.add(header.tile);
        if (header.kind !== 'index' || !cells) continue;
        const index = buildIndex(header, cells);
        if (isMeasured) performance.mark('belvedere:index');
        this.#indexes.set(`${key}|${header.tile}|${header.part}`, index);
        tiles.set(
          header.tile,
          (tiles.get(header.tile) ?? new Map<TilePart, BrushIndex>()).set(header.part, index),
        );
        const selections = this.#visibleSelections(this.state);
        // Apply the brush that began before the index arrived.
        if (this.#active?.key === key && !areSame(selections, this.#settled))
          this.#follow(active, selections);
      }
    } catch {
      // Without an index, the tiles are queried instead.
    }
  }

  #dropIndex(): void {
    this.#active?.controller.abort();
    this.#active = undefined;
  }
}

/** The brushed areas on each index; undefined if an index cannot represent them. */
function slicesOf(
  indexes: ReadonlyMap<TilePart, BrushIndex>,
  boxes: readonly Box[],
): readonly Slice[] | undefined {
  const slices: Slice[] = [];
  for (const [part, index] of indexes) {
    const exact = areasOnAxes(index.brush, boxes, index.unbound);
    const areas = exact ?? (index.isCoarse ? areasNear(index.brush, boxes, index.unbound) : undefined);
    if (!areas) return undefined;
    slices.push({ part, index, areas, isNear: !exact });
  }
  return slices;
}

/** The part of a tile's adjustment that its query depends on. Hidden columns do not change the query. */
function queriedAdjustment({
  without: _,
  ...queried
}: NonNullable<DashboardState['tiles']>[string] = {}): object {
  return queried;
}
