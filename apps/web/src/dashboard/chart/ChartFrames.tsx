import type { Panel, Target } from '@belvedere/chart';
import { useLayoutEffect, useRef, useSyncExternalStore } from 'react';
import type { TileSelection } from '../../live/use-live.ts';
import { t } from '../../messages/messages.ts';
import { frameOf } from './marks/brush-marks.ts';
import { describeCondition } from '../tiles/describe.ts';
import type { Cursor } from '../gestures/pointing.ts';
import type { PanelTargets } from '../gestures/use-panel-targets.ts';
import type { Wanted } from '../gestures/use-zoom.ts';

/**
 * Handles to move and resize the brushed area. The area itself is drawn with the marks (`brushMarks`); the
 * handles follow when the drag ends.
 */
export function BrushHandles({
  selection,
  touched: { framedBy },
  isHeld,
}: {
  readonly selection: TileSelection;
  readonly touched: PanelTargets;
  readonly isHeld: () => boolean;
}) {
  const frame = useRef<HTMLDivElement>(null);
  const channels = useSyncExternalStore(selection.onChange, () =>
    Object.keys(framedBy(selection.now())?.spans ?? {}).join(''),
  );
  useLayoutEffect(() => {
    const node = frame.current;
    if (!node) return undefined;
    const position = () => {
      const area = isHeld() ? undefined : framedBy(selection.now());
      if (!area) return;
      const { x, y, width, height } = frameOf(area);
      Object.assign(node.style, {
        left: `${x}px`,
        top: `${y}px`,
        width: `${width}px`,
        height: `${height}px`,
      });
    };
    position();
    const surface = node.parentElement!;
    surface.addEventListener('lostpointercapture', position);
    const stop = selection.onChange(position);
    return () => {
      stop();
      surface.removeEventListener('lostpointercapture', position);
    };
  }, [selection, framedBy, isHeld, channels]);
  if (channels === '') return null;
  // A finger is wide and covers its target, so it can grab an edge from beside it. Vertical drags scroll the
  // page, except on handles that move vertically.
  const isUpright = channels.includes('y');
  return (
    <div
      ref={frame}
      data-handle="move"
      data-testid="brush"
      className={`absolute cursor-move ${isUpright ? 'touch-none' : ''}`}
    >
      {channels.includes('x') ? (
        <>
          <span
            data-handle="x-from"
            className="absolute inset-y-0 -left-1.5 w-3 cursor-ew-resize pointer-coarse:-left-6 pointer-coarse:w-8"
          />
          <span
            data-handle="x-below"
            className="absolute inset-y-0 -right-1.5 w-3 cursor-ew-resize pointer-coarse:-right-6 pointer-coarse:w-8"
          />
        </>
      ) : null}
      {isUpright ? (
        <>
          <span
            data-handle="y-from"
            className="absolute inset-x-0 -top-1.5 h-3 cursor-ns-resize pointer-coarse:-top-6 pointer-coarse:h-8"
          />
          <span
            data-handle="y-below"
            className="absolute inset-x-0 -bottom-1.5 h-3 cursor-ns-resize pointer-coarse:-bottom-6 pointer-coarse:h-8"
          />
        </>
      ) : null}
    </div>
  );
}

/** The range to which the chart will zoom when the wheel rests or the fingers are lifted. */
export function WantedFrame({
  wanted: {
    zoom,
    span: [from, to],
  },
  channel,
  panel: {
    chart: { plot },
    x,
    y,
  },
}: {
  readonly wanted: Wanted;
  readonly channel: 'x' | 'y';
  readonly panel: Panel;
}) {
  const position =
    channel === 'x'
      ? { left: x + from, width: to - from, top: y + plot.y, height: plot.height }
      : { left: x + plot.x, width: plot.width, top: y + from, height: to - from };
  return (
    <div
      data-testid="wanted-stretch"
      className="pointer-events-none absolute border border-dashed border-(--brush-edge) bg-(--brush)"
      style={position}
    >
      <span className="tabular absolute top-1 left-1/2 -translate-x-1/2 rounded-control bg-raised px-1.5 py-0.5 text-12 font-medium whitespace-nowrap shadow-float">
        {zoom ? describeCondition(zoom) : t.tile.zoomOut}
      </span>
    </div>
  );
}

/** Where the keys are. */
export function CursorFrame({
  panel,
  cursor,
  target,
}: {
  readonly panel: Panel;
  readonly cursor: Cursor;
  readonly target: Target | undefined;
}) {
  const { chart } = panel;
  if (target)
    return (
      <svg
        aria-hidden
        className="pointer-events-none absolute size-full overflow-visible"
        style={{ left: panel.x, top: panel.y }}
      >
        <path
          d={target.outline}
          fill="none"
          className="stroke-accent"
          strokeWidth={2}
          strokeLinejoin="round"
        />
      </svg>
    );
  const [left, right] = chart.x?.span(cursor.x) ?? [chart.plot.x, chart.plot.x + chart.plot.width];
  const [top, bottom] = chart.y?.span(cursor.y) ?? [chart.plot.y, chart.plot.y + chart.plot.height];
  return (
    <div
      aria-hidden
      className="pointer-events-none absolute rounded-sm border-2 border-accent"
      style={{
        left: panel.x + left - 1,
        top: panel.y + top - 1,
        width: Math.max(4, right - left + 2),
        height: Math.max(4, bottom - top + 2),
      }}
    />
  );
}
