import { isOfGroups } from '@belvedere/query';
import type { Chart, ChartInput } from './chart.ts';
import { withReferences } from './guides/references.ts';
import { withTrend } from './guides/trend.ts';
import { drawBars } from './marks/bar.ts';
import { drawBubbles } from './marks/bubbles.ts';
import { drawCombo } from './marks/combo.ts';
import { drawHeatmap } from './marks/heatmap.ts';
import { drawLines } from './marks/line.ts';
import { drawScatter } from './marks/scatter.ts';
import { lateMarks } from './late-marks.ts';
import { drawMultiples } from './multiples.ts';

/**
 * Encodings, numbers and a size become a chart: guides that stay, and a function from values to marks.
 * @throws RangeError for a kind whose marks have not been loaded (`loadMarks`)
 */
export function drawChart(input: ChartInput): Chart {
  const isMultiple = input.axes.some(axis => axis.channel === 'row' || axis.channel === 'column');
  return isMultiple ? drawMultiples(input, drawOne) : drawOne(input);
}

function drawOne(input: ChartInput): Chart {
  const { tile } = input;
  const chart = drawMarks(input);
  // A scatter draws its trend itself: it is of its points, not of their density.
  const followed = 'trend' in tile && tile.trend && tile.kind !== 'scatter' ? withTrend(chart, tile.trend, input) : chart;
  return 'references' in tile && tile.references ? withReferences(followed, tile.references, input) : followed;
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
      return lateMarks(kind)(input);
  }
}
