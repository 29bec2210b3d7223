import { DashboardFile } from './schema/dashboard.ts';
import { Name } from './schema/names.ts';
import { documentLimits, parseYaml } from './parse-yaml.ts';
import { TileFile } from './schema/chart-spec.ts';

/**
 * Returns the tiles in a text: entries such as a page's `tiles`, a single tile, or all tiles of a dashboard.
 * Undefined if the text has no tiles or anything else.
 */
export function readTiles(text: string): readonly (readonly [id: string, tile: TileFile])[] | undefined {
  const { document } = parseYaml(text);
  if (document.errors.length > 0) return undefined;
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: documentLimits.aliases });
  } catch {
    return undefined;
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return undefined;
  const whole = DashboardFile.safeParse(value);
  if (whole.success) return whole.data.pages.flatMap(page => Object.entries(page.tiles));
  const single = TileFile.safeParse(value);
  if (single.success) return [[single.data.kind, single.data]];
  const entries = Object.entries(
    'tiles' in value && Object.keys(value).length <= 2 ? ((value as { tiles: object }).tiles ?? {}) : value,
  ).map(([id, tile]) => [id, Name.safeParse(id), TileFile.safeParse(tile)] as const);
  if (
    entries.length === 0 ||
    entries.length > 60 ||
    !entries.every(([, name, tile]) => name.success && tile.success)
  )
    return undefined;
  return entries.map(([id, , tile]) => [id, tile.data!]);
}
