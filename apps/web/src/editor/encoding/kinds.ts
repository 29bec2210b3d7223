import type { TileKind } from '@belvedere/document';
import {
  CalendarDays,
  ChartArea,
  ChartBarStacked,
  ChartCandlestick,
  ChartColumn,
  ChartGantt,
  ChartLine,
  ChartNoAxesCombined,
  ChartPie,
  ChartScatter,
  CircleDot,
  Funnel,
  Gauge,
  Grid3x3,
  Hash,
  Image,
  LayoutPanelLeft,
  Map,
  Pentagon,
  SlidersHorizontal,
  Sun,
  Table,
  Table2,
  TextInitial,
  Waypoints,
  type LucideIcon,
} from 'lucide-react';

/** The kinds most dashboards are made of, first; then the others. */
export const commonKinds: readonly TileKind[] = ['kpi', 'bar', 'line', 'area', 'table', 'text'];
export const otherKinds: readonly TileKind[] = [
  'combo',
  'heatmap',
  'scatter',
  'donut',
  'pie',
  'boxplot',
  'treemap',
  'sunburst',
  'sankey',
  'funnel',
  'waterfall',
  'calendar',
  'gauge',
  'radar',
  'map',
  'candlestick',
  'pivot',
  'control',
  'image',
];
export const allKinds: readonly TileKind[] = [...commonKinds, ...otherKinds];

/** Those that show data, and so can be made of fields. */
export const dataKinds: readonly TileKind[] = allKinds.filter(
  kind => kind !== 'text' && kind !== 'image' && kind !== 'control',
);

export const kindIcons: Readonly<Record<TileKind, LucideIcon>> = {
  kpi: Hash,
  bar: ChartColumn,
  line: ChartLine,
  area: ChartArea,
  table: Table,
  text: TextInitial,
  combo: ChartNoAxesCombined,
  heatmap: Grid3x3,
  scatter: ChartScatter,
  donut: CircleDot,
  pie: ChartPie,
  boxplot: ChartBarStacked,
  treemap: LayoutPanelLeft,
  sunburst: Sun,
  sankey: Waypoints,
  funnel: Funnel,
  waterfall: ChartGantt,
  calendar: CalendarDays,
  gauge: Gauge,
  radar: Pentagon,
  map: Map,
  candlestick: ChartCandlestick,
  pivot: Table2,
  control: SlidersHorizontal,
  image: Image,
};

/** A field's type in a letter or two. */
export const typeGlyphs: Readonly<Record<string, string>> = {
  integer: '#',
  decimal: '#',
  number: '#',
  text: 'Aa',
  boolean: '✓',
  date: 'D',
  time: 'T',
  instant: 'T',
  other: '{}',
};
