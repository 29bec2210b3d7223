import type { RowsHeader } from '@belvedere/api';
import {
  drawChart,
  isHidden,
  paintCanvas,
  pointsOfRows,
  paintSvg,
  summarize,
  type ChartInput,
  type ChartPoint,
  type ChartTile,
  type Mark,
  type Size,
} from '@belvedere/chart';
import { selectionIn } from '@belvedere/crossfilter';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { requestDraw } from '../../live/draw-loop.ts';
import type { TileView } from '../../live/live-tile.ts';
import { locale, t } from '../../messages/messages.ts';
import { brushMarks } from './marks/brush-marks.ts';
import { useCalendar } from './calendar.ts';
import { ChartSurface, type TouchedChart } from './ChartSurface.tsx';
import { prepareCanvas, scaledContext } from './prepare-canvas.ts';
import { useDrawnSize, useIsPrinting } from '../printing/printing.ts';
import { useBrushedPanels } from '../gestures/use-brushed-panels.ts';
import { useFrames } from './use-frames.ts';
import { useMapShapes } from './use-map-shapes.ts';
import { useMarks } from './marks/use-marks.ts';
import { useSize } from './use-size.ts';
import { useChartTheme } from './use-theme.ts';

interface ChartViewProps extends TouchedChart {
  readonly view: TileView;
  /** Series left out, by their places. */
  readonly hidden: ReadonlySet<number>;
}

/**
 * A chart on an opaque canvas. The static layer is painted once; moving marks are drawn over it in each frame
 * of a brush.
 */
export function ChartView(props: ChartViewProps) {
  const { live, view, tile, title, measures, typeOf, selection, hidden } = props;
  const frame = useRef<HTMLDivElement>(null);
  const shown = useRef<HTMLCanvasElement>(null);
  const isForPaper = useIsPrinting();
  const size = useDrawnSize(useSize(frame), tile.at?.[2] ?? 12);
  const theme = useChartTheme();
  const calendar = useCalendar();
  const loaded = useMapShapes(tile);
  const shapes = loaded === 'failed' ? undefined : loaded;
  const canDraw = useMarks(tile.kind);
  const base = view.base.main;
  const filtered = view.filtered?.main;

  const points = useMemo(() => pointsOf(tile, view.rows), [tile, view.rows]);
  const filteredPoints = useMemo(
    () => pointsOf(tile, view.filteredRows ?? view.rows),
    [tile, view.filteredRows, view.rows],
  );
  const shownPoints = useMemo(
    () => filteredPoints?.filter(point => !isHidden(point, hidden)),
    [filteredPoints, hidden],
  );
  const input = useMemo((): ChartInput | undefined => {
    if (!base || !size || size.width < 40 || size.height < 40) return undefined;
    const telling =
      points && (view.rows?.axes ?? []).filter(axis => axis.channel === 'color' || axis.channel === 'shape');
    return {
      tile,
      axes: telling ? [...base.axes, ...telling] : base.axes,
      base: base.values,
      size,
      theme,
      locale,
      calendar,
      hidden,
      measures: measures.map(({ label, format, unit, better }, i) => ({
        label,
        isAdditive: base.additive[i] ?? false,
        ...(format && { format }),
        ...(unit && { unit }),
        ...(better && { better: better as 'up' | 'down' }),
      })),
      ...(filtered && { filtered: filtered.values }),
      ...(points && { points }),
      ...(shapes && { shapes }),
    };
  }, [base, filtered, size, theme, calendar, tile, measures, points, view.rows, shapes, hidden]);
  const chart = useMemo(() => (input && canDraw ? drawChart(input) : undefined), [input, canDraw]);
  const brushed = useBrushedPanels(chart, size, base?.axes, typeOf);
  const isFollowing = view.isSliced || filtered !== undefined || view.filteredRows !== undefined;

  // The static layer: guides, and the unfiltered marks behind a selection.
  const marksBehind = useCallback(
    (): readonly Mark[] =>
      chart && base
        ? [...chart.guides, ...(isFollowing ? chart.marks(base.values, { isMuted: true }) : [])]
        : [],
    [chart, base, isFollowing],
  );
  const behind = useMemo(
    (): Behind => ({ size, ground: theme.surface, marks: marksBehind }),
    [size, theme, marksBehind],
  );
  const [still] = useState(() => new StillPicture());

  // The marks that move.
  const marksNow = useCallback((): readonly Mark[] => {
    const values = live.current('main');
    if (!values || !chart || !base) return [];
    const boxes = selection.now();
    const isSelectedIn = selectionIn(base.axes, boxes);
    const selected =
      boxes.length === 0 ? {} : chart.panels ? { isSelectedIn } : { isSelected: isSelectedIn() };
    return chart.marks(values, { ...selected, ...(filteredPoints && { points: filteredPoints }) });
  }, [chart, base, live, selection, filteredPoints]);
  const brush = useCallback((): readonly Mark[] => {
    const area = brushed.framedBy(selection.now());
    return area ? brushMarks(area, theme) : [];
  }, [brushed, selection, theme]);
  const draw = useCallback(() => {
    // Paints the static layer first: a resized canvas is black until it is painted, and browsers may show
    // that.
    const picture = still.of(behind);
    const context = picture && shown.current && size && scaledContext(shown.current, size, true);
    if (!context) return;
    context.drawImage(picture, 0, 0, size.width, size.height);
    paintCanvas(context, marksNow());
    paintCanvas(context, brush());
  }, [size, still, behind, marksNow, brush]);
  useFrames(live, frame, draw);
  useEffect(() => selection.onChange(() => requestDraw(draw)), [selection, draw]);
  // Letters that were drawn before their font was there are drawn again in it.
  useEffect(() => {
    const again = () => {
      still.forget();
      requestDraw(draw);
    };
    document.fonts.addEventListener('loadingdone', again);
    return () => document.fonts.removeEventListener('loadingdone', again);
  }, [still, draw]);

  const summary = useMemo(() => (input ? summarize(input) : ''), [input]);
  return (
    <div ref={frame} dir="ltr" className="relative size-full min-h-0 overflow-hidden">
      <canvas ref={shown} className="absolute inset-0 size-full print:hidden" aria-hidden />
      {isForPaper && chart && base && size ? (
        <PaperChart svg={paintSvg([...marksBehind(), ...marksNow(), ...brush()], size, title)} />
      ) : null}
      {chart && base && size ? (
        <ChartSurface
          {...props}
          brushed={brushed}
          picture={base}
          points={shownPoints}
          rows={view.filteredRows ?? view.rows}
          summary={summary}
        />
      ) : null}
      {loaded === 'failed' && tile.kind === 'map' ? (
        <p
          role="alert"
          className="absolute inset-0 flex items-center justify-center p-4 text-center text-13 text-text-2"
        >
          {t.tile.mapFailed(tile.shape)}
        </p>
      ) : null}
    </div>
  );
}

interface Behind {
  readonly size: Size | undefined;
  readonly ground: string;
  readonly marks: () => readonly Mark[];
}

/**
 * An image that is painted when it is first used, in the frame that draws it. The next one reuses its canvas,
 * because allocating a canvas takes longer than painting it, and memory is freed late.
 */
class StillPicture {
  #canvas: HTMLCanvasElement | undefined;
  #painted: Behind | undefined;

  of(behind: Behind): HTMLCanvasElement | undefined {
    const { size, ground, marks } = behind;
    if (!size || size.width < 1 || size.height < 1) return undefined;
    this.#canvas ??= document.createElement('canvas');
    if (this.#painted === behind) return this.#canvas;
    const context = prepareCanvas(this.#canvas, size, ground);
    if (context) paintCanvas(context, marks());
    this.#painted = behind;
    return this.#canvas;
  }

  forget(): void {
    this.#painted = undefined;
  }
}

/** The chart as it is printed: drawn in lines and letters, not in dots. */
function PaperChart({ svg }: { readonly svg: string }) {
  return (
    <div
      className="absolute inset-0 hidden print:block [&>svg]:size-full"
      dangerouslySetInnerHTML={{ __html: svg }}
    />
  );
}

function pointsOf(tile: ChartTile, rows: RowsHeader | undefined): ChartPoint[] | undefined {
  if ((tile.kind !== 'scatter' && tile.kind !== 'map') || !rows) return undefined;
  return pointsOfRows(rows.rows, rows.axes ?? []);
}
