import {
  ApiError,
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

/** What the reader sees of the whole dashboard, beside its tiles. */
export interface LiveState {
  readonly state: DashboardState;
  /**
   * The state as it was when the last gesture ended: what of the page does not follow every step of a brush.
   */
  readonly settled: DashboardState;
  readonly applied: Readonly<Record<string, string>>;
  readonly dataTime?: string;
}

const longestTaskMs = 8;
/**
 * For benchmarks: `performance.getEntriesByName('belvedere:index')`. What is done in each frame is not noted
 * so, since noting takes a fifth of one; it is read from the browser's trace.
 */
const isMeasured = typeof localStorage !== 'undefined' && localStorage.getItem('belvedere-measure') !== null;

/** Whether an answer stands for what is no longer asked. */
type IsOutdated = (answer: Pick<CellsHeader, 'tile' | 'scope'>) => boolean;

interface Asked {
  readonly controller: AbortController;
  /** All of the page's where undefined. */
  readonly tiles: readonly string[] | undefined;
  /** What of the tiles fails where nobody answers. */
  readonly scope: 'base' | 'filtered';
  readonly isOutdated: IsOutdated;
  /** The selections that each tile is asked for under, as they are noted in what the tiles stand for. */
  readonly standFor: ReadonlyMap<string, Selections>;
  /** Whether the answers take the place of what is shown of a brush; asked as each comes. */
  readonly endsSlice?: () => boolean;
}

interface ActiveIndex {
  readonly key: string;
  readonly controller: AbortController;
  readonly tiles: Map<string, Map<TilePart, BrushIndex>>;
  /** Tiles that stay as they are, whatever is brushed. */
  readonly unmoved: Set<string>;
}

/**
 * A dashboard while it is looked at: asks for answers, keeps the brush indexes, and turns a changed selection
 * into
 * leave, slice or ask for each tile. It lives outside React, so that a brush moves sixty times a second
 * without rendering anything.
 */
export class DashboardStore {
  readonly id: string;
  readonly store: StoreApi<LiveState>;
  readonly tiles = new Map<string, LiveTile>();
  readonly #client: Pick<Client, 'queryTiles' | 'getBrushIndex'>;
  readonly #selectsOne: boolean;
  readonly #document: DashboardFile | undefined;
  /** Some of its tiles are not always shown. */
  readonly #isConditional: boolean;
  readonly #listening: SelectionScope;
  readonly #selectionListeners = new Map<string, Set<() => void>>();
  readonly #indexes = new IndexStore();
  /** By the key of an active tile's indexes. */
  readonly #unmoved = new Map<string, Set<string>>();
  #load: AbortController | undefined;
  /** What is being loaded: some tiles, or all of the page's. */
  #loading: { readonly tiles: readonly string[] | undefined } | undefined;
  /** The tiles that were shown when the last gesture ended. */
  #shown: readonly string[];
  #asking:
    | {
        readonly controller: AbortController;
        readonly tiles: readonly string[];
        readonly selections: Selections;
      }
    | undefined;
  #askAgain: readonly string[] | undefined;
  #active: ActiveIndex | undefined;
  /** The selections as they were when the last gesture ended. */
  #settled: Selections;
  /** The selections that the page was last asked for under, whole. */
  #loadedFor: Selections;
  /**
   * The selections that a tile's answers stand for since then, those on screen or on their way to it;
   * undefined where they stand for none.
   */
  readonly #standFor = new Map<string, Selections | undefined>();

  /** @param options `selectsOne`: a selection takes the place of all others */
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
    this.#settled = this.#binding(state);
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

  /**
   * Hears of every step of a selection on a tile: on a page of many, nobody is told of the others'.
   * @returns what stops it
   */
  onSelection(tile: string, listener: () => void): () => void {
    const listeners = this.#selectionListeners.get(tile) ?? new Set();
    this.#selectionListeners.set(tile, listeners.add(listener));
    return () => void listeners.delete(listener);
  }

  /** Takes on a whole state, from an address or a filter, and asks for what it needs. */
  setState(next: DashboardState): void {
    const before = this.state;
    if (JSON.stringify(before) === JSON.stringify(next)) return;
    this.store.setState({ state: next });
    const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
    const filtersStay =
      isSame(before.filters, next.filters) &&
      before.page === next.page &&
      isSame(before.compare, next.compare) &&
      isSame(before.parameters, next.parameters);
    const adjusted = [
      ...new Set([...Object.keys(before.tiles ?? {}), ...Object.keys(next.tiles ?? {})]),
    ].filter(id => !isSame(askedBy(before.tiles?.[id]), askedBy(next.tiles?.[id])));
    if (!filtersStay) void this.load();
    else {
      void this.settle();
      if (adjusted.length > 0) void this.load(adjusted);
    }
  }

  /** Asks for every tile of the page, unless that was done since it was made or closed. */
  open(): void {
    if (!this.#load || this.#load.signal.aborted) void this.load();
  }

  /**
   * Asks for every tile of the page anew, or for some; what was asked for before and is not there yet stays
   * asked for.
   */
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
    const bound = this.#binding(this.state);
    this.#settled = bound;
    this.store.setState({ settled: this.state });
    if (!tiles) {
      this.#stopAsking();
      this.#standFor.clear();
      this.#loadedFor = bound;
    }
    const standFor = new Map<string, Selections>();
    for (const tile of this.#present()) {
      if (tiles && !tiles.includes(tile.id)) continue;
      const binding = selectionsFor(bound, tile.id, this.#listening);
      standFor.set(tile.id, binding);
      this.#standFor.set(tile.id, binding);
      if (Object.keys(binding).length === 0) tile.unfilter();
      else tile.outdateRows();
      tile.update({
        status: tile.view.base.main || tile.view.rows ? 'refreshing' : 'loading',
        isSliced: false,
        failed: undefined,
      });
    }
    // What is selected otherwise meanwhile is asked for by itself.
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
      { controller, tiles, scope: 'base', isOutdated, standFor },
    );
    if (this.#load === controller) this.#loading = undefined;
  }

  /** The pointer has entered a tile: its index is fetched ahead of need. */
  prepare(active: string): void {
    const { filters, page, tiles: adjusted, parameters } = this.state;
    const selections = this.#binding(this.state);
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

  /** A selection is being made: every tile follows within the frame, from the index where there is one. */
  brush(active: string, boxes: readonly Box[]): void {
    const before = this.state.selections;
    const after = select(this.#selectsOne ? {} : before, active, boxes);
    if (areSame(before, after)) return;
    this.store.setState({ state: { ...this.state, selections: after as Record<string, Box[]> } });
    this.#follow(active, this.#binding(this.state));
  }

  /** The gesture has ended: the exact answers replace what the index showed. */
  async settle(): Promise<void> {
    const selections = this.#binding(this.state);
    this.store.setState({ settled: this.state });
    // Settled already, and what it takes is being asked: a second click of a double click must not call it
    // off.
    const isAsked =
      this.#asking !== undefined &&
      areSame(this.#settled, selections) &&
      areSame(this.#asking.selections, selections);
    if (
      isAsked &&
      this.#present().every(tile =>
        this.#answers(tile.id, selectionsFor(selections, tile.id, this.#listening)),
      )
    )
      return;
    const shown = this.#tilesShown(this.state);
    const arrived = shown.filter(id => !this.#shown.includes(id));
    this.#shown = shown;
    this.#settled = selections;
    // What was being asked may have come in part, and may have been asked in the middle of a gesture.
    this.#stopAsking();
    const asked: string[] = [];
    for (const tile of this.#present()) {
      const wanted = selectionsFor(selections, tile.id, this.#listening);
      if (Object.keys(wanted).length === 0) {
        tile.unfilter();
        // Tables without a base answer of their own keep their rows under the cleared selection only on the
        // server.
        if (tile.lacksBase && !this.#answers(tile.id, wanted)) asked.push(tile.id);
        else this.#standFor.set(tile.id, wanted);
      } else if (!this.#answers(tile.id, wanted)) {
        asked.push(tile.id);
        if (!tile.view.isSliced)
          tile.update({ status: tile.view.status === 'loading' ? 'loading' : 'refreshing' });
      } else tile.endSlice();
    }
    if (arrived.length > 0) void this.load(arrived);
    if (asked.length > 0) await this.#ask(asked);
  }

  close(): void {
    this.#load?.abort();
    this.#stopAsking();
    this.#dropIndex();
  }

  /** Calls off what is being asked of single tiles: they stand for nothing then. */
  #stopAsking(): void {
    this.#askAgain = undefined;
    if (!this.#asking) return;
    this.#asking.controller.abort();
    for (const tile of this.#asking.tiles) this.#standFor.set(tile, undefined);
    this.#asking = undefined;
  }

  /** Whether a tile's answers stand for what is selected for it. */
  #answers(tile: string, wanted: Selections): boolean {
    const standFor = this.#standFor.has(tile)
      ? this.#standFor.get(tile)
      : selectionsFor(this.#loadedFor, tile, this.#listening);
    return standFor !== undefined && areSame(standFor, wanted);
  }

  /** All tiles there are, those of the page with them that are asked for before they are rendered. */
  #present(): readonly LiveTile[] {
    for (const id of this.#tilesShown(this.state)) this.tile(id);
    return [...this.tiles.values()];
  }

  #tilesShown(state: DashboardState): readonly string[] {
    return this.#document
      ? tilesShown(this.#document, Math.min(state.page, this.#document.pages.length - 1), state)
      : [];
  }

  /** The selections on tiles that are shown, on whatever page: the others bind nobody. */
  #binding(state: DashboardState): Selections {
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
    const toAsk: string[] = [];
    for (const [id, update] of Object.entries(plan)) {
      if (!listensTo(this.#listening, id, active)) continue;
      const tile = this.tiles.get(id)!;
      if (boxes.length === 0 && Object.keys(selectionsFor(selections, id, this.#listening)).length === 0) {
        tile.unfilter();
        // What it had of the selection is gone, should the gesture end where it began.
        this.#standFor.set(id, tile.lacksBase ? undefined : {});
        continue;
      }
      // No index tells what all selections but this one leave: its own answers do, kept or asked for.
      if (boxes.length === 0) {
        if (this.#answers(id, selectionsFor(selections, id, this.#listening))) tile.endSlice();
        else if (!tile.showsRows && !this.#active?.unmoved.has(id)) toAsk.push(id);
        continue;
      }
      // `leave` means: back to where the settled answers stand; a slice from before must not stay.
      const indexes = ready.get(id);
      if (update === 'ask' || (update === 'leave' && !indexes)) {
        // Rows are for reading, not for watching: they come when the gesture has ended.
        if (update === 'ask' && !tile.showsRows && !this.#active?.unmoved.has(id)) toAsk.push(id);
        continue;
      }
      const slices = indexes && slicesOf(indexes, boxes);
      if (slices) tile.slice(slices);
      else if (!tile.showsRows) toAsk.push(id);
    }
    if (toAsk.length > 0) this.#askSoon(toAsk);
  }

  /** At most one question in flight while brushing; the newest wins. */
  #askSoon(tiles: readonly string[]): void {
    if (this.#asking) {
      this.#askAgain = tiles;
      return;
    }
    void this.#ask(tiles).then(() => {
      const again = this.#askAgain;
      this.#askAgain = undefined;
      if (again) this.#askSoon(again);
    });
  }

  /** Asks what is selected of tiles that are there. */
  async #ask(tiles: readonly string[]): Promise<void> {
    const controller = new AbortController();
    const asked = this.state;
    const asking = { controller, tiles, selections: this.#binding(asked) };
    this.#asking = asking;
    // A tile that has no picture of its own shows nothing of a selection: it is tried again with it.
    const scope = tiles.some(tile => this.tile(tile).view.failed === 'base') ? 'both' : 'filtered';
    const standFor = new Map(
      tiles.map(tile => [tile, selectionsFor(asking.selections, tile, this.#listening)]),
    );
    for (const [tile, selections] of standFor) this.#standFor.set(tile, selections);
    // A tile that was loaded anew meanwhile is told by what it stands for since.
    const isOutdated: IsOutdated = ({ tile }) => this.#standFor.get(tile) !== standFor.get(tile);
    await this.#receive(
      () =>
        this.#client.queryTiles(
          { params: { id: this.id }, body: { state: asked, scope, tiles: [...tiles] } },
          { signal: controller.signal },
        ),
      {
        controller,
        tiles,
        scope: 'filtered',
        isOutdated,
        standFor,
        endsSlice: () => areSame(asked.selections, this.state.selections),
      },
    );
    if (this.#asking === asking) this.#asking = undefined;
  }

  async #receive(
    ask: () => Promise<AsyncGenerator<Frame>>,
    { controller, tiles, scope, isOutdated, standFor, endsSlice = () => true }: Asked,
  ): Promise<void> {
    // The tiles that had an answer of their own, and those that had one of the selections.
    const answered = { base: new Set<string>(), filtered: new Set<string>() };
    try {
      let began = performance.now();
      for await (const frame of await ask()) {
        // A kept answer comes in one piece: its tiles are taken in over several tasks, so that the page stays
        // quick to the touch.
        if (performance.now() - began > longestTaskMs) {
          await new Promise(resolve => setTimeout(resolve));
          began = performance.now();
        }
        if (controller.signal.aborted) return;
        const { header } = frame;
        if (header.kind === 'end') {
          this.store.setState({
            applied: header.applied,
            ...(header.dataTime && { dataTime: header.dataTime }),
          });
          // With only its own answer, a tile is bound by none of the selections: their fields may be of another
          // model. What it shows of an earlier selection goes.
          for (const id of answered.base) {
            const wanted = standFor.get(id);
            if (answered.filtered.has(id) || !wanted || this.#standFor.get(id) !== wanted) continue;
            if (this.tile(id).view.isSliced && !endsSlice()) this.#standFor.set(id, undefined);
            else this.tile(id).unfilter();
          }
        } else {
          // Indexes, which have no scope, come to whom asked for them.
          if (!('scope' in header)) continue;
          answered[header.scope].add(header.tile);
          if (isOutdated(header)) continue;
          const tile = this.tile(header.tile);
          // The exact answer takes the slice's place in the same moment, unless the brush has moved on
          // meanwhile.
          const isLatest = endsSlice();
          if (!isLatest && tile.view.isSliced) {
            this.#standFor.set(tile.id, undefined);
            continue;
          }
          if (tile.view.isSliced && isLatest) tile.view = { ...tile.view, isSliced: false };
          tile.receive(frame);
        }
      }
    } catch (error) {
      if (controller.signal.aborted) return;
      // Without a problem, no server answered at all.
      const problem = error instanceof ApiError ? error.problem : undefined;
      for (const tile of this.tiles.values()) {
        if (tiles && !tiles.includes(tile.id)) continue;
        this.#standFor.set(tile.id, undefined);
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
        const selections = this.#binding(this.state);
        // A brush that began before its index was there catches up.
        if (this.#active?.key === key && !areSame(selections, this.#settled))
          this.#follow(active, selections);
      }
    } catch {
      // Without an index the tiles ask instead.
    }
  }

  #dropIndex(): void {
    this.#active?.controller.abort();
    this.#active = undefined;
  }
}

/** What is brushed, in the steps of each index; undefined where some index cannot tell. */
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

/** What of a tile's adjustment its answers depend on: not on the columns it leaves away. */
function askedBy({ without: _, ...asked }: NonNullable<DashboardState['tiles']>[string] = {}): object {
  return asked;
}
