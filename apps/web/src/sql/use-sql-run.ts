import { useCallback, useEffect, useReducer, useRef, useState } from 'react';
import { problemText } from '../data/problem-text.ts';
import { client } from '../data/server.ts';
import { addToHistory, readHistory, type RunStatement } from './sql-history.ts';
import { afterRunEvent, noRun, type SqlRun } from './sql-run.ts';

/** The number of rows that are requested; the page says if there are more. */
const maxRows = 1000;

interface SqlRunner {
  readonly state: SqlRun;
  /** The statements that ran successfully, newest first. */
  readonly history: readonly RunStatement[];
  /** Runs a statement in place of the running one. */
  readonly run: (sql: string) => Promise<void>;
  readonly cancel: () => void;
  readonly rejectFormat: (error: string) => void;
}

/** Runs one statement at a time on a source. Leaving the page cancels it. */
export function useSqlRun(source: string): SqlRunner {
  const [state, dispatch] = useReducer(afterRunEvent, noRun);
  const [history, setHistory] = useState(() => readHistory(source));
  const running = useRef<AbortController | undefined>(undefined);

  const run = useCallback(
    async (sql: string) => {
      if (sql.trim() === '') return;
      running.current?.abort();
      const controller = new AbortController();
      running.current = controller;
      // Another statement may have taken its place, or the user has cancelled it.
      const isCurrent = () => running.current === controller && !controller.signal.aborted;
      dispatch({ kind: 'start' });
      try {
        const result = await client.runSql(
          { params: { name: source }, body: { sql, limit: maxRows } },
          { signal: controller.signal },
        );
        if (!isCurrent()) return;
        dispatch({ kind: 'finish', sql, result });
        setHistory(addToHistory(source, { sql, at: Date.now(), ms: result.ms, rows: result.rows.length }));
      } catch (error) {
        if (isCurrent()) dispatch({ kind: 'fail', error: problemText(error) });
      }
    },
    [source],
  );
  const cancel = useCallback(() => {
    running.current?.abort();
    dispatch({ kind: 'cancel' });
  }, []);
  const rejectFormat = useCallback((error: string) => dispatch({ kind: 'reject-format', error }), []);
  useEffect(() => () => running.current?.abort(), []);

  return { state, history, run, cancel, rejectFormat };
}
