import type { DashboardState, ModelSummary, RowsHeader, RowsPage } from '@belvedere/api';
import type { Tile } from '@belvedere/document';
import type { Adjustment } from '@belvedere/query';
import { lazyComponent } from '@belvedere/ui';
import { measureField } from '../describe.ts';
import type { RowComments } from './RowCommentCell.tsx';
import type { TableTheme, TableView } from './RowsTable.tsx';

const RowsTable = lazyComponent(() => import('./RowsTable.tsx').then(module => module.RowsTable));

interface TileRowsProps {
  readonly dashboard: string;
  readonly id: string;
  readonly title: string;
  readonly state: DashboardState;
  readonly first: RowsHeader;
  readonly look: TableTheme;
  readonly adjustment: Adjustment | undefined;
  readonly comments: RowComments | undefined;
  /** Changes the tile's current adjustment, which may be newer than the rendered one. */
  readonly onAdjust:
    | ((change: (before: Adjustment | undefined) => Adjustment | undefined) => void)
    | undefined;
}

/** A table tile's rows. */
export function TileRows({ id, state, first, adjustment, onAdjust, ...table }: TileRowsProps) {
  const { without = [], ...seen } = adjustment ?? {};
  // How other tiles are adjusted is nothing to this one.
  const requested = { ...state, tiles: { [id]: seen } } as DashboardState;
  const keep = (change: (view: TableView) => TableView) =>
    onAdjust?.(before => {
      const { sort, without: left, ...others } = before ?? {};
      const view = change({ sort, without: left });
      const next = {
        ...others,
        ...(view.sort && { sort: view.sort }),
        ...(view.without && view.without.length > 0 && { without: view.without }),
      };
      return Object.keys(next).length > 0 ? next : undefined;
    });
  return (
    <RowsTable
      tile={id}
      state={requested}
      isOffline={onAdjust === undefined}
      first={pageOf(first)}
      {...table}
      {...(onAdjust && { kept: { sort: seen.sort, without, onChange: keep } })}
    />
  );
}

/** The display options of a table's columns, from its own settings and its model's fields. */
export function tableLook(tile: Tile & { kind: 'table' }, model: ModelSummary | undefined): TableTheme {
  return {
    noteOf: ({ name }) =>
      [...(model?.dimensions ?? []), ...(model?.measures ?? [])].find(field => field.name === name)
        ?.description,
    labelOf: column =>
      model?.dimensions.some(({ name }) => name === column.name)
        ? column.label
        : measureField(column.name, model).label,
    formats: Object.fromEntries(
      (model?.dimensions ?? []).map(dimension => [dimension.name, dimension.format]),
    ),
    ...(tile.bars && { bars: tile.bars }),
    ...(tile.heat && { heat: tile.heat }),
    ...(tile.pinned !== undefined && { pinned: tile.pinned }),
    ...(tile.highlights && { highlights: tile.highlights }),
  };
}

function pageOf(header: RowsHeader): RowsPage {
  return {
    columns: header.columns.map(column => ({ ...column, label: column.label ?? column.name })),
    rows: header.rows.map(row => [...row]),
    total: header.total,
    ...(header.key && { key: [...header.key] }),
    ...(header.totals && { totals: [...header.totals] }),
    ...(header.sparklines && { sparklines: header.sparklines }),
  };
}
