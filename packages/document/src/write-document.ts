import { asLines } from './write-value.ts';

/** A new document's text: blocks for structure, one line for each tile, filter, dimension and measure, as people write them. */
export function writeDocument(content: object, schemaUrl: string): string {
  const lines = Object.entries(content).filter(([, value]) => value !== undefined).flatMap(([key, value]) => asLines(key, value, 0));
  return `# yaml-language-server: $schema=${schemaUrl}\n${lines.join('\n')}\n`;
}
