import type { DataType } from '@belvedere/model';

/** A query result: columns of equal length. Plain data. */
export interface QueryResult {
  readonly rowCount: number;
  readonly columns: readonly ResultColumn[];
  /** For the last known result of a source that is unavailable: when it was computed, in ms since 1970. */
  readonly asOf?: number;
  /** Whether there were more rows. */
  readonly isCut?: boolean;
}

export interface ResultColumn {
  readonly name: string;
  readonly type: DataType;
  /**
   * For `numbers`: doubles, NaN for null. For `values`: numbers, texts, booleans, nulls; times as wall-clock
   * milliseconds, instants as milliseconds since 1970 UTC. Integers and decimals that a double cannot hold
   * exactly are texts with all digits.
   */
  readonly values: Float64Array | Int32Array | readonly (string | number | boolean | null)[];
}

export interface RunOptions {
  readonly as: 'numbers' | 'values';
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  /** More rows than this are an error; they are never cut silently. */
  readonly maxRows: number;
  /** Cuts further rows instead and sets `isCut`. For row tables only, never for figures. */
  readonly mayCut?: boolean;
  /** More text than this is an error; 256 MiB by default. */
  readonly maxBytes?: number;
  /** Gives way to all other queries. Only DuckDB knows this; databases schedule their queries themselves. */
  readonly isBackground?: boolean;
}

/** Options for a result of any length, as `values`, in pieces. */
export type StreamOptions = Pick<RunOptions, 'timeoutMs' | 'signal'>;

/** A piece of a stream ends at the first limit it reaches. */
export const chunkLimits = { rows: 2048, bytes: 2 * 2 ** 20 };

/** Default limit for the texts of a result. */
const resultBytes = 256 * 2 ** 20;

/** @throws EngineError query-too-large */
export function refuseBytes(bytes: number, maxBytes: number = resultBytes): void {
  if (bytes > maxBytes) throw tooManyBytes(maxBytes);
}

export const tooManyBytes = (maxBytes: number) =>
  new EngineError(
    'query-too-large',
    `The result is larger than ${Math.round(maxBytes / 2 ** 20)} MiB. Select fewer rows or columns.`,
  );

/** @throws EngineError query-cancelled if the caller has cancelled */
export function refuseCancelled(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw queryCancelled();
}

/** The error of a query whose caller has cancelled it. */
export const queryCancelled = () => new EngineError('query-cancelled', 'The query was cancelled.');

/** A query that the engine could not or may not run. */
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
