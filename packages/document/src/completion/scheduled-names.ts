import type { Path } from '../edits/edit.ts';
import type { NameKind } from './name-kind.ts';

/** The kind of the keys of a map in an alert or a report; undefined where only the schema says. */
export function scheduledKeysAt(path: Path): NameKind | undefined {
  const last = path.at(-1);
  if (last === 'filters') return 'field';
  return last === 'parameters' ? 'parameter' : undefined;
}

/** The kind of name that is valid at a path of an alert or a report. */
export function scheduledNamesAt(path: Path): NameKind | undefined {
  const key = path.findLast(step => typeof step === 'string');
  // Conditions of filters have values, not names.
  if (path.includes('filters') || path[0] === 'when') return undefined;
  switch (key) {
    case 'dashboard':
    case 'tile':
    case 'model':
    case 'measure':
    case 'user':
    case 'group':
    case 'channel':
      return key;
    case 'by':
      return 'field';
    case 'owner':
      return 'user';
    case 'pages':
      return 'page';
    default:
      return undefined;
  }
}
