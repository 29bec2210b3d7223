import type { DashboardState } from '@belvedere/api';
import type { Calendar, Tile } from '@belvedere/document';
import { isOfRows, timeChannel, unitsOn, zoomChannel, type Box, type FieldFilter } from '@belvedere/query';
import type { MenuEntry } from '@belvedere/ui';
import {
  ArrowUpRight,
  Bell,
  ChartNoAxesColumn,
  ClipboardCopy,
  Compass,
  Download,
  FilterX,
  Flag,
  Image,
  Info,
  Link,
  ListFilter,
  Maximize2,
  MessageSquare,
  Minimize2,
  Rows3,
  Table2,
  ZoomIn,
} from 'lucide-react';
import { isGuestPage } from '../../../data/session/guest.ts';
import { copyLink, copyPicture } from '../../../downloads/copy.ts';
import { downloadDashboard, exported } from '../../../downloads/download-dashboard.ts';
import { announceCopied } from '../../../downloads/download-store.ts';
import { knownHref, shownHref } from '../../../long-url.ts';
import { t } from '../../../messages/messages.ts';
import { settledStretch, stretchOf } from '../../gestures/zoom.ts';
import {
  adjustWith,
  breakDownEntry,
  drillEntry,
  exclusionOf,
  icon,
  present,
  typesIn,
  type TileAdjustments,
} from './mark-entries.tsx';

/** A tile, its state on the page, and all that can be done with it. */
export interface TileActions extends TileAdjustments {
  readonly dashboard: string;
  readonly id: string;
  readonly calendar: Calendar;
  readonly isChart: boolean;
  readonly asTable: boolean;
  readonly isLarge: boolean;
  /** How much has been noted; undefined where nothing can be. */
  readonly notes: number | undefined;
  readonly onNotes: () => void;
  readonly onComment: (() => void) | undefined;
  /** Begins an alert on the tile; undefined if the user cannot. */
  readonly onAlert: (() => void) | undefined;
  /** Opens it in Explore; undefined where its model cannot be explored. */
  readonly onExplore: (() => void) | undefined;
  readonly stateNow: () => DashboardState;
  /** The selection on the tile. */
  readonly boxesNow: () => readonly Box[];
  readonly onAsTable: () => void;
  readonly onLarge: (() => void) | undefined;
  readonly onExplain: () => void;
  readonly onCopyText: (() => void) | undefined;
  readonly onGo: (dashboard: string, filters: Readonly<Record<string, FieldFilter>>) => void;
}

/** Other views of a tile's data. */
export function viewEntries(actions: TileActions, boxes: readonly Box[]): MenuEntry[] {
  const { tile, asTable, isLarge } = actions;
  const hasFigures = showsFigures(tile);
  return present(
    actions.isChart && {
      id: 'table',
      label: asTable ? t.tile.asChart : t.tile.asTable,
      icon: asTable ? <ChartNoAxesColumn {...icon} /> : <Table2 {...icon} />,
      onAction: actions.onAsTable,
    },
    hasFigures &&
      actions.onLarge && {
        id: 'large',
        label: isLarge ? t.tile.small : t.tile.large,
        icon: isLarge ? <Minimize2 {...icon} /> : <Maximize2 {...icon} />,
        onAction: actions.onLarge,
      },
    hasFigures &&
      tile.kind !== 'table' && {
        id: 'explain',
        label: t.explain.button,
        icon: <Info {...icon} />,
        onAction: actions.onExplain,
      },
    hasFigures &&
      tile.kind !== 'table' && {
        id: 'rows',
        label: boxes.length > 0 ? t.tile.rowsOfSelection : t.tile.rows,
        icon: <Rows3 {...icon} />,
        onAction: actions.onRows,
      },
    hasFigures &&
      actions.onExplore && {
        id: 'explore',
        label: t.data.explore,
        icon: <Compass {...icon} />,
        onAction: actions.onExplore,
      },
  );
}

/** Changes of what a tile shows, and remarks on it. */
export function analysisEntries(actions: TileActions, boxes: readonly Box[]): MenuEntry[] {
  const { tile, adjustment, notes } = actions;
  const box = single(boxes);
  return present(
    grainEntry(actions),
    breakDownEntry(actions),
    box && zoomEntry(actions, box),
    box && drillEntry(box, actions),
    box && tile.opens
      ? {
          id: 'go',
          label: t.tile.openLinked,
          icon: <ArrowUpRight {...icon} />,
          onAction: () => actions.onGo(tile.opens!, box),
        }
      : undefined,
    notes !== undefined && {
      id: 'notes',
      label: t.notes.menu(notes),
      icon: <Flag {...icon} />,
      onAction: actions.onNotes,
    },
    actions.onComment && {
      id: 'comment',
      label: boxes.length > 0 ? t.comments.aboutSelection : t.comments.add,
      icon: <MessageSquare {...icon} />,
      onAction: actions.onComment,
    },
    canWatch(tile) &&
      actions.onAlert && {
        id: 'alert',
        label: t.alerts.create,
        icon: <Bell {...icon} />,
        onAction: actions.onAlert,
      },
    adjustment && {
      id: 'undo',
      label: t.tile.reset,
      icon: <FilterX {...icon} />,
      onAction: () => actions.onAdjust(undefined),
    },
  );
}

/** Filters of the dashboard by the selection on a tile. */
export function filterEntries(actions: TileActions, boxes: readonly Box[]): MenuEntry[] {
  const box = single(boxes);
  const excluded = box && exclusionOf(box);
  return present(
    box && {
      id: 'keep',
      label: t.tile.keepOnly,
      icon: <ListFilter {...icon} />,
      onAction: () => actions.onFilters(box),
    },
    excluded && {
      id: 'exclude',
      label: t.tile.exclude,
      icon: <FilterX {...icon} />,
      onAction: () => actions.onFilters(excluded),
    },
  );
}

/** Copies and exports of a tile. */
export function copyEntries(actions: TileActions): MenuEntry[] {
  const { dashboard, id, isChart, stateNow, onCopyText } = actions;
  return present(
    onCopyText && {
      id: 'copy-text',
      label: t.tile.copyText,
      icon: <ClipboardCopy {...icon} />,
      onAction: onCopyText,
    },
    isChart && {
      id: 'copy-picture',
      label: t.tile.copyPicture,
      icon: <Image {...icon} />,
      onAction: () => announceCopied(copyPicture(exported(dashboard, 'png', stateNow(), id))),
    },
    {
      id: 'copy-link',
      label: t.tile.copyLink,
      icon: <Link {...icon} />,
      onAction: () => announceCopied(copyLink(tileLink(id))),
    },
    showsFigures(actions.tile) && {
      id: 'take',
      label: t.tile.export,
      icon: <Download {...icon} />,
      entries: [
        ...(isChart || isGuestPage ? (['png', 'svg', 'pdf'] as const) : []),
        ...(isGuestPage ? [] : (['csv', 'xlsx', 'parquet'] as const)),
      ].map(format => ({
        id: `take-${format}`,
        label: t.formats[format],
        onAction: () => downloadDashboard(dashboard, format, stateNow(), id),
      })),
    },
  );
}

function showsFigures({ kind }: Tile): boolean {
  return kind !== 'text' && kind !== 'image' && kind !== 'control';
}

function single(boxes: readonly Box[]): Box | undefined {
  return boxes.length === 1 ? boxes[0] : undefined;
}

/** The time units of a chart along time. */
function grainEntry(actions: TileActions): MenuEntry | undefined {
  const { tile, model, adjustment, calendar } = actions;
  const typeOf = typesIn(model);
  const grain = timeChannel(tile, typeOf);
  if (!grain) return undefined;
  const entries = unitsOn(calendar)
    .filter(unit => typeOf(grain.encoding.field) !== 'date' || !['minute', 'hour'].includes(unit))
    .map(unit => ({
      id: `grain-${unit}`,
      label: t.units[unit],
      isChecked: (adjustment?.timeUnit ?? grain.encoding.timeUnit) === unit,
      onAction: () => adjustWith(actions, { timeUnit: unit }),
    }));
  return entries.length === 0
    ? undefined
    : { id: 'grain', label: t.tile.grain, icon: <ZoomIn {...icon} />, entries };
}

/** Zooms a chart to the range that is selected on it. */
function zoomEntry(actions: TileActions, box: Box): MenuEntry | undefined {
  const { tile, model, adjustment, calendar } = actions;
  const typeOf = typesIn(model);
  const along = zoomChannel(tile, typeOf);
  const range = along && box[along.encoding.field];
  if (!range || !('from' in range) || range.from === undefined || range.below === undefined) return undefined;
  const zoom = settledStretch(stretchOf({ from: range.from, below: range.below })!, {
    type: typeOf(along.encoding.field) ?? 'text',
    unit: adjustment?.timeUnit,
    calendar,
  });
  return (
    zoom && {
      id: 'zoom',
      label: t.tile.zoom,
      icon: <ZoomIn {...icon} />,
      onAction: () => adjustWith(actions, { zoom }),
    }
  );
}

/** Whether an alert can watch a tile: a figure, or a chart of groups or periods. */
function canWatch(tile: Tile): boolean {
  if (['text', 'image', 'control', 'table', 'boxplot'].includes(tile.kind)) return false;
  return !isOfRows(tile);
}

/** The page as it is, with this tile large. */
function tileLink(id: string): string {
  const address = new URL(knownHref(window.location), window.location.origin);
  address.searchParams.set('tile', id);
  return shownHref(address.href);
}
