import type { DashboardState } from '@belvedere/api';
import type { MeasureEncoding, Tile } from '@belvedere/document';
import { isTemporal } from '@belvedere/model';
import { isMeasureField, suggestTile, type FieldFacts } from '@belvedere/query';
import {
  drawnMeasure,
  isRowCount,
  placementOf,
  withMeasure,
} from '../../editor/encoding/encoding-shelves.ts';
import type { FieldProfiles } from '../../editor/encoding/field-profiles.ts';

/** A field with more values names single things, not kinds. */
const maxKinds = 50;

/**
 * The initial chart: the primary measure over time if there is time, else by the most informative dimension. Where
 * nothing is known, the number of rows by kind.
 */
export function firstChart(profiles: FieldProfiles): Tile {
  const initial = profiles.profile?.initial;
  const field = initial?.field === undefined ? undefined : profiles.of(initial.field);
  const chart = field ? suggestTile([field]) : rowsChart(profiles);
  const guessed = initial && profiles.of(initial.measure);
  if (!guessed) return chart;
  const measured = withMeasure(chart, { measure: guessed.name })?.tile ?? chart;
  if (measured.kind !== 'area') return measured;
  const { timeUnit, isTotal } = initial;
  return {
    ...measured,
    kind: isTotal ? 'area' : 'line',
    x: timeUnit && 'field' in measured.x ? { ...measured.x, timeUnit } : measured.x,
  } as Tile;
}

function rowsChart(profiles: FieldProfiles): Tile {
  const dimensions = profiles.fields.filter(field => !isMeasureField(field));
  const texts = dimensions.filter(({ type, profile }) => type === 'text' && (profile?.distinct ?? 2) > 1);
  const along =
    dimensions.find(({ name }) => name === profiles.time) ??
    dimensions.find(({ type }) => isTemporal(type ?? 'other')) ??
    texts.find(({ profile }) => (profile?.distinct ?? 2) <= maxKinds) ??
    texts[0] ??
    dimensions[0];
  return along ? suggestTile([along]) : { kind: 'kpi', value: { measure: 'rows' } };
}

/** The number of bars that can be read in a small tile. */
const maxBars = 4;
/** A field of so few values shows all of them. */
const fewValues = 8;
const barHeight = 20;

/** How high a column's distribution is drawn, in pixels. */
export const distributionHeight = (field: FieldFacts): number =>
  160 + Math.max(0, barsOf(field) - maxBars) * barHeight;

/**
 * The bars of a field: all of a few values and nulls, else the most frequent ones. Fields of databases are
 * not counted, because that would take a query; they may have few values.
 */
function barsOf({ type, profile }: FieldFacts): number {
  if (type !== 'text' && type !== 'boolean') return maxBars;
  const distinct = profile?.distinct ?? (type === 'boolean' ? 2 : fewValues);
  return distinct <= fewValues ? distinct + 1 : maxBars;
}

/** A column as a small chart of how its values are spread. */
export function distribution(field: FieldFacts): Tile {
  const tile = suggestTile([field]);
  return tile.kind === 'bar' && 'limit' in tile.y
    ? { ...tile, y: { ...tile.y, limit: barsOf(field) } }
    : tile;
}

/**
 * The chart with a field put into it: a measure in place of the guessed one. A dimension along which a chosen
 * measure is to be shown takes
 * the place of the dimension that the chart began with.
 */
export function chartWith(chart: Tile, field: FieldFacts, profiles: FieldProfiles): Tile | undefined {
  const measure = drawnMeasure(chart);
  const isGuessed = (drawn: MeasureEncoding) =>
    isRowCount(drawn) || ('measure' in drawn && drawn.measure === profiles.profile?.initial?.measure);
  if (!isMeasureField(field) && measure && !isRowCount(measure)) {
    const begun = withMeasure(firstChart(profiles), measure, isGuessed);
    if (begun && JSON.stringify(begun.tile) === JSON.stringify(chart))
      return withMeasure(suggestTile([field]), measure)?.tile;
  }
  return placementOf(chart, field, isGuessed)?.tile;
}

/** The chart with the filters that narrow it in Explore, beside its own, which it keeps on a dashboard. */
export function withFilters(chart: Tile, { filters }: Pick<DashboardState, 'filters'>): Tile {
  const added = Object.entries(filters).flatMap(([field, condition]) =>
    condition ? [{ field, default: condition }] : [],
  );
  return added.length > 0 ? ({ ...chart, filters: [...(chart.filters ?? []), ...added] } as Tile) : chart;
}
