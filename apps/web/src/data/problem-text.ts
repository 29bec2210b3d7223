import { ApiError, problemSentence } from '@belvedere/api';
import { t } from '../messages/messages.ts';

/** What went wrong, in the viewer's language, or that no server answers. */
export function problemText(error: unknown): string {
  return error instanceof ApiError ? problemSentence(error.problem, t.problems) : t.errors.unreachable;
}
