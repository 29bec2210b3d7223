/** Why storage could not be read or written: the error of the disk, the system or the state database. */
export const storageReasons = [
  'disk-full',
  'read-only',
  'no-permission',
  'disk-failed',
  'too-many-files',
  'in-use',
  'damaged',
  'taken-over',
  'unreachable',
] as const;
export type StorageReason = (typeof storageReasons)[number];

/** An API error as JSON (RFC 9457). `type` is one of Belvedere's codes; docs/errors has a page for each. */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  /** Only with `state-unavailable`. */
  readonly reason?: StorageReason;
  /** The next step for the user. */
  readonly detail?: string;
  /** When to try again, if known: as the header `Retry-After`. */
  readonly retryAfterSeconds?: number;
  /** Only with `revision-conflict`: the current version, if there is one; also as the header `ETag`. */
  readonly version?: string;
  /** The request's ID, also in the log. */
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

/** The error of a request that failed with a problem. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.detail ?? problem.title);
    this.problem = problem;
  }
}

/** The statuses with which a proxy says that it could not reach the server behind it. */
const proxyStatuses = new Set([502, 503, 504]);

/** Whether a request failed without an answer of Belvedere: the server was not reached, or a proxy answered. */
export function isUnreached(error: unknown): boolean {
  return (
    !(error instanceof ApiError) ||
    (error.problem.type === 'internal' && proxyStatuses.has(error.problem.status))
  );
}

/** The problem in the response of a failed request, also if it is not from Belvedere, such as a proxy's. */
export async function problemOf(response: Response): Promise<Problem> {
  try {
    return (await response.json()) as Problem;
  } catch {
    return {
      type: 'internal',
      title: response.statusText || 'Unexpected response from the server.',
      status: response.status,
    };
  }
}
