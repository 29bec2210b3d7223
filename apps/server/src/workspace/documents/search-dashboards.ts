import type { DashboardFile } from '@belvedere/document';
import type { WorkspaceDashboard } from '../workspace.ts';

/** What a dashboard says, in one text: made once for each. */
const said = new WeakMap<DashboardFile, string>();

/** Whether every word of a search is in a dashboard: in its title, its folder, its tiles' titles and texts, or among the fields they show. */
export function isFoundIn({ id, title, document }: WorkspaceDashboard, search: string): boolean {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  let text = document ? said.get(document) : '';
  if (text === undefined) {
    text = textsIn(document).join('\n').toLowerCase();
    said.set(document!, text);
  }
  const all = `${title}\n${id}\n${text}`.toLowerCase();
  return words.every(word => all.includes(word));
}

/** Every text that somebody wrote into it: what stands for, not what it is called in our files. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return value !== null && typeof value === 'object'
    ? Object.entries(value).flatMap(([key, inner]) =>
        key === 'kind' || key === 'timeUnit' || key === 'control' ? [] : textsIn(inner),
      )
    : [];
}
