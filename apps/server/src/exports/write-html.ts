import {
  encodeFrame,
  type DashboardState,
  type Frame,
  type OfflineComparison,
  type OpenDashboard,
} from '@belvedere/api';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { queryComparisonIndex } from '../queries/query-comparison-index.ts';
import { queryBrushIndex } from '../queries/query-brush-index.ts';
import { resultOrProblems, resolveTile } from '../queries/query-tile.ts';
import { isBuiltIn } from '@belvedere/chart';
import { listeningIn, listensTo } from '@belvedere/crossfilter';
import { hasNoQuery } from '@belvedere/query';
import { tilesOnPage, type DashboardContext } from '../queries/dashboard-query-context.ts';
import { readWorkspaceMap } from '../workspace/workspace-assets.ts';
import { imageAddress } from './workspace-image.ts';

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
const mostIndexBytes = 24 * 2 ** 20;

/**
 * Writes a dashboard as a single HTML file that works offline, with brushing: the application's pages, each
 * page's results, and the brush index of each chart.
 * It contains everything that its viewer may see and nothing else, and sends no requests.
 */
export async function writeOfflinePage(
  context: DashboardContext,
  { dashboard, about, root, locale, theme, pagesFolder }: OfflineRequest,
): Promise<string> {
  const answers: string[] = [];
  const indexes: Record<string, string> = {};
  const comparisons: Record<string, Record<string, OfflineComparison>> = {};
  let bytes = 0;
  for (const page of context.dashboard.pages.keys()) {
    const state: DashboardState = { ...context.state, page, selections: {} };
    const here: DashboardContext = { ...context, state };
    const tiles = tilesOnPage(here).filter(
      ([id, tile]) => !hasNoQuery(tile) && !(id in dashboard.brokenTiles),
    );
    answers.push(
      inBase64(
        (await Promise.all(tiles.map(([id, tile]) => resultOrProblems(here, id, tile, 'both')))).flat(),
      ),
    );
    const listening = listeningIn(here.dashboard);
    for (const [id, tile] of tiles) {
      if (tile.kind === 'table' || tile.kind === 'pivot' || tile.kind === 'kpi' || tile.kind === 'text')
        continue;
      context.queryContext.signal?.throwIfAborted();
      const active = await resolveTile(here, id, tile).catch(() => undefined);
      if (!active) continue;
      const following = tiles.filter(([other]) => listensTo(listening, other, id));
      const frames = await Promise.all(
        following.map(([other, passive]) =>
          queryBrushIndex(here, active, other, passive, { countsRows: true }).catch((): Frame[] => []),
        ),
      );
      const text = inBase64(frames.flat());
      if (text === '' || bytes + text.length > mostIndexBytes) continue;
      bytes += text.length;
      indexes[id] = text;
      const compared = await Promise.all(
        following.map(
          async ([other, passive]) =>
            [other, await queryComparisonIndex(here, active, other, passive).catch(() => undefined)] as const,
        ),
      );
      comparisons[id] = Object.fromEntries(
        compared.flatMap(([other, comparison]) => {
          const length = comparison?.index?.length ?? 0;
          if (!comparison || bytes + length > mostIndexBytes) return [];
          bytes += length;
          return [[other, comparison] as const];
        }),
      );
    }
  }
  const [oldBrowser, script, style] = await Promise.all(
    ['old-browser.js', 'offline/offline.js', 'offline/offline.css'].map(file =>
      readFile(path.join(pagesFolder, file), 'utf8'),
    ),
  );
  const tiles = context.dashboard.pages.flatMap(page => Object.values(page.tiles));
  const images = await byName(
    tiles.flatMap(tile => (tile.kind === 'image' ? [tile.file] : [])),
    file => imageAddress(root, file),
  );
  // Without its shapes a map is empty, as on the server.
  const maps = await byName(
    tiles.flatMap(tile =>
      tile.kind === 'map' && tile.shape !== undefined && !isBuiltIn(tile.shape) ? [tile.shape] : [],
    ),
    file => readWorkspaceMap(root, file).catch(() => undefined),
  );
  const data = JSON.stringify({
    dashboard,
    state: { ...context.state, selections: {} },
    about,
    locale,
    theme,
    answers,
    indexes,
    comparisons,
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

async function byName<T>(
  names: readonly string[],
  find: (name: string) => Promise<T>,
): Promise<Record<string, T>> {
  return Object.fromEntries(
    await Promise.all([...new Set(names)].map(async name => [name, await find(name)] as const)),
  );
}

function inBase64(frames: readonly Frame[]): string {
  return Buffer.concat(frames.flatMap(encodeFrame)).toString('base64');
}
