import { ProblemError } from '../../http/problems.ts';

/** The same for all links that do not work, so that they tell nothing about accounts. */
export function expiredLink(kind: 'invitation' | 'link'): ProblemError {
  return new ProblemError(
    'not-found',
    `This ${kind} is not valid: it was used or withdrawn, or it has expired. Ask for a new one.`,
  );
}
