import {
  didYouMean,
  inCurrency,
  offeredIn,
  type DocumentOf,
  type DocumentProblem,
} from '@belvedere/document';
import type { ImportedTable } from '@belvedere/engine';
import { buildModel, type Column, type Model, type TableModelFile, type TableSchema } from '@belvedere/model';
import { extractName } from './sources/extract-store.ts';
import type { DocumentText } from './documents/read-documents.ts';
import { isDatabaseFile, sourceTableOf, type SourceState } from './sources/source.ts';
import { unconfirmedInFull } from './sources/source-access.ts';
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

/** Combines a model's text with the tables it reads. */
export function assembleModel(
  name: string,
  { file, read }: Pick<DocumentText<'model'>, 'file' | 'read'>,
  { tables, sources, sqlTables, settings }: Pick<Workspace, 'tables' | 'sources' | 'sqlTables' | 'settings'>,
): AssembledModel {
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
  const source = sources.get(from);
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
  if (
    !read.value.extract &&
    Object.values(read.value.joins ?? {}).some(join => join.source && join.source !== from)
  ) {
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
  const isFile = isReadAsFile(read.value, source);
  if (
    source?.unconfirmed &&
    (isFile ? !tables.has(extractName(from, read.value.table ?? '')) : source.tables.length === 0)
  )
    return { problems: [problem(['source'], unconfirmedInFull(source))], isImporting: false, waitsFor: from };
  if (read.value.sql !== undefined) {
    if (read.value.extract)
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
          table => !table.imported && (table.state === 'waiting' || table.state === 'importing'),
        );
    const found = sqlTables.get(sqlKey(from, read.value.sql));
    if (!found && source?.problem && !isComing)
      return { problems: [problem(['source'], source.problem.message)], isImporting: false };
    if (!found || ('problem' in found && isComing)) return { problems: [], isImporting: true };
    if ('problem' in found) return { problems: [problem(['sql'], found.problem)], isImporting: false };
    const table = `sql:${name}`;
    return {
      ...assembled(
        name,
        inCurrency({ ...read.value, table }, settings.currency),
        [{ name: table, columns: found.columns }, ...(source ? schemasOfSource(source) : schemasOf(tables))],
        problem,
      ),
      columns: found.columns,
    };
  }
  const { table = '' } = read.value;
  const value = isFile ? inFiles({ ...read.value, table }, from) : { ...read.value, table };
  const waits =
    source && !isFile
      ? source.tables.length === 0 && (source.state === 'unchecked' || source.state === 'connecting')
      : [value.table, ...Object.values(value.joins ?? {}).map(join => join.table)].some(
          table =>
            (read.value.extract !== undefined && !tables.has(table)) ||
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
  return assembled(
    name,
    inCurrency(value, settings.currency),
    source && !isFile ? schemasOfSource(source) : schemasOf(tables),
    problem,
  );
}

function assembled(
  name: string,
  file: TableModelFile,
  schemas: readonly TableSchema[],
  problem: (at: readonly string[], message: string) => DocumentProblem,
): AssembledModel {
  const { model, problems } = buildModel(name, file, schemas);
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
