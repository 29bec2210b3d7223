import type { DashboardState } from '@belvedere/api';
import { viewAsUrl } from '../data/view-as.ts';
import { client } from '../data/server.ts';
import { maxSent } from '../long-url.ts';
import { locale } from '../messages/messages.ts';
import { follow } from './save-response.ts';
import { take, type FileFormat } from './download-store.ts';

/** Takes a dashboard, or one of its tiles, away as a file: as it is seen now. */
export function downloadDashboard(
  dashboard: string,
  format: FileFormat,
  state: DashboardState,
  tile?: string,
): void {
  const address = exportAddress(dashboard, format, state, tile);
  take(
    format,
    `${dashboard.split('/').at(-1)}.${format}`,
    signal => exported(dashboard, format, state, tile, signal),
    address === undefined ? undefined : () => follow(address, ''),
  );
}

/** The file itself. */
export function exported(
  dashboard: string,
  format: FileFormat,
  state: DashboardState,
  tile?: string,
  signal?: AbortSignal,
): Promise<Response> {
  const params = { id: dashboard };
  const asked = askedFor(format, tile);
  const options = signal ? { signal } : {};
  if (exportAddress(dashboard, format, state, tile) === undefined)
    return client.postExport({ params, body: { ...asked, state } }, options);
  return client.getExport({ params, query: { ...asked, state: JSON.stringify(state) } }, options);
}

/** Where it is to be had; nowhere in a state that is too long for an address. */
function exportAddress(
  dashboard: string,
  format: FileFormat,
  state: DashboardState,
  tile?: string,
): string | undefined {
  const query = new URLSearchParams({ ...askedFor(format, tile), state: JSON.stringify(state) }).toString();
  return query.length > maxSent
    ? undefined
    : viewAsUrl(`/api/v1/dashboards/${encodeURIComponent(dashboard)}/export?${query}`);
}

function askedFor(format: FileFormat, tile: string | undefined) {
  const theme = document.documentElement.dataset['theme'] === 'dark' ? 'dark' : 'light';
  return { format, locale, theme, ...(tile !== undefined && { tile }) } as const;
}
