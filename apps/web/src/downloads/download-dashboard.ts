import { maxExportRows, type DashboardState, type ExportRows, type OpenDashboard } from '@belvedere/api';
import { isGuestPage } from '../data/session/guest.ts';
import { viewAsUrl } from '../data/session/view-as.ts';
import { client, dashboardKey, queryClient } from '../data/server.ts';
import { maxSent } from '../long-url.ts';
import { locale } from '../messages/messages.ts';
import { saveUrl } from './save-response.ts';
import { chooseRows } from './pending-export.ts';
import { startDownload, type FileFormat } from './download-store.ts';

/** Downloads a dashboard or one of its tiles as shown. A dialog offers all rows of long tables first. */
export function downloadDashboard(
  dashboard: string,
  format: FileFormat,
  state: DashboardState,
  tile?: string,
): void {
  const download = (rows: ExportRows) => {
    const address = exportAddress(dashboard, format, state, tile, rows);
    startDownload(
      format,
      `${dashboard.split('/').at(-1)}.${format}`,
      signal => exported(dashboard, format, state, tile, signal, rows),
      address === undefined ? undefined : () => saveUrl(address, ''),
    );
  };
  const limit = queryClient.getQueryData<OpenDashboard>(dashboardKey(dashboard))?.exportRows;
  const isPicture = format === 'png' || format === 'svg';
  const isChoice = format === 'pdf' || format === 'xlsx';
  if (isGuestPage || isPicture || (!isChoice && limit === undefined)) return download('limited');
  /** Shorter tables are in the file with all of their rows, whatever is chosen. */
  const whole = format === 'pdf' ? 0 : format === 'xlsx' ? maxExportRows.limitedXlsx : Infinity;
  void client
    .countExportRows({
      params: { id: dashboard },
      body: { state, locale, ...(tile !== undefined && { tile }) },
    })
    .then(
      ({ tables, limit: maxRows = Infinity }) => {
        const long = tables.filter(({ rows }) => rows > Math.min(whole, maxRows));
        if (long.length === 0) download('limited');
        else chooseRows({ format, tables: long, limit: maxRows, onExport: download });
      },
      // The export fails for the same reason and shows it.
      () => download('limited'),
    );
}

/** Requests the file. */
export function exported(
  dashboard: string,
  format: FileFormat,
  state: DashboardState,
  tile?: string,
  signal?: AbortSignal,
  rows: ExportRows = 'limited',
): Promise<Response> {
  const params = { id: dashboard };
  const query = exportQuery(format, tile, rows);
  const options = signal ? { signal } : {};
  if (exportAddress(dashboard, format, state, tile, rows) === undefined)
    return client.postExport({ params, body: { ...query, state } }, options);
  return client.getExport({ params, query: { ...query, state: JSON.stringify(state) } }, options);
}

/** Returns the file's URL; undefined if the state is too long for one. */
function exportAddress(
  dashboard: string,
  format: FileFormat,
  state: DashboardState,
  tile: string | undefined,
  rows: ExportRows,
): string | undefined {
  const query = new URLSearchParams({
    ...exportQuery(format, tile, rows),
    state: JSON.stringify(state),
  }).toString();
  // A download by URL cannot send a guest's token.
  return isGuestPage || query.length > maxSent
    ? undefined
    : viewAsUrl(`/api/v1/dashboards/${encodeURIComponent(dashboard)}/export?${query}`);
}

function exportQuery(format: FileFormat, tile: string | undefined, rows: ExportRows) {
  const theme = document.documentElement.dataset['theme'] === 'dark' ? 'dark' : 'light';
  return { format, locale, theme, rows, ...(tile !== undefined && { tile }) } as const;
}
