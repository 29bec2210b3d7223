import { didYouMean } from '@belvedere/document';
import { ProblemError } from '../http/problems.ts';

/** Returns an error for an unknown name that suggests a similar one, else lists the existing ones. */
export function notFound(what: 'model' | 'dashboard', name: string, names: readonly string[]): ProblemError {
  return new ProblemError(
    'not-found',
    `No ${what} \`${name}\`${didYouMean(name, names) || `. Available: ${names.slice(0, 20).join(', ') || 'none'}.`}`,
  );
}
