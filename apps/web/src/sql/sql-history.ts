/** A statement that was run, and what came of it. */
export interface RunStatement {
  readonly sql: string;
  readonly at: number;
  readonly ms: number;
  readonly rows: number;
}

const mostKept = 50;
const historyKey = (source: string) => `belvedere-sql-history:${source}`;
const textKey = (source: string) => `belvedere-sql-text:${source}`;

/** The last statements that gave an answer, the newest first; kept in this browser alone. */
export function readHistory(source: string): readonly RunStatement[] {
  try {
    return (JSON.parse(localStorage.getItem(historyKey(source)) ?? '[]') as RunStatement[]).filter(
      entry => typeof entry.sql === 'string',
    );
  } catch {
    return [];
  }
}

export function addToHistory(source: string, run: RunStatement): readonly RunStatement[] {
  const kept = [run, ...readHistory(source).filter(entry => entry.sql !== run.sql)].slice(0, mostKept);
  write(historyKey(source), JSON.stringify(kept));
  return kept;
}

/** What was being written when the page was left. */
export const readText = (source: string): string => localStorage.getItem(textKey(source)) ?? '';
export const rememberText = (source: string, text: string): void => write(textKey(source), text);

function write(key: string, text: string): void {
  try {
    localStorage.setItem(key, text);
  } catch {
    // Full, or forbidden: then it is there for as long as the page is.
  }
}
