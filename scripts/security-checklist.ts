// Counts the requirements of docs/how-it-works/security.md and writes its summary:
// `node scripts/security-checklist.ts`. A test keeps the two the same.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export const checklistFile = path.resolve(import.meta.dirname, '..', 'docs', 'how-it-works', 'security.md');

export const states = ['met', 'partly', 'not met', 'does not apply'] as const;
type State = (typeof states)[number];

export interface Requirement {
  /** Such as `6.2.4`. */
  readonly id: string;
  readonly state: State;
  /** Where it is shown, or why it is not met. */
  readonly evidence: string;
}

/** Returns the requirements of a checklist in its order; a row of several IDs is one for each. */
export function requirementsOf(page: string): Requirement[] {
  return [...page.matchAll(/^\| ([\d., –]+) \| [^|]+ \| ([^|]+) \| (.*) \|$/gm)].flatMap(
    ([, ids, state, evidence]) => {
      if (!states.includes(state as State)) throw new Error(`${ids}: unknown state “${state}”.`);
      return idsOf(ids!).map(id => ({ id, state: state as State, evidence: evidence!.trim() }));
    },
  );
}

/** Returns the IDs of a row: `4.3.2`, or `4.4.1–4.4.4`, or several of them with commas. */
function idsOf(text: string): string[] {
  return text.split(', ').flatMap(part => {
    const [first, last] = part.split('–') as [string, string?];
    if (last === undefined) return [first];
    const section = first.slice(0, first.lastIndexOf('.') + 1);
    const [from, to] = [first, last].map(id => Number(id.slice(section.length))) as [number, number];
    return Array.from({ length: to - from + 1 }, (_, i) => `${section}${from + i}`);
  });
}

/** Returns a checklist with the counts of its states in its summary. */
export function withSummary(page: string): string {
  const requirements = requirementsOf(page);
  const chapters = [...page.matchAll(/^## V(\d+) (.+)$/gm)].map(([, number, title]) => {
    const own = requirements.filter(({ id }) => id.startsWith(`${number}.`));
    return [`V${number} ${title}`, ...counts(own)];
  });
  const rows = [
    ['chapter', ...states],
    ['---', ...states.map(() => '---:')],
    ...chapters,
    [`**all ${requirements.length}**`, ...counts(requirements)],
  ];
  const table = rows.map(row => `| ${row.join(' | ')} |`).join('\n');
  return page.replace(
    /<!-- summary -->\n.*?<!-- \/summary -->/s,
    () => `<!-- summary -->\n\n${table}\n\n<!-- /summary -->`,
  );
}

function counts(requirements: readonly Requirement[]): string[] {
  return states.map(state => String(requirements.filter(one => one.state === state).length));
}

if (import.meta.main) writeFileSync(checklistFile, withSummary(readFileSync(checklistFile, 'utf8')));
