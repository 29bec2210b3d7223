import type { TimeUnit } from '@belvedere/document';
import { timeOf, timeUnitFor } from './infer-overview.ts';
import type { Model } from '../model.ts';
import { dimensionFacts, informativeDimensions } from './overview-dimensions.ts';
import { addsUp, isCount, rankedMeasures } from './overview-measures.ts';
import type { TableProfile } from '../table.ts';

/** A model's primary measure, and the dimension along which it says most. */
export interface InitialChart {
  readonly measure: string;
  /** Whether parts of the measure make up its whole: sums and counts. */
  readonly isTotal: boolean;
  readonly field?: string;
  /** Of a time whose extent is known. */
  readonly timeUnit?: TimeUnit;
}

/**
 * The chart that exploring a model begins with: its primary measure over time, as the trend of an overview, or by
 * its most informative dimension where it has no time.
 * @param table undefined where nothing is known of the values, as in databases
 * @param related the profiles of joined tables, by the names of the model's joins
 */
export function initialChart(
  model: Model,
  table: TableProfile = { name: model.table, rows: 0, columns: [] },
  related: Readonly<Record<string, TableProfile>> = {},
): InitialChart | undefined {
  const facts = dimensionFacts(model, table, related);
  const [primary] = rankedMeasures(model, table, facts);
  if (!primary) return undefined;
  const time = timeOf(model, table, facts);
  const field = model.time ?? informativeDimensions(facts, table.rows)[0]?.name;
  return {
    measure: primary.name,
    isTotal: addsUp(primary) || isCount(primary),
    ...(field !== undefined && { field }),
    ...(time && { timeUnit: timeUnitFor(time, 60, 240) }),
  };
}
