import type { Chart, ChartInput } from './chart.ts';
import { withReferences } from './guides/references.ts';
import { withTrend } from './guides/trend.ts';
import { drawBars } from './marks/bar.ts';
import { drawBoxes } from './marks/boxplot.ts';
import { drawCalendar } from './marks/calendar.ts';
import { drawCandles } from './marks/candlestick.ts';
import { drawCombo } from './marks/combo.ts';
import { drawFunnel } from './marks/funnel.ts';
import { drawGauge } from './marks/gauge.ts';
import { drawHeatmap } from './marks/heatmap.ts';
import { drawLines } from './marks/line.ts';
import { drawMap } from './marks/map.ts';
import { drawPie } from './marks/pie.ts';
import { drawRadar } from './marks/radar.ts';
import { drawSankey } from './marks/sankey.ts';
import { drawScatter } from './marks/scatter.ts';
import { drawSunburst } from './marks/sunburst.ts';
import { drawTreemap } from './marks/treemap.ts';
import { drawWaterfall } from './marks/waterfall.ts';
import { drawMultiples } from './multiples.ts';

/** Encodings, numbers and a size become a chart: guides that stay, and a function from values to marks. */
export function drawChart(input: ChartInput): Chart {
  const isMultiple = input.axes.some(axis => axis.channel === 'row' || axis.channel === 'column');
  return isMultiple ? drawMultiples(input, drawOne) : drawOne(input);
}

function drawOne(input: ChartInput): Chart {
  const { tile } = input;
  const chart = drawMarks(input);
  // A scatter's trend is of its points, not of their density.
  const followed = 'trend' in tile && tile.trend && tile.kind !== 'scatter' ? withTrend(chart, tile.trend, input) : chart;
  return 'references' in tile && tile.references ? withReferences(followed, tile.references, input) : followed;
}

function drawMarks(input: ChartInput): Chart {
  switch (input.tile.kind) {
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
      return drawScatter(input);
    case 'boxplot':
      return drawBoxes(input);
    case 'waterfall':
      return drawWaterfall(input);
    case 'candlestick':
      return drawCandles(input);
    case 'calendar':
      return drawCalendar(input);
    case 'pie':
    case 'donut':
      return drawPie(input);
    case 'treemap':
      return drawTreemap(input);
    case 'sunburst':
      return drawSunburst(input);
    case 'sankey':
      return drawSankey(input);
    case 'funnel':
      return drawFunnel(input);
    case 'gauge':
      return drawGauge(input);
    case 'radar':
      return drawRadar(input);
    case 'map':
      return drawMap(input);
  }
}
