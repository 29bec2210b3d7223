import { didYouMean } from '@belvedere/document';
import type { Dimension, Model } from '@belvedere/model';
import { QueryError } from './query-error.ts';

/** @throws QueryError when the model has no dimension of this name. */
export function dimensionOf(model: Model, field: string): Dimension {
  const dimension = Object.hasOwn(model.dimensions, field) ? model.dimensions[field] : undefined;
  if (dimension) return dimension;
  throw new QueryError(
    'field-unknown',
    `\`${field}\`: unknown dimension in model \`${model.name}\`${didYouMean(field, Object.keys(model.dimensions))}`,
  );
}
