import { positionsOf, wholePositions } from '@belvedere/query';
import type { Field } from '@belvedere/api';
import {
  chartMessagesIn,
  comparisonText,
  drawSpark,
  formatNumber,
  latestChange,
  paintCanvas,
  selectedSeries,
  shortUnit,
  targetOf,
  targetText,
} from '@belvedere/chart';
import type { Tile } from '@belvedere/document';
import { useCallback, useRef } from 'react';
import type { LiveTile, TileView } from '../../live/live-tile.ts';
import { locale, t } from '../../messages/messages.ts';
import { prepareCanvas } from '../chart/prepare-canvas.ts';
import { useLiveValues } from './use-live-values.ts';
import { useFrames } from '../chart/use-frames.ts';
import { useSize } from '../chart/use-size.ts';
import { useChartTheme } from '../chart/use-theme.ts';

interface KpiViewProps {
  readonly live: LiveTile;
  readonly view: TileView;
  readonly tile: Tile & { kind: 'kpi' };
  readonly measure: Field;
}

/**
 * One figure, how it compares, and its sparkline. The figure itself is written without React, so that it follows
 * a brush.
 */
export function KpiView({ live, view, tile, measure }: KpiViewProps) {
  const figure = useRef<HTMLParagraphElement>(null);
  const value = (view.filtered?.main ?? view.base.main)?.values[0] ?? Number.NaN;
  const write = useCallback(() => {
    const now = live.current('main')?.[0];
    if (!figure.current || now === undefined) return;
    const text = formatNumber(now, measure.format, locale, 'label', shortUnit(measure.unit));
    // Equal texts are not laid out again.
    if (figure.current.textContent !== text) figure.current.textContent = text;
  }, [live, measure]);
  useFrames(live, figure, write);
  return (
    <div className="@container size-full min-h-0">
      {/* From the top down, so that the figures of a row share a baseline, with a comparison or without. */}
      {/* In a narrow tile, the comparison has a line of its own below the figure and its sparkline. */}
      <div className="flex w-full items-start justify-between gap-3 pt-1.5 md:in-data-flat:pt-0 @min-[640px]:justify-start @min-[640px]:gap-10 @max-[320px]:grid @max-[320px]:grid-cols-[auto_minmax(0,1fr)] @max-[320px]:gap-y-0">
        <div className="min-w-min shrink-[1000] @max-[320px]:contents">
          <p
            ref={figure}
            className="@max-[320px]:order-1 tabular text-26 font-semibold tracking-[-0.02em] whitespace-nowrap max-sm:text-[22px] max-sm:leading-7 @max-[140px]:text-[22px] @max-[140px]:leading-7"
            title={formatNumber(value, measure.format, locale, 'full', measure.unit)}
          />
          <Comparison view={view} tile={tile} measure={measure} value={value} />
          {tile.target === undefined ? null : <Target live={live} tile={tile} measure={measure} />}
        </div>
        {tile.spark ? <Spark live={live} view={view} /> : null}
      </div>
    </div>
  );
}

/** The place of the comparison, and of the target below it, in a narrow tile. */
const ownLine = '@max-[320px]:order-3 @max-[320px]:col-span-2';
/** Above a target: a tile of three rows of the grid has room for two lines below the figure, if they are close. */
const closeLine = 'md:-mt-1 md:leading-[15px]';
const targetLine = '@max-[320px]:order-4 @max-[320px]:col-span-2';

function Comparison({
  view,
  tile,
  measure,
  value,
}: {
  readonly view: TileView;
  readonly tile: Tile & { kind: 'kpi' };
  readonly measure: Field;
  readonly value: number;
}) {
  if (!tile.compare) return null;
  const previous = (view.filtered?.previous ?? view.base.previous)?.values[0];
  const compared = view.notes.find(note => note.kind === 'compared');
  if (view.notes.some(note => note.kind === 'comparison-not-offline')) {
    return <p className={`${ownLine} line-clamp-1 text-12 text-text-3`}>{t.tile.comparisonNotOffline}</p>;
  }
  const spark = tile.compare === 'previous period' ? (view.filtered?.spark ?? view.base.spark) : undefined;
  const text =
    previous !== undefined && compared
      ? comparisonText(value, previous, measure, compared, locale)
      : spark && latestChange(spark.values, view.base.spark?.axes[0], measure, locale);
  // In a row of figures the period would be repeated, so it appears only on hover. Its line keeps room for
  // the comparison.
  if (!text)
    return (
      <p
        className={`${ownLine} line-clamp-1 text-12 text-text-3 opacity-0 [[data-tile]:focus-within_&]:opacity-100 [[data-tile]:hover_&]:opacity-100`}
      >
        {t.tile.nothingToCompare}
      </p>
    );
  if (text.kind === 'none')
    return (
      <p className={`${ownLine} line-clamp-1 text-12 text-text-3`} title={text.reason}>
        {text.reason}
      </p>
    );
  return (
    // Without room for a word, the comparison would wrap to a second line, so it is hidden.
    <p
      className={`${ownLine} flex h-[1lh] flex-wrap content-start gap-x-1 overflow-hidden text-12 ${tile.target === undefined ? '@max-[320px]:h-auto @max-[320px]:max-h-[3lh]' : `max-md:@max-[320px]:h-auto max-md:@max-[320px]:max-h-[3lh] ${closeLine}`} ${view.isSliced ? 'opacity-40' : ''}`}
      title={text.period}
    >
      <span
        className={`font-semibold whitespace-nowrap ${text.isGood === undefined ? 'text-text-2' : text.isGood ? 'text-good' : 'text-bad'}`}
      >
        {text.change}
      </span>
      <span
        className={
          'line-clamp-1 flex-1 basis-14 break-all text-text-3 ' +
          '@max-[320px]:line-clamp-2 @max-[320px]:basis-auto @max-[320px]:break-normal'
        }
      >
        {text.basis}
      </span>
    </p>
  );
}

/** How far the figure is from its target: a text, and a bar beside it. */
function Target({ live, tile, measure }: Pick<KpiViewProps, 'live' | 'tile' | 'measure'>) {
  useLiveValues(live);
  const values = live.current('main') ?? [];
  const target = targetText(values[0] ?? Number.NaN, targetOf(tile, values), measure, locale);
  if (!target) return null;
  const { text, share, isGood, sentence } = target;
  const [ink, fill] =
    isGood === undefined
      ? ['text-text-2', 'bg-accent']
      : isGood
        ? ['text-good', 'bg-good']
        : ['text-bad', 'bg-bad'];
  return (
    <div
      role="meter"
      aria-label={chartMessagesIn(locale).target.name}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(share * 100)}
      aria-valuetext={sentence}
      title={sentence}
      className={`${targetLine} flex items-center gap-2 text-12 ${tile.compare ? 'md:leading-[15px]' : ''}`}
    >
      <span className={`font-semibold whitespace-nowrap ${ink}`}>{text}</span>
      <span className="h-1 w-36 min-w-0 shrink overflow-hidden rounded-full bg-border forced-colors:border">
        <span
          className={`block h-full rounded-full forced-colors:bg-[CanvasText] ${fill}`}
          style={{ width: `${share * 100}%` }}
        />
      </span>
    </div>
  );
}

/** In less height, a sparkline shows no shape. */
const minSparkWidth = 24;

function Spark({ live, view }: { readonly live: LiveTile; readonly view: TileView }) {
  const frame = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const size = useSize(frame);
  const theme = useChartTheme();
  const base = view.base.spark;
  const axis = base?.axes[0];
  const positions = axis ? positionsOf(axis) : 0;
  // A period that has only begun would look like a crash.
  const [from, below] = axis ? wholePositions(axis, positions) : [0, positions];
  const draw = useCallback(() => {
    const values = live.current('spark');
    const context = canvas.current && size && prepareCanvas(canvas.current, size);
    // The sparkline fills its height under every selection, because only its shape matters.
    if (!context || !values || !base || size.width < minSparkWidth) return;
    const series = selectedSeries(values.subarray(from, below), base.values.subarray(from, below));
    paintCanvas(context, drawSpark(series, size, theme.accent));
  }, [live, size, from, below, base, theme]);
  useFrames(live, frame, draw);
  return (
    <div
      ref={frame}
      className="h-9 w-full min-w-0 max-w-36 flex-1 basis-16 self-center @max-[320px]:order-2 @max-[320px]:h-7 @max-[320px]:justify-self-end"
      aria-hidden
    >
      <canvas ref={canvas} className="size-full" />
    </div>
  );
}
