import { namesIn, type DashboardFile, type Parameter, type TileFile } from '@belvedere/document';
import type { Model } from '@belvedere/model';

/** The measure of a tile that cannot be shown. No model has it, so every query for it is refused. */
export const noMeasure = '–';

/**
 * Returns a dashboard's document without the names that its viewers may not see. A tile that needs such a
 * name keeps its position and title but shows nothing.
 * @param modelOf the models as those viewers see them
 */
export function visibleDocument(
  document: DashboardFile,
  modelOf: (name: string) => Model | undefined,
): DashboardFile {
  const named = new Set([
    document.model,
    ...document.pages.flatMap(page => Object.values(page.tiles).map(tile => tile.model)),
  ]);
  const models = [...named].flatMap(name => (name === undefined ? [] : (modelOf(name) ?? [])));
  const isKnown = (name: string) => models.some(model => hasField(model, name));
  const { filters, colours, parameters: all, ...rest } = document;
  const parameters = all && visibleParameters(all, isKnown);
  const pages = document.pages.map(page => ({
    ...page,
    tiles: Object.fromEntries(
      Object.entries(page.tiles).map(([id, tile]) => [
        id,
        visibleTile(tile, modelOf(tile.model ?? document.model ?? ''), parameters),
      ]),
    ),
  }));
  return {
    ...rest,
    ...(filters && { filters: filters.filter(({ field }) => isKnown(field)) }),
    ...(colours && {
      colours: Object.fromEntries(Object.entries(colours).filter(([field]) => isKnown(field))),
    }),
    ...(parameters && { parameters }),
    pages,
  };
}

type Parameters = Readonly<Record<string, Parameter>>;

function hasField({ dimensions, measures }: Model, name: string): boolean {
  return Object.hasOwn(dimensions, name) || Object.hasOwn(measures, name);
}

/** Removes options that name unknown fields, and parameters without any options left. */
function visibleParameters(
  parameters: Parameters,
  isKnown: (name: string) => boolean,
): Record<string, Parameter> {
  return Object.fromEntries(
    Object.entries(parameters).flatMap(([name, parameter]): [string, Parameter][] => {
      if (parameter.kind !== 'field' && parameter.kind !== 'measure') return [[name, parameter]];
      const { default: standard, ...others } = parameter;
      const options = parameter.options.filter(option =>
        namesIn([option], ['parameters', name, 'options']).every(isKnown),
      );
      return options.length === 0
        ? []
        : [
            [
              name,
              {
                ...others,
                options,
                ...(standard !== undefined && options.includes(standard) && { default: standard }),
              },
            ],
          ];
    }),
  );
}

function visibleTile(tile: TileFile, model: Model | undefined, parameters: Parameters = {}): TileFile {
  if (!model) return tile;
  const isKnown = (name: string) =>
    hasField(model, name) || (name.startsWith(':') && Object.hasOwn(parameters, name.slice(1)));
  const { filters, drill, showIf, ...shown } = tile;
  if (!namesIn(shown).every(isKnown))
    return {
      kind: 'kpi',
      value: { measure: noMeasure },
      ...(tile.model !== undefined && { model: tile.model }),
      ...(tile.title !== undefined && { title: tile.title }),
      ...(tile.at && { at: tile.at }),
    };
  const levels = drill?.filter(isKnown) ?? [];
  const { filtered, notFiltered, ...conditions } = showIf ?? {};
  return {
    ...shown,
    ...(filters && { filters: filters.filter(({ field }) => isKnown(field)) }),
    ...(levels.length > 0 && { drill: levels }),
    ...(showIf && {
      showIf: {
        ...conditions,
        ...(filtered !== undefined && isKnown(filtered) && { filtered }),
        ...(notFiltered !== undefined && isKnown(notFiltered) && { notFiltered }),
      },
    }),
  } as TileFile;
}
