import type { DocumentError } from '@belvedere/api';
import { TriangleAlert } from 'lucide-react';
import { t } from '../../messages/messages.ts';

/** The errors of a document, each with its position in the file. */
export function Problems({
  problems,
  isOpen = false,
}: {
  readonly problems: readonly DocumentError[];
  readonly isOpen?: boolean;
}) {
  return (
    <details open={isOpen} className="mt-3 rounded-tile border border-border bg-bad-weak px-3 py-2">
      <summary className="flex items-center gap-2 font-medium text-bad">
        <TriangleAlert size={15} aria-hidden />
        {t.dashboard.problems(problems.length)}
      </summary>
      <ul className="flex flex-col gap-1.5 pt-2">
        {problems.map((problem, i) => (
          <li key={`${i}:${problem.message}`} className="text-13">
            <span className="tabular font-medium">
              {problem.file}, {t.editing.line(problem.line, problem.column)}
            </span>
            <span className="text-text-2">{problem.path ? ` (${problem.path})` : ''}: </span>
            {problem.message}
          </li>
        ))}
      </ul>
    </details>
  );
}
