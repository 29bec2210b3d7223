/** A statement that ran successfully. */
export interface RunStatement {
  readonly sql: string;
  readonly at: number;
  readonly ms: number;
  readonly rows: number;
}

const maxStatements = 50;
const historyKey = (source: string) => `belvedere-sql-history:${source}`;
const textKey = (source: string) => `belvedere-sql-text:${source}`;

/** Returns the last successful statements, newest first. They are kept in this browser only. */
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
  const kept = [run, ...readHistory(source).filter(entry => entry.sql !== run.sql)].slice(0, maxStatements);
  write(historyKey(source), JSON.stringify(kept));
  return kept;
}

/** The text of the editor when the page was left. */
export const readText = (source: string): string => localStorage.getItem(textKey(source)) ?? '';
export const rememberText = (source: string, text: string): void => write(textKey(source), text);

function write(key: string, text: string): void {
  try {
    localStorage.setItem(key, text);
  } catch {
    // Storage is full or blocked: the text lasts as long as the page.
  }
}
