import { sankey, sankeyLinkHorizontal, type SankeyLink, type SankeyNode } from 'd3-sankey';
import type { Chart, ChartInput, ChartMeasure, Target } from '../chart.ts';
import type { Mark } from '../scene.ts';
import { formatNumber } from '../text/format.ts';
import { fitText } from '../text/text-width.ts';
import { sankeyGraph, type Stop } from './sankey-graph.ts';
import { seriesOf } from './series.ts';

interface Flow {
  /** The first level's position that contributes most, which sets the colour. */
  readonly origin: number;
}
type Node = SankeyNode<Stop, Flow>;
type Link = SankeyLink<Stop, Flow>;

/** Draws how amounts flow from the values of one field to those of the next. */
export function drawSankey(input: ChartInput): Chart {
  const { tile, axes, theme, locale, size } = input;
  if (tile.kind !== 'sankey') throw new TypeError('not a sankey');
  const [measure] = input.measures as [ChartMeasure];
  const series = seriesOf(axes[0], theme, locale);
  const margin = size.width > 360 ? 4 : 0;
  const wide = 10;
  const layOut = (values: Float64Array) => {
    const { stops, flows } = sankeyGraph(values, input);
    if (flows.length === 0) return undefined;
    return sankey<Stop, Flow>()
      .nodeId(node => `${node.level}:${node.position}`)
      .nodeWidth(wide)
      .nodePadding(Math.max(4, Math.min(14, size.height / 30)))
      .nodeAlign(node => node.level)
      .nodeSort((a, b) => (b.value ?? 0) - (a.value ?? 0))
      .extent([
        [margin, 6],
        [size.width - margin, size.height - 8],
      ])({ nodes: stops.map(stop => ({ ...stop })), links: flows.map(flow => ({ ...flow })) });
  };
  const path = sankeyLinkHorizontal<Stop, Flow>();
  const positionsOf = (...stops: readonly Stop[]) =>
    axes.map((_, level) => stops.find(stop => stop.level === level)?.position ?? -1);
  const colourOf = (node: Node) =>
    node.level === 0 ? (series[node.position]?.colour ?? theme.other) : theme.text3;
  const targets = (values: Float64Array): Target[] => {
    const graph = layOut(values);
    if (!graph) return [];
    const whole = graph.nodes
      .filter(node => node.level === 0)
      .reduce((sum, node) => sum + (node.value ?? 0), 0);
    const nodes = graph.nodes.map((node): Target => {
      const [x0, x1, y0, y1] = [node.x0!, node.x1!, node.y0!, node.y1!];
      return {
        positions: positionsOf(node),
        name: node.name,
        value: node.value ?? 0,
        whole,
        colour: colourOf(node),
        x: (x0 + x1) / 2,
        y: (y0 + y1) / 2,
        outline: `M${x0} ${y0}H${x1}V${y1}H${x0}z`,
        contains: (x, y) => x >= x0 - 3 && x <= x1 + 3 && y >= y0 && y <= y1,
      };
    });
    const links = graph.links.map((link): Target => {
      const [from, to] = [link.source as Node, link.target as Node];
      const [x0, x1] = [from.x1!, to.x0!];
      const half = (link.width ?? 1) / 2;
      const middleAt = (x: number) => bezierY(link.y0!, link.y1!, (x - x0) / (x1 - x0));
      return {
        positions: positionsOf(from, to),
        name: `${from.name} → ${to.name}`,
        value: link.value,
        whole,
        colour: series[link.origin]?.colour ?? theme.other,
        x: (x0 + x1) / 2,
        y: middleAt((x0 + x1) / 2),
        outline: band(link),
        contains: (x, y) => x > x0 + 3 && x < x1 - 3 && Math.abs(y - middleAt(x)) <= Math.max(2, half),
      };
    });
    return [...nodes, ...links];
  };
  return {
    plot: { x: margin, y: 6, width: size.width - 2 * margin, height: size.height - 14 },
    guides: [],
    series,
    targets,
    marks: (values, { isMuted, isSelected }) => {
      const graph = layOut(values);
      if (!graph) return [];
      const marks: Mark[] = [];
      for (const link of graph.links) {
        const isDim =
          isMuted ||
          (isSelected &&
            !isSelected(
              ...(positionsOf(link.source as Node, link.target as Node) as [number, number?, number?]),
            ));
        marks.push({
          kind: 'path',
          d: path(link)!,
          stroke: isDim ? theme.unfiltered : (series[link.origin]?.colour ?? theme.other),
          width: Math.max(1, link.width ?? 1),
          opacity: isDim ? 0.7 : 0.4,
        });
      }
      for (const node of graph.nodes) {
        const isDim =
          isMuted || (isSelected && !isSelected(...(positionsOf(node) as [number, number?, number?])));
        marks.push({
          kind: 'rects',
          xywh: [node.x0!, node.y0!, wide, Math.max(1, node.y1! - node.y0!)],
          fill: isDim ? theme.axis : colourOf(node),
        });
        if (isMuted || node.y1! - node.y0! < 8) continue;
        const isLast = node.level === axes.length - 1;
        const room = size.width / Math.max(2, axes.length) - wide - 12;
        const amount = formatNumber(node.value ?? 0, measure.format, locale, 'label');
        marks.push({
          kind: 'text',
          x: isLast ? node.x0! - 6 : node.x1! + 6,
          y: (node.y0! + node.y1!) / 2 + 4,
          text: fitText(`${node.name}  ${amount}`, room, 11),
          fill: theme.text,
          align: isLast ? 'right' : 'left',
          size: 11,
        });
      }
      return marks;
    },
  };
}

/** The middle of a band at a share of its way: d3's horizontal link is a cubic with both handles half-way. */
function bezierY(from: number, to: number, share: number): number {
  // x(t) = 1.5 t (1 − t) … solved for t by three steps of Newton's; the curve is monotonous.
  let t = share;
  for (let i = 0; i < 4; i++) {
    const x = 1.5 * t * (1 - t) ** 2 + 1.5 * t ** 2 * (1 - t) + t ** 3;
    const slope = 1.5 * (1 - 4 * t + 3 * t ** 2) + 1.5 * (2 * t - 3 * t ** 2) + 3 * t ** 2;
    t = Math.max(0, Math.min(1, t - (x - share) / Math.max(0.2, slope)));
  }
  const rise = 3 * t ** 2 - 2 * t ** 3;
  return from + (to - from) * rise;
}

function band(link: Link): string {
  const [from, to, half] = [link.source as Node, link.target as Node, (link.width ?? 1) / 2];
  const [x0, x1, middle] = [from.x1!, to.x0!, (from.x1! + to.x0!) / 2];
  return `M${x0} ${link.y0! - half}C${middle} ${link.y0! - half} ${middle} ${link.y1! - half} ${x1} ${link.y1! - half}V${link.y1! + half}C${middle} ${link.y1! + half} ${middle} ${link.y0! + half} ${x0} ${link.y0! + half}z`;
}
