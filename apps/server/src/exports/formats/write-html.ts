import type { OpenDashboard } from '@belvedere/api';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { DashboardContext } from '../../queries/dashboard-query-context.ts';
import { collectOfflineParts, collectSelected, collectWorkspaceAssets } from '../offline/offline-parts.ts';

export interface OfflineRequest {
  readonly dashboard: OpenDashboard;
  readonly about: readonly (readonly [string, string])[];
  /** The workspace's folder. */
  readonly root: string;
  readonly locale: string;
  readonly theme: 'light' | 'dark';
  /** The folder of the application's built pages. */
  readonly pagesFolder: string;
}

/** Maximum total size of brush indexes. Tiles whose indexes exceed it are shown but do not brush. */
const maxIndexBytes = 24 * 2 ** 20;

/**
 * Writes a dashboard as a single HTML file that works offline, with brushing: the application's pages, each
 * page's results, and the brush index of each chart.
 * It contains everything that its viewer may see and nothing else, and sends no requests.
 */
export async function writeOfflinePage(
  context: DashboardContext,
  { dashboard, about, root, locale, theme, pagesFolder }: OfflineRequest,
): Promise<string> {
  const { pages, indexes, comparisons } = await collectOfflineParts(context, dashboard, { maxIndexBytes });
  const selected = await collectSelected(context, dashboard);
  const [oldBrowser, script, style] = await Promise.all(
    ['old-browser.js', 'offline/offline.js', 'offline/offline.css'].map(file =>
      readFile(path.join(pagesFolder, file), 'utf8'),
    ),
  );
  const { images, maps } = await collectWorkspaceAssets(context, root);
  const data = JSON.stringify({
    dashboard,
    state: { ...context.state, ...(!selected && { selections: {} }) },
    ...(selected && { selected: inBase64(selected) }),
    about,
    locale,
    theme,
    pages: pages.map(inBase64),
    indexes: Object.fromEntries(Array.from(indexes, ([tile, { bytes }]) => [tile, inBase64(bytes)] as const)),
    comparisons: Object.fromEntries(comparisons),
    images,
    maps,
  });
  return `<!doctype html>
<html lang="${locale.slice(0, 2)}" data-theme="${theme}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; font-src data:; img-src data: blob:">
<title>${dashboard.title.replace(/[&<>"]/g, character => `&#${character.charCodeAt(0)};`)}</title>
<script>${oldBrowser}</script>
<style>${style!.replaceAll('</style', '<\\/style')}</style>
</head>
<body class="bg-canvas">
<div id="root"></div>
<script type="application/json" id="belvedere-data">${data.replaceAll('<', '\\u003c')}</script>
<script>${script!.replaceAll('</script', '<\\/script')}</script>
</body>
</html>
`;
}

function inBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}
