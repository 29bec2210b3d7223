import type { DataType } from '@belvedere/model';

/** What an engine answers: columns of equal length. Plain data. */
export interface Answer {
  readonly rowCount: number;
  readonly columns: readonly AnswerColumn[];
  /** When it was given, in ms since 1970, where the source can no longer be asked and this is the last it said. */
  readonly asOf?: number;
  /** There were more rows. */
  readonly isCut?: boolean;
}

export interface AnswerColumn {
  readonly name: string;
  readonly type: DataType;
  /**
   * Asked for as `numbers`: doubles, NaN for null. As `values`: numbers, texts, booleans, nulls; times as wall-clock milliseconds,
   * instants as milliseconds since 1970 UTC, whole numbers and decimals that a double cannot hold as text, digit for digit.
   */
  readonly values: Float64Array | Int32Array | readonly (string | number | boolean | null)[];
}

export interface RunOptions {
  readonly as: 'numbers' | 'values';
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  /** More rows than this are an error, never a silent cut. */
  readonly maxRows: number;
  /** They are left off instead, and the answer says so: for somebody who looks at rows, never for a figure. */
  readonly mayCut?: boolean;
  /** More text than this is an error; 256 MiB where it does not say. */
  readonly maxBytes?: number;
}

/** For an answer of any length, as `values`, in pieces. */
export type StreamOptions = Pick<RunOptions, 'timeoutMs' | 'signal'>;

/** A piece of a stream ends at the first that is met. */
export const pieceLimits = { rows: 2048, bytes: 2 * 2 ** 20 };

/** Of one answer's texts, where nothing less is said. */
const answerBytes = 256 * 2 ** 20;

/** @throws EngineError query-too-large */
export function refuseBytes(bytes: number, most: number = answerBytes): void {
  if (bytes > most) throw tooManyBytes(most);
}

export const tooManyBytes = (most: number) =>
  new EngineError(
    'query-too-large',
    `The result is larger than ${Math.round(most / 2 ** 20)} MiB. Select fewer rows or columns.`,
  );

/** @throws EngineError query-cancelled, where whoever asked has left */
export function refuseCancelled(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw queryCancelled();
}

/** What is said of a question that nobody waits for any more. */
export const queryCancelled = () => new EngineError('query-cancelled', 'The query was cancelled.');

/** A question that the engine could not, or may not, answer. */
export class EngineError extends Error {
  override readonly name = 'EngineError';
  readonly code:
    | 'query-failed'
    | 'query-timeout'
    | 'query-cancelled'
    | 'query-too-large'
    | 'source-unreachable'
    | 'source-refused'
    | 'table-gone'
    | 'column-gone';

  constructor(code: EngineError['code'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
