import type { RowsPage } from '@belvedere/api';
import { didYouMean } from '@belvedere/document';
import { askModel, rowsPageOf } from '../queries/query-model.ts';
import { askerOf } from '../queries/query-context.ts';
import { owner, type Caller } from '../auth/caller.ts';
import { takenColumn, type TakenPieces } from '../exports/export-table.ts';
import { writeCsv } from '../exports/write-csv.ts';
import { writeText } from '../exports/write-terminal-table.ts';
import { ProblemError } from '../problems.ts';
import type { OpenPlace } from '../workspace/resolve-workspace.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { absent } from './not-found.ts';
import { readWords, type AskedWords } from './parse-query-args.ts';
import { refuseUnconfirmed } from './unconfirmed-sources.ts';
import { withFolder, type Progress } from './with-workspace.ts';

export interface Asking extends AskedWords {
  readonly model: string;
  /** One of those whom tests of policies name, whose rows and fields alone there are then. */
  readonly as?: string;
  readonly signal?: AbortSignal;
}

/** Asks a model of a folder, without a server. @throws ProblemError or QuestionError for what there is not */
export async function askFolder(
  place: OpenPlace,
  { model, as, signal, ...words }: Asking,
  onProgress: (progress: Progress) => void = () => {},
): Promise<RowsPage> {
  const question = readWords(words);
  return withFolder(place, { models: () => [model], onProgress }, async ({ store: { current }, answers }) => {
    refuseUnconfirmed(current, [model]);
    const names = [...current.models.keys()];
    if (!names.includes(model)) throw absent('model', model, names);
    return rowsPageOf(
      await askModel(
        model,
        question,
        { ...askerOf(current, undefined, callerIn(current, as), signal), isTaking: true },
        answers,
      ),
    );
  });
}

function callerIn({ people }: Workspace, name: string | undefined): Caller {
  if (name === undefined) return owner;
  const reads = people.get(name);
  if (!reads)
    throw new ProblemError(
      'not-found',
      `User \`${name}\` not found in \`tests/\`${didYouMean(name, people.keys()) || '.'}`,
    );
  return { name, reads };
}

/** An answer for a terminal, line by line. */
export function answerAsText({ columns, rows }: RowsPage): string[] {
  return writeText(columns.map(takenColumn), rows, 'en');
}

/** An answer as CSV, its columns by the model's own names. */
export function answerAsCsv({ columns, rows }: RowsPage): AsyncIterable<string> {
  const table: TakenPieces = {
    id: 'answer',
    title: '',
    columns: columns.map(({ name, type }) => takenColumn({ label: name, type })),
    pieces: (async function* () {
      yield rows;
    })(),
  };
  return writeCsv(table);
}
