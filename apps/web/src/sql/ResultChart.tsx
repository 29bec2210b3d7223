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
import { InlineSelect } from '@belvedere/ui';
import { useLayoutEffect, useRef, useState } from 'react';
import { prepareCanvas } from '../dashboard/chart/prepare-canvas.ts';
import { useMarks } from '../dashboard/chart/use-marks.ts';
import { useSize } from '../dashboard/chart/use-size.ts';
import { useChartTheme } from '../dashboard/chart/use-theme.ts';
import { words } from '../editor/messages/words.ts';
import { locale } from '../messages/messages.ts';
import type { SqlResult } from './ResultTable.tsx';

const count = (value: number) => formatNumber(value, 'integer', locale, 'full');
/** A bar of a row of its own, with its name beside it. */
const barHeight = 22;
const mostTimes = 1000;

/** Each row a mark, in the order the rows came in: nothing is added up that the statement has not. */
export function ResultChart({ result }: { readonly result: SqlResult }) {
  const amounts = result.columns
    .map(({ type }, i) => ({ i, type: type as DataType }))
    .filter(({ type }) => isNumeric(type))
    .map(({ i }) => i);
  const labels = result.columns.map((_, i) => i).filter(i => !amounts.includes(i));
  const [amount, setAmount] = useState(amounts.at(-1) ?? 0);
  const [label, setLabel] = useState(labels[0] ?? amounts.find(i => i !== amount) ?? 0);
  const position = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const size = useSize(position);
  const theme = useChartTheme();
  const times = isTemporal(result.columns[label]?.type as DataType)
    ? timesOf(result.rows.map(row => row[label] ?? null))
    : undefined;
  const isReady = useMarks(times ? 'line' : 'bar');
  const canDraw = amounts.length > 0 && result.columns.length > 1 && result.rows.length > 0;
  const input =
    canDraw && size && size.height > 40 ? chartInput(result, label, amount, times, size, theme) : undefined;
  const drawn = Math.min(result.rows.length, times ? mostTimes : barsIn(size?.height ?? 0));
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
      <div className="flex gap-3">
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

/** A stretch of time with one row at most in each of its units; nothing where rows share a moment, which no line tells apart. */
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

function chartInput(
  { columns, rows }: SqlResult,
  label: number,
  amount: number,
  times: ReturnType<typeof timesOf>,
  size: { width: number; height: number },
  theme: ChartInput['theme'],
): ChartInput {
  const field = columns[label]!.name;
  const measure = { measure: columns[amount]!.name };
  const common = { measures: [{ label: columns[amount]!.name, isAdditive: false }], size, theme, locale };
  const amountOf = (row: SqlResult['rows'][number]) =>
    row[amount] === null ? Number.NaN : Number(row[amount]);
  if (times) {
    const base = new Float64Array(times.count + 2).fill(Number.NaN);
    times.positions.forEach((position, i) => {
      base[position] = amountOf(rows[i]!);
    });
    return {
      tile: { kind: 'line', x: { field }, y: measure },
      axes: [{ channel: 'x', kind: 'times', field, unit: times.unit, from: times.from, count: times.count }],
      base,
      ...common,
    };
  }
  const shown = rows.slice(0, barsIn(size.height));
  const { type } = columns[label]!;
  const values = shown.map(row =>
    typeof row[label] === 'number' && isTemporal(type as DataType)
      ? type === 'date'
        ? formatDay(row[label], locale)
        : formatMoment(row[label], locale)
      : (row[label] ?? null),
  );
  return {
    tile: { kind: 'bar', x: measure, y: { field } },
    axes: [{ channel: 'y', kind: 'categories', field, values, other: false }],
    base: Float64Array.from(shown, amountOf),
    ...common,
  };
}
