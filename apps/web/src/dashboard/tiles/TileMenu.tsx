import type { DashboardState, ModelSummary } from '@belvedere/api';
import { isTemporal, type DataType } from '@belvedere/model';
import type { Calendar, Tile } from '@belvedere/document';
import {
  canBreakOut,
  canDrill,
  isOfRows,
  timeChannel,
  unitsOn,
  zoomChannel,
  type Adjustment,
  type Box,
  type FieldFilter,
} from '@belvedere/query';
import { Menu, type MenuEntry } from '@belvedere/ui';
import {
  ArrowUpRight,
  Bell,
  ChartNoAxesColumn,
  ClipboardCopy,
  Compass,
  Download,
  EllipsisVertical,
  FilterX,
  Flag,
  Image,
  Info,
  Layers,
  Link,
  ListFilter,
  Maximize2,
  MessageSquare,
  Minimize2,
  Rows3,
  Table2,
  ZoomIn,
} from 'lucide-react';
import { isGuestPage, mayDownload } from '../../data/guest.ts';
import { t } from '../../messages/messages.ts';
import { knownHref, shownHref } from '../../long-url.ts';
import { copyLink, copyPicture } from '../../downloads/copy.ts';
import { exported, downloadDashboard } from '../../downloads/download-dashboard.ts';
import { announceCopied, type FileFormat } from '../../downloads/download-store.ts';
import { settledStretch, stretchOf } from '../gestures/zoom.ts';

interface TileMenuProps {
  readonly dashboard: string;
  readonly id: string;
  readonly tile: Tile;
  readonly model: ModelSummary | undefined;
  readonly adjustment: Adjustment | undefined;
  readonly calendar: Calendar;
  readonly isChart: boolean;
  readonly asTable: boolean;
  readonly isLarge: boolean;
  readonly isOffline: boolean;
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
  readonly onRows: () => void;
  readonly onCopyText: (() => void) | undefined;
  readonly onAdjust: (adjustment: Adjustment | undefined) => void;
  readonly onFilters: (filters: Readonly<Record<string, FieldFilter>>) => void;
  readonly onGo: (dashboard: string, filters: Readonly<Record<string, FieldFilter>>) => void;
}

const icon = { size: 15, 'aria-hidden': true } as const;

const offlineItems = ['table', 'large', 'copy-text'];
/** The actions of guests on a tile; the server rejects all others. */
const guestItems = [...offlineItems, 'grain', 'break', 'zoom', 'drill', 'undo'];

/** Everything that can be done with a tile, by mouse, finger or keys. */
export function TileMenu(props: TileMenuProps) {
  return <Menu label={t.tile.menu} icon={<EllipsisVertical {...icon} />} groups={() => groupsFor(props)} />;
}

function groupsFor(props: TileMenuProps): readonly (readonly MenuEntry[])[] {
  const { dashboard, id, tile, model, adjustment, calendar, isChart, asTable, isLarge, stateNow } = props;
  const typeOf = (field: string) =>
    model?.dimensions.find(dimension => dimension.name === field)?.type as DataType | undefined;
  const hasFigures = tile.kind !== 'text' && tile.kind !== 'image' && tile.kind !== 'control';
  const boxes = props.boxesNow();
  const [box] = boxes;
  const grain = timeChannel(tile, typeOf);
  const adjust = (change: Partial<Adjustment>) => props.onAdjust({ ...adjustment, ...change });
  const grains: MenuEntry[] = grain
    ? unitsOn(calendar)
        .filter(unit => typeOf(grain.encoding.field) !== 'date' || !['minute', 'hour'].includes(unit))
        .map(unit => ({
          id: `grain-${unit}`,
          label: t.units[unit],
          isChecked: (adjustment?.timeUnit ?? grain.encoding.timeUnit) === unit,
          onAction: () => adjust({ timeUnit: unit }),
        }))
    : [];
  const breakDowns = breakDownEntries(tile, model, adjustment, adjust);
  const take = (format: FileFormat) => () => downloadDashboard(dashboard, format, stateNow(), id);
  const excluded = box && exclusionOf(box);
  const isSingle = boxes.length === 1 && box !== undefined;
  const along = zoomChannel(tile, typeOf);
  const stretch = along && box?.[along.encoding.field];
  const zoom =
    stretch && 'from' in stretch && stretch.from !== undefined && stretch.below !== undefined
      ? settledStretch(stretchOf({ from: stretch.from, below: stretch.below })!, {
          type: typeOf(along.encoding.field) ?? 'text',
          unit: adjustment?.timeUnit,
          calendar,
        })
      : undefined;
  const groups: MenuEntry[][] = [
    [
      ...(isChart
        ? [
            {
              id: 'table',
              label: asTable ? t.tile.asChart : t.tile.asTable,
              icon: asTable ? <ChartNoAxesColumn {...icon} /> : <Table2 {...icon} />,
              onAction: props.onAsTable,
            },
          ]
        : []),
      ...(hasFigures && props.onLarge
        ? [
            {
              id: 'large',
              label: isLarge ? t.tile.small : t.tile.large,
              icon: isLarge ? <Minimize2 {...icon} /> : <Maximize2 {...icon} />,
              onAction: props.onLarge,
            },
          ]
        : []),
      ...(hasFigures && tile.kind !== 'table'
        ? [{ id: 'explain', label: t.explain.button, icon: <Info {...icon} />, onAction: props.onExplain }]
        : []),
      ...(hasFigures && tile.kind !== 'table'
        ? [
            {
              id: 'rows',
              label: boxes.length > 0 ? t.tile.rowsOfSelection : t.tile.rows,
              icon: <Rows3 {...icon} />,
              onAction: props.onRows,
            },
          ]
        : []),
      ...(hasFigures && props.onExplore
        ? [{ id: 'explore', label: t.data.explore, icon: <Compass {...icon} />, onAction: props.onExplore }]
        : []),
    ],
    [
      ...(grains.length > 0
        ? [{ id: 'grain', label: t.tile.grain, icon: <ZoomIn {...icon} />, entries: grains }]
        : []),
      ...(breakDowns.length > 0
        ? [{ id: 'break', label: t.tile.breakDown, icon: <Layers {...icon} />, entries: breakDowns }]
        : []),
      ...(isSingle && zoom
        ? [{ id: 'zoom', label: t.tile.zoom, icon: <ZoomIn {...icon} />, onAction: () => adjust({ zoom }) }]
        : []),
      ...(isSingle && canDrill(tile, typeOf, model?.hierarchies)
        ? [
            {
              id: 'drill',
              label: t.tile.open,
              icon: <ZoomIn {...icon} />,
              onAction: () => adjust({ drill: [...(adjustment?.drill ?? []), box] }),
            },
          ]
        : []),
      ...(isSingle && tile.opens
        ? [
            {
              id: 'go',
              label: t.tile.openLinked,
              icon: <ArrowUpRight {...icon} />,
              onAction: () => props.onGo(tile.opens!, box),
            },
          ]
        : []),
      ...(props.notes === undefined
        ? []
        : [
            {
              id: 'notes',
              label: t.notes.menu(props.notes),
              icon: <Flag {...icon} />,
              onAction: props.onNotes,
            },
          ]),
      ...(props.onComment
        ? [
            {
              id: 'comment',
              label: boxes.length > 0 ? t.comments.aboutSelection : t.comments.add,
              icon: <MessageSquare {...icon} />,
              onAction: props.onComment,
            },
          ]
        : []),
      ...(props.onAlert && canWatch(tile)
        ? [{ id: 'alert', label: t.alerts.create, icon: <Bell {...icon} />, onAction: props.onAlert }]
        : []),
      ...(adjustment
        ? [
            {
              id: 'undo',
              label: t.tile.reset,
              icon: <FilterX {...icon} />,
              onAction: () => props.onAdjust(undefined),
            },
          ]
        : []),
    ],
    [
      ...(isSingle
        ? [
            {
              id: 'keep',
              label: t.tile.keepOnly,
              icon: <ListFilter {...icon} />,
              onAction: () => props.onFilters(box),
            },
          ]
        : []),
      ...(isSingle && excluded
        ? [
            {
              id: 'exclude',
              label: t.tile.exclude,
              icon: <FilterX {...icon} />,
              onAction: () => props.onFilters(excluded),
            },
          ]
        : []),
    ],
    [
      ...(props.onCopyText
        ? [
            {
              id: 'copy-text',
              label: t.tile.copyText,
              icon: <ClipboardCopy {...icon} />,
              onAction: props.onCopyText,
            },
          ]
        : []),
      ...(isChart
        ? [
            {
              id: 'copy-picture',
              label: t.tile.copyPicture,
              icon: <Image {...icon} />,
              onAction: () => announceCopied(copyPicture(exported(dashboard, 'png', stateNow(), id))),
            },
          ]
        : []),
      {
        id: 'copy-link',
        label: t.tile.copyLink,
        icon: <Link {...icon} />,
        onAction: () => announceCopied(copyLink(tileLink(id))),
      },
      ...(hasFigures
        ? [
            {
              id: 'take',
              label: t.tile.export,
              icon: <Download {...icon} />,
              entries: [
                ...(isChart || isGuestPage ? (['png', 'svg', 'pdf'] as const) : []),
                ...(isGuestPage ? [] : (['csv', 'xlsx', 'parquet'] as const)),
              ].map(format => ({
                id: `take-${format}`,
                label: t.formats[format as 'png'],
                onAction: take(format as FileFormat),
              })),
            },
          ]
        : []),
    ],
  ];
  const offered = props.isOffline
    ? offlineItems
    : isGuestPage
      ? [...guestItems, ...(mayDownload() ? ['take', 'copy-picture'] : [])]
      : undefined;
  return offered ? groups.map(group => group.filter(({ id: item }) => offered.includes(item))) : groups;
}

/** Whether an alert can watch a tile: a figure, or a chart of groups or periods. */
function canWatch(tile: Tile): boolean {
  if (['text', 'image', 'control', 'table', 'boxplot'].includes(tile.kind)) return false;
  return !isOfRows(tile);
}

/** The fields that a chart can be broken down by. */
function breakDownEntries(
  tile: Tile,
  model: ModelSummary | undefined,
  adjustment: Adjustment | undefined,
  adjust: (change: Partial<Adjustment>) => void,
): MenuEntry[] {
  if (!canBreakOut(tile)) return [];
  return (model?.dimensions ?? [])
    .filter(
      dimension =>
        !dimension.isHidden &&
        ['text', 'boolean'].includes(dimension.type) &&
        !isTemporal(dimension.type as DataType),
    )
    .slice(0, 40)
    .map(dimension => ({
      id: `by-${dimension.name}`,
      label: dimension.label,
      isChecked: adjustment?.color === dimension.name,
      onAction: () => adjust({ color: dimension.name }),
    }));
}

/** The filter that excludes the values of a box. Undefined for a range, or for several fields. */
function exclusionOf(box: Box): Readonly<Record<string, FieldFilter>> | undefined {
  if (Object.keys(box).length !== 1) return undefined;
  return Object.entries(box).flatMap(([field, condition]) =>
    'oneOf' in condition ? [{ [field]: { noneOf: [...condition.oneOf] } }] : [],
  )[0];
}

type MarkEntryProps = Pick<
  TileMenuProps,
  'tile' | 'model' | 'adjustment' | 'onAdjust' | 'onFilters' | 'onRows'
>;

/** The actions on a mark. */
export function markEntries(
  mark: Box,
  { tile, model, adjustment, onAdjust, onFilters, onRows }: MarkEntryProps,
): readonly MenuEntry[] {
  const typeOf = (field: string) =>
    model?.dimensions.find(dimension => dimension.name === field)?.type as DataType | undefined;
  const adjust = (change: Partial<Adjustment>) => onAdjust({ ...adjustment, ...change });
  const excluded = exclusionOf(mark);
  const breakDowns = breakDownEntries(tile, model, adjustment, adjust);
  const words = t.tile.mark;
  return [
    { id: 'keep', label: words.keepOnly, icon: <ListFilter {...icon} />, onAction: () => onFilters(mark) },
    ...(excluded
      ? [
          {
            id: 'exclude',
            label: words.exclude,
            icon: <FilterX {...icon} />,
            onAction: () => onFilters(excluded),
          },
        ]
      : []),
    ...(canDrill(tile, typeOf, model?.hierarchies)
      ? [
          {
            id: 'drill',
            label: t.tile.open,
            icon: <ZoomIn {...icon} />,
            onAction: () => adjust({ drill: [...(adjustment?.drill ?? []), mark] }),
          },
        ]
      : []),
    ...(breakDowns.length > 0
      ? [{ id: 'break', label: t.tile.breakDown, icon: <Layers {...icon} />, entries: breakDowns }]
      : []),
    { id: 'rows', label: words.rows, icon: <Rows3 {...icon} />, onAction: onRows },
  ];
}

/** The page as it is, with this tile large. */
function tileLink(id: string): string {
  const address = new URL(knownHref(window.location), window.location.origin);
  address.searchParams.set('tile', id);
  return shownHref(address.href);
}
