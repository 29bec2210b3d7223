import type { Problem, ProblemType, StorageReason } from '@belvedere/api';

interface ProblemOptions extends ErrorOptions {
  readonly errors?: Problem['errors'];
  readonly reason?: StorageReason;
  readonly retryAfterSeconds?: number;
  readonly version?: string | undefined;
}

/** An error for users: a stable code, a status, the cause and the next step. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly type: ProblemType;
  readonly errors: Problem['errors'];
  readonly reason: StorageReason | undefined;
  /** When to retry, if known. */
  readonly retryAfterSeconds: number | undefined;
  /** The current version of what a request meant to replace. */
  readonly version: string | undefined;

  constructor(type: ProblemType, message: string, options: ProblemOptions = {}) {
    super(message, options);
    this.type = type;
    this.errors = options.errors;
    this.reason = options.reason;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.version = options.version;
  }
}
