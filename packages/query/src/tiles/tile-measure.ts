import { didYouMean, labelInSentence } from '@belvedere/document';
import { isNumeric, type Expression, type Measure, type Model } from '@belvedere/model';
import { dimensionOf } from '../dimension.ts';
import { QueryError } from '../query-error.ts';

/** `mean(delay)`, `count()`, `p05(delay)`: an aggregate of a dimension, instead of a named measure. */
const call = /^([a-z]+\d{0,2})\(([a-z][a-z0-9_]*)?\)$/;

const anyType: Record<string, (of: Expression) => Expression> = {
  count: of => ({ kind: 'call', name: 'count', args: [of] }),
  distinct: of => ({ kind: 'call', name: 'count', args: [of], distinct: true }),
};
const named =
  (name: string, ...rest: number[]) =>
  (of: Expression): Expression => ({
    kind: 'call',
    name,
    args: [of, ...rest.map((value): Expression => ({ kind: 'literal', value }))],
  });
const numeric: Record<string, (of: Expression) => Expression> = {
  sum: named('sum'),
  mean: named('avg'),
  median: named('median'),
  min: named('min'),
  max: named('max'),
  stdev: named('stddev'),
  variance: named('variance'),
  q1: named('quantile', 0.25),
  q3: named('quantile', 0.75),
  p05: named('quantile', 0.05),
  p95: named('quantile', 0.95),
};
const labels: Record<string, string> = {
  count: 'Count of',
  distinct: 'Distinct count of',
  sum: 'Sum of',
  mean: 'Mean of',
  median: 'Median of',
  min: 'Minimum',
  max: 'Maximum',
  stdev: 'Standard deviation of',
  variance: 'Variance of',
  q1: 'First quartile of',
  q3: 'Third quartile of',
  p05: '5th percentile of',
  p95: '95th percentile of',
};

/**
 * Splits a measure name such as `mean(delay)` into aggregate and field; undefined for a measure of the model.
 */
export function aggregateCall(
  name: string,
): { readonly aggregate: string; readonly field: string } | undefined {
  const found = call.exec(name);
  return found ? { aggregate: found[1]!, field: found[2] ?? '' } : undefined;
}

/**
 * Returns a measure of the model, or an aggregate of one of its dimensions.
 * @throws QueryError when there is neither.
 */
export function measureOf(model: Model, name: string): Measure {
  const measure = Object.hasOwn(model.measures, name) ? model.measures[name] : undefined;
  if (measure) return measure;
  const found = aggregateCall(name);
  if (!found)
    throw new QueryError(
      'field-unknown',
      `\`${name}\`: unknown measure in model \`${model.name}\`${didYouMean(name, Object.keys(model.measures))}`,
    );
  const { aggregate, field } = found;
  if (aggregate === 'count' && field === '') return { ...model.measures['rows']!, name };
  const dimension = dimensionOf(model, field);
  const write = anyType[aggregate] ?? numeric[aggregate];
  if (!write)
    throw new QueryError(
      'field-unknown',
      `\`${aggregate}\` is not an aggregate. Use one of ${Object.keys({ ...anyType, ...numeric })
        .slice(0, 12)
        .join(', ')}.`,
    );
  if (aggregate in numeric && !isNumeric(dimension.type))
    throw new QueryError(
      'type-mismatch',
      `Cannot compute ${aggregate} of \`${field}\`: it is not a number. Use \`count\` or \`distinct\`.`,
    );
  const isCount = aggregate in anyType;
  return {
    name,
    label: `${labels[aggregate]} ${labelInSentence(dimension.label)}`,
    type: isCount ? 'integer' : 'number',
    expression: write(dimension.expression),
    text: `${aggregate}(${dimension.text ?? field})`,
    ...(isCount ? { format: 'integer' } : dimension.format && { format: dimension.format }),
  };
}
