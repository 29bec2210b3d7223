import type { GridBox, Tile, TileFile } from './schema/chart-spec.ts';
import type { Dashboard, DashboardFile, Page } from './schema/dashboard.ts';
import type { ChosenParameters, Parameter, ParameterValue } from './schema/parameter.ts';
import type { ShowIf } from './schema/show-if.ts';

/** The part of a viewer's state that determines the contents of a dashboard. */
export interface Chosen {
  readonly parameters?: ChosenParameters | undefined;
  /** By field: its condition, null if cleared; absent for the dashboard's default. */
  readonly filters: Readonly<Record<string, unknown>>;
  readonly selections: Readonly<Record<string, readonly unknown[]>>;
}

/** Formats a parameter's value for display. @param isInside whether the text continues a sentence */
export type FormatValue = (parameter: Parameter, value: ParameterValue, isInside: boolean) => string;

type Texts = Readonly<Record<string, (isInside: boolean) => string>>;

/**
 * Returns the dashboard as the viewer sees it: parameters replaced by their values, hidden tiles removed, and
 * rows closed up that they leave empty. Parts without parameters stay the same objects, so that renderers can
 * skip them.
 */
export function resolveDashboard(file: DashboardFile, chosen: Chosen, say: FormatValue): Dashboard {
  const { values, texts } = valuesOf(file, chosen, say);
  const pages = file.pages.map((page): Page => {
    const shown = Object.entries(page.tiles).filter(([, tile]) => isShown(tile.showIf, file, values, chosen));
    const isWhole = shown.length === Object.keys(page.tiles).length;
    const rows = isWhole
      ? undefined
      : rowsLeft(
          Object.values(page.tiles),
          shown.map(([, tile]) => tile),
        );
    const tiles = shown.map(
      ([id, tile]) => [id, replaced(rows ? closedUp(tile, rows) : tile, values, texts) as Tile] as const,
    );
    return isWhole && tiles.every(([id, tile]) => tile === page.tiles[id]) && !mentions(page.title)
      ? (page as Page)
      : { ...page, title: replaced(page.title, values, texts) as string, tiles: Object.fromEntries(tiles) };
  });
  return {
    ...(file as Dashboard),
    ...(file.filters && { filters: replaced(file.filters, values, texts) as Dashboard['filters'] }),
    pages: pages.every((page, i) => page === file.pages[i]) ? (file.pages as Dashboard['pages']) : pages,
  };
}

/** The tiles of a page that are shown to the viewer. */
export function tilesShown(file: DashboardFile, page: number, chosen: Chosen): string[] {
  const { values } = valuesOf(file, chosen, (_, value) => String(value));
  return Object.entries(file.pages[page]?.tiles ?? {})
    .filter(([, tile]) => isShown(tile.showIf, file, values, chosen))
    .map(([id]) => id);
}

/** A tile with its parameters resolved, even if it is hidden. */
export function resolveTile(file: DashboardFile, tile: TileFile, chosen: Chosen, say: FormatValue): Tile {
  const { values, texts } = valuesOf(file, chosen, say);
  return replaced(tile, values, texts) as Tile;
}

function valuesOf(
  { parameters = {} }: DashboardFile,
  chosen: Chosen,
  say: FormatValue,
): { readonly values: ChosenParameters; readonly texts: Texts } {
  const values = Object.fromEntries(
    Object.entries(parameters).map(([name, parameter]) => [
      name,
      valueOf(parameter, own(chosen.parameters, name)),
    ]),
  );
  return {
    values,
    texts: Object.fromEntries(
      Object.entries(parameters).map(([name, parameter]) => [
        name,
        (isInside: boolean) => say(parameter, values[name]!, isInside),
      ]),
    ),
  };
}

const mention = /\{\{\s*:([a-z][a-z0-9_]*)\s*\}\}/g;
const mentions = (text: string) => text.includes('{{');

/** The parameters that a part of a dashboard refers to, each once. */
export function parametersIn(value: unknown): string[] {
  if (typeof value === 'string')
    return [
      ...(/^:[a-z][a-z0-9_]*$/.test(value) ? [value.slice(1)] : []),
      ...[...value.matchAll(mention)].map(match => match[1]!),
    ];
  if (value === null || typeof value !== 'object') return [];
  const shown = (value as { showIf?: { parameter?: string } }).showIf?.parameter;
  return [
    ...new Set([...(shown === undefined ? [] : [shown]), ...Object.values(value).flatMap(parametersIn)]),
  ];
}

function replaced(value: unknown, values: ChosenParameters, texts: Texts): unknown {
  if (typeof value === 'string') {
    if (value.startsWith(':')) return own(values, value.slice(1)) ?? value;
    return mentions(value)
      ? value.replace(mention, (whole, name: string, at: number) => own(texts, name)?.(at > 0) ?? whole)
      : value;
  }
  if (value === null || typeof value !== 'object') return value;
  const before = Object.entries(value);
  const after = before.map(([key, inner]) => [key, replaced(inner, values, texts)] as const);
  if (after.every(([, inner], i) => inner === before[i]![1])) return value;
  return Array.isArray(value) ? after.map(([, inner]) => inner) : Object.fromEntries(after);
}

function isShown(
  showIf: ShowIf | undefined,
  file: DashboardFile,
  values: ChosenParameters,
  chosen: Chosen,
): boolean {
  if (!showIf) return true;
  const { parameter, is = [], filtered, notFiltered, selected, notSelected } = showIf;
  const isSelected = (tile: string) => (own(chosen.selections, tile)?.length ?? 0) > 0;
  if (parameter !== undefined && ![is].flat().some(value => value === own(values, parameter))) return false;
  if (filtered !== undefined && !isFiltered(file, chosen, filtered)) return false;
  if (notFiltered !== undefined && isFiltered(file, chosen, notFiltered)) return false;
  if (selected !== undefined && !isSelected(selected)) return false;
  return notSelected === undefined || !isSelected(notSelected);
}

function isFiltered(file: DashboardFile, chosen: Chosen, field: string): boolean {
  const filter = file.filters?.find(one => one.field === field);
  const set = filter?.locked ? undefined : own(chosen.filters, field);
  return set === undefined ? filter?.default !== undefined : set !== null;
}

/** For each row of a page, the number of rows above it that only hidden tiles occupy. */
function rowsLeft(all: readonly TileFile[], shown: readonly TileFile[]): readonly number[] | undefined {
  const taken = (tiles: readonly TileFile[]) =>
    new Set(tiles.flatMap(({ at }) => (at ? Array.from({ length: at[3] }, (_, i) => at[1] + i) : [])));
  const [before, after] = [taken(all), taken(shown)];
  if ([...before].every(row => after.has(row))) return undefined;
  let gone = 0;
  return Array.from({ length: Math.max(...before) + 1 }, (_, row) => {
    const above = gone;
    if (before.has(row) && !after.has(row)) gone++;
    return above;
  });
}

function closedUp(tile: TileFile, rows: readonly number[]): TileFile {
  const above = tile.at && rows[tile.at[1]];
  return above
    ? { ...tile, at: [tile.at![0], tile.at![1] - above, tile.at![2], tile.at![3]] satisfies GridBox }
    : tile;
}

function own<T>(map: Readonly<Record<string, T>> | undefined, key: string): T | undefined {
  return map && Object.hasOwn(map, key) ? map[key] : undefined;
}

/**
 * A parameter's value: the viewer's choice if it is valid, else the default. Links may be older than their
 * dashboard.
 */
export function valueOf(parameter: Parameter, chosen: ParameterValue | undefined): ParameterValue {
  if (parameter.kind === 'number')
    return typeof chosen === 'number' && Number.isFinite(chosen)
      ? Math.min(Math.max(chosen, parameter.min ?? -Infinity), parameter.max ?? Infinity)
      : parameter.default;
  const options: readonly string[] = parameter.options;
  return (
    options.find(option => option === chosen) ??
    (parameter.default !== undefined && options.includes(parameter.default) ? parameter.default : options[0]!)
  );
}
