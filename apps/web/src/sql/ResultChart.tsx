import {
  drawChart,
  formatDay,
  formatMoment,
  formatNumber,
  paintCanvas,
  summarize,
  type ChartInput,
} from '@belvedere/chart';
import { isNumeric, isTemporal, type DataType } from '@belvedere/model';
import { startOf, timeUnits, unitsBetween, type CalendarUnit } from '@belvedere/query';
import { IconButton, InlineSelect } from '@belvedere/ui';
import { ChartBar, ChartColumn } from 'lucide-react';
import { useLayoutEffect, useRef, useState } from 'react';
import { prepareCanvas } from '../dashboard/chart/prepare-canvas.ts';
import { useMarks } from '../dashboard/chart/use-marks.ts';
import { useSize } from '../dashboard/chart/use-size.ts';
import { useChartTheme } from '../dashboard/chart/use-theme.ts';
import { kindIcons } from '../editor/encoding/kinds.ts';
import { words } from '../editor/messages/words.ts';
import { locale } from '../messages/messages.ts';
import type { SqlResult } from './ResultTable.tsx';

const count = (value: number) => formatNumber(value, 'integer', locale, 'full');
/** A bar of a row of its own, with its name beside it. */
const barHeight = 22;
const mostTimes = 1000;

/** The kinds whose marks are single rows. A column is a bar that stands. */
const chartKinds = ['bar', 'column', 'line', 'area', 'donut', 'pie', 'scatter'] as const;
type Kind = (typeof chartKinds)[number];
const mostSlices = 12;
const mostColumns = 60;

/** Each row a mark, in the order the rows came in: nothing is added up that the statement has not. */
export function ResultChart({ result }: { readonly result: SqlResult }) {
  const amounts = result.columns
    .map(({ type }, i) => ({ i, type: type as DataType }))
    .filter(({ type }) => isNumeric(type))
    .map(({ i }) => i);
  const labels = result.columns.map((_, i) => i).filter(i => !amounts.includes(i));
  const [amount, setAmount] = useState(amounts.at(-1) ?? 0);
  const [label, setLabel] = useState(labels[0] ?? amounts.find(i => i !== amount) ?? 0);
  const [other, setOther] = useState(amounts.find(i => i !== amount));
  const [chosen, setChosen] = useState<Kind>();
  const position = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const size = useSize(position);
  const theme = useChartTheme();
  const times = isTemporal(result.columns[label]?.type as DataType)
    ? timesOf(result.rows.map(row => row[label] ?? null))
    : undefined;
  const canScatter = other !== undefined && amounts.length > 1;
  const kind = chosen && (chosen !== 'scatter' || canScatter) ? chosen : times ? 'line' : 'bar';
  const alongTime = isAlong(kind) ? times : undefined;
  const isReady = useMarks(kind === 'column' ? 'bar' : kind);
  const canDraw = amounts.length > 0 && result.columns.length > 1 && result.rows.length > 0;
  const input =
    canDraw && size && size.height > 40
      ? chartInput(result, { kind, label, amount, other, times: alongTime }, size, theme)
      : undefined;
  const drawn = Math.min(result.rows.length, mostMarks(kind, alongTime !== undefined, size?.height ?? 0));
  useLayoutEffect(() => {
    const context = input && isReady && canvas.current && prepareCanvas(canvas.current, input.size);
    if (!context) return;
    const chart = drawChart(input);
    paintCanvas(context, chart.guides);
    paintCanvas(context, chart.marks(input.base, {}));
  });
  if (!canDraw) return <p className="p-4 text-text-2">{words.sql.noChart}</p>;
  const options = (among: readonly number[]) =>
    among.map(i => ({ value: String(i), label: result.columns[i]!.name }));
  return (
    <div className="flex h-full flex-col gap-2 p-3">
      <div className="flex flex-wrap items-end gap-x-3 gap-y-2">
        <div role="group" aria-label={words.sql.chartKind} className="flex gap-1">
          {chartKinds.map(one => {
            const Icon = one === 'column' ? ChartColumn : one === 'bar' ? ChartBar : kindIcons[one];
            return (
              <IconButton
                key={one}
                label={one === 'column' ? words.sql.column : words.kinds[one]}
                aria-pressed={kind === one}
                isDisabled={one === 'scatter' && !canScatter}
                className={kind === one ? 'bg-accent-weak! text-accent-text!' : ''}
                onPress={() => setChosen(one)}
              >
                <Icon size={16} aria-hidden />
              </IconButton>
            );
          })}
        </div>
        <div className="w-48">
          <InlineSelect
            label={words.sql.along}
            value={String(label)}
            options={options(result.columns.map((_, i) => i))}
            onChange={value => setLabel(Number(value))}
          />
        </div>
        <div className="w-48">
          <InlineSelect
            label={words.sql.amount}
            value={String(amount)}
            options={options(amounts)}
            onChange={value => setAmount(Number(value))}
          />
        </div>
        {kind === 'scatter' ? (
          <div className="w-48">
            <InlineSelect
              label={words.sql.otherAmount}
              value={String(other)}
              options={options(amounts)}
              onChange={value => setOther(Number(value))}
            />
          </div>
        ) : null}
        {result.rows.length > drawn ? (
          <p className="self-end pb-1.5 text-12 text-text-2">
            {words.sql.shownOf(count(drawn), count(result.rows.length))}
          </p>
        ) : null}
      </div>
      <div ref={position} className="min-h-0 flex-1">
        <canvas
          ref={canvas}
          role="img"
          aria-label={input ? summarize(input) : words.sql.chart}
          style={{ width: size?.width, height: size?.height }}
        />
      </div>
    </div>
  );
}

/**
 * A stretch of time with one row at most in each of its units; nothing where rows share a moment, which no
 * line tells apart.
 */
function timesOf(values: readonly (string | number | boolean | null)[]):
  | {
      readonly unit: CalendarUnit;
      readonly from: number;
      readonly count: number;
      readonly positions: readonly number[];
    }
  | undefined {
  const moments = values.filter(value => typeof value === 'number');
  if (moments.length < 2 || moments.length < values.length || moments.length > mostTimes) return undefined;
  const [first, last] = [Math.min(...moments), Math.max(...moments)];
  // The coarsest that tells them apart.
  for (const unit of timeUnits.toReversed()) {
    const from = startOf(unit, first);
    const positions = moments.map(moment => unitsBetween(unit, from, moment));
    if (new Set(positions).size === positions.length)
      return unitsBetween(unit, from, last) < mostTimes
        ? { unit, from, count: unitsBetween(unit, from, last) + 1, positions }
        : undefined;
  }
  return undefined;
}

const barsIn = (height: number) => Math.max(1, Math.floor(height / barHeight));
/** Kinds that may have a time axis. */
const isAlong = (kind: Kind) => kind === 'line' || kind === 'area' || kind === 'column';

function mostMarks(kind: Kind, isAlongTime: boolean, height: number): number {
  if (isAlongTime || kind === 'scatter') return mostTimes;
  if (kind === 'bar') return barsIn(height);
  return kind === 'pie' || kind === 'donut' ? mostSlices : mostColumns;
}

interface Shown {
  readonly kind: Kind;
  readonly label: number;
  readonly amount: number;
  /** The second value, of a scatter chart. */
  readonly other: number | undefined;
  readonly times: ReturnType<typeof timesOf>;
}

function chartInput(
  { columns, rows }: SqlResult,
  { kind, label, amount, other, times }: Shown,
  size: { width: number; height: number },
  theme: ChartInput['theme'],
): ChartInput {
  const field = columns[label]!.name;
  const named = (column: number) => ({ measure: columns[column]!.name });
  const measure = named(amount);
  const drawn = kind === 'scatter' ? [amount, other!] : [amount];
  const common = {
    measures: drawn.map(column => ({ label: columns[column]!.name, isAdditive: false })),
    size,
    theme,
    locale,
  };
  const numberIn = (row: SqlResult['rows'][number], column: number) =>
    row[column] === null ? Number.NaN : Number(row[column]);
  if (times) {
    const base = new Float64Array(times.count + 2).fill(Number.NaN);
    times.positions.forEach((position, i) => {
      base[position] = numberIn(rows[i]!, amount);
    });
    const { unit, from, count: length } = times;
    return {
      tile: { kind: kind === 'column' ? 'bar' : (kind as 'line' | 'area'), x: { field }, y: measure },
      axes: [{ channel: 'x', kind: 'times', field, unit, from, count: length }],
      base,
      ...common,
    };
  }
  const shown = rows.slice(0, mostMarks(kind, false, size.height));
  const { type } = columns[label]!;
  const values = shown.map(row =>
    typeof row[label] === 'number' && isTemporal(type as DataType)
      ? type === 'date'
        ? formatDay(row[label], locale)
        : formatMoment(row[label], locale)
      : (row[label] ?? null),
  );
  const along = (channel: 'x' | 'y' | 'color' | 'detail') =>
    [{ channel, kind: 'categories', field, values, other: false }] as const;
  const base = Float64Array.from(drawn.flatMap(column => shown.map(row => numberIn(row, column))));
  switch (kind) {
    case 'bar':
      return { tile: { kind, x: measure, y: { field } }, axes: along('y'), base, ...common };
    case 'pie':
    case 'donut':
      return { tile: { kind, color: { field }, theta: measure }, axes: along('color'), base, ...common };
    case 'scatter':
      return {
        tile: { kind, x: measure, y: named(other!), detail: { field } },
        axes: along('detail'),
        base,
        ...common,
      };
    default:
      return {
        tile: { kind: kind === 'column' ? 'bar' : kind, x: { field }, y: measure },
        axes: along('x'),
        base,
        ...common,
      };
  }
}
