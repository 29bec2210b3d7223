import { isMap } from 'yaml';
import { parseYaml } from '../parse-yaml.ts';

/** Adds the version of the document's schema as the first key; comments at the top stay above it. */
export function nameTheVersion(text: string): string {
  const { contents } = parseYaml(text).document;
  if (!isMap(contents) || !contents.range) return text;
  const [begin] = contents.range;
  return contents.flow
    ? `${text.slice(0, begin + 1)} version: 1${contents.items.length > 0 ? ',' : ''}${text.slice(begin + 1)}`
    : `${text.slice(0, begin)}version: 1\n${text.slice(begin)}`;
}
