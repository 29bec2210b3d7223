import { isMap } from 'yaml';
import { parseYaml } from '../parse-yaml.ts';

/** Documents say which version of their shape they are written in, before anything else; comments above them stay above. */
export function nameTheVersion(text: string): string {
  const { contents } = parseYaml(text).document;
  if (!isMap(contents) || !contents.range) return text;
  const [begin] = contents.range;
  return contents.flow
    ? `${text.slice(0, begin + 1)} version: 1${contents.items.length > 0 ? ',' : ''}${text.slice(begin + 1)}`
    : `${text.slice(0, begin)}version: 1\n${text.slice(begin)}`;
}
