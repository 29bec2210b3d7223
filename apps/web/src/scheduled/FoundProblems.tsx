import type { DocumentError } from '@belvedere/api';
import { words } from './messages/words.ts';

/** The problems of a text above its form, with their lines. */
export function FoundProblems({ problems }: { readonly problems: readonly DocumentError[] }) {
  return (
    <div role="status" className="empty:absolute">
      {problems.length === 0 ? null : (
        <ul
          aria-label={words.problems(problems.length)}
          className="rounded-control bg-warn-weak px-3 py-2 text-13 text-warn"
        >
          {problems.map(({ line, column, message }) => (
            <li key={`${line} ${column} ${message}`} className="wrap-anywhere">
              <span className="tabular font-medium">{words.line(line)}: </span>
              {message}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
