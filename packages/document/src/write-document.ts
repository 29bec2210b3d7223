import { Document, isMap, visit } from 'yaml';

/** A new document's text: blocks for structure, one line for each tile, filter, dimension and measure, as people write them. */
export function writeDocument(content: object, schemaUrl: string): string {
  const document = new Document(content);
  const oneLine = new Set(['tiles', 'dimensions', 'measures', 'joins']);
  visit(document, {
    Pair(_, pair) {
      const key = String((pair.key as { value?: unknown }).value);
      if (oneLine.has(key) && isMap(pair.value)) for (const item of pair.value.items) if (isMap(item.value)) item.value.flow = true;
    },
    Seq(_, sequence, path) {
      const parent = path.at(-1) as { key?: { value?: unknown } } | undefined;
      if (parent?.key?.value === 'filters') for (const item of sequence.items) if (isMap(item)) item.flow = true;
    },
  });
  return `# yaml-language-server: $schema=${schemaUrl}\n${document.toString({ lineWidth: 0, flowCollectionPadding: true })}`;
}
