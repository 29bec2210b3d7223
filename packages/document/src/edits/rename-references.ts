import type { DashboardFile } from '../schema/dashboard.ts';
import type { Edit, Path } from './edit.ts';
import { replaceMeasures } from '../text-measures.ts';
import type { ModelFile } from '../schema/model-file.ts';
import { completionFieldAt } from '../completion/completion-fields.ts';
import type { TranslationFile } from '../schema/translation-file.ts';

type Names = Readonly<Record<string, string>>;

/** Renamed dimensions and measures of a model: new names by old names. */
export interface Renames {
  readonly dimensions: Names;
  readonly measures: Names;
  /** For references to either kind: dimensions take precedence, as everywhere. */
  readonly either: Names;
}

/**
 * Finds renames between two versions of a model: a removed name, and exactly one new name with the same
 * definition.
 */
export function renamesBetween(before: ModelFile, after: ModelFile): Renames {
  const dimensions = renamed(before.dimensions, after.dimensions, (name, { column, expr }) =>
    expr === undefined ? `column ${column ?? name}` : `expr ${expr}`,
  );
  const measures = renamed(before.measures, after.measures, (_, { expr }) => expr);
  return {
    dimensions,
    measures,
    either: {
      ...Object.fromEntries(
        Object.entries(measures).filter(([name]) => !Object.hasOwn(before.dimensions ?? {}, name)),
      ),
      ...dimensions,
    },
  };
}

export function isNothingRenamed({ dimensions, measures }: Renames): boolean {
  return Object.keys(dimensions).length + Object.keys(measures).length === 0;
}

function renamed<T>(
  before: Readonly<Record<string, T>> = {},
  after: Readonly<Record<string, T>> = {},
  meaning: (name: string, entry: T) => string,
): Names {
  const meaningIn = (entries: Readonly<Record<string, T>>, others: Readonly<Record<string, T>>) =>
    Map.groupBy(
      Object.keys(entries).filter(name => !Object.hasOwn(others, name)),
      name => meaning(name, entries[name]!),
    );
  const added = meaningIn(after, before);
  return Object.fromEntries(
    [...meaningIn(before, after)].flatMap(([what, [was, ...moreGone]]) => {
      const [is, ...moreNew] = added.get(what) ?? [];
      return is === undefined || moreGone.length + moreNew.length > 0 ? [] : [[was!, is]];
    }),
  );
}

/**
 * Returns the edits that update a dashboard's references to renamed fields and measures of `model`.
 * References to other models are unchanged.
 */
export function renameReferences(dashboard: DashboardFile, model: string, renames: Renames): readonly Edit[] {
  const modelAt = (path: Path) =>
    (path[0] === 'pages' && path[2] === 'tiles'
      ? dashboard.pages[path[1] as number]?.tiles[path[3] as string]?.model
      : undefined) ?? dashboard.model;
  const colours =
    dashboard.model === model
      ? Object.keys(dashboard.colours ?? {}).filter(field =>
          isNew(dashboard.colours, renames.dimensions, field),
        )
      : [];
  return [
    ...texts(dashboard, []).flatMap(({ path, text }): Edit[] => {
      if (modelAt(path) !== model) return [];
      const now =
        path.at(-1) === 'text'
          ? withNewFigures(text, renames.measures, renames.dimensions)
          : newName(text, namesFor(dashboard, path, renames), renames.dimensions);
      return now === text ? [] : [{ kind: 'set', path, value: now }];
    }),
    ...colours.map((field): Edit => ({
      kind: 'rename',
      path: ['colours', field],
      to: renames.dimensions[field]!,
    })),
  ];
}

/**
 * Like `renameReferences`, for a dashboard's texts in another language: labels of filters by field, live
 * figures in texts.
 */
export function renameReferencesInTexts(
  translation: TranslationFile,
  dashboard: DashboardFile,
  model: string,
  renames: Renames,
): readonly Edit[] {
  const modelOf = new Map(
    dashboard.pages.flatMap(page =>
      Object.entries(page.tiles).map(([id, tile]) => [id, tile.model ?? dashboard.model]),
    ),
  );
  const filters =
    dashboard.model === model
      ? Object.keys(translation.filters ?? {}).filter(field =>
          isNew(translation.filters, renames.dimensions, field),
        )
      : [];
  return [
    ...filters.map((field): Edit => ({
      kind: 'rename',
      path: ['filters', field],
      to: renames.dimensions[field]!,
    })),
    ...Object.entries(translation.tiles ?? {}).flatMap(([id, { text }]): Edit[] => {
      const now =
        text === undefined || modelOf.get(id) !== model
          ? text
          : withNewFigures(text, renames.measures, renames.dimensions);
      return now === text ? [] : [{ kind: 'set', path: ['tiles', id, 'text'], value: now }];
    }),
  ];
}

/** Whether a key can take its new name because no other key has it. */
function isNew(map: object | undefined, names: Names, key: string): boolean {
  return Object.hasOwn(names, key) && !Object.hasOwn(map ?? {}, names[key]!);
}

function texts(value: unknown, path: Path): readonly { readonly path: Path; readonly text: string }[] {
  if (typeof value === 'string') return [{ path, text: value }];
  if (value === null || typeof value !== 'object') return [];
  return Array.isArray(value)
    ? value.flatMap((item, i) => texts(item, [...path, i]))
    : Object.entries(value).flatMap(([key, item]) => texts(item, [...path, key]));
}

/** The renames that apply at a path; undefined where the document does not refer to names of the model. */
function namesFor(dashboard: DashboardFile, path: Path, renames: Renames): Names | undefined {
  const [section, at] = path;
  // An option is a field only if its parameter is a field parameter. The same holds for `is` in a tile's
  // condition on it.
  if (section === 'parameters') return completionFieldAt(path) && namesOfParameter(dashboard, at, renames);
  if (path[4] === 'showIf' && path[5] === 'is')
    return namesOfParameter(
      dashboard,
      dashboard.pages[path[1] as number]?.tiles[path[3] as string]?.showIf?.parameter,
      renames,
    );
  switch (completionFieldAt(path)) {
    case 'field':
      return renames.dimensions;
    case 'measure':
      return renames.measures;
    case 'either':
      return renames.either;
    default:
      return undefined;
  }
}

function namesOfParameter(
  { parameters = {} }: DashboardFile,
  name: unknown,
  renames: Renames,
): Names | undefined {
  const kind =
    typeof name === 'string' && Object.hasOwn(parameters, name) ? parameters[name]!.kind : undefined;
  return kind === 'measure' ? renames.measures : kind === 'field' ? renames.dimensions : undefined;
}

/** Renames a name, or the field of an aggregate call: `median(delay)`. */
function newName(text: string, names: Names | undefined, dimensions: Names): string {
  if (!names) return text;
  const [, aggregate, field] = /^([a-z0-9]+)\(([a-z0-9_]+)\)$/.exec(text) ?? [];
  if (field !== undefined) return `${aggregate}(${ownOr(dimensions, field)})`;
  return ownOr(names, text);
}

function ownOr(names: Names, name: string): string {
  return Object.hasOwn(names, name) ? names[name]! : name;
}

function withNewFigures(text: string, measures: Names, dimensions: Names): string {
  return replaceMeasures(text, (name, written) => written.replace(name, newName(name, measures, dimensions)));
}
