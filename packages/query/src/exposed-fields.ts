import type { DashboardFile, Parameter, Tile } from '@belvedere/document';
import type { Model } from '@belvedere/model';
import { fieldsAlong } from './tiles/adjust-tile.ts';
import { tableColumns } from './tiles/table-shape.ts';
import { tileFields, tooltipFields } from './tiles/tile-encodings.ts';

/**
 * Returns the fields of a model that a dashboard exposes to its viewers. Viewers may filter, select, sort,
 * break out and drill by these, list and search their values, and see them in rows, files and explanations.
 * All other fields are hidden.
 *
 * Exposed are the fields that the dashboard's visible filters and tiles show, on any page and for any choice
 * of its parameters. Fields that a tile only filters or sorts by, or only aggregates, are not exposed.
 */
export function exposedFields(
  document: Pick<DashboardFile, 'model' | 'pages' | 'filters' | 'parameters'>,
  model: Model,
): ReadonlySet<string> {
  const { filters = [], pages, parameters = {} } = document;
  const tiles = pages
    .flatMap(page => Object.values(page.tiles))
    .filter(tile => (tile.model ?? document.model) === model.name) as Tile[];
  const meant = (names: readonly string[]) =>
    names.flatMap(name => optionsOf(name, parameters)).filter(name => Object.hasOwn(model.dimensions, name));
  const exposed = new Set(
    meant([
      ...filters.filter(({ hidden }) => !hidden).map(({ field }) => field),
      ...tiles.flatMap(tile => shownFields(tile, model)),
    ]),
  );
  const drillable = meant(
    tiles
      .filter(({ drill }) => drill === undefined)
      .flatMap(tile => fieldsAlong(tile).map(({ encoding }) => encoding.field)),
  );
  for (const field of levelsBelow(drillable, Object.values(model.hierarchies ?? {})))
    if (Object.hasOwn(model.dimensions, field)) exposed.add(field);
  return exposed;
}

/** The fields a tile shows, as field names or `:parameter` references. */
function shownFields(tile: Tile, model: Model): readonly string[] {
  const panels = ['row', 'column'].flatMap(
    key =>
      (tile as unknown as Readonly<Record<string, { readonly field?: string } | undefined>>)[key]?.field ??
      [],
  );
  const pieces =
    tile.kind === 'table' ? tableColumns(tile, model) : tileFields(tile).fields.map(({ field }) => field);
  return [...pieces, ...panels, ...tooltipFields(tile).map(({ field }) => field), ...(tile.drill ?? [])];
}

/** Returns the name itself or, for a `:parameter` reference, the parameter's options. */
function optionsOf(name: string, parameters: Readonly<Record<string, Parameter>>): readonly string[] {
  const parameter =
    name.startsWith(':') && Object.hasOwn(parameters, name.slice(1)) ? parameters[name.slice(1)]! : undefined;
  return parameter === undefined ? [name] : parameter.kind === 'number' ? [] : parameter.options;
}

/** The fields that drilling from these fields reaches, level by level. */
function levelsBelow(
  fields: readonly string[],
  hierarchies: readonly (readonly string[])[],
): ReadonlySet<string> {
  const found = new Set<string>();
  const pending = [...fields];
  for (let field = pending.pop(); field !== undefined; field = pending.pop()) {
    for (const levels of hierarchies) {
      const level = levels[levels.indexOf(field) + 1];
      if (!levels.includes(field) || level === undefined || found.has(level)) continue;
      found.add(level);
      pending.push(level);
    }
  }
  return found;
}
