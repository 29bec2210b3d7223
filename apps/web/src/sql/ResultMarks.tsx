import type { NamedAxis } from '@belvedere/api';
import { drawChart, paintCanvas, type Chart, type ChartInput } from '@belvedere/chart';
import { useLayoutEffect, useMemo, useRef, useState, type KeyboardEvent, type PointerEvent } from 'react';
import { CursorFrame } from '../dashboard/chart/ChartFrames.tsx';
import { hoverPosition, hoverTarget } from '../dashboard/chart/hover/hover.ts';
import { prepareCanvas } from '../dashboard/chart/prepare-canvas.ts';
import { PointedMark, Tooltip, type TooltipContent } from '../dashboard/chart/hover/Tooltip.tsx';
import { useMarks } from '../dashboard/chart/marks/use-marks.ts';
import { neighbour, panelsOf, targetsIn, type Cursor, type Point } from '../dashboard/gestures/pointing.ts';
import { arrows, walk } from '../dashboard/gestures/use-cursor.ts';

/** Returns the laid-out chart; undefined until the code of its kind has loaded. */
export function useResultChart(input: ChartInput | undefined): Chart | undefined {
  const isReady = useMarks(input?.tile.kind ?? 'bar');
  return useMemo(() => (input && isReady ? drawChart(input) : undefined), [input, isReady]);
}

interface ResultMarksProps {
  readonly input: ChartInput;
  readonly chart: Chart;
  readonly summary: string;
}

/** The marks of a result, with a tooltip for the mark under the pointer or with keyboard focus. */
export function ResultMarks({ input, chart, summary }: ResultMarksProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [pointed, setPointed] = useState<Point>();
  const [cursor, setCursor] = useState<Cursor>();
  const { size, base, tile, measures } = input;
  const panel = panelsOf(chart, size)[0]!;
  const targets = targetsIn(panel, base, false);
  useLayoutEffect(() => {
    const context = canvas.current && prepareCanvas(canvas.current, size);
    if (!context) return;
    paintCanvas(context, chart.guides);
    paintCanvas(context, chart.marks(base, {}));
  });

  const axes = input.axes as readonly NamedAxis[];
  const hovered = {
    picture: { values: base, additive: measures.map(() => false) },
    values: base,
    measures: measures.map(({ label }) => ({ name: label, label, type: 'number' })),
    tooltipMeasures: 0,
    isLine: tile.kind === 'line' || tile.kind === 'area',
  };
  const contentAt = (at: Point): TooltipContent | undefined => {
    if (!chart.targets)
      return hoverPosition(
        panel,
        axes,
        { x: chart.x?.positionAt(at.x) ?? -1, y: chart.y?.positionAt(at.y) ?? -1 },
        hovered,
      );
    const target = targets.find(one => one.contains(at.x, at.y));
    return target && hoverTarget(panel, target, axes, hovered);
  };
  const contentOf = (at: Cursor): TooltipContent | undefined => {
    const target = at.target === undefined ? undefined : targets[at.target];
    return target ? hoverTarget(panel, target, axes, hovered) : hoverPosition(panel, axes, at, hovered);
  };
  const keys = (event: KeyboardEvent) => {
    const step = arrows[event.key];
    if (event.key === 'Escape' && cursor) {
      event.stopPropagation();
      setCursor(undefined);
    }
    if (!step) return;
    event.preventDefault();
    setPointed(undefined);
    if (!chart.targets) setCursor({ panel: 0, ...walk(chart, cursor, step) });
    else if (targets.length > 0)
      setCursor({ panel: 0, x: -1, y: -1, target: neighbour(targets, cursor?.target, step) });
  };
  const point = (event: PointerEvent<HTMLElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    setCursor(undefined);
    setPointed({ x: event.clientX - box.x, y: event.clientY - box.y });
  };
  const atCursor = cursor && contentOf(cursor);
  const tooltip = atCursor ?? (pointed && contentAt(pointed));
  return (
    <>
      <canvas ref={canvas} className="absolute inset-0" style={size} aria-hidden />
      <div
        role="application"
        aria-roledescription="chart"
        aria-label={summary}
        tabIndex={0}
        className="absolute inset-0 touch-pan-y rounded select-none"
        onPointerMove={point}
        onPointerDown={point}
        onPointerLeave={event => event.pointerType === 'mouse' && setPointed(undefined)}
        onBlur={() => {
          setCursor(undefined);
          setPointed(undefined);
        }}
        onKeyDown={keys}
      >
        {cursor ? (
          <CursorFrame
            panel={panel}
            cursor={cursor}
            target={cursor.target === undefined ? undefined : targets[cursor.target]}
          />
        ) : null}
      </div>
      <span className="sr-only" aria-live="polite">
        {atCursor
          ? `${atCursor.title}: ${atCursor.rows.map(row => `${row.label} ${row.value}`).join(', ')}`
          : ''}
      </span>
      {tooltip ? (
        <>
          {tooltip.mark && !cursor ? <PointedMark {...tooltip.mark} /> : null}
          <Tooltip {...tooltip} />
        </>
      ) : null}
    </>
  );
}
