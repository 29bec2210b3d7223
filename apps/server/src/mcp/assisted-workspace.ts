import type { ModelSummary, RowsPage } from '@belvedere/api';
import type { DashboardFile } from '@belvedere/document';
import type { QueryArgs } from '../commands/parse-query-args.ts';
import type { Progress } from '../commands/progress.ts';

/** What accompanies the call of a tool. */
export interface AssistantCall {
  readonly onProgress: (progress: Progress) => void;
  /** Aborts when the assistant cancels the call, or leaves. */
  readonly signal: AbortSignal;
}

export type WrittenKind = 'dashboard' | 'model';

/** An error of a document, with its position. */
export interface DocumentLine {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

interface ListedDashboard {
  readonly id: string;
  readonly title: string;
  readonly problems: number;
  readonly pages?: DashboardFile['pages'];
}

/** The text of a dashboard or a model. */
export interface AssistedText {
  readonly file: string;
  readonly text: string;
  /** Absent while there is no file: the text is what the file would contain. */
  readonly hash?: string | undefined;
}

interface AssistedQuery extends QueryArgs {
  readonly model: string;
  /** A user of the policy tests as whom to query; of a folder only. */
  readonly as?: string;
}

interface AssistedPicture {
  readonly dashboard: string;
  /** From 1. */
  readonly page?: number;
  readonly tile?: string;
  readonly where: readonly string[];
  readonly theme: 'light' | 'dark';
}

/**
 * What an assistant works on: a folder, with the permissions of the user who started the process, or a server,
 * with those of an access token. Every function throws `ProblemError` or `ApiError`, whose text helps the
 * assistant to go on.
 */
export interface AssistedWorkspace {
  /** One line for each model, and for each source that waits for its owner. */
  listModels(call: AssistantCall): Promise<readonly string[]>;
  describeModel(model: string, call: AssistantCall): Promise<ModelSummary>;
  query(query: AssistedQuery, call: AssistantCall): Promise<RowsPage>;
  listDashboards(call: AssistantCall): Promise<readonly ListedDashboard[]>;
  describeDashboard(dashboard: string, call: AssistantCall): Promise<DashboardFile>;
  readDocument(kind: WrittenKind, name: string, call: AssistantCall): Promise<AssistedText>;
  /** The errors of a text, with the current data where that is possible. */
  checkDocument(
    kind: WrittenKind,
    name: string,
    text: string,
    call: AssistantCall,
  ): Promise<readonly DocumentLine[]>;
  /** One line for each problem, and one that counts them. @param runs also queries every tile */
  checkAll(runs: boolean, call: AssistantCall): Promise<readonly string[]>;
  /**
   * Saves a text that has no errors.
   * @param base the hash of the text that it replaces; none creates a file
   * @returns the file, its change as a unified diff, and the errors that were found only once it was saved
   */
  writeDocument(
    kind: WrittenKind,
    name: string,
    text: string,
    base: string | undefined,
    message: string,
    call: AssistantCall,
  ): Promise<{ readonly file: string; readonly diff: string; readonly problems?: readonly DocumentLine[] }>;
  /** @returns a PNG */
  render(picture: AssistedPicture, call: AssistantCall): Promise<Uint8Array>;
}
