import { formatNumber, summarize } from '@belvedere/chart';
import { IconButton, InlineSelect } from '@belvedere/ui';
import { ChartBar, ChartColumn } from 'lucide-react';
import { useMemo, useRef, useState } from 'react';
import { Legend } from '../dashboard/chart/Legend.tsx';
import { useSize } from '../dashboard/chart/use-size.ts';
import { useChartTheme } from '../dashboard/chart/use-theme.ts';
import { kindIcons } from '../editor/encoding/kinds.ts';
import { words } from '../editor/messages/words.ts';
import { locale } from '../messages/messages.ts';
import {
  amountColumns,
  colourColumns,
  hasSeries,
  isAlongTime,
  isRepeated,
  resultChartInput,
  resultChartKinds,
  type ResultChartKind,
} from './result-chart-input.ts';
import { ResultMarks, useResultChart } from './ResultMarks.tsx';
import type { SqlResult } from './ResultTable.tsx';

const count = (value: number) => formatNumber(value, 'integer', locale, 'full');
const nothingHidden: ReadonlySet<number> = new Set();

/** A chart of a result with one mark for each row, in the rows' order and without aggregation. */
export function ResultChart({ result }: { readonly result: SqlResult }) {
  const amounts = amountColumns(result);
  const labels = result.columns.map((_, i) => i).filter(i => !amounts.includes(i));
  const [amount, setAmount] = useState(amounts.at(-1) ?? 0);
  const [label, setLabel] = useState(labels[0] ?? amounts.find(i => i !== amount) ?? 0);
  const [other, setOther] = useState(amounts.find(i => i !== amount));
  const [wantedColour, setColour] = useState<number | 'none'>();
  const [chosen, setChosen] = useState<ResultChartKind>();
  const [hidden, setHidden] = useState(nothingHidden);
  const position = useRef<HTMLDivElement>(null);
  const size = useSize(position);
  const theme = useChartTheme();
  const colours = useMemo(() => colourColumns(result, label, amount), [result, label, amount]);
  const colour = useMemo(
    () =>
      wantedColour === undefined
        ? // The first column that distinguishes rows of one name colours them.
          isRepeated(result, label)
          ? colours[0]
          : undefined
        : colours.find(i => i === wantedColour),
    [wantedColour, colours, result, label],
  );
  const canScatter = other !== undefined && amounts.length > 1;
  const kind =
    chosen && (chosen !== 'scatter' || canScatter)
      ? chosen
      : isAlongTime(result, label, colour)
        ? 'line'
        : 'bar';
  const canDraw = amounts.length > 0 && result.columns.length > 1 && result.rows.length > 0;
  const found = useMemo(
    () =>
      canDraw && size && size.height > 40
        ? resultChartInput(result, { kind, label, amount, other, colour }, { size, theme, locale })
        : undefined,
    [canDraw, result, kind, label, amount, other, colour, size, theme],
  );
  const input = useMemo(() => found && { ...found.input, hidden }, [found, hidden]);
  const chart = useResultChart(input);
  if (!canDraw) return <p className="p-4 text-text-2">{words.sql.noChart}</p>;
  const options = (among: readonly number[]) =>
    among.map(i => ({ value: String(i), label: result.columns[i]!.name }));
  // The colours may no longer fit the new columns.
  const chooseColour = (value: number | 'none' | undefined) => {
    setColour(value);
    setHidden(nothingHidden);
  };
  return (
    <div className="flex h-full flex-col gap-2 p-3">
      <div className="flex flex-wrap items-end gap-x-3 gap-y-2">
        <div role="group" aria-label={words.sql.chartKind} className="flex gap-1">
          {resultChartKinds.map(one => {
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
            onChange={value => {
              setLabel(Number(value));
              chooseColour(undefined);
            }}
          />
        </div>
        <div className="w-48">
          <InlineSelect
            label={words.sql.amount}
            value={String(amount)}
            options={options(amounts)}
            onChange={value => {
              setAmount(Number(value));
              chooseColour(undefined);
            }}
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
        {hasSeries(kind) && colours.length > 0 ? (
          <div className="w-48">
            <InlineSelect
              label={words.sql.colour}
              value={String(colour ?? 'none')}
              options={[{ value: 'none', label: words.sql.noColour }, ...options(colours)]}
              onChange={value => chooseColour(value === 'none' ? value : Number(value))}
            />
          </div>
        ) : null}
        {found && result.rows.length > found.drawn ? (
          <p className="self-end pb-1.5 text-12 text-text-2">
            {words.sql.shownOf(count(found.drawn), count(result.rows.length))}
          </p>
        ) : null}
      </div>
      {input && chart && hasSeries(kind) && colour !== undefined ? (
        <div className="flex [&>ul]:max-w-full [&>ul]:justify-start">
          <Legend series={chart.series} choices={chart.series.length} hidden={hidden} onChange={setHidden} />
        </div>
      ) : null}
      <div ref={position} className="relative min-h-0 flex-1">
        {input && chart ? (
          <ResultMarks
            key={`${kind} ${label} ${amount} ${other} ${colour}`}
            input={input}
            chart={chart}
            summary={summarize(input)}
          />
        ) : null}
      </div>
    </div>
  );
}
