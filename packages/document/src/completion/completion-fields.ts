import type { Path } from '../edits/edit.ts';
import { measuresInText } from '../text-measures.ts';

/**
 * The kind of the model's names that are valid at a path of a dashboard; `either` is a field or a measure.
 */
export function completionFieldAt(path: Path): 'field' | 'measure' | 'either' | 'model' | undefined {
  const key = path.findLast(step => typeof step === 'string');
  if (key === 'field') return path.includes('sort') || path.includes('highlights') ? 'either' : 'field';
  if (key === 'measure') return 'measure';
  if (key === 'model') return 'model';
  if (key === 'columns' || key === 'bars') return 'either';
  // The columns of a table; the `heat` of a pivot is true or false.
  if (key === 'heat') return path.at(-1) === 'heat' ? undefined : 'either';
  if (key === 'sparklines') return 'measure';
  if (path[0] === 'parameters') return key === 'options' || key === 'default' ? 'either' : undefined;
  if (key === 'filtered' || key === 'notFiltered') return 'field';
  return key === 'drill' ? 'field' : undefined;
}

/**
 * Returns all names of fields and measures in a part of a dashboard, repeats included: the fields of
 * aggregates and the live figures of texts.
 */
export function namesIn(value: unknown, path: Path = []): string[] {
  if (typeof value === 'string') return namesOf(value, path);
  if (value === null || typeof value !== 'object') return [];
  return Array.isArray(value)
    ? value.flatMap((item, i) => namesIn(item, [...path, i]))
    : Object.entries(value).flatMap(([key, item]) => namesIn(item, [...path, key]));
}

function namesOf(text: string, path: Path): string[] {
  const kind = completionFieldAt(path);
  const names =
    path.at(-1) === 'text' ? measuresInText(text) : kind === undefined || kind === 'model' ? [] : [text];
  return names.flatMap(name => {
    const [, field] = /^[a-z]+\d{0,2}\(([a-z0-9_]*)\)$/.exec(name) ?? [];
    return field === undefined ? [name] : field === '' ? [] : [field];
  });
}
