import { ProblemError } from '../http/problems.ts';
import { unconfirmedInFull } from '../workspace/sources/source-access.ts';
import type { SourceState } from '../workspace/sources/source.ts';
import { sourceAwaited, type Workspace } from '../workspace/workspace.ts';

/** Describes a source's effect and how to confirm it from the command line. */
export function unconfirmedForCommands(source: SourceState): string {
  return `${unconfirmedInFull(source)} Confirm it on its page under Data, or use --trust for one run.`;
}

/** @throws ProblemError `source-unconfirmed` if the source of one of these models is unconfirmed */
export function refuseUnconfirmed(workspace: Workspace, models: readonly string[]): void {
  for (const model of models) {
    const source = sourceAwaited(workspace, model);
    if (source) throw new ProblemError('source-unconfirmed', unconfirmedForCommands(source));
  }
}
