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

/** Asks a statement: `begin` hears what its columns are, `take` gets its rows; resolves when the last has been taken. */
export type AskRows = (
  statement: Statement,
  options: Limits,
  begin: (columns: readonly SeenColumn[]) => void,
  take: TakeRow,
) => Promise<void>;

/** The ways an answer is wanted: gathered into columns, whole or in pieces, or handed over row by row. @param zeroDate see `TextRows` */
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
          // The server is told to stop, as for an answer that is too large.
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
