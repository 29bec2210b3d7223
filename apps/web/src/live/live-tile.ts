import {
  denseParts,
  shownValues,
  type Cells,
  type CellsHeader,
  type Frame,
  type NamedAxis,
  type Problem,
  type RowsHeader,
  type TileNote,
  type TilePart,
} from '@belvedere/api';
import { sliceIndex, type BrushedArea, type BrushIndex } from '@belvedere/crossfilter';
import { isAdditive } from '@belvedere/query';

/** One answered question of a tile: its axes and, for each measure in turn, its value for each group. */
export interface Picture {
  readonly axes: readonly NamedAxis[];
  readonly header: CellsHeader;
  readonly values: Float64Array;
  /** For each measure, whether its values add up. */
  readonly additive: readonly boolean[];
}

type Pictures = Partial<Record<TilePart, Picture>>;

/** A tile as it stands, for React: a new one whenever something else than a frame of a brush has changed. */
export interface TileView {
  /** `partial`: from a sample; the exact numbers are on their way. */
  readonly status: 'loading' | 'partial' | 'fresh' | 'refreshing' | 'failed';
  readonly base: Pictures;
  readonly filtered?: Pictures;
  readonly rows?: RowsHeader;
  readonly filteredRows?: RowsHeader;
  /** What could not be answered: the tile, or only what is selected, without which it has its picture. */
  readonly failed?: 'base' | 'filtered';
  /** Why; undefined where no server answered at all. */
  readonly problem?: Problem;
  readonly notes: readonly TileNote[];
  /** Follows a brush from the index right now. */
  readonly isSliced: boolean;
  /** … in steps that are coarser than the brush's own. */
  readonly isNear?: boolean;
}

/** What of a picture a brush leaves. */
export interface Slice {
  readonly part: TilePart;
  readonly index: BrushIndex;
  readonly areas: readonly BrushedArea[];
  /** The index has not the steps of the brush: these are the nearest of its own. */
  readonly isNear: boolean;
}

/** A tile's numbers while the page lives. React hears of changed views; canvases hear of every frame. */
export class LiveTile {
  readonly id: string;
  view: TileView = { status: 'loading', base: {}, notes: [], isSliced: false };
  readonly #viewListeners = new Set<() => void>();
  readonly #frameListeners = new Set<() => void>();
  /**
   * A table's own rows are of other filters, or in another order, than what it was asked for since under a
   * selection.
   */
  #hasOldRows = false;
  /** What was selected is cleared, and those of the selection stay until its own are there. */
  #awaitsOwnRows = false;
  readonly #slices = new Map<TilePart, { index: BrushIndex; parts: Float64Array[]; values: Float64Array }>();

  constructor(id: string) {
    this.id = id;
  }

  /** A table's rows, not a picture. */
  get showsRows(): boolean {
    return (this.view.rows !== undefined || this.view.filteredRows !== undefined) && !this.view.base.main;
  }

  /**
   * There is nothing to go back to when what is selected is cleared: a table has its rows under a selection,
   * or without, of the server.
   */
  get lacksBase(): boolean {
    return !this.view.base.main && (!this.view.rows || this.#hasOldRows);
  }

  onView = (listener: () => void) => {
    this.#viewListeners.add(listener);
    return () => void this.#viewListeners.delete(listener);
  };
  onFrame = (listener: () => void) => {
    this.#frameListeners.add(listener);
    return () => void this.#frameListeners.delete(listener);
  };
  getView = () => this.view;

  update(change: Partial<TileView>): void {
    this.view = { ...this.view, ...change };
    for (const listener of this.#viewListeners) listener();
  }

  /** What to draw for a part now: the slice while brushing, else what the server answered. */
  current(part: TilePart): Float64Array | undefined {
    if (this.view.isSliced) {
      const slice = this.#slices.get(part);
      if (slice) return slice.values;
    }
    return (this.view.filtered?.[part] ?? this.view.base[part])?.values;
  }

  receive(frame: Frame): void {
    const { header, cells } = frame;
    switch (header.kind) {
      case 'problem':
        return this.fail(header.scope, header.problem);
      case 'rows': {
        const notes = header.notes.length > 0 ? { notes: header.notes } : {};
        const isOwn = header.scope === 'base';
        const change = {
          status: 'fresh',
          ...(isOwn ? { rows: header } : { filteredRows: header }),
          ...(isOwn && this.#awaitsOwnRows && { filteredRows: undefined }),
          ...notes,
        } as const;
        this.#awaitsOwnRows = false;
        if (isOwn) this.#hasOldRows = false;
        return this.#answered(header.scope, change);
      }
      case 'cells': {
        const picture = pictureOf(header, cells!);
        const status = header.sampled ? 'partial' : 'fresh';
        const notes = header.part === 'main' ? { notes: header.notes } : {};
        if (header.scope === 'base')
          return this.#answered('base', {
            status,
            base: { ...this.view.base, [header.part]: picture },
            ...this.#alongside(header.part, picture),
            ...notes,
          });
        return this.#answered('filtered', {
          status,
          filtered: { ...this.view.filtered, [header.part]: picture },
          ...notes,
        });
      }
    }
  }

  /** What was answered of a selection along other axes goes: it is drawn into the tile's own picture. */
  #alongside(part: TilePart, { axes }: Picture): Pick<TileView, 'filtered'> {
    const { [part]: before, ...others } = this.view.filtered ?? {};
    if (!before || JSON.stringify(before.axes) === JSON.stringify(axes)) return {};
    return { filtered: Object.keys(others).length > 0 ? others : undefined };
  }

  /**
   * What it shows of itself is asked for no longer, and what is asked for in its place is of a selection
   * alone.
   */
  outdateRows(): void {
    this.#hasOldRows = this.showsRows;
  }

  /**
   * The tile could not be answered, or only what is selected; one that failed by itself has nothing to show
   * of a selection either.
   */
  fail(scope: 'base' | 'filtered', problem: Problem | undefined): void {
    this.update({
      status: 'failed',
      failed: this.view.failed === 'base' ? 'base' : scope,
      problem,
      isSliced: false,
    });
  }

  /** What failed is mended by an answer to just that; any other is kept beside it. */
  #answered(scope: 'base' | 'filtered', { status, ...answer }: Partial<TileView>): void {
    const isMended = this.view.failed === undefined || this.view.failed === scope;
    this.update({ ...answer, ...(isMended && { status, failed: undefined, problem: undefined }) });
  }

  /** Shows the selection's slice of an index, drawn with the next frame. */
  slice(slices: readonly Slice[]): void {
    for (const { part, index, areas } of slices) {
      const picture = this.view.base[part];
      if (!picture || picture.values.length !== index.groups * picture.additive.length) continue;
      let slice = this.#slices.get(part);
      if (slice?.index !== index) {
        slice = {
          index,
          parts: index.parts.map(() => new Float64Array(index.groups)),
          values: new Float64Array(picture.values.length),
        };
        this.#slices.set(part, slice);
      }
      sliceIndex(index, areas, slice.parts);
      shownValues(picture.header, slice.parts, slice.values);
    }
    const isNear = slices.some(slice => slice.isNear);
    // An index answers what the server could not.
    if (!this.view.isSliced || (this.view.isNear ?? false) !== isNear)
      this.update({ isSliced: true, isNear, ...(this.view.failed === 'filtered' && mended(this.view)) });
    for (const listener of this.#frameListeners) listener();
  }

  /** The answers below a slice are of what is selected now: they are shown in its place. */
  endSlice(): void {
    if (this.view.isSliced) this.update({ isSliced: false });
  }

  /** The brush is gone from this tile: back to its own answers. */
  unfilter(): void {
    if (this.#hasOldRows) {
      this.#awaitsOwnRows = true;
      return this.update({ isSliced: false, status: 'refreshing', failed: undefined, problem: undefined });
    }
    // Also where nothing has come yet: what was asked for the selection is called off with it, and would be
    // waited for in vain.
    const isFailed = this.view.failed === 'filtered';
    if (
      !this.view.isSliced &&
      !this.view.filtered &&
      !this.view.filteredRows &&
      this.view.status !== 'refreshing' &&
      !isFailed
    )
      return;
    // What was said of the selection's answers goes with them.
    this.update({
      isSliced: false,
      filtered: undefined,
      filteredRows: undefined,
      notes: this.view.base.main?.header.notes ?? this.view.rows?.notes ?? this.view.notes,
      status: this.view.status === 'refreshing' ? 'fresh' : this.view.status,
      ...(isFailed && mended(this.view)),
    });
  }
}

/** A tile without what failed of its selection: as it is itself, which may still be on its way. */
function mended({ base, rows }: TileView): Pick<TileView, 'status' | 'failed' | 'problem'> {
  return { status: base.main || rows ? 'fresh' : 'loading', failed: undefined, problem: undefined };
}

function pictureOf(header: CellsHeader, cells: Cells): Picture {
  const parts = denseParts(header.axes, header.merges, cells);
  return {
    axes: header.axes,
    header,
    values: shownValues(header, parts),
    additive: header.values.map((value, i) => !header.show?.[i] && isAdditive(value, header.merges)),
  };
}
