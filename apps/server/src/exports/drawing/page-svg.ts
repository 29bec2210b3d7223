import { paintSvg, type Mark } from '@belvedere/chart';
import { tilesOnPage, type DashboardContext } from '../../queries/dashboard-query-context.ts';
import { drawFrame } from './draw-frame.ts';
import { drawHeading } from './page-heading.ts';
import { layOut, pageMargin, pageWidth } from './page-layout.ts';
import type { PageTheme } from './page-theme.ts';

/**
 * Draws the current page of a dashboard as an SVG.
 * @param isForElsewhere whether other programs will show it, which lack the application's fonts
 */
export async function pageSvg(
  context: DashboardContext,
  look: PageTheme,
  { isForElsewhere }: { readonly isForElsewhere: boolean },
): Promise<string> {
  const tiles = tilesOnPage(context);
  const { boxes, height } = layOut(tiles);
  const head = await drawHeading(context, look);
  const frames = await Promise.all(
    tiles.map(([id, tile]) => drawFrame(context, id, tile, boxes.get(id)!, look)),
  );
  const size = { width: pageWidth + 2 * pageMargin, height: height + head.height + 2 * pageMargin };
  const marks: Mark[] = [
    { kind: 'rects', xywh: [0, 0, size.width, size.height], fill: look.canvas },
    { kind: 'group', x: pageMargin, y: pageMargin, marks: head.marks },
    {
      kind: 'group',
      x: pageMargin,
      y: pageMargin + head.height,
      marks: frames.map(frame => frame.mark),
    },
  ];
  return paintSvg(marks, size, context.dashboard.title, { isForElsewhere });
}
