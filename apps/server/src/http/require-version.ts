import { ProblemError } from './problem-error.ts';

/** @throws ProblemError `revision-conflict` if a caller has read another version than the current one */
export function requireVersion(version: string | undefined, current: string, what: string): void {
  if (version === undefined || version === current) return;
  throw new ProblemError(
    'revision-conflict',
    `${what} was changed in the meantime. Nothing was overwritten. Reload it, then make your change again.`,
    { version: current },
  );
}
