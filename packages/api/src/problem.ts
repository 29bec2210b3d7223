/** Why something could not be written or read: what the disk, the system or the state database said. */
export const storageReasons = [
  'disk-full',
  'read-only',
  'no-permission',
  'disk-failed',
  'too-many-files',
  'in-use',
  'damaged',
  'taken-over',
] as const;
export type StorageReason = (typeof storageReasons)[number];

/** What an error looks like on the wire (RFC 9457). `type` is one of our codes; each has a page in docs/errors. */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  /** With `state-unavailable`. */
  readonly reason?: StorageReason;
  /** What to do next. */
  readonly detail?: string;
  /** The request's id, also in the log. */
  readonly instance?: string;
  readonly errors?: readonly {
    readonly file?: string;
    readonly path: string;
    readonly line?: number;
    readonly column?: number;
    readonly message: string;
    readonly suggestion?: string;
  }[];
}

/** A request that was answered with a problem. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.detail ?? problem.title);
    this.problem = problem;
  }
}
