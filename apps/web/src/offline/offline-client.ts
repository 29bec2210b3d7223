import {
  decodeFrames,
  notAddedUpDetail,
  problemTypes,
  type CellsHeader,
  type Client,
  type DashboardState,
  type Frame,
  type IndexHeader,
  type OfflineComparison,
  type OpenDashboard,
  type RowsHeader,
  type TileNote,
} from '@belvedere/api';
import { listeningIn, listensTo, meetBoxes } from '@belvedere/crossfilter';
import { slotsOf, type Axis, type Box } from '@belvedere/query';
import { brushedCells, underBox, withinFilters } from './brushed-cells.ts';
import { brushedComparison } from './offline-comparison.ts';
import type { OfflineData } from './offline-data.ts';

/** The precomputed results of a dashboard, for a page without a server. */
export interface OfflineParts {
  readonly dashboard: OpenDashboard;
  /** The results of a page, as frames one after the other. */
  readonly page: (index: number) => Promise<Uint8Array>;
  /** The brush index of a tile, as frames; empty for a tile that has no index. */
  readonly index: (tile: string) => Promise<Uint8Array>;
  readonly comparisons: (tile: string) => Promise<Readonly<Record<string, OfflineComparison>>>;
  /** The results under the selections with which a file opens. */
  readonly selected?: { readonly state: DashboardState; readonly frames: () => Promise<Uint8Array> };
  /** What a page shows under filters on some fields; undefined if these cannot be set, or not together. */
  readonly filter?: (fields: readonly string[], page: number) => Promise<OfflineFilter | undefined>;
  /** The filters of a page that can be set in any combination; undefined if there are none. */
  readonly combinations?: (page: number) => OfflineCombinations | undefined;
}

/** What a page shows under any of some filters, and under a selection beside them. */
export interface OfflineCombinations {
  readonly fields: readonly string[];
  /** The conditions of filters that are not set. */
  readonly defaults: Box;
  readonly filter: () => Promise<OfflineFilter>;
  /** Without a selection's index, the tile cannot be selected while a filter is set. */
  readonly selection: (tile: string) => OfflineSelection | undefined;
}

interface OfflineSelection {
  /** The fields that a selection can name. */
  readonly fields: readonly string[];
  readonly parts: () => Promise<Omit<OfflineFilter, 'cleared'>>;
}

/** The combinations of a page if they have all of these filters. */
export function combinationsOf(
  { combinations }: Pick<OfflineParts, 'combinations'>,
  page: number,
  fields: readonly string[],
): OfflineCombinations | undefined {
  const found = combinations?.(page);
  return found && fields.every(field => found.fields.includes(field)) ? found : undefined;
}

/** The precomputed results of a page for one filter, or for two. Frames are one after the other. */
export interface OfflineFilter {
  /** The results without these filters. */
  readonly cleared: Uint8Array;
  readonly index: Uint8Array;
  readonly comparisons: Readonly<Record<string, OfflineComparison>>;
}

interface Brush {
  readonly boxes: readonly Box[];
  /** The brush indexes from the active tile, or from a filter, to the tiles of the page. */
  readonly indexes: readonly Frame[];
  readonly comparisons: () => Promise<Readonly<Record<string, OfflineComparison>>>;
  readonly scope: 'base' | 'filtered';
}

/** A client that reads the results that are embedded in the page. */
export function offlineClient(data: OfflineData): Pick<Client, 'queryTiles' | 'getBrushIndex'> {
  return offlineClientOf({
    dashboard: data.dashboard,
    page: async page => bytesIn(data.pages[page] ?? ''),
    index: async tile => bytesIn(data.indexes[tile] ?? ''),
    comparisons: async tile => data.comparisons[tile] ?? {},
    ...(data.selected !== undefined && {
      selected: { state: data.state, frames: async () => bytesIn(data.selected!) },
    }),
  });
}

/**
 * A client that returns precomputed results: a page's own, and under a selection those of the brush index.
 * A tile that the selection filters but no index covers gets a `not-offline` problem, never unfiltered values.
 */
export function offlineClientOf(of: OfflineParts): Pick<Client, 'queryTiles' | 'getBrushIndex'> {
  const listening = listeningIn(of.dashboard.document);
  /** The index of the last brushed tile, since the next gesture is likely to be on it too. */
  let decoded: { readonly of: string; readonly frames: readonly Frame[] } | undefined;
  const indexesOf = async (active: string): Promise<readonly Frame[]> => {
    if (decoded?.of !== active)
      decoded = { of: active, frames: await Array.fromAsync(framesIn(await of.index(active))) };
    return decoded.frames;
  };
  return {
    queryTiles: async ({ body }) => resultsOf(body.state, body.scope, body.tiles),
    getBrushIndex: async ({ body: { state, active } }) =>
      of.filter && Object.keys(state.filters).length > 0
        ? filteredIndex(state, active)
        : framesIn(await of.index(active)),
  };

  async function* resultsOf(
    state: DashboardState,
    scope: 'both' | 'filtered' | undefined,
    wanted: readonly string[] | undefined,
  ): AsyncGenerator<Frame> {
    // The filters of an exported file are those that it was made with: its results have them already.
    if (of.filter && Object.keys(state.filters).length > 0)
      return yield* filteredResults(state, scope, wanted);
    if (of.selected && isSameSelection(of.selected.state, state)) {
      for await (const frame of framesIn(await of.selected.frames()))
        if (isWanted(frame, scope, wanted)) yield frame;
      return yield { header: { kind: 'end', applied: {} } };
    }
    const [active, boxes] =
      Object.entries(state.selections).find(([, selected]) => selected.length > 0) ?? [];
    const brush =
      active && boxes
        ? {
            boxes,
            indexes: await indexesOf(active),
            comparisons: () => of.comparisons(active),
            scope: 'filtered' as const,
          }
        : undefined;
    const ownFrames = await byTile(await of.page(state.page));
    for (const tile of wanted ?? ownFrames.keys()) {
      const own = ownFrames.get(tile);
      // A tile that is shown only under a selection was not exported.
      if (!own) yield notOffline(tile, 'base');
      else {
        if (scope !== 'filtered') yield* own;
        if (brush && listensTo(listening, tile, active!)) yield* await following(tile, own, brush);
      }
    }
    yield { header: { kind: 'end', applied: {} } };
  }

  /** Results under filters, and those of a selection beside them. */
  async function* filteredResults(
    state: DashboardState,
    scope: 'both' | 'filtered' | undefined,
    wanted: readonly string[] | undefined,
  ): AsyncGenerator<Frame> {
    const fields = Object.keys(state.filters);
    const combinations = combinationsOf(of, state.page, fields);
    const combined =
      combinations && (await sourceOf(await combinations.filter(), boxOf(state, combinations.defaults)));
    // What was computed for the filters alone has medians along their own axes, too.
    let alone: Promise<FilterSource | undefined> | undefined;
    const single = () =>
      (alone ??= Promise.resolve(of.filter?.(fields, state.page)).then(
        filter => filter && sourceOf(filter, boxOf(state, {})),
      ));
    const [active, boxes] =
      Object.entries(state.selections).find(([, selected]) => selected.length > 0) ?? [];
    const brush = active && boxes && combinations && (await brushBeside(combinations, state, active, boxes));
    for (const tile of wanted ?? (await byTile(await of.page(state.page))).keys()) {
      const base = combined && (await underFilters(tile, combined));
      const found = base && !base.some(isNotOffline) ? base : active ? undefined : await single();
      const shown = found && 'own' in found ? await underFilters(tile, found) : found;
      if (scope !== 'filtered') yield* shown ?? base ?? [notOffline(tile, 'base')];
      if (!active || !listensTo(listening, tile, active)) continue;
      const own = combined?.own.get(tile);
      const filters = combinations && boxOf(state, combinations.defaults);
      if (own && brush && filters)
        yield* (await following(tile, own, brush)).map(frame => withinFilters(frame, filters));
      else yield notOffline(tile, 'filtered');
    }
    yield { header: { kind: 'end', applied: {} } };
  }

  interface FilterSource {
    readonly own: ReadonlyMap<string, Frame[]>;
    /** Undefined if the filters let everything through. */
    readonly brush: Brush | undefined;
  }

  async function sourceOf(filter: OfflineFilter, box: Box): Promise<FilterSource> {
    const brush: Brush = {
      boxes: [box],
      indexes: await Array.fromAsync(framesIn(filter.index)),
      comparisons: async () => filter.comparisons,
      scope: 'base',
    };
    const own = await byTile(filter.cleared);
    return { own, brush: Object.keys(box).length > 0 ? brush : undefined };
  }

  async function underFilters(tile: string, { own, brush }: FilterSource): Promise<readonly Frame[]> {
    const frames = own.get(tile);
    if (!frames) return [notOffline(tile, 'base')];
    if (!brush) return frames;
    const under = await following(tile, frames, brush);
    return under.map(frame => withRankNote(withinFilters(frame, brush.boxes[0]!)));
  }

  async function brushBeside(
    combinations: OfflineCombinations,
    state: DashboardState,
    active: string,
    boxes: readonly Box[],
  ): Promise<Brush | undefined> {
    const found = await combinations.selection(active)?.parts();
    const filters = boxOf(state, combinations.defaults);
    const both = boxes.map(box => meetBoxes(box, filters));
    if (!found || !both.every(box => box !== undefined)) return undefined;
    return {
      boxes: both,
      indexes: await Array.fromAsync(framesIn(found.index)),
      comparisons: async () => found.comparisons,
      scope: 'filtered',
    };
  }

  /** The brush index of a tile under filters, for the frames of a gesture. */
  async function* filteredIndex(state: DashboardState, active: string): AsyncGenerator<Frame> {
    const combinations = combinationsOf(of, state.page, Object.keys(state.filters));
    const selection = combinations?.selection(active);
    if (!combinations || !selection) return;
    for await (const frame of framesIn((await selection.parts()).index)) {
      const filters = boxOf(state, combinations.defaults);
      const under = underBox(withinFilters(frame, filters), filters, selection.fields);
      if (under) yield under;
    }
  }

  async function following(
    tile: string,
    own: readonly Frame[],
    { boxes, indexes, comparisons, scope }: Brush,
  ): Promise<Frame[]> {
    // A tile that failed during the export shows that problem.
    if (own.some(({ header }) => header.kind === 'problem')) return scope === 'base' ? [...own] : [];
    if (indexes.some(({ header }) => header.kind === 'unmoved' && header.tile === tile))
      return inScope(unmoved(own, boxes), scope);
    const followed = own
      .filter(({ header }) => !isEarlier(header))
      .map(frame => followedFrame(frame, indexes, boxes));
    if (!followed.every(frame => frame !== undefined)) return [notOffline(tile, scope, !own.every(addsUp))];
    const main = followed.findIndex(({ header }) => header.kind === 'cells' && header.part === 'main');
    const { header } = followed[main] ?? {};
    if (header?.kind !== 'cells' || !header.notes.some(isOfComparison)) return inScope(followed, scope);
    const earlier = own.find(frame => isEarlier(frame.header));
    const comparison = (await comparisons())[tile];
    const index =
      comparison?.index === undefined
        ? undefined
        : (await Array.fromAsync(framesIn(bytesIn(comparison.index))))[0];
    const { note, cells } = comparison
      ? brushedComparison(comparison, index, { notes: header.notes, cells: earlier?.cells }, boxes)
      : { note: { kind: 'comparison-not-offline' } as const };
    const noted: Frame = {
      ...followed[main]!,
      header: { ...header, notes: [...header.notes.filter(note => !isOfComparison(note)), note] },
    };
    const previous: Frame[] = cells
      ? [{ header: { ...header, part: 'previous', axes: [], notes: [] }, cells }]
      : [];
    return inScope([...followed.with(main, noted), ...previous], scope);
  }
}

function isSameSelection(one: DashboardState, other: DashboardState): boolean {
  const key = ({ page, selections }: DashboardState) =>
    JSON.stringify([
      page,
      Object.entries(selections)
        .filter(([, boxes]) => boxes.length > 0)
        .toSorted(([a], [b]) => (a < b ? -1 : 1)),
    ]);
  return key(one) === key(other);
}

/** Whether a frame is of one of these tiles, and not one that the page has already. */
function isWanted(
  { header }: Frame,
  scope: 'both' | 'filtered' | undefined,
  wanted: readonly string[] | undefined,
): boolean {
  const isOfTile = !wanted || ('tile' in header && wanted.includes(header.tile));
  return isOfTile && !(scope === 'filtered' && 'scope' in header && header.scope === 'base');
}

/** The conditions of a state's filters. A filter that was cleared has none. */
function boxOf({ filters }: DashboardState, defaults: Box): Box {
  return Object.fromEntries(
    Object.entries({ ...defaults, ...filters }).flatMap(([field, condition]) =>
      condition ? [[field, condition]] : [],
    ),
  );
}

function isNotOffline({ header }: Frame): boolean {
  return header.kind === 'problem' && header.problem.type === 'not-offline';
}

async function byTile(bytes: Uint8Array): Promise<Map<string, Frame[]>> {
  return Map.groupBy(await Array.fromAsync(framesIn(bytes)), ({ header }) =>
    'tile' in header ? header.tile : '',
  );
}

function inScope(frames: readonly Frame[], scope: 'base' | 'filtered'): Frame[] {
  return frames.map(frame =>
    'scope' in frame.header ? { ...frame, header: { ...frame.header, scope } as Frame['header'] } : frame,
  );
}

/** Of a chart of the largest values, the results were ranked before the filter. */
function withRankNote(frame: Frame): Frame {
  const { header } = frame;
  if (header.kind !== 'cells' || header.part !== 'main') return frame;
  if (!header.axes.some(axis => axis.kind === 'categories' && axis.other)) return frame;
  return { ...frame, header: { ...header, notes: [...header.notes, { kind: 'ranked-unfiltered' }] } };
}

function isEarlier(header: Frame['header']): boolean {
  return header.kind === 'cells' && header.part === 'previous';
}

function isOfComparison({ kind }: TileNote): boolean {
  return kind === 'compared' || kind === 'nothing-to-compare';
}

/** A tile's frame under a selection, from its index; undefined if the index cannot give it exactly. */
function followedFrame(
  { header }: Frame,
  indexes: readonly Frame[],
  boxes: readonly Box[],
): Frame | undefined {
  if (header.kind !== 'cells') return undefined;
  const found = indexes.find(
    ({ header: of }) => of.kind === 'index' && of.tile === header.tile && of.part === header.part,
  );
  if (!found?.cells) return undefined;
  const { rowsPart, ...indexHeader } = found.header as IndexHeader;
  const under = brushedCells(indexHeader, found.cells, boxes);
  if (!under) return undefined;
  const isOfNoRows =
    header.part === 'main' && rowsPart !== undefined && under.parts[rowsPart]!.every(count => count === 0);
  const { unbound } = indexHeader;
  const { isOfNoRows: _, ...kept } = header;
  const missed = unbound.filter(field => boxes.some(box => Object.hasOwn(box, field)));
  return {
    header: {
      ...kept,
      scope: 'filtered',
      ...(isOfNoRows && { isOfNoRows }),
      notes: notesWith(header, missed),
    },
    cells: { ...under, parts: under.parts.slice(0, header.merges.length) },
  };
}

/**
 * Unfiltered frames, with a note for each field of the selection that does not apply. Of a chart of points,
 * the density's frame carries the note.
 */
function unmoved(own: readonly Frame[], boxes: readonly Box[]): Frame[] {
  const missed = [...new Set(boxes.flatMap(box => Object.keys(box)))];
  const isTable = !own.some(({ header }) => header.kind === 'cells');
  return own.map(frame => {
    const header = frame.header as CellsHeader | RowsHeader;
    const notes = header.kind === 'cells' || isTable ? notesWith(header, missed) : header.notes;
    return { ...frame, header: { ...header, scope: 'filtered', notes } };
  });
}

/** Only the main part of a tile has notes. */
function notesWith(header: CellsHeader | RowsHeader, missed: readonly string[]): readonly TileNote[] {
  if (header.kind === 'cells' && header.part !== 'main') return header.notes;
  // A filter on the field may have this note already.
  const isNoted = (field: string) =>
    header.notes.some(note => note.kind === 'not-applied' && note.field === field);
  return [
    ...header.notes,
    ...missed.filter(field => !isNoted(field)).map((field): TileNote => ({ kind: 'not-applied', field })),
  ];
}

/** Whether sums, smallest and largest values are all that a frame has. */
function addsUp({ header }: Frame): boolean {
  return header.kind !== 'cells' || !header.merges.includes('none');
}

/** @param isOfRows whether its figures come from rows alone: medians and distinct counts */
function notOffline(tile: string, scope: 'base' | 'filtered', isOfRows = false): Frame {
  const [status, title] = problemTypes['not-offline'];
  const detail = isOfRows
    ? notAddedUpDetail
    : 'This page has no data for this filter or selection. Clear it to see the tile.';
  return {
    header: { kind: 'problem', tile, scope, problem: { type: 'not-offline', title, status, detail } },
  };
}

/** The steps or values that a filter can be set to: the coarsest of all tiles', whose steps all of them have. */
export async function filterAxis({ index }: OfflineFilter): Promise<Axis | undefined> {
  const frames = await Array.fromAsync(framesIn(index));
  const axes = frames.flatMap(({ header }) => (header.kind === 'index' ? [header.brush[0]!] : []));
  return axes.toSorted((a, b) => slotsOf(a) - slotsOf(b))[0];
}

/** Decodes a sequence of frames. */
export async function* framesIn(bytes: Uint8Array): AsyncGenerator<Frame> {
  if (bytes.length > 0) yield* decodeFrames(chunk(bytes));
}

function bytesIn(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), character => character.charCodeAt(0));
}

async function* chunk(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
