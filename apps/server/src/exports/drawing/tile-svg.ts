import { paintSvg } from '@belvedere/chart';
import type { Tile } from '@belvedere/document';
import { hasNoQuery } from '@belvedere/query';
import { titleOf } from '../../presenters/tile-title.ts';
import { tileModel, type DashboardContext } from '../../queries/dashboard-query-context.ts';
import { drawFrame } from './draw-frame.ts';
import { pageWidth } from './page-layout.ts';
import type { PageTheme } from './page-theme.ts';

/** Draws one tile as an SVG. */
export async function tileSvg(
  context: DashboardContext,
  [id, tile]: readonly [string, Tile],
  look: PageTheme,
  request: { readonly width: number | undefined; readonly isForElsewhere: boolean },
): Promise<string> {
  const [, , columns = 12, rows = 10] = tile.at ?? [];
  // As wide as on the page, but at least 640 pixels.
  const width = request.width ?? Math.max(640, (columns / 24) * pageWidth);
  // On a narrow image, all kinds are as high as on a phone.
  const size = {
    width,
    height:
      tile.kind === 'kpi' ? 120 : width < 480 ? 320 : Math.max(tileHeights[tile.kind] ?? 360, rows * 40),
  };
  const { mark } = await drawFrame(context, id, tile, { x: 0, y: 0, ...size }, look);
  return paintSvg(
    [{ kind: 'rects', xywh: [0, 0, size.width, size.height], fill: look.theme.surface }, mark],
    size,
    titleOf(tile, hasNoQuery(tile) ? undefined : tileModel(context, tile), look.locale),
    { isForElsewhere: request.isForElsewhere },
  );
}

const tileHeights: Readonly<Record<string, number>> = {
  kpi: 120,
  table: 640,
  pivot: 640,
  map: 480,
  calendar: 320,
  treemap: 480,
  sunburst: 520,
  sankey: 520,
};
