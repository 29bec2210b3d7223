import type { DashboardState } from '@belvedere/api';
import { seenAddress } from '../data/seen-as.ts';
import { client } from '../data/server.ts';
import { locale } from '../messages/messages.ts';
import { follow } from './save-response.ts';
import { take, type FileFormat } from './takings.ts';

/** Takes a dashboard, or one of its tiles, away as a file: as it is seen now. */
export function takeDashboard(dashboard: string, format: FileFormat, state: DashboardState, tile?: string): void {
  const query = queryFor(format, state, tile);
  take(format, `${dashboard.split('/').at(-1)}.${format}`, signal => client.getExport({ params: { id: dashboard }, query }, { signal }), () => follow(exportAddress(dashboard, format, state, tile), ''));
}

/** Where it is to be had. */
export function exportAddress(dashboard: string, format: FileFormat, state: DashboardState, tile?: string): string {
  return seenAddress(`/api/dashboards/${encodeURIComponent(dashboard)}/export?${new URLSearchParams(queryFor(format, state, tile))}`);
}

function queryFor(format: FileFormat, state: DashboardState, tile: string | undefined) {
  const theme = document.documentElement.dataset['theme'] === 'dark' ? 'dark' : 'light';
  return { format, state: JSON.stringify(state), locale, theme, ...(tile !== undefined && { tile }) } as const;
}
