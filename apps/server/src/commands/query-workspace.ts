import type { RowsPage } from '@belvedere/api';
import { didYouMean } from '@belvedere/document';
import { queryModel, rowsPageOf } from '../queries/query-model.ts';
import { queryContextOf } from '../queries/query-context.ts';
import { owner, testUser, type Caller } from '../access/caller.ts';
import { exportColumn } from '../exports/export-columns.ts';
import type { ExportTableRows } from '../exports/export-table.ts';
import { writeCsv } from '../exports/write-csv.ts';
import { writeText } from '../exports/write-terminal-table.ts';
import { ProblemError } from '../problems.ts';
import type { ResolvedWorkspace } from '../workspace/resolve-workspace.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { notFound } from './not-found.ts';
import { readWords, type QueryArgs } from './parse-query-args.ts';
import { refuseUnconfirmed } from './unconfirmed-sources.ts';
import { withWorkspace, type Progress } from './with-workspace.ts';

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

/** Formats a result for a terminal, line by line. */
export function rowsAsText({ columns, rows }: RowsPage): string[] {
  return writeText(columns.map(exportColumn), rows, 'en');
}

/** Formats a result as CSV, with the model's names as its header. */
export function rowsAsCsv({ columns, rows }: RowsPage): AsyncIterable<string> {
  const table: ExportTableRows = {
    id: 'answer',
    title: '',
    columns: columns.map(({ name, type }) => exportColumn({ label: name, type })),
    pieces: (async function* () {
      yield rows;
    })(),
  };
  return writeCsv(table);
}
