import type { DataType } from '@belvedere/model';
import type { Statement } from '@belvedere/sql';
import type { RunOptions } from '../answer.ts';
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
      await ask(
        statement,
        options,
        columns => void (answer ??= new TextAnswer(columns, options, zeroDate)),
        row => {
          answer!.add(row);
          return undefined;
        },
      );
      return answer!.answer;
    },
    copy: (statement, options, take) => ask(statement, options, () => {}, take),
  };
}
