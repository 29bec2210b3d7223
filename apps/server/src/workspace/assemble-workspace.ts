import { isDatabaseFile, type DocumentProblem } from '@belvedere/document';
import { finish, type Steps } from '@belvedere/model';
import { workspaceLimits } from '../limits.ts';
import { assembleAlert } from './assemble-alert.ts';
import { assembleDashboardInSteps } from './assemble-dashboard.ts';
import { assembleModelInSteps } from './assemble-model.ts';
import { assembleReport } from './assemble-report.ts';
import type { Documents, DocumentText } from './documents/read-documents.ts';
import { inferFileModels, inferSourceModels, type InferredModel } from './inference/infer-models.ts';
import { inferFileOverviews, inferSourceOverviews } from './inference/infer-overviews.ts';
import { policyTestUsers } from './policy-test-users.ts';
import { problemsOfDecisions } from './relationships/check-decisions.ts';
import { decisionsIn } from './relationships/decisions.ts';
import { extractName, wantedExtracts } from './sources/extract-store.ts';
import { partRead } from './tables/table-part.ts';
import type {
  TableState,
  UnappliedPolicies,
  Workspace,
  WorkspaceDashboard,
  WorkspaceModel,
} from './workspace.ts';

/**
 * Combines documents and tables: checks models against tables and dashboards against models, and infers a
 * model and an overview for each table without one.
 */
export function assembleWorkspace(...args: Parameters<typeof assembleInSteps>): Workspace {
  return finish(assembleInSteps(...args));
}

/** `assembleWorkspace`, at most one document in a step. */
export function* assembleInSteps(
  documents: Documents,
  tables: ReadonlyMap<string, TableState>,
  rest: Pick<Workspace, 'revision' | 'skippedFiles' | 'sources' | 'sqlTables' | 'relationships'> & {
    title: string;
    zone: string;
  },
): Steps<Workspace> {
  const { sources, sqlTables, relationships } = rest;
  const decisions = decisionsIn(documents.tableFiles, name => isDatabaseFile(sources.get(name)));
  const saved = yield* assembleSavedModels(documents, { tables, sources, sqlTables });
  const { modelsWaiting, unappliedPolicies } = saved;
  const problems: DocumentProblem[] = [...documents.problems, ...saved.problems];
  for (const { read } of [...documents.sources.values(), ...documents.tableFiles.values()])
    if (!read.ok) problems.push(...read.problems);
  const { people, problems: unknownPeople } = policyTestUsers(
    documents.tests,
    new Set([...saved.models.keys(), ...saved.modelsReading, ...modelsWaiting.keys()]),
  );
  problems.push(...unknownPeople, ...problemsOfDecisions(decisions, { tables, sources, relationships }));
  const inferred = yield* inferModels(documents, saved.models, { tables, sources, relationships });
  const { models } = inferred;
  const modelsReading = new Set([...saved.modelsReading, ...tablesBeingImported(documents, tables)]);
  const { settings } = documents;
  // Fields that a part of a table lacks may come with the others.
  const modelsMissingFields = new Set([
    ...modelsReading,
    ...[...models].flatMap(([name, { model }]) => (partRead(model, { tables }) ? [name] : [])),
  ]);
  const pieces = { models, modelsReading: modelsMissingFields, modelsWaiting, tables, sources, settings };
  const overviews = yield* overviewsOf(documents, { tables, sources, models }, inferred);
  const dashboards = yield* withSavedDashboards(overviews, documents, pieces);
  const alerts = yield* eachInSteps(documents.alerts, (id, text) =>
    assembleAlert(id, text, { dashboards, models, modelsReading: modelsMissingFields }),
  );
  const around = { dashboards, models, modelsReading: modelsMissingFields, modelsWaiting, settings };
  const reports = yield* eachInSteps(documents.reports, (id, text) => assembleReport(id, text, around));
  for (const scheduled of [...alerts.values(), ...reports.values()]) problems.push(...scheduled.problems);
  const { revision, skippedFiles, title, zone } = rest;
  return {
    revision,
    skippedFiles,
    sources,
    sqlTables,
    extracts: extractsOf(documents),
    relationships,
    decisions,
    settings,
    declaredGrants: documents.declaredGrants,
    limits: workspaceLimits(documents.settings),
    title: documents.settings.title ?? title,
    timezone: documents.settings.timezone ?? zone,
    tables,
    models,
    modelFiles: new Set(documents.models.keys()),
    modelsReading,
    modelsWaiting,
    unappliedPolicies,
    dashboards,
    alerts,
    reports,
    people,
    problems,
  };
}

interface SavedModels {
  readonly models: ReadonlyMap<string, WorkspaceModel>;
  readonly problems: readonly DocumentProblem[];
  /** Those whose tables have not been imported yet. */
  readonly modelsReading: ReadonlySet<string>;
  /** Those whose source must be confirmed first, with the name of that source. */
  readonly modelsWaiting: ReadonlyMap<string, string>;
  readonly unappliedPolicies: readonly UnappliedPolicies[];
}

/** Checks the model files against the existing tables. */
function* assembleSavedModels(
  documents: Pick<Documents, 'models' | 'settings'>,
  around: Pick<Workspace, 'tables' | 'sources' | 'sqlTables'>,
): Steps<SavedModels> {
  const models = new Map<string, WorkspaceModel>();
  const problems: DocumentProblem[] = [];
  const modelsReading = new Set<string>();
  const modelsWaiting = new Map<string, string>();
  const unappliedPolicies: UnappliedPolicies[] = [];
  for (const [name, document] of documents.models) {
    yield;
    const assembled = yield* assembleModelInSteps(name, document, {
      ...around,
      settings: documents.settings,
    });
    // An unconfirmed source is reported once, not for each model.
    if (assembled.waitsFor !== undefined) modelsWaiting.set(name, assembled.waitsFor);
    else problems.push(...assembled.problems);
    if (assembled.isImporting) modelsReading.add(name);
    if (!assembled.model) unappliedPolicies.push(...policiesIn(document));
    if (assembled.model)
      models.set(name, { model: assembled.model, isGuessed: false, problems: assembled.problems });
  }
  return { models, problems, modelsReading, modelsWaiting, unappliedPolicies };
}

/** Tables that are still being imported will have an inferred model. */
function tablesBeingImported(
  { models }: Pick<Documents, 'models'>,
  tables: ReadonlyMap<string, TableState>,
): string[] {
  return [...tables.values()]
    .filter(
      ({ name, state, imported }) =>
        !imported && !models.has(name) && (state === 'waiting' || state === 'importing'),
    )
    .map(({ name }) => name);
}

interface InferredModels {
  /** The saved models, then the inferred ones. */
  readonly models: ReadonlyMap<string, WorkspaceModel>;
  readonly ofFiles: ReadonlyMap<string, InferredModel>;
  readonly ofSources: ReadonlyMap<string, InferredModel>;
}

/** Adds a model for each table that no saved model describes. */
function* inferModels(
  documents: Pick<Documents, 'models'>,
  saved: ReadonlyMap<string, WorkspaceModel>,
  { tables, sources, relationships }: Pick<Workspace, 'tables' | 'sources' | 'relationships'>,
): Steps<InferredModels> {
  const ofFiles = yield* inferFileModels(documents, tables, relationships.get('files') ?? []);
  const names = new Set([...saved.keys(), ...ofFiles.keys(), ...documents.models.keys(), ...tables.keys()]);
  const ofSources = new Map<string, InferredModel>();
  for (const source of sources.values()) {
    const own = relationships.get(source.name) ?? [];
    for (const [name, found] of yield* inferSourceModels(source, own, saved, names))
      ofSources.set(name, found);
  }
  const found = [...ofFiles, ...ofSources].map(([name, inferred]) => [name, inferred.found] as const);
  return { models: new Map([...saved, ...found]), ofFiles, ofSources };
}

/** Generates an overview for each table without a model, or a dashboard of its name. */
function* overviewsOf(
  { dashboards: saved }: Pick<Documents, 'dashboards'>,
  { tables, sources, models }: Pick<Workspace, 'tables' | 'sources' | 'models'>,
  inferred: InferredModels,
): Steps<Map<string, WorkspaceDashboard>> {
  const described = new Set(
    [...models.values()]
      .filter(({ model, isGuessed }) => model.source === 'files' && !isGuessed)
      .map(({ model }) => model.table),
  );
  // Saved dashboards take precedence over generated overviews, as saved models do.
  const shown = new Map([...tables].filter(([name]) => !described.has(name) && !saved.has(name)));
  const overviews = [
    ...(yield* inferFileOverviews(shown, models, inferred.ofFiles)),
    ...(yield* inferSourceOverviews(inferred.ofSources, sources)),
  ];
  return new Map(overviews.filter(({ id }) => !saved.has(id)).map(overview => [overview.id, overview]));
}

/** Returns the names of the copied tables that models read, each with its source. */
function extractsOf({ models }: Pick<Documents, 'models'>): Workspace['extracts'] {
  const read = [...models.values()].flatMap(({ read }) => (read.ok ? [read.value] : []));
  return new Map(wantedExtracts(read).map(({ source, table }) => [extractName(source, table), source]));
}

/**
 * Returns the policies of a model file without a valid model. A file that cannot be parsed may have policies
 * on any table in its text.
 */
function policiesIn({ text, read }: DocumentText<'model'>): UnappliedPolicies[] {
  if (!read.ok) return /\bpolicies\b/.test(text) ? [{ text }] : [];
  const { policies, source = 'files', table, sql = '' } = read.value;
  if (!policies) return [];
  return [table === undefined ? { text: sql } : { source, table }];
}

/** Assembles documents one by one, each in a step. */
function* eachInSteps<T, R>(
  all: ReadonlyMap<string, T>,
  assemble: (id: string, one: T) => R,
): Steps<Map<string, R>> {
  const assembled = new Map<string, R>();
  for (const [id, one] of all) {
    yield;
    assembled.set(id, assemble(id, one));
  }
  return assembled;
}

/** Returns the saved dashboards, then the overviews. Tiles open dashboards of both kinds. */
function* withSavedDashboards(
  overviews: ReadonlyMap<string, WorkspaceDashboard>,
  { dashboards: saved, translations }: Pick<Documents, 'dashboards' | 'translations'>,
  pieces: Omit<Parameters<typeof assembleDashboardInSteps>[3], 'dashboards'>,
): Steps<Map<string, WorkspaceDashboard>> {
  const around = { ...pieces, dashboards: new Map<string, unknown>([...saved, ...overviews]) };
  const assembled = new Map<string, WorkspaceDashboard>();
  for (const [id, found] of saved)
    assembled.set(id, yield* assembleDashboardInSteps(id, found, translations.get(id), around));
  return new Map([...assembled, ...overviews]);
}
