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

/** The result of one query of a tile: its axes, and for each measure in turn its value in each group. */
export interface Picture {
  readonly axes: readonly NamedAxis[];
  readonly header: CellsHeader;
  readonly values: Float64Array;
  /** For each measure, whether its values add up. */
  readonly additive: readonly boolean[];
}

type Pictures = Partial<Record<TilePart, Picture>>;

/** The state of a tile for React. Frames of a brush do not change it. */
export interface TileView {
  /** `partial`: from a sample, while the exact result loads. */
  readonly status: 'loading' | 'partial' | 'fresh' | 'refreshing' | 'failed';
  readonly base: Pictures;
  readonly filtered?: Pictures;
  readonly rows?: RowsHeader;
  readonly filteredRows?: RowsHeader;
  /** The query that failed: the tile's own, or only that with selections. */
  readonly failed?: 'base' | 'filtered';
  /** Why it failed; undefined if the server could not be reached. */
  readonly problem?: Problem;
  readonly notes: readonly TileNote[];
  /** It shows a slice of a brush index. */
  readonly isSliced: boolean;
  /** The slice's steps are coarser than those of the brush. */
  readonly isNear?: boolean;
}

/** The brushed areas of an index, for one part of a tile. */
export interface Slice {
  readonly part: TilePart;
  readonly index: BrushIndex;
  readonly areas: readonly BrushedArea[];
  /** The areas are rounded to the steps of the index. */
  readonly isNear: boolean;
}

/** The results of a tile of an open page. `onView` is for React; `onFrame` is for canvases that follow a brush. */
export class LiveTile {
  readonly id: string;
  view: TileView = { status: 'loading', base: {}, notes: [], isSliced: false };
  readonly #viewListeners = new Set<() => void>();
  readonly #frameListeners = new Set<() => void>();
  /** A table's unfiltered rows are older than its filtered ones, so their filters or order may differ. */
  #hasOldRows = false;
  /** The selection was cleared; the filtered rows stay until the unfiltered rows arrive. */
  #awaitsOwnRows = false;
  readonly #slices = new Map<TilePart, { index: BrushIndex; parts: Float64Array[]; values: Float64Array }>();

  constructor(id: string) {
    this.id = id;
  }

  /** Whether the tile is a table of rows. */
  get showsRows(): boolean {
    return (this.view.rows !== undefined || this.view.filteredRows !== undefined) && !this.view.base.main;
  }

  /** Whether it has no unfiltered result to return to when a selection is cleared. */
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

  /** The values to draw for a part: the slice during a brush, else the server's result. */
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
        return this.#addResult(header.scope, change);
      }
      case 'cells': {
        const picture = pictureOf(header, cells!);
        const status = header.sampled ? 'partial' : 'fresh';
        const notes = header.part === 'main' ? { notes: header.notes } : {};
        if (header.scope === 'base')
          return this.#addResult('base', {
            status,
            base: { ...this.view.base, [header.part]: picture },
            ...this.#withoutOtherAxes(header.part, picture),
            ...notes,
          });
        return this.#addResult('filtered', {
          status,
          filtered: { ...this.view.filtered, [header.part]: picture },
          ...notes,
        });
      }
    }
  }

  /** Drops a filtered part on other axes, since it is drawn on the axes of the unfiltered one. */
  #withoutOtherAxes(part: TilePart, { axes }: Picture): Pick<TileView, 'filtered'> {
    const { [part]: before, ...others } = this.view.filtered ?? {};
    if (!before || JSON.stringify(before.axes) === JSON.stringify(axes)) return {};
    return { filtered: Object.keys(others).length > 0 ? others : undefined };
  }

  /** Marks a table's unfiltered rows as outdated, while only filtered ones are queried. */
  outdateRows(): void {
    this.#hasOldRows = this.showsRows;
  }

  /** Shows a failure. A tile whose own query failed stays so, whatever happens to its filtered one. */
  fail(scope: 'base' | 'filtered', problem: Problem | undefined): void {
    this.update({
      status: 'failed',
      failed: this.view.failed === 'base' ? 'base' : scope,
      problem,
      isSliced: false,
    });
  }

  /** Adds a result. It clears a failure of the same scope only. */
  #addResult(scope: 'base' | 'filtered', { status, ...result }: Partial<TileView>): void {
    const isResolved = this.view.failed === undefined || this.view.failed === scope;
    this.update({ ...result, ...(isResolved && { status, failed: undefined, problem: undefined }) });
  }

  /** Shows a slice of each index with the next frame. */
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
    // A slice replaces the failure of a filtered query.
    if (!this.view.isSliced || (this.view.isNear ?? false) !== isNear)
      this.update({
        isSliced: true,
        isNear,
        ...(this.view.failed === 'filtered' && withoutFailure(this.view)),
      });
    for (const listener of this.#frameListeners) listener();
  }

  /** Shows the server's result instead of a slice. */
  endSlice(): void {
    if (this.view.isSliced) this.update({ isSliced: false });
  }

  /** Returns to the unfiltered result. */
  unfilter(): void {
    if (this.#hasOldRows) {
      this.#awaitsOwnRows = true;
      return this.update({ isSliced: false, status: 'refreshing', failed: undefined, problem: undefined });
    }
    // A tile that waits for a filtered result must change too, since that request is cancelled.
    const isFailed = this.view.failed === 'filtered';
    if (
      !this.view.isSliced &&
      !this.view.filtered &&
      !this.view.filteredRows &&
      this.view.status !== 'refreshing' &&
      !isFailed
    )
      return;
    // The notes of the filtered result go with it.
    this.update({
      isSliced: false,
      filtered: undefined,
      filteredRows: undefined,
      notes: this.view.base.main?.header.notes ?? this.view.rows?.notes ?? this.view.notes,
      status: this.view.status === 'refreshing' ? 'fresh' : this.view.status,
      ...(isFailed && withoutFailure(this.view)),
    });
  }
}

/** The state without the failure of a filtered query: that of the unfiltered result, which may be loading. */
function withoutFailure({ base, rows }: TileView): Pick<TileView, 'status' | 'failed' | 'problem'> {
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
