import {
  didYouMean,
  inCurrency,
  offeredIn,
  type DocumentOf,
  type DocumentProblem,
  isDatabaseFile,
} from '@belvedere/document';
import type { ImportedTable } from '@belvedere/engine';
import {
  buildModelInSteps,
  type Column,
  type Model,
  type Steps,
  type TableModelFile,
  type TableSchema,
} from '@belvedere/model';
import { extractName } from './sources/extract-store.ts';
import type { DocumentText } from './documents/read-documents.ts';
import { sourceTableOf, type SourceState } from './sources/source.ts';
import { pausedProblem, unconfirmedInFull } from './sources/source-access.ts';
import { sqlKey } from './sources/sql-tables.ts';
import type { TableState, Workspace } from './workspace.ts';

/** A model's text, checked against the existing tables. */
export interface AssembledModel {
  /** Undefined if the text, its source or its table cannot be read. */
  readonly model?: Model;
  readonly problems: readonly DocumentProblem[];
  /** The columns of its SQL, for SQL models. */
  readonly columns?: readonly Column[];
  /** Its table has not been imported yet. */
  readonly isImporting: boolean;
  /** The source that must be confirmed before the table is available. */
  readonly waitsFor?: string;
}

/** Combines a model's text with the tables it reads, one field in a step. */
export function* assembleModelInSteps(
  name: string,
  { file, read }: Pick<DocumentText<'model'>, 'file' | 'read'>,
  around: ModelSurroundings,
): Steps<AssembledModel> {
  if (!read.ok) return { problems: read.problems, isImporting: false };
  const problem = (at: readonly string[], message: string): DocumentProblem => {
    const suggestion = offeredIn(message);
    return {
      code: 'document.invalid',
      file,
      path: at.join('.'),
      ...read.locate(at),
      message,
      ...(suggestion !== undefined && { suggestion }),
    };
  };
  const from = read.value.source ?? 'files';
  const source = around.sources.get(from);
  const isFile = isReadAsFile(read.value, source);
  const model: ModelToAssemble = { ...around, name, file: read.value, from, source, isFile, problem };
  return (
    withoutUsableSource(model) ??
    (yield* read.value.sql === undefined ? assembleTableModel(model) : assembleSqlModel(model))
  );
}

type ModelSurroundings = Pick<Workspace, 'tables' | 'sources' | 'sqlTables' | 'settings'>;

/** A model's document with the source it reads. */
interface ModelToAssemble extends ModelSurroundings {
  readonly name: string;
  readonly file: DocumentOf<'model'>;
  /** The name of its source. */
  readonly from: string;
  readonly source: SourceState | undefined;
  /** Whether its table is one of files: also one in a database file, or an extract. */
  readonly isFile: boolean;
  readonly problem: (at: readonly string[], message: string) => DocumentProblem;
}

/** Returns the problem of a model whose source is missing, unconfirmed, or another than that of its joins. */
function withoutUsableSource({
  file,
  from,
  source,
  isFile,
  tables,
  sources,
  problem,
}: ModelToAssemble): AssembledModel | undefined {
  if (from !== 'files' && !source)
    return {
      problems: [
        problem(
          ['source'],
          `There is no source \`${from}\`${didYouMean(from, ['files', ...sources.keys()])}`,
        ),
      ],
      isImporting: false,
    };
  if (!file.extract && Object.values(file.joins ?? {}).some(join => join.source && join.source !== from)) {
    return {
      problems: [
        problem(
          ['joins'],
          'A join to another source needs an `extract`, such as `extract: { every: 1 hour }`: tables can be joined only within one source.',
        ),
      ],
      isImporting: false,
    };
  }
  if (
    source?.unconfirmed &&
    (isFile ? !tables.has(extractName(from, file.table ?? '')) : source.tables.length === 0)
  )
    return { problems: [problem(['source'], unconfirmedInFull(source))], isImporting: false, waitsFor: from };
  return undefined;
}

/** Assembles a model of an SQL statement. */
function* assembleSqlModel({
  name,
  file,
  from,
  source,
  isFile,
  tables,
  sqlTables,
  settings,
  problem,
}: ModelToAssemble): Steps<AssembledModel> {
  const { sql = '' } = file;
  if (file.extract)
    return {
      problems: [problem(['extract'], 'An `extract` copies tables, so it cannot be used with `sql`.')],
      isImporting: false,
    };
  if (isFile)
    return {
      problems: [
        problem(
          ['source'],
          `\`${from}\` is a file in the data folder: write the SQL without a \`source\`, and name its tables \`${from}_…\`.`,
        ),
      ],
      isImporting: false,
    };
  const isComing = source
    ? source.state === 'unchecked' || source.state === 'connecting'
    : [...tables.values()].some(
        table =>
          table.part !== undefined ||
          (!table.imported && (table.state === 'waiting' || table.state === 'importing')),
      );
  const found = sqlTables.get(sqlKey(from, sql));
  if (!found && source?.state === 'paused') return notWhilePaused(source, problem);
  if (!found && source?.problem && !isComing)
    return { problems: [problem(['source'], source.problem.message)], isImporting: false };
  if (!found || ('problem' in found && isComing)) return { problems: [], isImporting: true };
  if ('problem' in found) return { problems: [problem(['sql'], found.problem)], isImporting: false };
  const table = `sql:${name}`;
  return {
    ...(yield* assembled(
      name,
      inCurrency({ ...file, table }, settings.currency),
      [{ name: table, columns: found.columns }, ...(source ? schemasOfSource(source) : schemasOf(tables))],
      problem,
    )),
    columns: found.columns,
  };
}

/** Assembles a model of a table. */
function* assembleTableModel({
  name,
  file,
  from,
  source,
  isFile,
  tables,
  settings,
  problem,
}: ModelToAssemble): Steps<AssembledModel> {
  const { table = '' } = file;
  const value = isFile ? inFiles({ ...file, table }, from) : { ...file, table };
  if (source?.state === 'paused' && !isFile && source.tables.length === 0)
    return notWhilePaused(source, problem);
  const tablesRead = [value.table, ...Object.values(value.joins ?? {}).map(join => join.table)];
  const waits =
    source && !isFile
      ? source.tables.length === 0 && (source.state === 'unchecked' || source.state === 'connecting')
      : tablesRead.some(
          table =>
            (file.extract !== undefined && !tables.has(table)) ||
            (['waiting', 'importing'].includes(tables.get(table)?.state ?? '') &&
              !tables.get(table)?.imported),
        );
  if (waits) return { problems: [], isImporting: true };
  const unread = !source || isFile ? tables.get(value.table) : undefined;
  if (unread && !unread.imported)
    return {
      problems: [
        problem(
          ['table'],
          `The table \`${unread.name}\` is not available: ${unread.problem?.message ?? 'its import was cancelled.'}`,
        ),
      ],
      isImporting: false,
    };
  const model = yield* assembled(
    name,
    inCurrency(value, settings.currency),
    source && !isFile ? schemasOfSource(source) : schemasOf(tables),
    problem,
  );
  // Files that are not imported yet may have what a part lacks.
  const isOfPart = (!source || isFile) && tablesRead.some(table => tables.get(table)?.part !== undefined);
  return model.problems.length > 0 && isOfPart ? { problems: [], isImporting: true } : model;
}

/** A model whose tables or columns are not known yet, and are not asked for until its source is resumed. */
function notWhilePaused(
  source: SourceState,
  problem: (at: readonly string[], message: string) => DocumentProblem,
): AssembledModel {
  return { problems: [problem(['source'], pausedProblem(source).message)], isImporting: false };
}

function* assembled(
  name: string,
  file: TableModelFile,
  schemas: readonly TableSchema[],
  problem: (at: readonly string[], message: string) => DocumentProblem,
): Steps<AssembledModel> {
  const { model, problems } = yield* buildModelInSteps(name, file, schemas);
  return {
    ...(model && { model }),
    problems: problems.map(({ path: at, message }) => problem(at, message)),
    isImporting: false,
  };
}

/** A database in a file, and an extract of a table, are read like other files, under their source's name. */
function isReadAsFile(model: DocumentOf<'model'>, source: SourceState | undefined): boolean {
  return isDatabaseFile(source) || (source !== undefined && model.extract !== undefined);
}

function schemasOfSource(source: SourceState): readonly TableSchema[] {
  return source.tables.map(({ called }) => schemaInSource(source, called));
}

/** Returns the schema of a database's table by its name in models, which must be one of the source. */
export function schemaInSource(source: SourceState, called: string): TableSchema {
  const { columns, unique, uniqueTogether } = sourceTableOf(source, called)!;
  return { name: called, columns, ...(unique && { unique }), ...(uniqueTogether && { uniqueTogether }) };
}

function schemasOf(tables: ReadonlyMap<string, TableState>): readonly TableSchema[] {
  return [...tables.values()].flatMap(table => (table.imported ? [schemaOf(table.imported)] : []));
}

/** Returns the schema of an imported table by its name. */
export function schemaIn(tables: ReadonlyMap<string, TableState>, name: string): TableSchema | undefined {
  const imported = tables.get(name)?.imported;
  return imported && schemaOf(imported);
}

/** Cached while the table exists, so that the schema keeps its identity. */
const knownSchemas = new WeakMap<ImportedTable, TableSchema>();

/** Returns the schema of an imported table, as models see it. */
export function schemaOf(imported: ImportedTable): TableSchema {
  const known = knownSchemas.get(imported);
  if (known) return known;
  const { name, columns, profile, declaredKeys: { uniqueTogether } = {} } = imported;
  const isCounted = profile.columns.every(column => column.isDistinctExact);
  const unique = profile.columns
    .filter(column => column.nulls === 0 && column.distinct === profile.rows)
    .map(column => column.name);
  const counted = columns.map((column, i) => ({
    ...column,
    ...(isCounted && { distinct: profile.columns[i]!.distinct }),
  }));
  const schema = {
    name,
    columns: counted,
    rows: profile.rows,
    ...(isCounted && { unique }),
    ...(uniqueTogether && { uniqueTogether }),
  };
  knownSchemas.set(imported, schema);
  return schema;
}

/** Converts a model of an imported or extracted table to a model of the files' copy. */
function inFiles(model: TableModelFile, source: string): TableModelFile {
  const joins =
    model.joins &&
    Object.fromEntries(
      Object.entries(model.joins).map(([name, { source: other, ...join }]) => [
        name,
        { ...join, table: other === 'files' ? join.table : extractName(other ?? source, join.table) },
      ]),
    );
  return { ...model, source: 'files', table: extractName(source, model.table), ...(joins && { joins }) };
}
