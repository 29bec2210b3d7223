import { closestName, didYouMean, freeName, inCurrency, labelFrom, offeredIn, parametersIn, readDocument, resolveTile, strayTexts, translate, untranslated, type DocumentKind, type DocumentOf, type DocumentProblem, type ChosenParameters, type ReadDocument, type Tile, type TileFile, type WorkspaceFile } from '@belvedere/document';
import type { ImportedTable } from '@belvedere/engine';
import { buildModel, guessModel, guessOverview, type Column, type Model, type TableModelFile, type TableProfile, type TableSchema } from '@belvedere/model';
import { asksNothing, QuestionError, tileShape } from '@belvedere/query';
import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import path from 'node:path';
import { extractName } from './extract-store.ts';
import type { SourceState } from './source.ts';
import { sqlKey } from './sql-tables.ts';
import type { TableState, Workspace, WorkspaceDashboard, WorkspaceModel } from './workspace.ts';

/** A document's file, and what was read in it. */
export interface DocumentText<K extends DocumentKind> {
  readonly file: string;
  readonly text: string;
  readonly updated: string;
  readonly read: ReadDocument<DocumentOf<K>>;
}

export type Translations = ReadonlyMap<string, { readonly file: string; readonly read: ReadDocument<DocumentOf<'translation'>> }>;

/** The documents of a workspace's folder, read and checked: what is wrong with each stands beside what is right. */
export interface Documents {
  readonly settings: WorkspaceFile;
  readonly problems: readonly DocumentProblem[];
  readonly models: ReadonlyMap<string, DocumentText<'model'>>;
  readonly sources: ReadonlyMap<string, { readonly file: string; readonly read: ReadDocument<DocumentOf<'source'>> }>;
  /** How tables are to be read, by their names. */
  readonly readings: ReadonlyMap<string, { readonly file: string; readonly read: ReadDocument<DocumentOf<'table'>> }>;
  /** A dashboard's texts in other languages: by its id, then by language. */
  readonly translations: ReadonlyMap<string, Translations>;
  readonly dashboards: ReadonlyMap<string, DocumentText<'dashboard'>>;
}

const yaml = /\.ya?ml$/;

export async function readDocuments(root: string): Promise<Documents> {
  const settingsText = await readText(path.join(root, 'belvedere.yaml'));
  const settings = settingsText === undefined ? undefined : readDocument('workspace', settingsText.text, 'belvedere.yaml');
  const models = new Map<string, DocumentText<'model'>>();
  for (const { id, file, text, updated } of await documentsIn(root, 'models')) models.set(id, { file, text, updated, read: readNamed('model', text, file) });
  const sources = new Map<string, { file: string; read: ReadDocument<DocumentOf<'source'>> }>();
  for (const { id, file, text } of await documentsIn(root, 'sources')) sources.set(id, { file, read: readNamed('source', text, file) });
  const readings = new Map<string, { file: string; read: ReadDocument<DocumentOf<'table'>> }>();
  for (const { id, file, text } of await documentsIn(root, 'tables')) readings.set(id, { file, read: readNamed('table', text, file) });
  const dashboards = new Map<string, DocumentText<'dashboard'>>();
  const translations = new Map<string, Map<string, { file: string; read: ReadDocument<DocumentOf<'translation'>> }>>();
  const found = await documentsIn(root, 'dashboards');
  const ids = new Set(found.map(({ id }) => id));
  for (const { id, file, text, updated } of found) {
    const [, of, language] = /^(.+)\.([a-z]{2})$/.exec(id) ?? [];
    // `delays.de.yaml` beside `delays.yaml` is its German; alone it is a dashboard of that name.
    if (of === undefined || !ids.has(of)) dashboards.set(id, { file, text, updated, read: readNamed('dashboard', text, file) });
    else translations.set(of, (translations.get(of) ?? new Map<string, { file: string; read: ReadDocument<DocumentOf<'translation'>> }>()).set(language!, { file, read: readNamed('translation', text, file) }));
  }
  return { settings: settings?.ok ? settings.value : {}, problems: settings && !settings.ok ? settings.problems : [], models, sources, readings, translations, dashboards };
}

function readNamed<K extends DocumentKind>(kind: K, text: string, file: string) {
  return readDocument(kind, text, file);
}

async function documentsIn(root: string, folder: string) {
  const entries = await readdir(path.join(root, folder), { withFileTypes: true, recursive: true }).catch(() => []);
  const files = entries.filter(entry => entry.isFile() && yaml.test(entry.name) && !entry.name.startsWith('.')).map(entry => path.join(entry.parentPath, entry.name)).toSorted();
  const read = await Promise.all(
    files.map(async full => {
      const content = await readText(full);
      const relative = path.relative(path.join(root, folder), full).split(path.sep).join('/');
      return content && { id: relative.replace(yaml, ''), file: `${folder}/${relative}`, ...content };
    }),
  );
  return read.filter(document => document !== undefined);
}

/** A regular file's text: no links are followed, and a file too large to be a document is cut where the reader will refuse it. */
export async function readText(file: string): Promise<{ text: string; updated: string } | undefined> {
  let handle;
  try {
    handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW);
    const stats = await handle.stat();
    if (!stats.isFile() || stats.nlink > 1) return undefined;
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(Math.min(stats.size, 300 * 1024)), 0, Math.min(stats.size, 300 * 1024), 0);
    return { text: buffer.subarray(0, bytesRead).toString('utf8'), updated: stats.mtime.toISOString() };
  } catch {
    return undefined;
  } finally {
    await handle?.close();
  }
}

/** Puts documents and tables together: models checked against tables, dashboards against models, a model and an overview guessed for each table without. */
export function assembleWorkspace(documents: Documents, tables: ReadonlyMap<string, TableState>, rest: Pick<Workspace, 'revision' | 'leftOut' | 'sources' | 'sqlTables'> & { title: string; zone: string }): Workspace {
  const { sources, sqlTables } = rest;
  const schemas = schemasOf(tables);
  const models = new Map<string, WorkspaceModel>();
  const problems: DocumentProblem[] = [...documents.problems];
  const modelsReading = new Set<string>();
  for (const [name, document] of documents.models) {
    const assembled = assembleModel(name, document, { tables, sources, sqlTables, settings: documents.settings });
    problems.push(...assembled.problems);
    if (assembled.isReading) modelsReading.add(name);
    if (assembled.model) models.set(name, { model: assembled.model, isGuessed: false, problems: assembled.problems });
  }
  for (const { read } of [...documents.sources.values(), ...documents.readings.values()]) if (!read.ok) problems.push(...read.problems);
  const described = new Set([...models.values()].filter(({ model }) => model.source === 'files').map(({ model }) => model.table));
  for (const table of tables.values()) {
    // What is still being read will have a guessed model.
    if (!table.imported && !documents.models.has(table.name) && (table.state === 'waiting' || table.state === 'reading')) modelsReading.add(table.name);
    if (!table.imported || documents.models.has(table.name)) continue;
    const model = guessedModelOf(table.imported, schemas);
    if (model) models.set(table.name, { model, isGuessed: true, problems: [] });
  }
  const guessedFrom = new Map<string, TableProfile>();
  const names = new Set([...models.keys(), ...documents.models.keys(), ...tables.keys()]);
  for (const source of sources.values()) {
    const isDescribed = new Set([...models.values()].filter(({ model }) => model.source === source.name).map(({ model }) => model.table));
    for (const { called, columns, unique, profile } of source.tables) {
      if (!profile || isDescribed.has(called)) continue;
      const name = freeName(`${source.name}_${called}`, names);
      const { model } = buildModel(name, { ...guessModel(profile), label: labelFrom(called), source: source.name }, [{ name: called, columns, ...(unique && { unique }) }]);
      if (!model) continue;
      models.set(name, { model, isGuessed: true, problems: [] });
      guessedFrom.set(name, profile);
    }
  }

  const dashboards = new Map<string, WorkspaceDashboard>();
  const pieces: WorkspacePieces = { models, modelsReading, tables, sources, settings: documents.settings };
  for (const [id, found] of documents.dashboards) dashboards.set(id, assembleDashboard(id, found, documents.translations.get(id), pieces));
  for (const table of tables.values()) {
    const id = `overview/${table.name}`;
    if (described.has(table.name) || dashboards.has(table.name)) continue;
    const guessed = models.get(table.name);
    if (table.imported && guessed) {
      const document = guessOverview(guessed.model, table.imported.profile);
      dashboards.set(id, { id, origin: 'overview', state: 'ready', document, title: document.title, problems: [], brokenTiles: {}, updated: table.imported.readAt, revision: hashOf(JSON.stringify(document) + table.imported.fingerprint) });
    } else if (table.state === 'waiting' || table.state === 'reading') {
      dashboards.set(id, { id, origin: 'overview', state: 'reading', title: table.name, problems: [], brokenTiles: {}, revision: 'reading' });
    }
  }
  for (const [name, profile] of guessedFrom) {
    const id = `overview/${name}`;
    if (dashboards.has(id)) continue;
    const document = guessOverview(models.get(name)!.model, profile);
    dashboards.set(id, { id, origin: 'overview', state: 'ready', document, title: document.title, problems: [], brokenTiles: {}, revision: hashOf(JSON.stringify(document) + String(sources.get(models.get(name)!.model.source)?.dataVersion)) });
  }
  const { revision, leftOut, title, zone } = rest;
  return { revision, leftOut, sources, sqlTables, settings: documents.settings, title: documents.settings.title ?? title, timezone: documents.settings.timezone ?? zone, tables, models, modelsReading, dashboards, problems };
}

type WorkspacePieces = Pick<Workspace, 'models' | 'modelsReading' | 'tables' | 'sources' | 'settings'>;

/** What a model's text says, checked against the tables there are. */
export interface AssembledModel {
  /** None where the text, its source or its table cannot be read. */
  readonly model?: Model;
  readonly problems: readonly DocumentProblem[];
  /** Those that its SQL gives, where it is of SQL. */
  readonly columns?: readonly Column[];
  /** Its table is not there yet. */
  readonly isReading: boolean;
}

/** A model's text put together with the tables it is about. */
export function assembleModel(name: string, { file, read }: Pick<DocumentText<'model'>, 'file' | 'read'>, { tables, sources, sqlTables, settings }: Pick<Workspace, 'tables' | 'sources' | 'sqlTables' | 'settings'>): AssembledModel {
  if (!read.ok) return { problems: read.problems, isReading: false };
  const problem = (at: readonly string[], message: string): DocumentProblem => {
    const suggestion = offeredIn(message);
    return { code: 'document.invalid', file, path: at.join('.'), ...read.locate(at), message, ...(suggestion !== undefined && { suggestion }) };
  };
  const from = read.value.source ?? 'files';
  const source = sources.get(from);
  if (from !== 'files' && !source) return { problems: [problem(['source'], `There is no source \`${from}\`${didYouMean(from, ['files', ...sources.keys()])}`)], isReading: false };
  if (!read.value.extract && Object.values(read.value.joins ?? {}).some(join => join.source && join.source !== from)) {
    return { problems: [problem(['joins'], 'A join to another source needs an `extract`, such as `extract: { every: 1 hour }`: only what is copied to one place can be joined.')], isReading: false };
  }
  const isFile = isReadAsFile(read.value, source);
  if (read.value.sql !== undefined) {
    if (read.value.extract) return { problems: [problem(['extract'], 'An `extract` copies tables; a model of `sql` asks its source each time.')], isReading: false };
    if (isFile) return { problems: [problem(['source'], `\`${from}\` is a file, read like the others: write the SQL without a \`source\`, and call its tables \`${from}_…\`.`)], isReading: false };
    const isComing = source ? source.state === 'unchecked' || source.state === 'connecting' : [...tables.values()].some(table => !table.imported && (table.state === 'waiting' || table.state === 'reading'));
    const found = sqlTables.get(sqlKey(from, read.value.sql));
    if (!found && source?.problem && !isComing) return { problems: [problem(['source'], source.problem.message)], isReading: false };
    if (!found || ('problem' in found && isComing)) return { problems: [], isReading: true };
    if ('problem' in found) return { problems: [problem(['sql'], found.problem)], isReading: false };
    const table = `sql:${name}`;
    return { ...assembled(name, inCurrency({ ...read.value, table }, settings.currency), [{ name: table, columns: found.columns }, ...(source ? schemasOfSource(source) : schemasOf(tables))], problem), columns: found.columns };
  }
  const { table = '' } = read.value;
  const value = isFile ? inFiles({ ...read.value, table }, from) : { ...read.value, table };
  const waits = source && !isFile ? source.tables.length === 0 && (source.state === 'unchecked' || source.state === 'connecting') : [value.table, ...Object.values(value.joins ?? {}).map(join => join.table)].some(table => (read.value.extract !== undefined && !tables.has(table)) || (['waiting', 'reading'].includes(tables.get(table)?.state ?? '') && !tables.get(table)?.imported));
  if (waits) return { problems: [], isReading: true };
  return assembled(name, inCurrency(value, settings.currency), source && !isFile ? schemasOfSource(source) : schemasOf(tables), problem);
}

function assembled(name: string, file: TableModelFile, schemas: readonly TableSchema[], problem: (at: readonly string[], message: string) => DocumentProblem): AssembledModel {
  const { model, problems } = buildModel(name, file, schemas);
  return { ...(model && { model }), problems: problems.map(({ path: at, message }) => problem(at, message)), isReading: false };
}

/** A database in a file, and a copy of a table, are read like other files, under their source's name. */
function isReadAsFile(model: DocumentOf<'model'>, source: SourceState | undefined): boolean {
  return source?.kind === 'sqlite' || source?.kind === 'duckdb' || (source !== undefined && model.extract !== undefined);
}

function schemasOfSource(source: SourceState): readonly TableSchema[] {
  return source.tables.map(table => ({ name: table.called, columns: table.columns, ...(table.unique && { unique: table.unique }) }));
}

/** The same for as long as its tables are. */
const knownSchemas = new WeakMap<ReadonlyMap<string, TableState>, readonly TableSchema[]>();

function schemasOf(tables: ReadonlyMap<string, TableState>): readonly TableSchema[] {
  const known = knownSchemas.get(tables);
  if (known) return known;
  const schemas = [...tables.values()].flatMap(table => (table.imported ? [schemaOf(table.name, table.imported)] : []));
  knownSchemas.set(tables, schemas);
  return schemas;
}

/** A dashboard's text put together with the models it is about. */
export function assembleDashboard(id: string, { file, text, updated, read }: DocumentText<'dashboard'>, translations: Translations = new Map(), { models, modelsReading, tables, sources, settings }: WorkspacePieces): WorkspaceDashboard {
  const revision = hashOf(text + (settings.currency ?? '') + (read.ok ? modelsRead(read.value, models, tables, sources) : ''));
  if (!read.ok) return { id, origin: 'saved', state: 'broken', title: id.split('/').at(-1)!, problems: read.problems, brokenTiles: {}, updated, revision };
  const { broken, found, isReading } = checkTiles(read, models, modelsReading, file);
  const document = inCurrency(read.value, settings.currency);
  const spoken = translationsOf(document, translations);
  return { id, origin: 'saved', state: isReading ? 'reading' : 'ready', document, title: read.value.title, problems: [...found, ...spoken.problems], brokenTiles: broken, updated, revision: spoken.translations.size > 0 ? hashOf(revision + JSON.stringify([...spoken.translations])) : revision, translations: spoken.translations, untranslated: spoken.untranslated };
}

/** A model of a table that was read, or copied, beside the files as one of that table. */
function inFiles(model: TableModelFile, source: string): TableModelFile {
  const joins = model.joins && Object.fromEntries(Object.entries(model.joins).map(([name, { source: other, ...join }]) => [name, { ...join, table: other === 'files' ? join.table : extractName(other ?? source, join.table) }]));
  return { ...model, source: 'files', table: extractName(source, model.table), ...(joins && { joins }) };
}

/** What a dashboard's pictures depend on beside its own text: the models its tiles name, and the versions of their tables. */
function modelsRead(dashboard: DocumentOf<'dashboard'>, models: ReadonlyMap<string, WorkspaceModel>, tables: ReadonlyMap<string, TableState>, sources: Workspace['sources']): string {
  const names = new Set([dashboard.model, ...dashboard.pages.flatMap(page => Object.values(page.tiles).map(tile => tile.model))]);
  return [...names]
    .map(name => {
      const model = models.get(name ?? '')?.model;
      const read = model?.sql !== undefined ? [...tables.keys()] : model ? [model.table, ...Object.values(model.joins).map(join => join.table)] : [];
      return JSON.stringify([name, model, model && model.source !== 'files' ? sources.get(model.source)?.dataVersion : read.map(table => tables.get(table)?.alias)]);
    })
    .join();
}

/** A table's guess is the same for as long as the table is; workspaces are put together at every change of anything. */
const guesses = new WeakMap<ImportedTable, { readonly model: Model | undefined }>();

function guessedModelOf(imported: ImportedTable, schemas: readonly TableSchema[]): Model | undefined {
  const known = guesses.get(imported);
  if (known) return known.model;
  const { model } = buildModel(imported.name, guessModel(imported.profile), schemas);
  guesses.set(imported, { model });
  return model;
}

function schemaOf(name: string, { columns, profile }: ImportedTable): TableSchema {
  const isCounted = profile.columns.every(column => column.isDistinctExact);
  const unique = profile.columns.filter(column => column.nulls === 0 && column.distinct === profile.rows).map(column => column.name);
  const counted = columns.map((column, i) => ({ ...column, ...(isCounted && { distinct: profile.columns[i]!.distinct }) }));
  return { name, columns: counted, rows: profile.rows, ...(isCounted && { unique }) };
}

/** A dashboard in each language there is a file for; what is wrong with such a file does not take the dashboard with it. */
function translationsOf(dashboard: DocumentOf<'dashboard'>, files: Translations) {
  const translations = new Map<string, DocumentOf<'dashboard'>>();
  const untranslatedTexts: { file: string; path: string }[] = [];
  const problems: DocumentProblem[] = [];
  for (const [language, { file, read }] of files) {
    if (!read.ok) {
      problems.push(...read.problems);
      continue;
    }
    translations.set(language, translate(dashboard, read.value));
    problems.push(...strayTexts(dashboard, read.value).map(({ path: at, message }): DocumentProblem => ({ code: 'document.invalid', file, path: at.join('.'), ...read.locate(at), message })));
    untranslatedTexts.push(...untranslated(dashboard, read.value).map(missing => ({ file, path: missing })));
  }
  return { translations, problems, untranslated: untranslatedTexts };
}

/** Each tile's encodings against its model, whatever its parameters stand for: a broken tile does not take down its page. */
function checkTiles(read: ReadDocument<DocumentOf<'dashboard'>> & { ok: true }, models: ReadonlyMap<string, WorkspaceModel>, reading: ReadonlySet<string>, file: string) {
  const broken: Record<string, string> = {};
  const found = new Map<string, DocumentProblem>();
  let isReading = false;
  const dashboard = read.value;
  const { parameters = {} } = dashboard;
  const ids = dashboard.pages.flatMap(page => Object.keys(page.tiles));
  const report = (at: readonly (string | number)[], message: string, suggestion: string | undefined) => {
    const path = at.join('.');
    if (!found.has(path)) found.set(path, { code: 'document.invalid', file, path, ...read.locate(at), message, ...(suggestion !== undefined && { suggestion }) });
  };
  const reportName = (at: readonly (string | number)[], what: string, name: string, known: readonly string[]) => {
    report(at, `There is no ${what} \`${name}\`${didYouMean(name, known)}`, closestName(name, known));
  };
  dashboard.pages.forEach((page, i) => {
    for (const [id, tile] of Object.entries(page.tiles)) {
      const path = ['pages', i, 'tiles', id];
      for (const [place, other] of (tile.listens || []).entries()) if (!ids.includes(other)) reportName([...path, 'listens', place], 'tile', other, ids);
      for (const key of ['selected', 'notSelected'] as const) if (tile.showIf?.[key] !== undefined && !ids.includes(tile.showIf[key])) reportName([...path, 'showIf', key], 'tile', tile.showIf[key], ids);
      const named = parametersIn(tile);
      for (const name of named) {
        if (Object.hasOwn(parameters, name)) continue;
        const isCondition = tile.showIf?.parameter === name;
        reportName([...path, ...(isCondition ? ['showIf', 'parameter'] : placeOfWord(tile, `:${name}`))], 'parameter', name, Object.keys(parameters));
      }
      const variants = variantsOf(dashboard, tile, named);
      const problems = variants.map(({ tile: variant }) => tileProblem(variant, dashboard.model, models));
      if (problems.every(problem => problem === undefined)) continue;
      if (reading.has(tile.model ?? dashboard.model ?? '')) {
        isReading = true;
        continue;
      }
      // One that is right for some of what can be chosen says what is wrong when the rest is chosen.
      if (problems.every(problem => problem !== undefined)) broken[id] = problems[0]!;
      for (const [v, problem] of problems.entries()) {
        if (problem === undefined) continue;
        const word = /`([^`]*)`/.exec(problem)?.[1];
        const { option } = variants[v]!;
        const isOptions = option !== undefined && problems[0] !== problem;
        report(isOptions ? option : [...path, ...placeOfWord(tile, word)], problem, offeredIn(problem));
      }
    }
  });
  return { broken, found: [...found.values()], isReading };
}

/** A tile with its parameters at their defaults, then with each of their options in turn, and where that option is written. */
function variantsOf(dashboard: DocumentOf<'dashboard'>, tile: TileFile, named: readonly string[]): readonly { readonly tile: Tile; readonly option?: readonly (string | number)[] }[] {
  const made = (parameters: ChosenParameters) => resolveTile(dashboard, tile, { parameters, filters: {}, selections: {} }, (_, value) => String(value));
  const others = named.flatMap(name => {
    const parameter = Object.hasOwn(dashboard.parameters ?? {}, name) ? dashboard.parameters![name]! : undefined;
    return !parameter || parameter.kind === 'number' || parameter.kind === 'choice' ? [] : parameter.options.map((option, i) => ({ tile: made({ [name]: option }), option: ['parameters', name, 'options', i] }));
  });
  return [{ tile: made({}) }, ...others];
}

/** Where in a tile the word stands that is wrong with it; nowhere where it is about the tile as a whole. */
function placeOfWord(value: unknown, word: string | undefined): (string | number)[] {
  if (word === undefined || value === null || typeof value !== 'object') return [];
  for (const [key, inner] of Object.entries(value)) {
    const step = Array.isArray(value) ? Number(key) : key;
    if (inner === word) return [step];
    const deeper = placeOfWord(inner, word);
    if (deeper.length > 0) return [step, ...deeper];
  }
  return [];
}

function tileProblem(tile: Tile, dashboardModel: string | undefined, models: ReadonlyMap<string, WorkspaceModel>): string | undefined {
  if (tile.kind !== 'control' && asksNothing(tile)) return undefined;
  const name = tile.model ?? dashboardModel;
  if (name === undefined) return 'This tile names no model, and its dashboard neither.';
  const model = models.get(name);
  if (!model) return `There is no model \`${name}\`. Models: ${[...models.keys()].slice(0, 8).join(', ') || 'none'}.`;
  try {
    tileShape(tile, model.model);
    return undefined;
  } catch (error) {
    if (error instanceof QuestionError) return error.message;
    throw error;
  }
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
