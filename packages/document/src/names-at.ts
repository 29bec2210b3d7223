import type { Path } from './edits/edit.ts';

/** Which names of its model may stand at a place of a dashboard: `either` is a field or a measure. */
export function namesAt(path: Path): 'field' | 'measure' | 'either' | 'model' | undefined {
  const key = path.findLast(step => typeof step === 'string');
  if (key === 'field') return path.includes('sort') || path.includes('highlights') ? 'either' : 'field';
  if (key === 'measure') return 'measure';
  if (key === 'model') return 'model';
  if (key === 'columns' || key === 'bars') return 'either';
  if (key === 'sparklines') return 'measure';
  if (path[0] === 'parameters') return key === 'options' || key === 'default' ? 'either' : undefined;
  if (key === 'filtered' || key === 'notFiltered') return 'field';
  return key === 'drill' ? 'field' : undefined;
}
