import { drawChart, formatDay, paintCanvas, summarize, type ChartInput } from '@belvedere/chart';
import { isNumeric, isTemporal, type DataType } from '@belvedere/model';
import { Choice } from '@belvedere/ui';
import { useLayoutEffect, useRef, useState } from 'react';
import { prepareCanvas } from '../dashboard/prepare-canvas.ts';
import { useMarks } from '../dashboard/use-marks.ts';
import { useSize } from '../dashboard/use-size.ts';
import { useChartTheme } from '../dashboard/use-theme.ts';
import { words } from '../editor/messages/words.ts';
import { locale } from '../messages/messages.ts';
import type { SqlResult } from './ResultTable.tsx';

/** So many marks stand beside one another and can be told apart. */
const mostMarks = 120;

/** Each row a mark, in the order the rows came in: nothing is added up that the statement has not. */
export function ResultChart({ result }: { readonly result: SqlResult }) {
  const amounts = result.columns.map(({ type }, i) => ({ i, type: type as DataType })).filter(({ type }) => isNumeric(type)).map(({ i }) => i);
  const labels = result.columns.map((_, i) => i).filter(i => !amounts.includes(i));
  const [amount, setAmount] = useState(amounts.at(-1) ?? 0);
  const [label, setLabel] = useState(labels[0] ?? amounts.find(i => i !== amount) ?? 0);
  const place = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const size = useSize(place);
  const theme = useChartTheme();
  const isTime = isTemporal(result.columns[label]?.type as DataType);
  const isReady = useMarks(isTime ? 'line' : 'bar');
  const canDraw = amounts.length > 0 && result.columns.length > 1 && result.rows.length > 0;
  const input = canDraw && size && size.height > 40 ? chartInput(result, label, amount, isTime, size, theme) : undefined;
  useLayoutEffect(() => {
    const context = input && isReady && canvas.current && prepareCanvas(canvas.current, input.size);
    if (!context) return;
    const chart = drawChart(input);
    paintCanvas(context, chart.guides);
    paintCanvas(context, chart.marks(input.base, {}));
  });
  if (!canDraw) return <p className="p-4 text-text-2">{words.sql.noChart}</p>;
  const options = (among: readonly number[]) => among.map(i => ({ value: String(i), label: result.columns[i]!.name }));
  return (
    <div className="flex h-full flex-col gap-2 p-3">
      <div className="flex gap-3">
        <div className="w-48"><Choice label={words.sql.along} value={String(label)} options={options(result.columns.map((_, i) => i))} onChange={value => setLabel(Number(value))} /></div>
        <div className="w-48"><Choice label={words.sql.amount} value={String(amount)} options={options(amounts)} onChange={value => setAmount(Number(value))} /></div>
        {result.rows.length > mostMarks ? <p className="self-end pb-1.5 text-12 text-text-2">{words.sql.shownOf(mostMarks, result.rows.length)}</p> : null}
      </div>
      <div ref={place} className="min-h-0 flex-1"><canvas ref={canvas} role="img" aria-label={input ? summarize(input) : words.sql.chart} style={{ width: size?.width, height: size?.height }} /></div>
    </div>
  );
}

function chartInput({ columns, rows }: SqlResult, label: number, amount: number, isTime: boolean, size: { width: number; height: number }, theme: ChartInput['theme']): ChartInput {
  const shown = rows.slice(0, mostMarks);
  const field = columns[label]!.name;
  const values = shown.map(row => (isTime && typeof row[label] === 'number' ? formatDay(row[label], locale) : (row[label] ?? null)));
  const isFlat = isTime || shown.length > 24;
  const encoding = { field };
  const measure = { measure: columns[amount]!.name };
  return {
    tile: isTime ? { kind: 'line', x: encoding, y: measure } : isFlat ? { kind: 'bar', x: encoding, y: measure } : { kind: 'bar', x: measure, y: encoding },
    axes: [{ channel: isFlat ? 'x' : 'y', kind: 'categories', field, values, other: false }],
    measures: [{ label: columns[amount]!.name, isAdditive: false }],
    base: Float64Array.from(shown, row => (row[amount] === null ? Number.NaN : Number(row[amount]))),
    size, theme, locale,
  };
}
