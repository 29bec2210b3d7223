import type { Problem } from '@belvedere/api';
import { EngineError, ImportError } from '@belvedere/engine';
import { ExpressionError } from '@belvedere/model';
import { QuestionError } from '@belvedere/query';

/** An error that a person may meet: a stable code, a status, what happened and what to do next. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly type: string;
  readonly errors: Problem['errors'];
  /** When to try again, where that can be told. */
  readonly retryAfterSeconds: number | undefined;

  constructor(type: keyof typeof statuses, message: string, options: ErrorOptions & { errors?: Problem['errors']; retryAfterSeconds?: number } = {}) {
    super(message, options);
    this.type = type;
    this.errors = options.errors;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** Each code's status and title; each has a page in docs/errors. */
export const statuses = {
  'document-invalid': [422, 'The document has errors'],
  'revision-conflict': [412, 'It changed in the meantime'],
  'not-found': [404, 'Not here, or not shared with you'],
  'not-signed-in': [401, 'Not signed in'],
  'not-allowed': [403, 'Not allowed'],
  'request-invalid': [400, 'The request is not understood'],
  'field-unknown': [422, 'No such field'],
  'type-mismatch': [422, 'Types do not fit'],
  'expression-invalid': [422, 'The expression has an error'],
  'function-unsupported': [422, 'No such function'],
  'source-unreachable': [503, 'The source cannot be reached'],
  'source-refused': [502, 'The source refused'],
  'table-gone': [422, 'A table is missing'],
  'column-gone': [422, 'A column is missing'],
  'still-reading': [503, 'Still being read'],
  'query-failed': [422, 'The engine refused the question'],
  'query-timeout': [504, 'The question took too long'],
  'query-cancelled': [499, 'The question was cancelled'],
  'query-too-large': [413, 'The answer is too large'],
  'file-unreadable': [422, 'A file could not be read'],
  'rate-limited': [429, 'Too many requests'],
  overloaded: [503, 'Too many questions at once'],
  'state-unavailable': [503, 'Saving is not possible at present'],
  internal: [500, 'Something went wrong here'],
} as const satisfies Record<string, readonly [number, string]>;

/** Any error as a problem document. What is not meant for people becomes `internal`, without its message. */
export function problemFrom(error: unknown, instance?: string): Problem {
  const type = typeOf(error);
  const [status, title] = statuses[type];
  const detail = type === 'internal' ? 'This is a fault of Belvedere. The rest of the page goes on; the log has more under this request’s id.' : (error as Error).message;
  const errors = error instanceof ProblemError ? error.errors : undefined;
  return { type, title, status, detail, ...(instance && { instance }), ...(errors && { errors }) };
}

function typeOf(error: unknown): keyof typeof statuses {
  if (error instanceof ProblemError) return error.type as keyof typeof statuses;
  if (error instanceof EngineError || error instanceof QuestionError || error instanceof ExpressionError || error instanceof ImportError) return error.code;
  if (error instanceof DOMException && error.name === 'AbortError') return 'query-cancelled';
  return 'internal';
}
