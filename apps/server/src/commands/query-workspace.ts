import type { RowsPage } from '@belvedere/api';
import { didYouMean } from '@belvedere/document';
import { queryModel, rowsPageOf } from '../queries/models/query-model.ts';
import { queryContextOf } from '../queries/query-context.ts';
import { owner, testUser, type Caller } from '../access/caller.ts';
import { ProblemError } from '../http/problems.ts';
import type { ResolvedWorkspace } from '../workspace/resolve-workspace.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { notFound } from './not-found.ts';
import { readWords, type QueryArgs } from './parse-query-args.ts';
import { refuseUnconfirmed } from './unconfirmed-sources.ts';
import type { Progress } from './progress.ts';
import { withWorkspace } from './with-workspace.ts';

export interface WorkspaceQuery extends QueryArgs {
  readonly model: string;
  /** A user of the policy tests; the query sees only this user's rows and fields. */
  readonly as?: string;
  readonly signal?: AbortSignal;
}

/** Queries a model of a folder without a server. @throws ProblemError or QueryError for unknown names */
export async function queryWorkspace(
  location: ResolvedWorkspace,
  { model, as, signal, ...words }: WorkspaceQuery,
  onProgress: (progress: Progress) => void = () => {},
): Promise<RowsPage> {
  const query = readWords(words);
  return withWorkspace(
    location,
    { models: () => [model], onProgress },
    async ({ store: { current }, queries }) => {
      refuseUnconfirmed(current, [model]);
      const names = [...current.models.keys()];
      if (!names.includes(model)) throw notFound('model', model, names);
      return rowsPageOf(
        await queryModel(
          model,
          query,
          { ...queryContextOf(current, undefined, callerIn(current, as), signal), isExport: true },
          queries,
        ),
      );
    },
  );
}

function callerIn({ people }: Workspace, name: string | undefined): Caller {
  if (name === undefined) return owner;
  const reads = people.get(name);
  if (!reads)
    throw new ProblemError(
      'not-found',
      `User \`${name}\` not found in \`tests/\`${didYouMean(name, people.keys()) || '.'}`,
    );
  return testUser(name, reads);
}
