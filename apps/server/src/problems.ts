import { chineseProblems, germanProblems, problemTypes, type Problem, type ProblemType, type ProblemWords } from '@belvedere/api';
import { EngineError, ImportError } from '@belvedere/engine';
import { ExpressionError } from '@belvedere/model';
import { QuestionError } from '@belvedere/query';
import { SqlError } from '@belvedere/sql';

/** An error that a person may meet: a stable code, a status, what happened and what to do next. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly type: ProblemType;
  readonly errors: Problem['errors'];
  /** When to try again, where that can be told. */
  readonly retryAfterSeconds: number | undefined;

  constructor(type: ProblemType, message: string, options: ErrorOptions & { errors?: Problem['errors']; retryAfterSeconds?: number } = {}) {
    super(message, options);
    this.type = type;
    this.errors = options.errors;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** Any error as a problem document. What is not meant for people becomes `internal`, without its message. */
export function problemFrom(error: unknown, instance?: string): Problem & { readonly type: ProblemType } {
  const type = typeOf(error);
  const [status, title] = problemTypes[type];
  const detail = type === 'internal' ? 'This is a fault of Belvedere. The rest of the page goes on; the log has more under this request’s id.' : (error as Error).message;
  const errors = error instanceof ProblemError ? error.errors : undefined;
  return { type, title, status, detail, ...(instance && { instance }), ...(errors && { errors }) };
}

function typeOf(error: unknown): ProblemType {
  if (error instanceof ProblemError) return error.type;
  if (error instanceof EngineError || error instanceof QuestionError || error instanceof ExpressionError || error instanceof SqlError || error instanceof ImportError) return error.code;
  if (error instanceof DOMException && error.name === 'AbortError') return 'query-cancelled';
  return 'internal';
}

/** What problems are called where a file is written in the language of `locale`; undefined where that is English, which the server speaks. */
export function problemWords(locale: string): ProblemWords | undefined {
  return locale.startsWith('de') ? germanProblems : locale.startsWith('zh') ? chineseProblems : undefined;
}
