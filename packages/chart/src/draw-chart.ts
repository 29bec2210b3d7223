import type { Chart, ChartInput } from './chart.ts';
import { drawBars } from './marks/bar.ts';
import { drawHeatmap } from './marks/heatmap.ts';
import { drawLines } from './marks/line.ts';
import { drawScatter } from './marks/scatter.ts';

/** Encodings, numbers and a size become a chart: guides that stay, and a function from values to marks. */
export function drawChart(input: ChartInput): Chart {
  switch (input.tile.kind) {
    case 'bar':
      return drawBars(input);
    case 'line':
    case 'area':
      return drawLines(input);
    case 'heatmap':
      return drawHeatmap(input);
    case 'scatter':
      return drawScatter(input);
  }
}
