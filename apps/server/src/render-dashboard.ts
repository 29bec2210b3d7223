import { DashboardState, ExportFormat } from '@belvedere/api';
import { askerOf } from './answers/asker.ts';
import { owner } from './auth/caller.ts';
import { dashboardContext } from './answers/dashboard-context.ts';
import { exportDashboard, type Exported } from './exports/export-dashboard.ts';
import { ExportWriter } from './exports/export-writer.ts';
import { openFolder } from './open-folder.ts';
import { ProblemError } from './problems.ts';
import { Notes } from './records/notes.ts';
import { openStateDatabase, type StateDatabase } from './records/state-database.ts';
import { openDashboard, spoken } from './routes/dashboards.ts';
import type { OpenPlace } from './workspace/find-place.ts';

export interface RenderWish {
  readonly dashboard: string;
  readonly format: string;
  readonly tile?: string;
  /** Pages count from 1. */
  readonly page: number;
  /** The workspace's where it is not said. */
  readonly locale?: string;
  readonly theme: 'light' | 'dark';
  readonly pagesFolder: string;
  /** Filters and selections, as JSON. */
  readonly state?: string;
}

const longestReadingMs = 10 * 60_000;

/**
 * A dashboard as a file, without a server: reads what has to be read, draws, and ends.
 * @param write what is done with it, while there is somebody to answer what a long file still asks
 * @param onReading told while its tables are being read
 * @throws ProblemError for a dashboard, a tile or a format there is not
 */
export async function renderDashboard(place: OpenPlace, wish: RenderWish, write: (exported: Exported) => Promise<void>, onReading: (tables: readonly string[]) => void): Promise<void> {
  const format = ExportFormat.safeParse(wish.format);
  if (!format.success) throw new ProblemError('request-invalid', `There is no format \`${wish.format}\`; there are ${ExportFormat.options.join(', ')}.`);
  const asked = DashboardState.safeParse({ filters: {}, selections: {}, ...(JSON.parse(wish.state ?? '{}') as object), page: wish.page - 1 });
  if (!asked.success) throw new ProblemError('request-invalid', `The state is none of a dashboard: ${asked.error.issues[0]?.message ?? ''}`);
  const { store, engine, answers, hold } = await openFolder(place);
  let state: StateDatabase | undefined;
  try {
    await store.open();
    const began = Date.now();
    for (;;) {
      const found = store.current.dashboards.get(wish.dashboard);
      const reading = [...store.current.tables.values()].filter(table => table.state === 'reading' || table.state === 'waiting').map(table => table.name);
      if (found?.state !== 'reading' && (found || reading.length === 0)) break;
      if (Date.now() - began > longestReadingMs) throw new ProblemError('still-reading', `Its data is still being read after ${longestReadingMs / 60_000} minutes.`);
      onReading(reading);
      await new Promise(resolve => setTimeout(resolve, 200));
    }
    const locale = wish.locale ?? store.current.settings.locale ?? 'en-US';
    const dashboard = spoken(store.current.dashboards.get(wish.dashboard), locale.slice(0, 2));
    if (!dashboard) throw new ProblemError('not-found', `There is no dashboard \`${wish.dashboard}\`; there are ${[...store.current.dashboards.keys()].slice(0, 20).join(', ') || 'none'}.`);
    if (!dashboard.document) throw new ProblemError('document-invalid', dashboard.problems.map(({ file, line, column, message }) => `${file}:${line}:${column} ${message}`).join('\n'));
    state = await openStateDatabase(place.state);
    const asker = askerOf(store.current, dashboard.document, owner);
    await write(await exportDashboard(dashboardContext(dashboard, asked.data, asker, answers), { format: format.data, locale, theme: wish.theme, root: place.root, pagesFolder: wish.pagesFolder, opened: openDashboard(dashboard, store.current, new Notes(state).of(wish.dashboard)), ...(wish.tile !== undefined && { tile: wish.tile }) }, new ExportWriter()));
  } finally {
    state?.close();
    await store.close();
    await engine.close();
    await hold.release();
  }
}
