import type { DataType } from '@belvedere/model';
import type { Statement } from '@belvedere/sql';
import { EngineError, chunkLimits, type RunOptions } from '../result.ts';
import { asyncChannel } from '../async-channel.ts';
import type { DatabaseEngine, AddRow } from './connection.ts';
import { TextRows } from './parse-text-rows.ts';

export type Limits = Pick<RunOptions, 'timeoutMs' | 'signal' | 'maxBytes'>;

interface ObservedColumn {
  readonly name: string;
  readonly type: DataType;
}

/** Receives the result of a statement. */
export interface RowReceiver {
  /** Called with the columns before the first row, and again before each further batch. */
  readonly begin: (columns: readonly ObservedColumn[]) => void;
  /** The server pauses while a promise that it returns is pending. */
  readonly addRow: AddRow;
}

/** Runs a statement. Resolves when the last row has been consumed. */
export type FetchRows = (statement: Statement, options: Limits, receiver: RowReceiver) => Promise<void>;

/**
 * Derives the three forms of a result: collected into columns, whole (`run`) or in pieces (`stream`), or row
 * by row (`copy`).
 * @param zeroDate see `TextRows`
 */
export function resultsFrom(
  fetchRows: FetchRows,
  zeroDate: 0 | null = null,
): Pick<DatabaseEngine, 'run' | 'stream' | 'copy'> {
  return {
    run: async (statement, options) => {
      let result: TextRows | undefined;
      let isCut = false;
      const request = fetchRows(statement, options, {
        begin: columns => void (result ??= new TextRows(columns, options, zeroDate)),
        addRow: row => {
          isCut = options.mayCut === true && result!.rows >= options.maxRows;
          // The error stops the statement in the server, as for results over the limit.
          if (isCut) throw new EngineError('query-too-large', 'The result has more rows than the limit.');
          result!.add(row);
          return undefined;
        },
      });
      await request.catch(error => {
        if (!isCut) throw error;
      });
      return isCut ? { ...result!.result, isCut } : result!.result;
    },
    stream: (statement, { timeoutMs, signal }) =>
      asyncChannel(async (put, stopped) => {
        let columns: readonly ObservedColumn[] = [];
        const empty = () =>
          new TextRows(columns, { as: 'values', maxRows: Infinity, maxBytes: Infinity }, zeroDate);
        let chunk = empty();
        let isFirst = true;
        await fetchRows(
          statement,
          { timeoutMs, signal: signal ? AbortSignal.any([signal, stopped]) : stopped },
          {
            begin: seen => {
              if (columns.length > 0) return;
              columns = seen;
              chunk = empty();
            },
            addRow: row => {
              chunk.add(row);
              if (chunk.rows < chunkLimits.rows && chunk.bytes < chunkLimits.bytes) return undefined;
              const { result } = chunk;
              chunk = empty();
              isFirst = false;
              return put(result);
            },
          },
        );
        if (isFirst || chunk.rows > 0) await put(chunk.result);
      }),
    copy: (statement, options, addRow) => fetchRows(statement, options, { begin: () => {}, addRow }),
  };
}
