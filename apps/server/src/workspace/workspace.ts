import type {
  AccessFile,
  AlertFile,
  DashboardFile,
  DocumentProblem,
  ReportFile,
  WorkspaceFile,
} from '@belvedere/document';
import type { DiscoveredTable, ImportedTable, SkippedFile, TablePart } from '@belvedere/engine';
import type { Model, PolicySubject, Relationship } from '@belvedere/model';
import type { WorkspaceLimits } from '../limits.ts';
import type { TableDecisions } from './relationships/decisions.ts';
import type { SourceState } from './sources/source.ts';
import type { SqlTable } from './sources/sql-tables.ts';

/** An immutable snapshot of a workspace. Each change creates a new one with the next revision. */
export interface Workspace {
  readonly revision: number;
  /** The whole of it, if this is what was shared with one caller. */
  readonly whole?: Workspace;
  readonly settings: WorkspaceFile;
  /** The grants of `access.yaml` and of the files in `access/`. */
  readonly declaredGrants: NonNullable<AccessFile['grants']>;
  readonly title: string;
  readonly timezone: string;
  readonly limits: WorkspaceLimits;
  readonly tables: ReadonlyMap<string, TableState>;
  readonly skippedFiles: readonly SkippedFile[];
  /** Databases, by name. */
  readonly sources: ReadonlyMap<string, SourceState>;
  /** The source of each extract among the files' tables, by the table's name. */
  readonly extracts: ReadonlyMap<string, string>;
  /** The columns of models' SQL, by `sqlKey`, as far as they are known. */
  readonly sqlTables: ReadonlyMap<string, SqlTable>;
  /**
   * How the tables of a source refer to each other, as far as that was measured. By source, with `files` for
   * imported tables.
   */
  readonly relationships: ReadonlyMap<string, readonly Relationship[]>;
  /** Relationships that were decided by hand. */
  readonly decisions: readonly TableDecisions[];
  readonly models: ReadonlyMap<string, WorkspaceModel>;
  /** The names of all model files, also of those with errors. */
  readonly modelFiles: ReadonlySet<string>;
  /**
   * Models that have policies, or may have, but are invalid. The tables they name are hidden from all
   * viewers.
   */
  readonly unappliedPolicies: readonly UnappliedPolicies[];
  /** Models whose tables are still being imported. */
  readonly modelsReading: ReadonlySet<string>;
  /** Models without tables until their source is confirmed: the source's name, by the model's. */
  readonly modelsWaiting: ReadonlyMap<string, string>;
  readonly dashboards: ReadonlyMap<string, WorkspaceDashboard>;
  /** By ID, also those with errors. What is shared with a caller never contains them. */
  readonly alerts: ReadonlyMap<string, ScheduledDocument<AlertFile>>;
  readonly reports: ReadonlyMap<string, ScheduledDocument<ReportFile>>;
  /** The users of policy tests. The owner can view dashboards as any of them. */
  readonly people: ReadonlyMap<string, PolicySubject>;
  readonly problems: readonly DocumentProblem[];
}

/** Policies that cannot be applied, either of a model of a table, or of a text that may name tables. */
export type UnappliedPolicies =
  | { readonly source: string; readonly table: string }
  | { readonly text: string };

export interface TableState {
  readonly name: string;
  readonly found: DiscoveredTable;
  /** `stopped`: a user cancelled its import. */
  readonly state: 'waiting' | 'importing' | 'ready' | 'rejected' | 'stopped';
  readonly percent?: number;
  /** Which of several files is being imported. */
  readonly file?: { readonly number: number; readonly of: number };
  /** The last complete version, which is used until a newer one is complete. */
  readonly imported?: ImportedTable;
  /** How much of the table `imported` has, while the first import of all of it is not complete. */
  readonly part?: TablePart;
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
  readonly state: 'ready' | 'importing' | 'broken';
  readonly document?: DashboardFile;
  readonly title: string;
  readonly problems: readonly DocumentProblem[];
  /** Tiles that cannot be shown, with the reason. The other tiles work. */
  readonly brokenTiles: Readonly<Record<string, string>>;
  /** The document in other languages. */
  readonly translations?: ReadonlyMap<string, DashboardFile>;
  /** Texts that a translation file lacks. */
  readonly untranslated?: readonly { readonly file: string; readonly path: string }[];
  readonly updated?: string;
  /** A hash of the document's content. */
  readonly revision: string;
}

/** An alert or a report. */
export interface ScheduledDocument<T> {
  readonly id: string;
  readonly file: string;
  /** Undefined if the file cannot be read. */
  readonly document?: T;
  readonly title: string;
  /** With any, it does not run. */
  readonly problems: readonly DocumentProblem[];
  /** A hash of the document's content. */
  readonly revision: string;
}

/**
 * The file table of a model's rows. Undefined for databases, and for callers with row policies, since its
 * counts are of all rows.
 */
export function fileTableOf(workspace: Workspace, model: Model): TableState | undefined {
  return model.source === 'files' && !model.rowFilter ? workspace.tables.get(model.table) : undefined;
}

/** The names of the distinct models of a dashboard and its tiles. */
export function modelsNamed({ model, pages }: DashboardFile): string[] {
  return [
    ...new Set(
      [model, ...pages.flatMap(page => Object.values(page.tiles).map(tile => tile.model))].filter(
        name => name !== undefined,
      ),
    ),
  ];
}

/** The models of a dashboard and its tiles that exist. */
export function modelsOf(document: DashboardFile, workspace: Workspace): WorkspaceModel[] {
  return modelsNamed(document).flatMap(name => workspace.models.get(name) ?? []);
}

/**
 * The source that must be confirmed before a model can be queried; also for a model that would be inferred
 * from one of its tables.
 */
export function sourceAwaited(
  { models, modelsWaiting, sources }: Workspace,
  model: string,
): SourceState | undefined {
  const found = models.get(model)?.model;
  const named = sources.get(modelsWaiting.get(model) ?? found?.source ?? '');
  if (named || found) return named?.unconfirmed && named;
  return [...sources.values()].find(({ name, unconfirmed }) => unconfirmed && model.startsWith(`${name}_`));
}
