import { fitText, formatNumber, textWidth, type Mark } from '@belvedere/chart';
import { measuresInText, replaceMeasures, type Tile } from '@belvedere/document';
import { hasNoQuery, measureOf } from '@belvedere/query';
import { tileModel, type DashboardContext } from '../../queries/dashboard-query-context.ts';
import { queryTile } from '../../queries/tiles/query-tile.ts';
import { partOf } from '../tables/result-part.ts';

/** Draws a text in lines of at most the given width; `y` is the baseline of the first. */
export function wrapText(
  text: string,
  place: { readonly x: number; readonly y: number; readonly width: number },
  size: number,
  fill: string,
): Mark[] {
  const { x, width } = place;
  const marks: Mark[] = [];
  let y = place.y;
  for (const paragraph of text.split('\n')) {
    let line = '';
    for (const word of paragraph.split(/\s+/)) {
      const longer = line === '' ? word : `${line} ${word}`;
      if (textWidth(longer, size) > width && line !== '') {
        marks.push({ kind: 'text', x, y, text: line, fill, align: 'left', size });
        y += size * 1.5;
        line = word;
      } else line = longer;
    }
    if (line !== '')
      marks.push({ kind: 'text', x, y, text: fitText(line, width, size), fill, align: 'left', size });
    y += size * 1.5;
  }
  return marks;
}

/** Returns a text tile's words without markup, with the current values of its measures. */
export async function textOfTile(
  context: DashboardContext,
  id: string,
  tile: Tile & { kind: 'text' },
  locale: string,
): Promise<string> {
  if (hasNoQuery(tile)) return plainText(tile.text);
  const model = tileModel(context, tile);
  const values = partOf(await queryTile(context, id, tile, 'both'), 'main')?.values;
  const names = measuresInText(tile.text);
  return plainText(
    replaceMeasures(tile.text, name => {
      const { format, unit } = measureOf(model, name);
      return formatNumber(values?.[names.indexOf(name)] ?? Number.NaN, format, locale, 'label', unit);
    }),
  );
}

/** Returns Markdown's text without its markup. */
function plainText(markdown: string): string {
  return markdown
    .replace(/!\[[^\]]*\]\([^)]*\)/g, '')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[*_`#>]+/g, '')
    .trim();
}
