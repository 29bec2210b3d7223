import { asLines } from './edits/write-value.ts';
import type { DocumentKind } from './read-document.ts';
import { schemaLine } from './schema-address.ts';

/**
 * A new document's text: blocks for structure, one line for each tile, filter, dimension and measure, as
 * people write them.
 * @param file its place, from the workspace's folder
 */
export function writeDocument(content: object, kind: DocumentKind, file: string): string {
  return `${schemaLine(kind, file)}\n${writeEntries(content)}`;
}

/** Writes keys and values in the style of a document, such as tiles to paste into another. */
export function writeEntries(content: object): string {
  return `${Object.entries(content)
    .filter(([, value]) => value !== undefined)
    .flatMap(([key, value]) => asLines(key, value, 0))
    .join('\n')}\n`;
}
