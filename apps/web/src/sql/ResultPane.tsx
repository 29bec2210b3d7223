import { formatNumber } from '@belvedere/chart';
import { Tabs } from '@belvedere/ui';
import { useState } from 'react';
import { words } from '../editor/messages/words.ts';
import { locale } from '../messages/messages.ts';
import { ResultChart } from './ResultChart.tsx';
import { ResultTable } from './ResultTable.tsx';
import { isPreviousResult, type SqlRun } from './sql-run.ts';

interface ResultPaneProps {
  readonly run: SqlRun;
  /** Offered until there is a result. */
  readonly samples: readonly string[];
  readonly onSample: (sql: string) => void;
}

/** The error of the last statement, and the last result as a table or a chart. */
export function ResultPane({ run, samples, onSample }: ResultPaneProps) {
  const [tab, setTab] = useState(0);
  const { result, error, isRunning } = run;
  const isFaded = result !== undefined && (isRunning || isPreviousResult(run));
  return (
    <>
      {error ? (
        <p
          role="alert"
          className="max-h-40 shrink-0 overflow-auto bg-bad-weak px-4 py-2 font-mono text-12 whitespace-pre-wrap text-bad"
        >
          {error}
        </p>
      ) : null}
      <div className="flex shrink-0 items-center gap-4 border-b border-border px-4" aria-live="polite">
        <Tabs
          label={words.sql.results}
          titles={[words.kinds.table, words.sql.chart]}
          selected={tab}
          onSelect={setTab}
        />
        <span className="tabular ms-auto text-12 text-text-2" data-testid="sql-state">
          {stateText(run)}
        </span>
      </div>
      {/* The last result stays until the next one arrives. */}
      <div className={`min-h-0 flex-1 bg-surface ${isFaded ? 'opacity-50' : ''}`} aria-busy={isRunning}>
        {result ? (
          tab === 0 ? (
            <ResultTable result={result} />
          ) : (
            <ResultChart key={result.columns.map(({ name }) => name).join()} result={result} />
          )
        ) : (
          <div className="p-4 text-text-2">
            <p>{isRunning || error ? '' : words.sql.nothingYet}</p>
            {isRunning ? null : <SampleQueries samples={samples} onSample={onSample} />}
          </div>
        )}
      </div>
    </>
  );
}

/** `Running…`, or the number of rows and the duration of the result. */
function stateText(run: SqlRun): string {
  const { result, isRunning } = run;
  if (isRunning) return words.sql.running;
  if (!result) return '';
  if (isPreviousResult(run)) return words.sql.previous;
  const count = formatNumber(result.rows.length, 'integer', locale, 'full');
  const rows = result.isCut ? words.sql.firstRows(count) : words.sql.rows(count);
  return `${rows} · ${formatNumber(result.ms / 1000, '.2f', locale, 'full')} s`;
}

/** Statements to run with a click. */
function SampleQueries({ samples, onSample }: Omit<ResultPaneProps, 'run'>) {
  if (samples.length === 0) return null;
  return (
    <div className="flex flex-col items-start gap-1.5 pt-3">
      <p className="text-12">{words.sql.samples}</p>
      {samples.map(sample => (
        <button
          key={sample}
          type="button"
          onClick={() => onSample(sample)}
          className={
            'max-w-full rounded-control border border-border px-2.5 py-1.5 text-start font-mono ' +
            'text-12 break-words text-text hover:border-border-strong'
          }
        >
          {sample}
        </button>
      ))}
    </div>
  );
}
