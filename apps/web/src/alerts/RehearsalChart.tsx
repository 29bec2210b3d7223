import {
  isActive,
  judge,
  initialState,
  nextState,
  sampleAt,
  type AlertRule,
  type PeriodUnit,
  type Rehearsal,
  type Series,
} from '@belvedere/alert';
import type { PastValues } from '@belvedere/api';
import { formatDay, formatNumber } from '@belvedere/chart';
import { useMemo, useRef } from 'react';
import { useSize } from '../dashboard/chart/use-size.ts';
import { locale } from '../messages/messages.ts';
import { roundedFor, stepFor } from './new-alert.ts';
import { valueText } from './alert-texts.ts';
import { words } from './messages/words.ts';

/** Lines that are drawn; more would hide each other. */
const maxLines = 8;
const height = 220;
const handle =
  'absolute flex h-6 items-center justify-end rounded-control outline-none ' +
  'focus-visible:outline-2 focus-visible:outline-accent pointer-coarse:h-11';
const margin = { top: 10, right: 64, bottom: 22, left: 56 };
/** At most; rounding leaves at least half of them. */
const wantedTicks = 7;

export interface Threshold {
  readonly key: string;
  readonly label: string;
  readonly value: number;
}

interface RehearsalChartProps {
  readonly rule: AlertRule;
  readonly series: readonly Series[];
  readonly unit: PeriodUnit | undefined;
  readonly rehearsal: Rehearsal;
  readonly measure: PastValues['measure'];
  /** Lines, which can be dragged with `onThreshold`. */
  readonly thresholds: readonly Threshold[];
  /** `gesture` is the same for all steps of one drag. */
  readonly onThreshold?: (key: string, value: number, gesture: string) => void;
}

/** Past values with the spans in which the alert would have fired, and its thresholds to drag. */
export function RehearsalChart({
  rule,
  series,
  unit,
  rehearsal,
  measure,
  thresholds,
  onThreshold,
}: RehearsalChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const width = useSize(box)?.width ?? 0;
  const shown = useMemo(() => gravest(series, rehearsal), [series, rehearsal]);
  const bands = useMemo(() => (shown.length === 1 ? bandOf(rule, shown[0]!, unit) : []), [rule, shown, unit]);
  const [from, below] = timesOf(shown);
  const [low, high] = useMemo(() => valuesOf(shown, thresholds, bands), [shown, thresholds, bands]);
  const span = high - low;
  const inner = {
    width: Math.max(1, width - margin.left - margin.right),
    height: height - margin.top - margin.bottom,
  };
  const x = (time: number) => margin.left + ((time - from) / Math.max(1, below - from)) * inner.width;
  const y = (value: number) => margin.top + (1 - (value - low) / span) * inner.height;
  const valueAt = (clientY: number) => {
    const top = box.current!.getBoundingClientRect().top;
    const share = 1 - (clientY - top - margin.top) / inner.height;
    return roundedFor(low + Math.min(1, Math.max(0, share)) * span, span);
  };
  const drag = (key: string) => (event: React.PointerEvent<HTMLDivElement>) => {
    const handle = event.currentTarget;
    handle.setPointerCapture(event.pointerId);
    const gesture = `drag ${event.timeStamp}`;
    const move = (moved: PointerEvent) => onThreshold?.(key, valueAt(moved.clientY), gesture);
    handle.addEventListener('pointermove', move);
    handle.addEventListener('lostpointercapture', () => handle.removeEventListener('pointermove', move), {
      once: true,
    });
  };
  const nudge = (key: string, value: number) => (event: React.KeyboardEvent) => {
    const steps = { ArrowUp: 1, ArrowDown: -1, PageUp: 10, PageDown: -10 }[event.key];
    if (steps === undefined) return;
    event.preventDefault();
    onThreshold?.(key, roundedFor(value + steps * stepFor(span), span), 'keys');
  };
  const axisText = (value: number) =>
    measure.isAge ? valueText(value, measure) : formatNumber(value, measure.format, locale, 'axis');
  return (
    <div ref={box} className="relative" style={{ height }}>
      {width > 0 ? (
        <svg width={width} height={height} aria-hidden className="block">
          {ticksBetween(low, high).map(tick => (
            <g key={tick}>
              <line
                x1={margin.left}
                x2={width - margin.right}
                y1={y(tick)}
                y2={y(tick)}
                className="stroke-border"
              />
              <text
                x={margin.left - 6}
                y={y(tick) + 4}
                textAnchor="end"
                className="tabular fill-text-3 text-11"
              >
                {axisText(tick)}
              </text>
            </g>
          ))}
          <text x={margin.left} y={height - 6} className="fill-text-3 text-11">
            {formatDay(from, locale)}
          </text>
          <text x={width - margin.right} y={height - 6} textAnchor="end" className="fill-text-3 text-11">
            {formatDay(Math.max(from, below - 1), locale)}
          </text>
          {rehearsal.spans
            .filter(({ group }) => shown.some(one => one.group === group))
            .map(one => (
              <rect
                key={`${one.group} ${one.from}`}
                data-testid={one.state === 'firing' ? 'fired' : undefined}
                x={x(one.from)}
                y={margin.top}
                width={Math.max(2, x(one.below) - x(one.from))}
                height={inner.height}
                className={one.state === 'firing' ? 'fill-bad/20' : 'fill-warn/15'}
              />
            ))}
          {bands.length > 0 ? (
            <path
              d={`M${bands.map(band => `${x(band.at)},${y(band.high)}`).join('L')}L${bands
                .toReversed()
                .map(band => `${x(band.at)},${y(band.low)}`)
                .join('L')}Z`}
              className="fill-accent/10 stroke-accent/40"
            />
          ) : null}
          {shown.map(one => (
            <path
              key={one.group}
              d={lineOf(one, x, y)}
              fill="none"
              strokeWidth={1.75}
              className="stroke-accent"
              opacity={shown.length > 1 ? 0.7 : 1}
            />
          ))}
          {thresholds.map(({ key, value }) => (
            <line
              key={key}
              x1={margin.left}
              x2={width - margin.right}
              y1={y(value)}
              y2={y(value)}
              strokeWidth={2}
              strokeDasharray={key === 'clear' ? '2 4' : '6 3'}
              className="stroke-bad"
            />
          ))}
        </svg>
      ) : null}
      {width > 0
        ? thresholds.map(({ key, label, value }) => {
            const place = {
              top: y(value),
              left: margin.left,
              width: inner.width + margin.right,
              transform: 'translateY(-50%)',
            };
            const text = (
              <span className="tabular rounded-control bg-bad-weak px-1.5 text-11 font-medium text-bad">
                {valueText(value, measure)}
              </span>
            );
            return onThreshold ? (
              <div
                key={key}
                role="slider"
                tabIndex={0}
                aria-label={label}
                aria-orientation="vertical"
                aria-valuenow={value}
                aria-valuemin={Math.min(low, value)}
                aria-valuemax={Math.max(high, value)}
                aria-valuetext={valueText(value, measure)}
                onPointerDown={drag(key)}
                onKeyDown={nudge(key, value)}
                className={`cursor-ns-resize touch-none ${handle}`}
                style={place}
              >
                {text}
              </div>
            ) : (
              <div key={key} className={handle} style={place}>
                <span className="sr-only">{label}</span>
                {text}
              </div>
            );
          })
        : null}
      {onThreshold ? <p className="sr-only">{words.drag}</p> : null}
    </div>
  );
}

/** Round values on the axis. */
function ticksBetween(low: number, high: number): number[] {
  const step = stepFor(((high - low) / wantedTicks) * 100);
  const first = Math.ceil(low / step);
  const count = Math.floor(high / step) - first + 1;
  return Array.from({ length: Math.max(0, count) }, (_, i) => Number(((first + i) * step).toPrecision(12)));
}

/** The groups that fire longest. */
function gravest(series: readonly Series[], { spans }: Rehearsal): readonly Series[] {
  if (series.length <= maxLines) return series;
  const lengths = new Map<string, number>();
  for (const { group, state, from, below } of spans)
    if (state === 'firing') lengths.set(group, (lengths.get(group) ?? 0) + below - from);
  return series
    .toSorted((a, b) => (lengths.get(b.group) ?? 0) - (lengths.get(a.group) ?? 0))
    .slice(0, maxLines);
}

function timesOf(series: readonly Series[]): readonly [number, number] {
  const points = series.flatMap(({ points: all }) =>
    [all[0], all.at(-1)].filter(point => point !== undefined),
  );
  if (points.length === 0) return [0, 1];
  return [Math.min(...points.map(({ from }) => from)), Math.max(...points.map(({ below }) => below))];
}

function valuesOf(
  series: readonly Series[],
  thresholds: readonly Threshold[],
  bands: readonly Band[],
): readonly [number, number] {
  const values = [
    ...series.flatMap(({ points }) => points.flatMap(({ value }) => value ?? [])),
    ...thresholds.map(({ value }) => value),
    ...bands.flatMap(({ low, high }) => [low, high]),
  ];
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) [low, high] = [Math.min(low, value), Math.max(high, value)];
  if (!Number.isFinite(low)) return [0, 1];
  const room = (high - low || Math.abs(high) || 1) * 0.08;
  return [low - room, high + room];
}

function lineOf({ points }: Series, x: (time: number) => number, y: (value: number) => number): string {
  let path = '';
  let isOpen = false;
  for (const { from, below, value } of points) {
    if (value === null) {
      isOpen = false;
      continue;
    }
    path += `${isOpen ? 'L' : 'M'}${x((from + below) / 2).toFixed(1)},${y(value).toFixed(1)}`;
    isOpen = true;
  }
  return path;
}

interface Band {
  readonly at: number;
  readonly low: number;
  readonly high: number;
}

/** The range of usual values at each period, if the alert compares with earlier ones. */
function bandOf(rule: AlertRule, { points }: Series, unit: PeriodUnit | undefined): Band[] {
  if (!rule.when.unusual) return [];
  let state = initialState(0);
  return points.flatMap((point, i) => {
    const verdict = judge(rule.when, sampleAt(points, i, rule.when, unit), isActive(state));
    ({ state } = nextState(state, verdict, point.below, rule));
    if (!('reason' in verdict) || verdict.reason.kind !== 'unusual') return [];
    const { median, low = median, high = median } = verdict.reason;
    return [{ at: (point.from + point.below) / 2, low, high }];
  });
}
