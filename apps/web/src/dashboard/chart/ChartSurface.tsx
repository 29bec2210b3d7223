import type { Field, RowsHeader } from '@belvedere/api';
import type { ChartPoint, ChartTile } from '@belvedere/chart';
import type { DataType } from '@belvedere/model';
import { isSelectable, type Box, type NotedEvent } from '@belvedere/query';
import type { MenuEntry } from '@belvedere/ui';
import {
  useCallback,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  useSyncExternalStore,
  type RefObject,
} from 'react';
import type { LiveTile, Picture } from '../../live/live-tile.ts';
import type { TileSelection } from '../../live/use-live.ts';
import { t } from '../../messages/messages.ts';
import { BrushHandles, CursorFrame, WantedFrame } from './ChartFrames.tsx';
import type { Point } from '../gestures/pointing.ts';
import { MarkMenu } from './marks/MarkMenu.tsx';
import { PointedMark, Tooltip } from './hover/Tooltip.tsx';
import type { BrushedPanels } from '../gestures/use-brushed-panels.ts';
import { useCursor } from '../gestures/use-cursor.ts';
import { useGesture } from '../gestures/use-gesture.ts';
import { usePanelTargets } from '../gestures/use-panel-targets.ts';
import { useZoom, type Zoomable } from '../gestures/use-zoom.ts';

/** What a chart needs for selections. */
export interface TouchedChart {
  readonly live: LiveTile;
  readonly tile: ChartTile;
  readonly title: string;
  readonly measures: readonly Field[];
  readonly typeOf: (field: string) => DataType;
  /** The selection on this tile. */
  readonly selection: TileSelection;
  /** The pointer or the focus has come: a brush may follow. */
  readonly onApproach: () => void;
  /** Called while selecting, at most once a frame. */
  readonly onSelect: (boxes: readonly Box[]) => void;
  /** The gesture has ended. */
  readonly onSelected: () => void;
  /** Drills down into a mark. Undefined if nothing is below it. */
  readonly onOpen: ((mark: Box) => void) | undefined;
  /** The actions on a clicked mark. Undefined if there are none. */
  readonly entriesOf?: (mark: Box) => readonly MenuEntry[];
  /** Event notes, shown in tooltips. */
  readonly notes: readonly NotedEvent[];
  /** How the chart zooms. Undefined if it cannot. */
  readonly zoomable: Zoomable | undefined;
}

/** A second click this soon makes a double click. */
const doubleClickMs = 350;

/** The mark whose menu is open. The menu closes when another mark is selected. */
function useMarkMenu(surface: RefObject<HTMLElement | null>, selection: TileSelection, isOffered: boolean) {
  const [wanted, setWanted] = useState<{
    readonly mark: Box;
    readonly at: Point;
    readonly tile: HTMLElement;
  }>();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const close = useCallback(() => {
    clearTimeout(timer.current);
    setWanted(undefined);
  }, []);
  useEffect(() => {
    // A press or a key before the menu has opened cancels it.
    const cancel = () => clearTimeout(timer.current);
    window.addEventListener('pointerdown', cancel, true);
    window.addEventListener('keydown', cancel, true);
    return () => {
      cancel();
      window.removeEventListener('pointerdown', cancel, true);
      window.removeEventListener('keydown', cancel, true);
    };
  }, []);
  const open = (mark: Box, at: Point, afterMs: number) => {
    close();
    const tile = surface.current?.closest<HTMLElement>('[data-tile]');
    if (!isOffered || !tile) return;
    if (afterMs === 0) setWanted({ mark, at, tile });
    else timer.current = setTimeout(() => setWanted({ mark, at, tile }), afterMs);
  };
  const isAlone = useSyncExternalStore(
    selection.onChange,
    () => wanted !== undefined && JSON.stringify(selection.now()) === JSON.stringify([wanted.mark]),
  );
  return { opened: isAlone ? wanted : undefined, open, close };
}

interface ChartSurfaceProps extends TouchedChart {
  readonly brushed: BrushedPanels;
  readonly picture: Picture;
  /** Single points, and their rows. */
  readonly points: readonly ChartPoint[] | undefined;
  readonly rows: RowsHeader | undefined;
  readonly summary: string;
}

/** The part of a chart that is touched: brush, click, hover, keys. */
export function ChartSurface({
  live,
  tile,
  brushed,
  picture,
  points,
  rows,
  title,
  summary,
  measures,
  selection,
  onApproach,
  onSelect,
  onSelected,
  onOpen,
  entriesOf,
  zoomable,
  notes,
}: ChartSurfaceProps) {
  const surface = useRef<HTMLDivElement>(null);
  /** A mouse is over it, and no finger. */
  const [isHovering, setIsHovering] = useState(false);
  /** The target of the tooltip: the keyboard's, or the pointer's. */
  const [pointed, setPointed] = useState<Point | 'keys'>();
  const isPointed = pointed !== undefined;
  useEffect(() => {
    if (!isPointed) return undefined;
    // A finger that taps elsewhere removes the tooltip. Without a new focus there is no blur event.
    const elsewhere = (event: PointerEvent) => {
      if (event.pointerType !== 'mouse' && !surface.current?.contains(event.target as Node))
        setPointed(undefined);
    };
    window.addEventListener('pointerdown', elsewhere, true);
    return () => window.removeEventListener('pointerdown', elsewhere, true);
  }, [isPointed]);
  const touched = usePanelTargets({ live, tile, brushed, picture, points, rows, measures, notes });
  const { panels, axes, targetsOf, markAt, contentAt, contentOf } = touched;
  const zooming = useZoom(surface, panels.length === 1 ? panels[0] : undefined, axes, zoomable);
  const canSelect = axes.some(axis => isSelectable(tile, axis.channel));
  const { opened, open: offer, close } = useMarkMenu(surface, selection, entriesOf !== undefined);
  const gesture = useGesture({
    surface,
    touched,
    zooming,
    canSelect,
    selected: selection.now,
    onApproach,
    onSelect,
    onSelected,
    onPoint: setPointed,
    // The second press of a double click, which opens the mark, is waited for.
    onClicked: (mark, at) => offer(mark, at, onOpen ? doubleClickMs : 0),
  });
  const { cursor, said, keys, leave } = useCursor({
    touched,
    zooming,
    zoomable,
    canSelect,
    selected: selection.now,
    onApproach,
    onSelect,
    onSelected,
    onOpen,
    onTell: () => setPointed('keys'),
    onChosen: (mark, at) => offer(mark, at, 0),
  });
  // Computed again with each drawing of the chart: its values and their positions may have changed.
  const tooltip = pointed === 'keys' ? cursor && contentOf(cursor) : pointed && contentAt(pointed);
  // The menu of a mark takes the tooltip's place under a mouse that rests on it.
  const isOnOpened =
    opened !== undefined &&
    isHovering &&
    pointed !== undefined &&
    pointed !== 'keys' &&
    JSON.stringify(markAt(pointed)) === JSON.stringify(opened.mark);
  const { lasso } = gesture;
  // Native listeners: React's event dispatch takes a tenth of a step's time.
  const onMove = useEffectEvent(gesture.move);
  useEffect(() => {
    const node = surface.current!;
    const move = (event: PointerEvent) => onMove(event);
    // During a drag, this listener runs first and stops the event, so that no other runs sixty times a second.
    const drag = (event: PointerEvent) => {
      if (event.target !== node) return;
      event.stopPropagation();
      onMove(event);
    };
    // A native listener, because React misses a pointer that leaves after the handle under it was removed.
    // The tooltip would stay.
    const unpoint = (event: PointerEvent) => event.pointerType === 'mouse' && setPointed(undefined);
    const begin = () => window.addEventListener('pointermove', drag, true);
    const end = () => {
      window.removeEventListener('pointermove', drag, true);
      node.style.cursor = '';
      delete node.dataset['held'];
    };
    node.addEventListener('pointermove', move);
    node.addEventListener('pointerleave', unpoint);
    node.addEventListener('gotpointercapture', begin);
    node.addEventListener('lostpointercapture', end);
    return () => {
      end();
      node.removeEventListener('pointermove', move);
      node.removeEventListener('pointerleave', unpoint);
      node.removeEventListener('gotpointercapture', begin);
      node.removeEventListener('lostpointercapture', end);
    };
  }, []);
  const written = (('annotations' in tile && tile.annotations) || []).map(({ text }) =>
    /[.!?。！？]$/.test(text) ? text : `${text}.`,
  );
  const open = (event: React.MouseEvent<HTMLElement>) => {
    const mark = onOpen && markAt(gesture.pointOf(event));
    if (mark) onOpen(mark);
  };

  return (
    <>
      <div
        ref={surface}
        role="application"
        aria-roledescription="chart"
        aria-label={[`${title}.`, summary, ...written, ...(canSelect ? [t.tile.chartHelp] : [])].join(' ')}
        tabIndex={0}
        className={`absolute inset-0 touch-pan-y rounded select-none data-held:*:data-handle:pointer-events-none ${canSelect ? 'cursor-crosshair' : ''}`}
        onPointerEnter={event => {
          setIsHovering(event.pointerType === 'mouse');
          onApproach();
        }}
        onFocus={onApproach}
        onPointerDown={gesture.begin}
        onPointerUp={gesture.end}
        onPointerCancel={gesture.cancel}
        onDoubleClick={open}
        onBlur={() => {
          leave();
          setPointed(undefined);
        }}
        onKeyDown={keys}
      >
        <BrushHandles selection={selection} touched={touched} isHeld={gesture.isUnderWay} />
        {lasso ? (
          <div
            className="pointer-events-none absolute border border-(--brush-edge) bg-(--brush)"
            style={{
              left: Math.min(lasso[0].x, lasso[1].x),
              top: Math.min(lasso[0].y, lasso[1].y),
              width: Math.abs(lasso[0].x - lasso[1].x),
              height: Math.abs(lasso[0].y - lasso[1].y),
            }}
          />
        ) : null}
        {zooming.wanted && zoomable ? (
          <WantedFrame wanted={zooming.wanted} channel={zoomable.channel} panel={panels[0]!} />
        ) : null}
        {cursor && panels[cursor.panel] ? (
          <CursorFrame
            panel={panels[cursor.panel]!}
            cursor={cursor}
            target={cursor.target === undefined ? undefined : targetsOf(panels[cursor.panel]!)[cursor.target]}
          />
        ) : null}
      </div>
      <span className="sr-only" aria-live="polite">
        {said}
      </span>
      {tooltip && !zooming.wanted && !isOnOpened ? (
        <>
          {tooltip.mark && pointed !== 'keys' ? <PointedMark {...tooltip.mark} /> : null}
          <Tooltip {...tooltip} />
        </>
      ) : null}
      {opened && entriesOf ? (
        <MarkMenu
          surface={surface}
          tile={opened.tile}
          at={opened.at}
          isListed={panels[0]?.chart.y !== undefined && panels[0].chart.x === undefined}
          entries={entriesOf(opened.mark)}
          onClose={close}
        />
      ) : null}
    </>
  );
}
