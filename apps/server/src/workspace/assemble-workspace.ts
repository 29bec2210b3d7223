import { extractName, wantedExtracts } from './sources/extract-store.ts';
import { freeName, labelFrom, type DocumentProblem } from '@belvedere/document';
import { lookupTables, timeColumn, type Relationship, type TableProfile } from '@belvedere/model';
import { workspaceLimits } from '../limits.ts';
import { assembleAlert } from './assemble-alert.ts';
import { assembleDashboard } from './assemble-dashboard.ts';
import { assembleReport } from './assemble-report.ts';
import { policyTestUsers } from './policy-test-users.ts';
import { assembleModel, schemaIn, schemaInSource, schemaOf } from './assemble-model.ts';
import { isDatabaseFile } from './sources/source.ts';
import { problemsOfDecisions } from './relationships/check-decisions.ts';
import { decisionsIn } from './relationships/decisions.ts';
import type { SourceState } from './sources/source.ts';
import {
  inferredModel,
  inferredOverview,
  parentOf,
  profilesOf,
  relatedTo,
  type Related,
} from './documents/inferred-models.ts';
import type { DocumentText, Documents } from './documents/read-documents.ts';
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
export function assembleWorkspace(
  documents: Documents,
  tables: ReadonlyMap<string, TableState>,
  rest: Pick<Workspace, 'revision' | 'skippedFiles' | 'sources' | 'sqlTables' | 'relationships'> & {
    title: string;
    zone: string;
  },
): Workspace {
  const { sources, sqlTables, relationships } = rest;
  const decisions = decisionsIn(documents.readings, name => isDatabaseFile(sources.get(name)));
  const models = new Map<string, WorkspaceModel>();
  const problems: DocumentProblem[] = [...documents.problems];
  const modelsReading = new Set<string>();
  const unappliedPolicies: UnappliedPolicies[] = [];
  const modelsWaiting = new Map<string, string>();
  for (const [name, document] of documents.models) {
    const assembled = assembleModel(name, document, {
      tables,
      sources,
      sqlTables,
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
  for (const { read } of [...documents.sources.values(), ...documents.readings.values()])
    if (!read.ok) problems.push(...read.problems);
  const { people, problems: unknownPeople } = policyTestUsers(
    documents.tests,
    new Set([...models.keys(), ...modelsReading, ...modelsWaiting.keys()]),
  );
  problems.push(...unknownPeople);
  const described = new Set(
    [...models.values()].filter(({ model }) => model.source === 'files').map(({ model }) => model.table),
  );
  problems.push(...problemsOfDecisions(decisions, { tables, sources, relationships }));
  const profiles = profilesOfFiles(tables);
  const related = new Map<string, Related>();
  const lookups = lookupTables(relationships.get('files') ?? [], name => hasOwnTime(profiles.get(name)));
  for (const table of tables.values()) {
    // Tables that are still being imported will have an inferred model.
    if (
      !table.imported &&
      !documents.models.has(table.name) &&
      (table.state === 'waiting' || table.state === 'importing')
    )
      modelsReading.add(table.name);
    if (!table.imported || documents.models.has(table.name)) continue;
    const parent = parentOf(table.imported, name => schemaIn(tables, name));
    const own = relatedTo(
      table.imported.profile,
      relationships.get('files') ?? [],
      profiles,
      name => schemaIn(tables, name)!,
      table.imported.parent?.table,
    );
    related.set(table.name, own);
    const model = inferredModel(table.name, table.imported.profile, schemaOf(table.imported), {
      ...(parent && { parent }),
      related: own,
    });
    if (model)
      models.set(table.name, {
        model,
        isGuessed: true,
        problems: [],
        ...(lookups.has(table.name) && { isLookup: true }),
      });
  }
  const guessedFrom = new Map<string, TableProfile>();
  const names = new Set([...models.keys(), ...documents.models.keys(), ...tables.keys()]);
  for (const source of sources.values()) {
    const isDescribed = new Set(
      [...models.values()]
        .filter(({ model }) => model.source === source.name)
        .map(({ model }) => model.table),
    );
    const described = profilesOfSource(source);
    const own = relationships.get(source.name) ?? [];
    const lookups = lookupTables(own, name => hasOwnTime(described.get(name)));
    for (const [called, profile] of described) {
      if (isDescribed.has(called)) continue;
      const name = freeName(`${source.name}_${called}`, names);
      const joined = relatedInSource(source, profile, own);
      const schema = schemaInSource(source, called);
      const model = inferredModel(name, profile, schema, { source: source.name, related: joined });
      if (!model) continue;
      const isLookup = lookups.has(called) && { isLookup: true as const };
      models.set(name, { model, isGuessed: true, problems: [], ...isLookup });
      related.set(name, joined);
      guessedFrom.set(name, profile);
    }
  }

  const saved = documents.dashboards;
  const overviews = new Map<string, WorkspaceDashboard>();
  for (const table of tables.values()) {
    const id = `overview/${table.name}`;
    // Saved dashboards take precedence over generated overviews, as saved models do.
    if (described.has(table.name) || saved.has(table.name) || saved.has(id)) continue;
    const guessed = models.get(table.name);
    if (table.imported && guessed) {
      const joined = related.get(table.name);
      const overview = inferredOverview(
        guessed.model,
        table.imported.profile,
        table.imported.fingerprint,
        joined && profilesOf(joined),
      );
      overviews.set(id, {
        id,
        origin: 'overview',
        state: 'ready',
        ...overview,
        title: overview.document.title,
        problems: [],
        brokenTiles: {},
        updated: table.imported.readAt,
      });
    } else if (table.state === 'waiting' || table.state === 'importing') {
      overviews.set(id, {
        id,
        origin: 'overview',
        state: 'importing',
        title: labelFrom(table.name),
        problems: [],
        brokenTiles: {},
        revision: 'importing',
      });
    }
  }
  for (const [name, profile] of guessedFrom) {
    const id = `overview/${name}`;
    if (saved.has(id) || overviews.has(id)) continue;
    const { model } = models.get(name)!;
    const joined = related.get(name);
    const overview = inferredOverview(
      model,
      profile,
      String(sources.get(model.source)?.dataVersion),
      joined && profilesOf(joined),
    );
    overviews.set(id, {
      id,
      origin: 'overview',
      state: 'ready',
      ...overview,
      title: overview.document.title,
      problems: [],
      brokenTiles: {},
    });
  }
  const { settings } = documents;
  const pieces = { models, modelsReading, modelsWaiting, tables, sources, settings };
  const dashboards = withSavedDashboards(overviews, documents, pieces);
  const alerts = new Map(
    [...documents.alerts].map(([id, text]) => [
      id,
      assembleAlert(id, text, { dashboards, models, modelsReading }),
    ]),
  );
  const around = { dashboards, models, modelsReading, modelsWaiting, settings };
  const reports = new Map([...documents.reports].map(([id, text]) => [id, assembleReport(id, text, around)]));
  for (const scheduled of [...alerts.values(), ...reports.values()]) problems.push(...scheduled.problems);
  const { revision, skippedFiles, title, zone } = rest;
  return {
    revision,
    skippedFiles,
    sources,
    sqlTables,
    extracts: new Map(
      wantedExtracts([...documents.models.values()].flatMap(({ read }) => (read.ok ? [read.value] : []))).map(
        ({ source, table }) => [extractName(source, table), source],
      ),
    ),
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

/** The profiles of the files' tables that have been read, by name. */
export function profilesOfFiles(tables: ReadonlyMap<string, TableState>): ReadonlyMap<string, TableProfile> {
  return new Map(
    [...tables].flatMap(([name, table]) => (table.imported ? [[name, table.imported.profile] as const] : [])),
  );
}

/** The profiles of a database's tables that have been described, by name. */
function profilesOfSource({ tables }: SourceState): ReadonlyMap<string, TableProfile> {
  return new Map(tables.flatMap(({ called, profile }) => (profile ? [[called, profile] as const] : [])));
}

/**
 * The tables that a database's table refers to. Only keys that the database guarantees count as unique: others were
 * unique when they were counted, and rows may have been added since.
 */
export function relatedInSource(
  source: SourceState,
  profile: TableProfile,
  relationships: readonly Relationship[],
): Related {
  const schemaOf = (name: string) => schemaInSource(source, name);
  const related = relatedTo(profile, relationships, profilesOfSource(source), schemaOf);
  return { ...related, schemas: related.schemas.map(({ name }) => schemaOf(name)) };
}

/** Whether rows of a table happened at some time; dates of birth or hiring are none. */
function hasOwnTime(profile: TableProfile | undefined): boolean {
  const time = profile && timeColumn(profile);
  return time !== undefined && !/birth|hire|updated|modified/i.test(time.name);
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

/** Returns the saved dashboards, then the overviews. Tiles open dashboards of both kinds. */
function withSavedDashboards(
  overviews: ReadonlyMap<string, WorkspaceDashboard>,
  { dashboards: saved, translations }: Pick<Documents, 'dashboards' | 'translations'>,
  pieces: Omit<Parameters<typeof assembleDashboard>[3], 'dashboards'>,
): Map<string, WorkspaceDashboard> {
  const around = { ...pieces, dashboards: new Map<string, unknown>([...saved, ...overviews]) };
  const assembled = [...saved].map(
    ([id, found]) => [id, assembleDashboard(id, found, translations.get(id), around)] as const,
  );
  return new Map([...assembled, ...overviews]);
}
