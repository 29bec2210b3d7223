import { asLines } from './edits/write-value.ts';

/** A new document's text: blocks for structure, one line for each tile, filter, dimension and measure, as people write them. */
export function writeDocument(content: object, schemaUrl: string): string {
  return `# yaml-language-server: $schema=${schemaUrl}\n${writeEntries(content)}`;
}

/** Writes keys and values in the style of a document, such as tiles to paste into another. */
export function writeEntries(content: object): string {
  return `${Object.entries(content)
    .filter(([, value]) => value !== undefined)
    .flatMap(([key, value]) => asLines(key, value, 0))
    .join('\n')}\n`;
}
