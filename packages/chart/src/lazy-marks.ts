import type { Chart, ChartInput, ChartTile } from './chart.ts';

export type Draw = (input: ChartInput) => Chart;

/** Rare kinds, whose code and layout library load when a tile needs them. */
const lazyComponent = {
  boxplot: () => import('./marks/boxplot.ts').then(module => module.drawBoxes),
  calendar: () => import('./marks/calendar.ts').then(module => module.drawCalendar),
  candlestick: () => import('./marks/candlestick.ts').then(module => module.drawCandles),
  donut: () => import('./marks/pie.ts').then(module => module.drawPie),
  funnel: () => import('./marks/funnel.ts').then(module => module.drawFunnel),
  gauge: () => import('./marks/gauge.ts').then(module => module.drawGauge),
  map: () => import('./marks/map.ts').then(module => module.drawMap),
  pie: () => import('./marks/pie.ts').then(module => module.drawPie),
  radar: () => import('./marks/radar.ts').then(module => module.drawRadar),
  sankey: () => import('./marks/sankey.ts').then(module => module.drawSankey),
  sunburst: () => import('./marks/sunburst.ts').then(module => module.drawSunburst),
  treemap: () => import('./marks/treemap.ts').then(module => module.drawTreemap),
  waterfall: () => import('./marks/waterfall.ts').then(module => module.drawWaterfall),
} as const satisfies Partial<Record<ChartTile['kind'], () => Promise<Draw>>>;

export type LazyKind = keyof typeof lazyComponent;
const here = new Map<string, Draw>();

/** Whether tiles of a kind can be drawn now. */
export function hasMarks(kind: ChartTile['kind']): boolean {
  return !(kind in lazyComponent) || here.has(kind);
}

/** Loads the drawing code of a kind. Resolves at once for kinds that need none. */
export async function loadMarks(kind: ChartTile['kind']): Promise<void> {
  if (!hasMarks(kind)) here.set(kind, await lazyComponent[kind as LazyKind]());
}

/** The loaded drawing code of a kind. @throws RangeError if `loadMarks` has not resolved */
export function lazyMarks(kind: LazyKind): Draw {
  const draw = here.get(kind);
  if (!draw) throw new RangeError(`the marks of a ${kind} have not been loaded`);
  return draw;
}
