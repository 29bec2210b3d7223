import type { Panel, Target } from '@belvedere/chart';
import { useLayoutEffect, useRef, useSyncExternalStore } from 'react';
import type { TileSelection } from '../live/use-live.ts';
import { t } from '../messages/messages.ts';
import { describeCondition } from './describe.ts';
import type { Cursor } from './pointing.ts';
import type { TouchedPanels } from './use-touched-panels.ts';
import type { Wanted } from './use-zoom.ts';

/** The brushed area with handles to move and resize it. Which edges it has is rendered, where it lies is set: at each step of a brush, without React. */
export function BrushFrame({ selection, touched }: { readonly selection: TileSelection; readonly touched: TouchedPanels }) {
  const frame = useRef<HTMLDivElement>(null);
  const channels = useSyncExternalStore(selection.onChange, () => Object.keys(areaOf(touched, selection)?.spans ?? {}).join(''));
  useLayoutEffect(() => {
    const place = () => {
      const area = areaOf(touched, selection);
      if (!frame.current || !area) return;
      const { panel: { x, y, chart: { plot } }, spans } = area;
      const [left, right] = spans.x ?? [plot.x, plot.x + plot.width];
      const [top, bottom] = spans.y ?? [plot.y, plot.y + plot.height];
      Object.assign(frame.current.style, { left: `${x + left}px`, top: `${y + top}px`, width: `${right - left}px`, height: `${bottom - top}px` });
    };
    place();
    return selection.onChange(place);
  }, [selection, touched, channels]);
  if (channels === '') return null;
  const handle = 'absolute bg-transparent before:absolute before:rounded-full before:bg-surface before:border before:border-accent before:content-[""]';
  return (
    <div ref={frame} data-handle="move" data-testid="brush" className="absolute cursor-move border border-(--brush-edge) bg-(--brush)">
      {channels.includes('x') ? (
        <>
          <span data-handle="x-from" className={`${handle} inset-y-0 -left-1.5 w-3 cursor-ew-resize before:top-1/2 before:left-[3px] before:h-5 before:w-1.5 before:-translate-y-1/2`} />
          <span data-handle="x-below" className={`${handle} inset-y-0 -right-1.5 w-3 cursor-ew-resize before:top-1/2 before:left-[3px] before:h-5 before:w-1.5 before:-translate-y-1/2`} />
        </>
      ) : null}
      {channels.includes('y') ? (
        <>
          <span data-handle="y-from" className={`${handle} inset-x-0 -top-1.5 h-3 cursor-ns-resize before:top-[3px] before:left-1/2 before:h-1.5 before:w-5 before:-translate-x-1/2`} />
          <span data-handle="y-below" className={`${handle} inset-x-0 -bottom-1.5 h-3 cursor-ns-resize before:top-[3px] before:left-1/2 before:h-1.5 before:w-5 before:-translate-x-1/2`} />
        </>
      ) : null}
    </div>
  );
}

/** What is brushed, if that is a stretch and not a list of names. */
function areaOf({ brushedBy, brushesOf }: TouchedPanels, selection: TileSelection): ReturnType<TouchedPanels['brushedBy']> {
  const area = brushedBy(selection.now());
  return area && brushesOf(area.panel).some(brush => brush.edges !== undefined) ? area : undefined;
}

/** What will be looked at once the wheel rests, or the fingers are lifted. */
export function WantedFrame({ wanted: { zoom, span: [from, to] }, channel, panel: { chart: { plot }, x, y } }: { readonly wanted: Wanted; readonly channel: 'x' | 'y'; readonly panel: Panel }) {
  const place = channel === 'x' ? { left: x + from, width: to - from, top: y + plot.y, height: plot.height } : { left: x + plot.x, width: plot.width, top: y + from, height: to - from };
  return (
    <div data-testid="wanted-stretch" className="pointer-events-none absolute border border-dashed border-(--brush-edge) bg-(--brush)" style={place}>
      <span className="tabular absolute top-1 left-1/2 -translate-x-1/2 rounded-control bg-raised px-1.5 py-0.5 text-12 font-medium whitespace-nowrap shadow-float">{zoom ? describeCondition(zoom) : t.tile.zoomOut}</span>
    </div>
  );
}

/** Where the keys are. */
export function CursorFrame({ panel, cursor, target }: { readonly panel: Panel; readonly cursor: Cursor; readonly target: Target | undefined }) {
  const { chart } = panel;
  if (target) return <svg aria-hidden className="pointer-events-none absolute size-full overflow-visible" style={{ left: panel.x, top: panel.y }}><path d={target.outline} fill="none" className="stroke-accent" strokeWidth={2} strokeLinejoin="round" /></svg>;
  const [left, right] = chart.x?.span(cursor.x) ?? [chart.plot.x, chart.plot.x + chart.plot.width];
  const [top, bottom] = chart.y?.span(cursor.y) ?? [chart.plot.y, chart.plot.y + chart.plot.height];
  return <div aria-hidden className="pointer-events-none absolute rounded-sm border-2 border-accent" style={{ left: panel.x + left - 1, top: panel.y + top - 1, width: Math.max(4, right - left + 2), height: Math.max(4, bottom - top + 2) }} />;
}
