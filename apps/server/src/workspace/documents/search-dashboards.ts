import type { DashboardFile } from '@belvedere/document';
import type { WorkspaceDashboard } from '../workspace.ts';

/** A dashboard's texts as one string, cached per document. */
const searchTexts = new WeakMap<DashboardFile, string>();

/**
 * Whether a dashboard contains every word of a search: in its title, its folder, its tiles' titles and texts,
 * or the fields they show, its tags, or its owner’s name.
 */
export function isFoundIn({ id, title, document }: WorkspaceDashboard, search: string, owner = ''): boolean {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  let text = document ? searchTexts.get(document) : '';
  if (text === undefined) {
    text = textsIn(document).join('\n').toLowerCase();
    searchTexts.set(document!, text);
  }
  const all = `${title}\n${id}\n${owner}\n${text}`.toLowerCase();
  return words.every(word => all.includes(word));
}

/** Returns every text that an author wrote: values, not property names. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return value !== null && typeof value === 'object'
    ? Object.entries(value).flatMap(([key, inner]) =>
        key === 'kind' || key === 'timeUnit' || key === 'control' ? [] : textsIn(inner),
      )
    : [];
}
