import type { DataType } from '@belvedere/model';
import type { Statement } from '@belvedere/sql';
import { EngineError, pieceLimits, type RunOptions } from '../result.ts';
import { asyncChannel } from '../async-channel.ts';
import type { DatabaseEngine, TakeRow } from './connection.ts';
import { TextRows } from './parse-text-rows.ts';

export type Limits = Pick<RunOptions, 'timeoutMs' | 'signal' | 'maxBytes'>;

export interface SeenColumn {
  readonly name: string;
  readonly type: DataType;
}

/**
 * Runs a statement. `begin` receives its columns, `take` its rows. Resolves when the last row has been
 * consumed.
 */
export type AskRows = (
  statement: Statement,
  options: Limits,
  begin: (columns: readonly SeenColumn[]) => void,
  take: TakeRow,
) => Promise<void>;

/**
 * Derives the three forms of a result: collected into columns, whole (`run`) or in pieces (`stream`), or row
 * by row (`copy`).
 * @param zeroDate see `TextRows`
 */
export function answersFrom(
  ask: AskRows,
  zeroDate: 0 | null = null,
): Pick<DatabaseEngine, 'run' | 'stream' | 'copy'> {
  return {
    run: async (statement, options) => {
      let answer: TextRows | undefined;
      let isCut = false;
      const asked = ask(
        statement,
        options,
        columns => void (answer ??= new TextRows(columns, options, zeroDate)),
        row => {
          isCut = options.mayCut === true && answer!.rows >= options.maxRows;
          // The error stops the statement in the server, as for results over the limit.
          if (isCut) throw new EngineError('query-too-large', 'The result has more rows than the limit.');
          answer!.add(row);
          return undefined;
        },
      );
      await asked.catch(error => {
        if (!isCut) throw error;
      });
      return isCut ? { ...answer!.answer, isCut } : answer!.answer;
    },
    stream: (statement, { timeoutMs, signal }) =>
      asyncChannel(async (put, stopped) => {
        let columns: readonly SeenColumn[] = [];
        const empty = () =>
          new TextRows(columns, { as: 'values', maxRows: Infinity, maxBytes: Infinity }, zeroDate);
        let piece = empty();
        let isFirst = true;
        await ask(
          statement,
          { timeoutMs, signal: signal ? AbortSignal.any([signal, stopped]) : stopped },
          seen => {
            if (columns.length > 0) return;
            columns = seen;
            piece = empty();
          },
          row => {
            piece.add(row);
            if (piece.rows < pieceLimits.rows && piece.bytes < pieceLimits.bytes) return undefined;
            const { answer } = piece;
            piece = empty();
            isFirst = false;
            return put(answer);
          },
        );
        if (isFirst || piece.rows > 0) await put(piece.answer);
      }),
    copy: (statement, options, take) => ask(statement, options, () => {}, take),
  };
}
