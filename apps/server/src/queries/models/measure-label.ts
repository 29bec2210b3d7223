import { measureText } from '@belvedere/chart';
import type { Model } from '@belvedere/model';
import { measureOf } from '@belvedere/query';

/**
 * Returns a measure's label in a language, as on the page. @throws QueryError if the model has no such
 * measure
 */
export function measureLabel(model: Model, name: string, locale: string): string {
  return measureText(
    { ...measureOf(model, name), name },
    field => model.dimensions[field]?.label ?? field,
    locale,
  );
}
