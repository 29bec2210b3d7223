import type { Statement } from '@belvedere/sql';
import type { Answer, RunOptions } from '../result.ts';

/** A statement that is not generated is checked before it runs. */
export type WorkerStatement = Pick<Statement, 'text' | 'parameters' | 'isGenerated'>;

/** What the server says to a query worker, and what it hears back. One connection answers one `run`. */
export type ToWorker =
  | {
      readonly kind: 'attach';
      readonly id: number;
      readonly alias: string;
      readonly file: string;
      readonly called?: string;
    }
  | { readonly kind: 'detach'; readonly id: number; readonly alias: string }
  | {
      readonly kind: 'run';
      readonly id: number;
      readonly statement: WorkerStatement;
      readonly limits: Pick<RunOptions, 'as' | 'maxRows' | 'mayCut' | 'maxBytes'>;
    }
  /** A long answer in pieces; each after the first when it is asked for. */
  | { readonly kind: 'stream'; readonly id: number; readonly statement: WorkerStatement }
  | { readonly kind: 'next'; readonly id: number }
  | { readonly kind: 'cancel'; readonly id: number };

export type FromWorker =
  | { readonly kind: 'ready' }
  | { readonly kind: 'piece'; readonly id: number; readonly answer: Answer }
  | { readonly kind: 'done'; readonly id: number; readonly answer?: Answer }
  | {
      readonly kind: 'failed';
      readonly id: number;
      readonly code: 'query-failed' | 'query-too-large' | 'query-cancelled';
      readonly message: string;
    };
