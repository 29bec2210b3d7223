import type { DashboardState } from '@belvedere/api';
import { freeName, type Dashboard, type Tile } from '@belvedere/document';
import { formatNumber } from '@belvedere/chart';
import { isMeasureField, type FieldFacts } from '@belvedere/query';
import { matchesSearch, type FieldProfiles } from '../../editor/encoding/field-profiles.ts';
import { words } from '../../editor/messages/words.ts';
import { locale, t } from '../../messages/messages.ts';
import { distribution, distributionHeight } from './explore-chart.ts';

export const chartId = 'chart';
export const rowsId = 'rows_table';

/** The number of columns that are drawn at once; search finds the others. */
const maxColumns = 18;

/** A column, and the tile that shows it. */
export interface ExploredColumn {
  readonly field: FieldFacts;
  readonly tile: string;
  /** The height in pixels, which has room for all values of a field with few. */
  readonly height: number;
}

function columnsOf({ fields }: FieldProfiles): readonly ExploredColumn[] {
  const tiles = new Set<string>();
  return fields
    .filter(field => !isMeasureField(field) && field.type !== 'other')
    .map(field => ({
      field,
      tile: freeName(`c_${field.name}`, tiles),
      height: distributionHeight(field),
    }));
}

/**
 * The shown columns in the model's order, and the number of further matches. Columns with a selection are
 * always shown, because they filter the others.
 */
export function findColumns(
  profiles: FieldProfiles,
  search: string,
  { selections }: DashboardState,
): { readonly shown: readonly ExploredColumn[]; readonly more: number } {
  const columns = columnsOf(profiles);
  const found = columns.filter(({ field }) => matchesSearch(field, search));
  const drawn = new Set(found.slice(0, maxColumns));
  const shown = columns.filter(column => drawn.has(column) || (selections[column.tile]?.length ?? 0) > 0);
  return { shown, more: found.filter(column => !shown.includes(column)).length };
}

/**
 * A dashboard of a model's columns, a chart of some of them, and the rows. A selection filters everything
 * else.
 */
export function exploreDocument(
  profiles: FieldProfiles,
  columns: readonly ExploredColumn[],
  chart: Tile,
): Dashboard {
  const tiles: Record<string, Tile> = { [chartId]: chart };
  for (const { field, tile } of columns)
    tiles[tile] = {
      ...distribution(field),
      title: field.label,
      subtitle: about(field, profiles),
      ...(field.description !== undefined && { description: field.description }),
    };
  tiles[rowsId] = {
    kind: 'table',
    title: words.explore.rows,
    columns: profiles.fields
      .filter(field => !isMeasureField(field))
      .slice(0, 40)
      .map(({ name }) => name),
  };
  return {
    version: 1,
    title: words.explore.title(profiles.label),
    model: profiles.name,
    pages: [{ title: words.explore.chart, tiles }],
  };
}

function about({ name, type, profile }: FieldFacts, profiles: FieldProfiles): string {
  const counted = profiles.profile?.fields[name];
  const kind = t.types[type ?? 'other'] ?? '';
  const said = profile
    ? words.explore.about(kind, formatNumber(profile.distinct, 'integer', locale, 'label'))
    : kind;
  const rows = profiles.profile?.rows ?? 0;
  return counted && counted.nulls > 0 && rows > 0
    ? `${said}, ${words.explore.empty(formatNumber(counted.nulls / rows, 'percent', locale, 'label'))}`
    : said;
}
