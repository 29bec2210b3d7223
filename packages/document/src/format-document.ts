import { parseYaml } from './parse-yaml.ts';

/**
 * A document in one style: two blanks for each level, one blank inside braces and none inside brackets, no blanks at line ends. Comments,
 * order, quoting and blank lines stay, and so does what it says. Text that is no YAML comes back as it is.
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
  // The printer pads brackets as it pads braces; a text that has such brackets in it keeps them all.
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
