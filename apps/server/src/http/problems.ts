import {
  chineseProblems,
  germanProblems,
  problemTypes,
  type Problem,
  type ProblemType,
  type ProblemWords,
} from '@belvedere/api';
import { EngineError, ImportError } from '@belvedere/engine';
import { ExpressionError } from '@belvedere/model';
import { QueryError } from '@belvedere/query';
import { SqlError } from '@belvedere/sql';
import { ProblemError } from './problem-error.ts';
import { storageProblem } from '../operations/storage-problem.ts';

export { ProblemError };

/**
 * Converts any error to a problem document. Errors not meant for users become `internal`, without their
 * message.
 */
export function problemFrom(thrown: unknown, instance?: string): Problem & { readonly type: ProblemType } {
  const error = typeOf(thrown) === 'internal' ? (storageProblem(thrown) ?? thrown) : thrown;
  const type = typeOf(error);
  const [status, title] = problemTypes[type];
  const detail =
    type === 'internal'
      ? 'The rest of the page still works. The log has details under this request ID.'
      : (error as Error).message;
  const { errors, reason, retryAfterSeconds, version } = error instanceof ProblemError ? error : {};
  return {
    type,
    title,
    status,
    detail,
    ...(reason && { reason }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    ...(version !== undefined && { version }),
    ...(instance && { instance }),
    ...(errors && { errors }),
  };
}

function typeOf(error: unknown): ProblemType {
  if (error instanceof ProblemError) return error.type;
  if (
    error instanceof EngineError ||
    error instanceof QueryError ||
    error instanceof ExpressionError ||
    error instanceof SqlError ||
    error instanceof ImportError
  )
    return error.code;
  if (error instanceof DOMException && error.name === 'AbortError') return 'query-cancelled';
  return 'internal';
}

/**
 * Returns translated problem titles for files in the language of `locale`; undefined for English, the
 * server's own language.
 */
export function problemWords(locale: string): ProblemWords | undefined {
  return locale.startsWith('de') ? germanProblems : locale.startsWith('zh') ? chineseProblems : undefined;
}
