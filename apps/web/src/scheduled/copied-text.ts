import { editText, readDocument } from '@belvedere/document';
import type { ScheduledKind } from './scheduled-editor.ts';

/**
 * Returns the text of a copy, with its comments and a title of its own. A text that cannot be read is copied as
 * it is.
 *
 * @param titleOf makes the copy's title from the other's
 * @param owner who owns the copy; undefined without accounts
 */
export function copiedText(
  kind: ScheduledKind,
  text: string,
  titleOf: (title: string) => string,
  owner: string | undefined,
): string {
  const read = readDocument(kind, text, `${kind}s/new.yaml`);
  if (!read.ok) return text;
  return editText(text, [
    { kind: 'set', path: ['title'], value: titleOf(read.value.title) },
    ...(owner === undefined ? [] : [{ kind: 'set' as const, path: ['owner'], value: owner }]),
  ]);
}
