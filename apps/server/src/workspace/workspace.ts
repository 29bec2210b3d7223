import type { DashboardFile, DocumentProblem, WorkspaceFile } from '@belvedere/document';
import type { DiscoveredTable, ImportedTable, SkippedFile } from '@belvedere/engine';
import type { Model, Reader, Relationship } from '@belvedere/model';
import type { WorkspaceLimits } from '../limits.ts';
import type { SourceState } from './sources/source.ts';
import type { SqlTable } from './sources/sql-tables.ts';

/** A workspace as it stands at one moment. Immutable: a change makes a new one, with the next revision. */
export interface Workspace {
  readonly revision: number;
  readonly settings: WorkspaceFile;
  readonly title: string;
  readonly timezone: string;
  readonly limits: WorkspaceLimits;
  readonly tables: ReadonlyMap<string, TableState>;
  readonly skippedFiles: readonly SkippedFile[];
  /** Beside the files, by name. */
  readonly sources: ReadonlyMap<string, SourceState>;
  /** What the SQL of models gives, by `sqlKey`, as far as it is known. */
  readonly sqlTables: ReadonlyMap<string, SqlTable>;
  /** How the tables of the files refer to each other, as far as that was measured. */
  readonly relationships: readonly Relationship[];
  readonly models: ReadonlyMap<string, WorkspaceModel>;
  /** What is known of models that have policies, or may have, and could not be put together: the tables they name are nobody's to see. */
  readonly unappliedPolicies: readonly UnappliedPolicies[];
  /** Models whose tables are still being read. */
  readonly modelsReading: ReadonlySet<string>;
  /** Models without tables until somebody confirms their source: its name, by theirs. */
  readonly modelsWaiting: ReadonlyMap<string, string>;
  readonly dashboards: ReadonlyMap<string, WorkspaceDashboard>;
  /** Those whom tests of policies name: dashboards can be seen as any of them. */
  readonly people: ReadonlyMap<string, Reader>;
  readonly problems: readonly DocumentProblem[];
}

/** Policies that cannot be put to rows, of a model of a table, or of one in whose text tables are named. */
export type UnappliedPolicies =
  | { readonly source: string; readonly table: string }
  | { readonly text: string };

export interface TableState {
  readonly name: string;
  readonly found: DiscoveredTable;
  /** `stopped`: somebody called its reading off. */
  readonly state: 'waiting' | 'reading' | 'ready' | 'rejected' | 'stopped';
  readonly percent?: number;
  /** Of several files, which is being read. */
  readonly file?: { readonly number: number; readonly of: number };
  /** The last whole version; it serves until a newer one is whole. */
  readonly imported?: ImportedTable;
  /** The engine's name for it. */
  readonly alias?: string;
  readonly problem?: { readonly file: string; readonly line?: number; readonly message: string };
}

export interface WorkspaceModel {
  readonly model: Model;
  readonly isGuessed: boolean;
  /** Guessed of a table that only describes others. */
  readonly isLookup?: true;
  readonly problems: readonly DocumentProblem[];
}

export interface WorkspaceDashboard {
  readonly id: string;
  readonly origin: 'saved' | 'overview';
  readonly state: 'ready' | 'reading' | 'broken';
  readonly document?: DashboardFile;
  readonly title: string;
  readonly problems: readonly DocumentProblem[];
  /** Tiles that cannot be shown, and why; the others go on. */
  readonly brokenTiles: Readonly<Record<string, string>>;
  /** The document in other languages. */
  readonly translations?: ReadonlyMap<string, DashboardFile>;
  /** Texts that a language's file lacks. */
  readonly untranslated?: readonly { readonly file: string; readonly path: string }[];
  readonly updated?: string;
  /** A hash of what the document says. */
  readonly revision: string;
}

/** The file a model's rows come from; none where they come from a database, nor where its reader sees but some of them: what was counted is of all. */
export function fileTableOf(workspace: Workspace, model: Model): TableState | undefined {
  return model.source === 'files' && !model.rowFilter ? workspace.tables.get(model.table) : undefined;
}

/** The models that a dashboard and its tiles are of, each once. */
export function modelsNamed({ model, pages }: DashboardFile): string[] {
  return [
    ...new Set(
      [model, ...pages.flatMap(page => Object.values(page.tiles).map(tile => tile.model))].filter(
        name => name !== undefined,
      ),
    ),
  ];
}

/** The source whose confirmation a model waits for, before it can be asked anything; also of one that would be made of a table of that source. */
export function sourceAwaited(
  { models, modelsWaiting, sources }: Workspace,
  model: string,
): SourceState | undefined {
  const found = models.get(model)?.model;
  const named = sources.get(modelsWaiting.get(model) ?? found?.source ?? '');
  if (named || found) return named?.unconfirmed && named;
  return [...sources.values()].find(({ name, unconfirmed }) => unconfirmed && model.startsWith(`${name}_`));
}
