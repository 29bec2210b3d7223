import { words } from '../messages/words.ts';

/** The formats to choose from, with one that the text has given. */
export function formatsWith(own: string | undefined): { readonly value: string; readonly label: string }[] {
  const known = Object.entries(words.field.formats).map(([value, label]) => ({ value, label }));
  return own === undefined || own in words.field.formats ? known : [...known, { value: own, label: own }];
}
