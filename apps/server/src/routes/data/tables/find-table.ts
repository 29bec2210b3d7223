import { ProblemError } from '../../../http/problems.ts';
import type { TableState } from '../../../workspace/workspace.ts';
import type { Call } from '../../contract/mount-contract.ts';

/** @throws ProblemError `not-found`, also for a table that the caller may not see */
export function findTable(name: string, granted: Call['granted']): TableState {
  const table = granted().tables.get(name);
  if (!table) throw new ProblemError('not-found', `Table \`${name}\` not found, or not shared with you.`);
  return table;
}
