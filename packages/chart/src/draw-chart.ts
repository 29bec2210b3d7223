import { groupsOf, isOfGroups, tooltipMeasures } from '@belvedere/query';
import type { Chart, ChartInput } from './chart.ts';
import { withAnnotations } from './guides/annotations.ts';
import { axisTitles } from './guides/axis-options.ts';
import { withReferences } from './guides/references.ts';
import { withTrend } from './guides/trend.ts';
import { drawBars } from './marks/bar/draw-bars.ts';
import { drawBubbles } from './marks/bubble/draw-bubbles.ts';
import { drawCombo } from './marks/combo.ts';
import { drawHeatmap } from './marks/heatmap.ts';
import { drawLines } from './marks/line.ts';
import { drawScatter } from './marks/scatter.ts';
import { lazyMarks } from './lazy-marks.ts';
import { drawFacets } from './facets.ts';
import type { Mark } from './scene.ts';
import { fitText } from './text/text-width.ts';

/**
 * Encodings, numbers and a size become a chart: guides that stay, and a function from values to marks.
 * @throws RangeError for a kind whose marks have not been loaded (`loadMarks`)
 */
export function drawChart(input: ChartInput): Chart {
  const { x, y, right } = axisTitles(input.tile);
  const [above, below] = [y || right ? titleHeight : 0, x ? titleHeight : 0];
  const isMultiple = input.axes.some(axis => axis.channel === 'row' || axis.channel === 'column');
  const draw = isMultiple ? (own: ChartInput) => drawFacets(own, drawOne) : drawOne;
  if (above + below === 0) return draw(input);
  const { size, theme } = input;
  const chart = draw({
    ...input,
    size: { ...size, height: size.height - below },
    ...(above > 0 && { headroom: above }),
  });
  const end = chart.plot.x + chart.plot.width;
  const title = (text: string | undefined, at: number, baseline: number, align: 'left' | 'right'): Mark[] =>
    text
      ? [
          {
            kind: 'text',
            x: at,
            y: baseline,
            text: fitText(text, size.width * (right ? 0.48 : 0.9), 11),
            fill: theme.text2,
            align,
            size: 11,
          },
        ]
      : [];
  return {
    ...chart,
    guides: [
      ...chart.guides,
      ...title(y, 0, 10, 'left'),
      ...title(right, size.width, 10, 'right'),
      ...title(x, end, size.height - 3, 'right'),
    ],
  };
}

const titleHeight = 15;

/** Measures that only tooltips show are not drawn. */
function drawOne(input: ChartInput): Chart {
  const tooltipCount = tooltipMeasures(input.tile).length;
  if (tooltipCount === 0) return drawDrawn(input);
  const measures = input.measures.slice(0, -tooltipCount);
  const drawn = (values: Float64Array) => values.subarray(0, groupsOf(input.axes) * measures.length);
  const chart = drawDrawn({
    ...input,
    measures,
    base: drawn(input.base),
    ...(input.filtered && { filtered: drawn(input.filtered) }),
    ...(input.room && { room: input.room.map(drawn) }),
  });
  const { targets } = chart;
  return {
    ...chart,
    marks: (values, look) => chart.marks(drawn(values), look),
    ...(targets && { targets: (values: Float64Array) => targets(drawn(values)) }),
  };
}

function drawDrawn(input: ChartInput): Chart {
  const { tile } = input;
  const chart = drawMarks(input);
  // A scatter draws its trend itself: it is of its points, not of their density.
  const followed =
    'trend' in tile && tile.trend && tile.kind !== 'scatter' ? withTrend(chart, tile.trend, input) : chart;
  const measured =
    'references' in tile && tile.references ? withReferences(followed, tile.references, input) : followed;
  return 'annotations' in tile && tile.annotations
    ? withAnnotations(measured, tile.annotations, input)
    : measured;
}

function drawMarks(input: ChartInput): Chart {
  const { kind } = input.tile;
  switch (kind) {
    case 'bar':
      return drawBars(input);
    case 'line':
    case 'area':
      return drawLines(input);
    case 'combo':
      return drawCombo(input);
    case 'heatmap':
      return drawHeatmap(input);
    case 'scatter':
      return isOfGroups(input.tile) ? drawBubbles(input) : drawScatter(input);
    default:
      return lazyMarks(kind)(input);
  }
}
