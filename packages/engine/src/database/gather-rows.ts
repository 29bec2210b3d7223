import type { DataType } from '@belvedere/model';
import type { Statement } from '@belvedere/sql';
import { EngineError, type RunOptions } from '../answer.ts';
import type { DatabaseEngine, TakeRow } from './connection.ts';
import { TextAnswer } from './text-answer.ts';

export type Limits = Pick<RunOptions, 'timeoutMs' | 'signal'>;

export interface SeenColumn {
  readonly name: string;
  readonly type: DataType;
}

/** Asks a statement: `begin` hears what its columns are, `take` gets its rows; resolves when the last has been taken. */
export type AskRows = (statement: Statement, options: Limits, begin: (columns: readonly SeenColumn[]) => void, take: TakeRow) => Promise<void>;

/** The two ways an answer is wanted: gathered into columns, or handed over row by row. @param zeroDate see `TextAnswer` */
export function answersFrom(ask: AskRows, zeroDate: 0 | null = null): Pick<DatabaseEngine, 'run' | 'copy'> {
  return {
    run: async (statement, options) => {
      let answer: TextAnswer | undefined;
      let isCut = false;
      const asked = ask(
        statement,
        options,
        columns => void (answer ??= new TextAnswer(columns, options, zeroDate)),
        row => {
          isCut = options.mayCut === true && answer!.rows >= options.maxRows;
          // The server is told to stop, as for an answer that is too large.
          if (isCut) throw new EngineError('query-too-large', 'There are more rows than were wanted.');
          answer!.add(row);
          return undefined;
        },
      );
      await asked.catch(error => {
        if (!isCut) throw error;
      });
      return isCut ? { ...answer!.answer, isCut } : answer!.answer;
    },
    copy: (statement, options, take) => ask(statement, options, () => {}, take),
  };
}
