import type { DashboardState } from '@belvedere/api';
import { createStore } from 'zustand/vanilla';
import { client } from '../data/server.ts';
import { problemText } from '../data/problem-text.ts';
import { locale } from '../messages/messages.ts';
import { seenAddress } from '../data/seen-as.ts';
import { follow, saveResponse } from './save-response.ts';

export type ExportFormat = 'png' | 'svg' | 'pdf' | 'csv' | 'xlsx' | 'parquet' | 'html';

/** A file that is on its way, or why it did not come. */
export interface Taking {
  readonly id: number;
  readonly format: ExportFormat;
  /** What has come of it; none while it is being made. */
  readonly bytes: number;
  readonly problem?: string;
  /** Calls it off, in the server and the engine too; or lets go of what went wrong. */
  readonly end: () => void;
}

/** What is worth saying: what comes at once comes without a word. */
export const takings = createStore<{ readonly all: readonly Taking[] }>(() => ({ all: [] }));

const sayAfterMs = 400;
/** What is larger goes from the server to the disk, past the page's memory; the browser says how far it is. */
const mostBytes = 64 * 2 ** 20;
let lastId = 0;

/** Takes a dashboard, or one of its tiles, away as a file: as it is seen now. */
export function takeAway(dashboard: string, format: ExportFormat, state: DashboardState, tile?: string): void {
  const controller = new AbortController();
  const id = ++lastId;
  const forget = () => takings.setState(({ all }) => ({ all: all.filter(other => other.id !== id) }));
  const say = (change: Partial<Taking>) => takings.setState(({ all }) => ({ all: all.map(other => (other.id === id ? { ...other, ...change } : other)) }));
  const begin = () => takings.setState(({ all }) => (all.some(other => other.id === id) ? { all } : { all: [...all, { id, format, bytes: 0, end: () => controller.abort() }] }));
  const timer = setTimeout(begin, sayAfterMs);
  const theme = document.documentElement.dataset['theme'] === 'dark' ? 'dark' : 'light';
  const query = { format, state: JSON.stringify(state), locale, theme, ...(tile && { tile }) } as const;
  let isLarge = false;
  const count = (bytes: number) => {
    say({ bytes });
    isLarge = bytes > mostBytes;
    if (isLarge) controller.abort();
  };
  const work = async () => {
    const response = await client.getExport({ params: { id: dashboard }, query }, { signal: controller.signal });
    await saveResponse(response, `${dashboard.split('/').at(-1)}.${format}`, count);
  };
  void work().then(forget, (error: unknown) => {
    if (isLarge) follow(seenAddress(`/api/dashboards/${encodeURIComponent(dashboard)}/export?${new URLSearchParams(query)}`), '');
    if (controller.signal.aborted) return forget();
    begin();
    say({ problem: problemText(error), end: forget });
  }).finally(() => clearTimeout(timer));
}
