import type { Problem, ProblemType } from '@belvedere/api';
import { EngineError } from '@belvedere/engine';
import { ProblemError } from '../http/problems.ts';

/** Errors of the moment: the next attempt may have the result, so a file never goes without it. */
const interruptions: ReadonlySet<string> = new Set<ProblemType>([
  'query-timeout',
  'query-cancelled',
  'cancelled-by-admin',
  'overloaded',
  'source-unreachable',
  'still-reading',
]);

/** Whether a query ended with an error that another attempt may not have. */
export function isInterruption(error: unknown): boolean {
  return interruptions.has(codeOf(error));
}

/** @throws ProblemError that names the tile, if its query was interrupted */
export function refuseInterrupted(tile: string, problem: Problem): void {
  if (!interruptions.has(problem.type)) return;
  const { retryAfterSeconds } = problem;
  throw new ProblemError(
    problem.type as ProblemType,
    `The export has no result for the tile \`${tile}\`. ${problem.detail ?? problem.title}`,
    retryAfterSeconds === undefined ? {} : { retryAfterSeconds },
  );
}

/** The code of an error of the engine or the server; otherwise an empty text. */
export function codeOf(error: unknown): string {
  return error instanceof EngineError ? error.code : error instanceof ProblemError ? error.type : '';
}
