import type { DocumentProblem } from '@belvedere/document';
import { includesLevel, isAtLeast } from '@belvedere/api';
import type { Caller } from '../access/caller.ts';
import { levelOf } from '../access/may.ts';
import type { Workspace } from '../workspace/workspace.ts';

/** A problem where it is in a file; lines and columns from 1. */
export type FoundProblem = Pick<DocumentProblem, 'file' | 'line' | 'column' | 'message'>;

/**
 * Returns the problems of a workspace's documents and files, as they stand with the data: those of the
 * dashboards and models that a caller may edit, and for admins all others too.
 *
 * @param recipients problems of owners and recipients, which the state database knows
 */
export function documentProblems(
  workspace: Workspace,
  caller: Caller,
  recipients: readonly FoundProblem[],
): FoundProblem[] {
  const mayEdit = (kind: 'dashboard' | 'model', id: string) =>
    includesLevel(levelOf(caller, { kind, id }, workspace), 'edit');
  const isOthers = ({ file }: FoundProblem) => {
    const model = /^models\/([^/]+)\.ya?ml$/.exec(file)?.[1];
    return model === undefined ? !isAtLeast(caller.role, 'admin') : !mayEdit('model', model);
  };
  const unread = [...workspace.tables.values()].flatMap(({ problem }) =>
    problem ? [{ file: problem.file, line: problem.line ?? 1, column: 1, message: problem.message }] : [],
  );
  return [
    ...[...workspace.problems, ...recipients, ...unread].filter(problem => !isOthers(problem)),
    ...[...workspace.dashboards.values()].flatMap(({ id, origin, problems }) =>
      origin === 'saved' && mayEdit('dashboard', id) ? problems : [],
    ),
  ]
    .map(({ file, line, column, message }) => ({ file, line, column, message }))
    .toSorted((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line));
}
