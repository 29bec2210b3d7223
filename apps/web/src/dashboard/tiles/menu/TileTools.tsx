import type { DashboardState, EventNote, Field, ModelSummary } from '@belvedere/api';
import { isChartTile, dataTableRows, formatExactly } from '@belvedere/chart';
import type { Tile } from '@belvedere/document';
import type { DataType } from '@belvedere/model';
import { showsEvents, type Adjustment, type Box, type FieldFilter } from '@belvedere/query';
import { LazyBoundary, lazyComponent, IconButton } from '@belvedere/ui';
import { Info, Maximize2, Minimize2 } from 'lucide-react';
import { memo, useState } from 'react';
import { isGuestPage } from '../../../data/session/guest.ts';
import { isAllowed } from '../../../data/session/permissions.ts';
import { viewedAs } from '../../../data/session/view-as.ts';
import type { DashboardStore } from '../../../live/dashboard-store.ts';
import { locale, t } from '../../../messages/messages.ts';
import { copyText } from '../../../downloads/copy.ts';
import { announceCopied } from '../../../downloads/download-store.ts';
import { useCalendar } from '../../chart/calendar.ts';
import { fieldLabel, tileTitle } from '../describe.ts';
import { tileVisibleTo } from '../resolved-dashboard.ts';
import { TileMenu } from './TileMenu.tsx';

const ExplainDialog = lazyComponent(() =>
  import('../../dialogs/ExplainDialog.tsx').then(module => module.ExplainDialog),
);
const EventNotesDialog = lazyComponent(() =>
  import('../../dialogs/EventNotesDialog.tsx').then(module => module.EventNotesDialog),
);
const RowsDialog = lazyComponent(() =>
  import('../../dialogs/RowsDialog.tsx').then(module => module.RowsDialog),
);

interface TileToolsProps {
  readonly live: DashboardStore;
  readonly id: string;
  readonly tile: Tile;
  readonly title: string;
  readonly models: readonly ModelSummary[];
  /** The tile's own. */
  readonly model: ModelSummary | undefined;
  readonly measures: readonly Field[];
  readonly adjustment: Adjustment | undefined;
  readonly asTable: boolean;
  readonly isLarge: boolean;
  readonly isOffline: boolean;
  readonly hasPicture: boolean;
  /** Event notes; undefined if the user cannot add any. */
  readonly notes: readonly EventNote[] | undefined;
  /** Begins a comment; undefined if the user cannot write one. */
  readonly onComment: ((id: string, boxes: readonly Box[]) => void) | undefined;
  /** Begins an alert; undefined if the user cannot make one. */
  readonly onAlert: ((id: string) => void) | undefined;
  /** Opens the tile in Explore; undefined if that is not offered. */
  readonly onExplore: ((id: string) => void) | undefined;
  /** The state whose rows the dialog shows; undefined while it is closed. */
  readonly rowsOf: DashboardState | undefined;
  readonly onRows: (of: DashboardState | undefined) => void;
  readonly onAsTable: () => void;
  readonly onLarge: ((id: string, isLarge: boolean) => void) | undefined;
  readonly onAdjust: (adjustment: Adjustment | undefined) => void;
  readonly onFilters: (filters: Readonly<Record<string, FieldFilter>>, withoutSelectionOf: string) => void;
  readonly onGo: (dashboard: string, filters: Readonly<Record<string, FieldFilter>>) => void;
}

/**
 * The controls of a tile, and their dialogs. They read the selection when they are used, so a brush does not
 * render them.
 */
export const TileTools = memo(function TileTools({
  live,
  id,
  tile,
  title,
  models,
  model,
  measures,
  adjustment,
  asTable,
  isLarge,
  isOffline,
  hasPicture,
  notes,
  onComment,
  onAlert,
  onExplore,
  rowsOf,
  onRows,
  onAsTable,
  onLarge,
  onAdjust,
  onFilters,
  onGo,
}: TileToolsProps) {
  // The state of the page when *Explain this number* was opened.
  const [explained, setExplained] = useState<DashboardState>();
  const [isNoting, setIsNoting] = useState(false);
  const calendar = useCalendar();
  const isChart = isChartTile(tile);
  const boxesIn = (state: DashboardState): readonly Box[] =>
    tile.selects === false ? [] : (state.selections[id] ?? []);
  const typeOf = (field: string) =>
    model?.dimensions.find(dimension => dimension.name === field)?.type as DataType | undefined;
  const explain = () => setExplained(live.state);
  const titleOf = (other: string) => {
    const { document } = live;
    const found = document?.pages.map(page => page.tiles[other]).find(one => one !== undefined);
    if (!document || !found) return other;
    const of = found.model ?? document.model;
    return tileTitle(
      tileVisibleTo(document, found, models, live.state),
      models.find(({ name }) => name === of),
    );
  };
  const turnLarge = onLarge && (() => onLarge(id, !isLarge));
  const copy = () => {
    const { base, filtered } = live.tile(id).view;
    const picture = filtered?.main ?? base.main;
    if (!picture) return;
    announceCopied(
      copyText([
        [
          ...picture.axes.map(axis => fieldLabel(models, axis.field)),
          ...measures.map(measure => measure.label),
        ],
        ...dataTableRows(picture.axes, picture.values, measures.length, locale).map(row => [
          ...row.names,
          // All digits, without units, as a spreadsheet reads them.
          ...row.values.map(value => (Number.isNaN(value) ? '' : formatExactly(value, locale))),
        ]),
      ]),
    );
  };
  return (
    <>
      {explained ? (
        <LazyBoundary fallback={null}>
          <ExplainDialog
            dashboard={live.id}
            tile={id}
            title={title}
            state={explained}
            mark={boxesIn(explained)[0]}
            titleOf={titleOf}
            onClose={() => setExplained(undefined)}
          />
        </LazyBoundary>
      ) : null}
      {rowsOf ? (
        <LazyBoundary fallback={null}>
          <RowsDialog
            dashboard={live.id}
            tile={id}
            title={title}
            state={rowsOf}
            mark={boxesIn(rowsOf)[0]}
            model={model}
            onClose={() => onRows(undefined)}
          />
        </LazyBoundary>
      ) : null}
      {isNoting && notes ? (
        <LazyBoundary fallback={null}>
          <EventNotesDialog
            dashboard={live.id}
            notes={notes}
            stretch={stretchIn(tile, boxesIn(live.state))}
            onClose={() => setIsNoting(false)}
          />
        </LazyBoundary>
      ) : null}
      <div
        data-tile-tools
        className={`no-print absolute -top-6 end-2 z-30 flex pointer-coarse:z-10 rounded-control border border-border bg-raised opacity-0 shadow-float group-focus-within/tile:opacity-100 group-hover/tile:opacity-100 pointer-coarse:top-1 pointer-coarse:end-1 pointer-coarse:border-0 ${isChart || tile.kind === 'kpi' ? 'pointer-coarse:bg-transparent' : 'pointer-coarse:bg-surface'} pointer-coarse:opacity-100 pointer-coarse:shadow-none`}
      >
        {tile.kind === 'table' || isOffline || isGuestPage ? null : (
          <IconButton label={t.explain.button} onPress={explain} className="pointer-coarse:hidden">
            <Info size={15} aria-hidden />
          </IconButton>
        )}
        {isChart && turnLarge ? (
          <IconButton
            label={isLarge ? t.tile.small : t.tile.large}
            onPress={turnLarge}
            className="pointer-coarse:hidden"
          >
            {isLarge ? <Minimize2 size={15} aria-hidden /> : <Maximize2 size={15} aria-hidden />}
          </IconButton>
        ) : null}
        <TileMenu
          calendar={calendar}
          dashboard={live.id}
          id={id}
          tile={tile}
          model={model}
          adjustment={adjustment}
          isChart={isChart}
          asTable={asTable}
          isLarge={isLarge}
          isOffline={isOffline}
          stateNow={() => live.state}
          boxesNow={() => boxesIn(live.state)}
          onAsTable={onAsTable}
          onLarge={turnLarge}
          notes={notes && viewedAs === undefined && showsEvents(tile, typeOf) ? notes.length : undefined}
          onNotes={() => setIsNoting(true)}
          onComment={onComment && (() => onComment(id, boxesIn(live.state)))}
          onAlert={onAlert && (() => onAlert(id))}
          onExplore={onExplore && model && isAllowed(model, 'explore') ? () => onExplore(id) : undefined}
          onExplain={explain}
          onRows={() => onRows(live.state)}
          onCopyText={isChart && hasPicture ? copy : undefined}
          onAdjust={onAdjust}
          onFilters={filters => onFilters(filters, id)}
          onGo={onGo}
        />
      </div>
    </>
  );
});

/** The stretch of its time that is selected on a tile, where one is. */
function stretchIn(
  tile: Tile,
  boxes: readonly Box[],
): { readonly from: string; readonly below: string } | undefined {
  const condition =
    'x' in tile && 'field' in tile.x && tile.x.field !== undefined ? boxes[0]?.[tile.x.field] : undefined;
  return condition &&
    'from' in condition &&
    typeof condition.from === 'string' &&
    typeof condition.below === 'string'
    ? { from: condition.from, below: condition.below }
    : undefined;
}
