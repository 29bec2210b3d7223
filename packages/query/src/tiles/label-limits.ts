import type { FieldEncoding, Tile, TileKind } from '@belvedere/document';
import type { FieldFacts } from './field-facts.ts';

/** The most labels that each of these kinds can be read with. */
const maxLabels: Partial<Record<TileKind, number>> = {
  pie: 12,
  donut: 12,
  radar: 24,
  funnel: 12,
  waterfall: 60,
};

/**
 * The labels of a tile whose kind cannot be read with so many of them, such as a radar of 114 bins; undefined
 * where it can be, or where the number is not known.
 */
export function labelsBeyondReading(
  tile: Tile,
  factsOf: (name: string) => FieldFacts | undefined,
): number | undefined {
  const maxOfKind = maxLabels[tile.kind];
  if (maxOfKind === undefined) return undefined;
  const along =
    tile.kind === 'pie' || tile.kind === 'donut'
      ? tile.color
      : tile.kind === 'radar' || tile.kind === 'waterfall'
        ? tile.x
        : tile.kind === 'funnel'
          ? tile.y
          : undefined;
  const count = along && labelsOf(along, factsOf(along.field));
  return count !== undefined && count > maxOfKind ? count : undefined;
}

const dayMs = 86_400_000;
const unitMs: Readonly<Record<NonNullable<FieldEncoding['timeUnit']>, number>> = {
  minute: 60_000,
  hour: 3_600_000,
  day: dayMs,
  week: 7 * dayMs,
  month: 30.44 * dayMs,
  quarter: 91.3 * dayMs,
  fiscalQuarter: 91.3 * dayMs,
  year: 365.25 * dayMs,
  fiscalYear: 365.25 * dayMs,
};

/** About as many labels as an axis of the field has. */
function labelsOf({ limit, timeUnit, bin, scale }: FieldEncoding, field: FieldFacts | undefined) {
  const { distinct, min, max, low, high } = field?.profile ?? {};
  if (timeUnit !== undefined)
    return typeof min === 'number' && typeof max === 'number'
      ? Math.round((max - min) / unitMs[timeUnit]) + 1
      : undefined;
  if (typeof bin === 'object' && 'step' in bin && bin.step !== undefined) {
    const [from, to] = scale?.domain ?? [low, high];
    return from === undefined || to === undefined
      ? undefined
      : Math.round((Number(to) - Number(from)) / bin.step);
  }
  if (bin) return undefined;
  return limit === undefined ? distinct : Math.min(limit, distinct ?? limit);
}
