import { didYouMean } from '@belvedere/document';
import { ProblemError } from '../problems.ts';

/** What to say where something was named that there is not: what was probably meant, else what there is. */
export function notFound(what: 'model' | 'dashboard', name: string, names: readonly string[]): ProblemError {
  return new ProblemError(
    'not-found',
    `No ${what} \`${name}\`${didYouMean(name, names) || `. Available: ${names.slice(0, 20).join(', ') || 'none'}.`}`,
  );
}
