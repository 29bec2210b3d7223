import type { Statement } from '@belvedere/sql';
import type { QueryResult, RunOptions } from '../result.ts';

/** A statement without `isGenerated` is checked before it runs. */
export type WorkerStatement = Pick<Statement, 'text' | 'parameters' | 'isGenerated'>;

/** Messages between the server and a query worker. Each `run` has a connection of its own. */
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
  /** A long result in pieces. Each piece after the first is sent when `next` requests it. */
  | { readonly kind: 'stream'; readonly id: number; readonly statement: WorkerStatement }
  | { readonly kind: 'next'; readonly id: number }
  | { readonly kind: 'cancel'; readonly id: number };

export type FromWorker =
  | { readonly kind: 'ready' }
  | { readonly kind: 'piece'; readonly id: number; readonly result: QueryResult }
  | { readonly kind: 'done'; readonly id: number; readonly result?: QueryResult }
  | {
      readonly kind: 'failed';
      readonly id: number;
      readonly code: 'query-failed' | 'query-too-large' | 'query-cancelled';
      readonly message: string;
    };
