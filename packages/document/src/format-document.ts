import { parseYaml } from './parse-yaml.ts';

/**
 * Formats a document: two spaces per level, one space inside braces, none inside brackets or at line ends.
 * Comments, order, quoting, blank lines and content are unchanged. A text that is not YAML is returned
 * unchanged.
 */
export function formatDocument(text: string): string {
  const { document } = parseYaml(text);
  if (document.errors.length > 0) return text;
  const printed = document
    .toString({
      lineWidth: 0,
      flowCollectionPadding: true,
      indentSeq: true,
      doubleQuotedMinMultiLineLength: 1_000_000,
    })
    .replace(/(?<![ \t])[ \t]+$/gm, '');
  // The printer pads brackets like braces. If tightening would change the content, all brackets stay padded.
  const tightened = printed.replace(/\[ (?=\S)/g, '[').replace(/(?<=\S) \]/g, ']');
  return [tightened, printed].find(formatted => says(formatted) === says(text)) ?? text;
}

function says(text: string): string | undefined {
  const { document } = parseYaml(text);
  try {
    return document.errors.length > 0 ? undefined : JSON.stringify(document.toJS({ maxAliasCount: 1000 }));
  } catch {
    return undefined;
  }
}
