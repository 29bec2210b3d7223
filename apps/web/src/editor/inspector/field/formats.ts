import { words } from '../../messages/words.ts';

/** The offered formats, and the one that the text has. */
export function formatsWith(own: string | undefined): { readonly value: string; readonly label: string }[] {
  const known = Object.entries(words.field.formats).map(([value, label]) => ({ value, label }));
  return own === undefined || own in words.field.formats ? known : [...known, { value: own, label: own }];
}
