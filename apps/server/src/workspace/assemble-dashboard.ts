import {
  closestName,
  didYouMean,
  inCurrency,
  offeredIn,
  parametersIn,
  resolveTile,
  strayTexts,
  translate,
  untranslated,
  type ChosenParameters,
  type DocumentOf,
  type DocumentProblem,
  type ReadDocument,
  type Tile,
  type TileFile,
} from '@belvedere/document';
import { finish, type Steps } from '@belvedere/model';
import { hasNoQuery, QueryError, tileShape } from '@belvedere/query';
import { contentHash } from './documents/content-hash.ts';
import { dataVersionOf } from './sources/source.ts';
import type { DocumentText, Translations } from './documents/read-documents.ts';
import type { TableState, Workspace, WorkspaceDashboard, WorkspaceModel } from './workspace.ts';

type Around = Pick<
  Workspace,
  'models' | 'modelsReading' | 'modelsWaiting' | 'tables' | 'sources' | 'settings'
> & {
  /** The IDs of all dashboards; those that its tiles open are among them. */
  readonly dashboards: ReadonlyMap<string, unknown>;
};

/** The maximum number of problems reported for one dashboard, as for the text of a document. */
const maxProblems = 100;
/**
 * Checks of a tile with one option of a parameter, in one dashboard. Beyond them, tiles are checked with the
 * defaults of the parameters only; a tile reports an option's error when it is chosen.
 */
const maxVariants = 2000;

/** Combines a dashboard's text with its models. */
export function assembleDashboard(...args: Parameters<typeof assembleDashboardInSteps>): WorkspaceDashboard {
  return finish(assembleDashboardInSteps(...args));
}

/** `assembleDashboard`, one tile in a step: a dashboard may have more than a thousand. */
export function* assembleDashboardInSteps(
  id: string,
  { file, text, updated, read }: DocumentText<'dashboard'>,
  translations: Translations = new Map(),
  around: Around,
): Steps<WorkspaceDashboard> {
  const { models, tables, sources, settings } = around;
  const revision = contentHash(
    text + (settings.currency ?? '') + (read.ok ? modelsRead(read.value, models, tables, sources) : ''),
  );
  if (!read.ok)
    return {
      id,
      origin: 'saved',
      state: 'broken',
      title: id.split('/').at(-1)!,
      problems: read.problems,
      brokenTiles: {},
      updated,
      revision,
    };
  const { broken, found, isReading } = yield* checkTiles(read, around, file);
  const document = inCurrency(read.value, settings.currency);
  const localized = translationsOf(document, translations);
  return {
    id,
    origin: 'saved',
    state: isReading ? 'importing' : 'ready',
    document,
    title: read.value.title,
    problems: [...found, ...localized.problems],
    brokenTiles: broken,
    updated,
    revision:
      localized.translations.size > 0
        ? contentHash(revision + JSON.stringify([...localized.translations]))
        : revision,
    translations: localized.translations,
    untranslated: localized.untranslated,
  };
}

/**
 * The dependencies of a dashboard's results beside its own text: its tiles' models, and their tables'
 * versions.
 */
function modelsRead(
  dashboard: DocumentOf<'dashboard'>,
  models: ReadonlyMap<string, WorkspaceModel>,
  tables: ReadonlyMap<string, TableState>,
  sources: Workspace['sources'],
): string {
  const names = new Set([
    dashboard.model,
    ...dashboard.pages.flatMap(page => Object.values(page.tiles).map(tile => tile.model)),
  ]);
  return [...names]
    .map(name => {
      const model = models.get(name ?? '')?.model;
      const read =
        model?.sql !== undefined
          ? [...tables.keys()]
          : model
            ? [model.table, ...Object.values(model.joins).map(join => join.table)]
            : [];
      return JSON.stringify([
        name,
        model,
        model && model.source !== 'files'
          ? dataVersionOf(model, sources.get(model.source))
          : read.map(table => tables.get(table)?.alias),
      ]);
    })
    .join();
}

/**
 * Returns the dashboard in each language with a translation file. Errors in such a file do not break the
 * dashboard.
 */
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
    problems.push(
      ...strayTexts(dashboard, read.value).map(({ path: at, message }): DocumentProblem => ({
        code: 'document.invalid',
        file,
        path: at.join('.'),
        ...read.locate(at),
        message,
      })),
    );
    untranslatedTexts.push(...untranslated(dashboard, read.value).map(missing => ({ file, path: missing })));
  }
  return { translations, problems, untranslated: untranslatedTexts };
}

/**
 * Checks each tile's encodings against its model, for all parameter values. A broken tile does not break its
 * page.
 */
function* checkTiles(
  read: ReadDocument<DocumentOf<'dashboard'>> & { ok: true },
  { models, modelsReading: reading, modelsWaiting: waiting, sources, dashboards }: Around,
  file: string,
): Steps<{
  readonly broken: Readonly<Record<string, string>>;
  readonly found: readonly DocumentProblem[];
  readonly isReading: boolean;
}> {
  const broken: Record<string, string> = {};
  const found = new Map<string, DocumentProblem>();
  let isReading = false;
  const dashboard = read.value;
  const { parameters = {} } = dashboard;
  const ids = dashboard.pages.flatMap(page => Object.keys(page.tiles));
  const isTile = new Set(ids);
  let variantsLeft = maxVariants;
  const report = (at: readonly (string | number)[], message: string, suggestion: string | undefined) => {
    const path = at.join('.');
    if (!found.has(path) && found.size < maxProblems)
      found.set(path, {
        code: 'document.invalid',
        file,
        path,
        ...read.locate(at),
        message,
        ...(suggestion !== undefined && { suggestion }),
      });
  };
  const reportName = (
    at: readonly (string | number)[],
    what: string,
    name: string,
    known: readonly string[],
  ) => {
    if (found.size >= maxProblems) return;
    const suggestion = closestName(name, known);
    const hint = suggestion === undefined ? '' : `; did you mean \`${suggestion}\`?`;
    report(at, `There is no ${what} \`${name}\`${hint}`, suggestion);
  };
  const modelsOfTiles = new Set(
    dashboard.pages
      .flatMap(page => Object.values(page.tiles).map(tile => tile.model ?? dashboard.model))
      .concat(dashboard.model)
      .filter(name => name !== undefined),
  );
  /** Reports a field that none of the models has. Models that are not there yet, or not at all, may have it. */
  const checkField = (at: readonly (string | number)[], field: string, names: Iterable<string>) => {
    const known: string[] = [];
    for (const name of names) {
      const dimensions =
        reading.has(name) || waiting.has(name) ? undefined : models.get(name)?.model.dimensions;
      if (!dimensions || Object.hasOwn(dimensions, field)) return;
      known.push(...Object.keys(dimensions));
    }
    const listed = [...names].map(name => `\`${name}\``).join(', ');
    if (known.length > 0 && found.size < maxProblems)
      report(
        at,
        `There is no field \`${field}\` in ${listed}${didYouMean(field, known)}`,
        closestName(field, known),
      );
  };
  /** Reports the fields, tiles and parameters that a tile names and that do not exist. */
  const checkNames = (tile: TileFile, path: readonly (string | number)[], named: readonly string[]) => {
    const own = [tile.model ?? dashboard.model ?? ''];
    for (const [position, { field }] of (tile.filters ?? []).entries())
      checkField([...path, 'filters', position, 'field'], field, own);
    for (const [position, field] of (tile.drill ?? []).entries())
      checkField([...path, 'drill', position], field, own);
    for (const key of ['filtered', 'notFiltered'] as const)
      if (tile.showIf?.[key] !== undefined)
        checkField([...path, 'showIf', key], tile.showIf[key], modelsOfTiles);
    for (const [position, other] of (tile.listens || []).entries())
      if (!isTile.has(other)) reportName([...path, 'listens', position], 'tile', other, ids);
    for (const key of ['selected', 'notSelected'] as const)
      if (tile.showIf?.[key] !== undefined && !isTile.has(tile.showIf[key]))
        reportName([...path, 'showIf', key], 'tile', tile.showIf[key], ids);
    for (const name of named) {
      if (Object.hasOwn(parameters, name)) continue;
      const isCondition = tile.showIf?.parameter === name;
      reportName(
        [...path, ...(isCondition ? ['showIf', 'parameter'] : placeOfWord(tile, `:${name}`))],
        'parameter',
        name,
        Object.keys(parameters),
      );
    }
  };
  for (const { path, opens } of unknownLinks(dashboard, { sources, dashboards }))
    reportName(path, 'dashboard', opens, [...dashboards.keys()]);
  for (const [position, { field }] of (dashboard.filters ?? []).entries())
    checkField(['filters', position, 'field'], field, modelsOfTiles);
  for (const [i, page] of dashboard.pages.entries()) {
    for (const [id, tile] of Object.entries(page.tiles)) {
      yield;
      const path = ['pages', i, 'tiles', id];
      const named = parametersIn(tile);
      checkNames(tile, path, named);
      const variants = variantsOf(dashboard, tile, variantsLeft > 0 ? named : []);
      variantsLeft -= variants.length - 1;
      const problems = variants.map(({ tile: variant }) => tileProblem(variant, dashboard.model, models));
      if (problems.every(problem => problem === undefined)) continue;
      // Such a tile reports its unconfirmed source when it is queried.
      if (waiting.has(tile.model ?? dashboard.model ?? '')) continue;
      if (reading.has(tile.model ?? dashboard.model ?? '')) {
        isReading = true;
        continue;
      }
      // A tile that is valid for some parameter values reports the error when another value is chosen.
      if (problems.every(problem => problem !== undefined)) broken[id] = problems[0]!;
      for (const [v, problem] of problems.entries()) {
        if (problem === undefined) continue;
        const word = /`([^`]*)`/.exec(problem)?.[1];
        const { option } = variants[v]!;
        const isOptions = option !== undefined && problems[0] !== problem;
        report(isOptions ? option : [...path, ...placeOfWord(tile, word)], problem, offeredIn(problem));
      }
    }
  }
  return { broken, found: [...found.values()], isReading };
}

/** Returns the tiles that open a dashboard which does not exist. */
function unknownLinks(
  dashboard: DocumentOf<'dashboard'>,
  { sources, dashboards }: Pick<Around, 'sources' | 'dashboards'>,
) {
  // Overviews of a database exist once its tables are known.
  const mayComeLater = (id: string) =>
    id.startsWith('overview/') && [...sources.values()].some(({ state }) => state !== 'ready');
  return dashboard.pages.flatMap((page, i) =>
    Object.entries(page.tiles).flatMap(([id, { opens }]) =>
      opens === undefined || dashboards.has(opens) || mayComeLater(opens)
        ? []
        : [{ path: ['pages', i, 'tiles', id, 'opens'], opens }],
    ),
  );
}

/**
 * Returns a tile with its parameters at their defaults, then with each of their options in turn, and that
 * option's path in the document.
 */
function variantsOf(
  dashboard: DocumentOf<'dashboard'>,
  tile: TileFile,
  named: readonly string[],
): readonly { readonly tile: Tile; readonly option?: readonly (string | number)[] }[] {
  const made = (parameters: ChosenParameters) =>
    resolveTile(dashboard, tile, { parameters, filters: {}, selections: {} }, (_, value) => String(value));
  const others = named.flatMap(name => {
    const parameter = Object.hasOwn(dashboard.parameters ?? {}, name)
      ? dashboard.parameters![name]!
      : undefined;
    return !parameter || parameter.kind === 'number' || parameter.kind === 'choice'
      ? []
      : parameter.options.map((option, i) => ({
          tile: made({ [name]: option }),
          option: ['parameters', name, 'options', i],
        }));
  });
  return [{ tile: made({}) }, ...others];
}

/** Returns the path of the invalid word in a tile; empty if the problem concerns the whole tile. */
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

function tileProblem(
  tile: Tile,
  dashboardModel: string | undefined,
  models: ReadonlyMap<string, WorkspaceModel>,
): string | undefined {
  if (tile.kind !== 'control' && hasNoQuery(tile)) return undefined;
  const name = tile.model ?? dashboardModel;
  if (name === undefined) return 'Neither this tile nor its dashboard has a `model`.';
  const model = models.get(name);
  if (!model)
    return `There is no model \`${name}\`${
      didYouMean(name, models.keys()) || `. Models: ${[...models.keys()].slice(0, 8).join(', ') || 'none'}.`
    }`;
  try {
    tileShape(tile, model.model);
    return undefined;
  } catch (error) {
    if (error instanceof QueryError) return error.message;
    throw error;
  }
}
