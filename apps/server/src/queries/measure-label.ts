import { measureText } from '@belvedere/chart';
import type { Model } from '@belvedere/model';
import { measureOf } from '@belvedere/query';

/** What a measure is called in a language, as on the page. @throws QuestionError where the model has none of that name */
export function measureLabel(model: Model, name: string, locale: string): string {
  return measureText(
    { ...measureOf(model, name), name },
    field => model.dimensions[field]?.label ?? field,
    locale,
  );
}
