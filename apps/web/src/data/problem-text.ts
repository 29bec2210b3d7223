import { ApiError } from '@belvedere/api';
import { t } from '../messages/messages.ts';

/** What went wrong, in words for people: the server's own, or that none answers. */
export function problemText(error: unknown): string {
  return error instanceof ApiError ? (error.problem.detail ?? error.problem.title) : t.errors.unreachable;
}
