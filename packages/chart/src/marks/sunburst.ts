import { partition, type HierarchyRectangularNode } from 'd3-hierarchy';
import { arc } from 'd3-shape';
import type { Chart, ChartInput, ChartMeasure, Target } from '../chart.ts';
import { formatNumber } from '../text/format.ts';
import { colourRamp } from '../scales/ramp.ts';
import type { Mark } from '../scene.ts';
import { fitText, textWidth } from '../text/text-width.ts';
import { inkOn } from '../theme/theme.ts';
import { chartMessagesIn } from '../text/chart-messages.ts';
import { moved } from './pie.ts';
import { seriesOf } from './series.ts';
import { treeOf, type TreeNode } from './tree.ts';

/** Draws each level as a ring around the level that it divides, with the total in the middle. */
export function drawSunburst(input: ChartInput): Chart {
  const { tile, axes, theme, locale, size, hidden } = input;
  if (tile.kind !== 'sunburst') throw new TypeError('not a sunburst');
  const [measure] = input.measures as [ChartMeasure];
  const series = seriesOf(axes[0], theme, locale);
  const radius = Math.max(10, Math.min(size.width, size.height) / 2 - 4);
  const [cx, cy] = [size.width / 2, size.height / 2];
  const ring = radius / (axes.length + 0.9);
  const inner = (depth: number) => ring * (0.9 + (depth - 1));
  const layOut = (values: Float64Array): HierarchyRectangularNode<TreeNode> =>
    partition<TreeNode>().size([2 * Math.PI, axes.length + 1])(treeOf(values, axes, locale, hidden));
  const shape = arc<HierarchyRectangularNode<TreeNode>>()
    .startAngle(node => node.x0)
    .endAngle(node => node.x1)
    .innerRadius(node => inner(node.depth))
    .outerRadius(node => inner(node.depth) + ring - 1)
    .padAngle(0.006)
    .padRadius(radius / 2);
  const fillOf = (node: HierarchyRectangularNode<TreeNode>) =>
    colourRamp([series[node.data.positions[0]!]!.colour, theme.surface], 100)[(node.depth - 1) * 26]!;
  const nodesOf = (root: HierarchyRectangularNode<TreeNode>) =>
    root.descendants().filter(node => node.depth > 0 && node.x1 - node.x0 > 0.002);
  const targets = (values: Float64Array): Target[] => {
    const root = layOut(values);
    return nodesOf(root).map(node => {
      const [angle, distance] = [(node.x0 + node.x1) / 2 - Math.PI / 2, inner(node.depth) + ring / 2];
      return {
        positions: node.data.positions,
        name: node
          .ancestors()
          .toReversed()
          .slice(1)
          .map(one => one.data.name)
          .join(' › '),
        value: node.value ?? 0,
        whole: root.value ?? 0,
        colour: fillOf(node),
        x: cx + Math.cos(angle) * distance,
        y: cy + Math.sin(angle) * distance,
        outline: moved(shape(node)!, cx, cy),
        contains: (x, y) => {
          const [far, turn] = [
            Math.hypot(x - cx, y - cy),
            (Math.atan2(y - cy, x - cx) + Math.PI * 2.5) % (Math.PI * 2),
          ];
          return (
            far >= inner(node.depth) && far < inner(node.depth) + ring && turn >= node.x0 && turn < node.x1
          );
        },
      };
    });
  };
  return {
    plot: { x: cx - radius, y: cy - radius, width: radius * 2, height: radius * 2 },
    guides: [],
    series,
    targets,
    marks: (values, { isMuted, isSelected }) => {
      const root = layOut(values);
      const marks: Mark[] = [];
      for (const node of nodesOf(root)) {
        const isDim =
          isMuted || (isSelected && !isSelected(...(node.data.positions as [number, number?, number?])));
        const fill = isDim ? theme.unfiltered : fillOf(node);
        marks.push({ kind: 'path', d: shape(node)!, fill });
        const distance = inner(node.depth) + ring / 2;
        const angle = (node.x0 + node.x1) / 2 - Math.PI / 2;
        const name = fitText(node.data.name, ring - 8, 11);
        // Names are horizontal, and shown only where they fit into ring and slice.
        const chord = (node.x1 - node.x0) * distance;
        const room = Math.min(
          chord / Math.max(0.01, Math.abs(Math.sin(angle))),
          ring / Math.max(0.01, Math.abs(Math.cos(angle))),
        );
        if (!isMuted && chord > 15 && room > textWidth(name, 11) + 6 && name.length > 2)
          marks.push({
            kind: 'text',
            x: Math.cos(angle) * distance,
            y: Math.sin(angle) * distance + 4,
            text: name,
            fill: isDim ? theme.text3 : inkOn(fill),
            align: 'center',
            size: 11,
          });
      }
      if (!isMuted && ring > 30) {
        marks.push({
          kind: 'text',
          x: 0,
          y: 2,
          text: formatNumber(root.value ?? 0, measure.format, locale, 'label'),
          fill: theme.text,
          align: 'center',
          size: Math.min(18, ring / 2.6),
          weight: 600,
        });
        marks.push({
          kind: 'text',
          x: 0,
          y: 16,
          text: chartMessagesIn(locale).total,
          fill: theme.text3,
          align: 'center',
          size: 10,
        });
      }
      return [{ kind: 'group', x: cx, y: cy, marks }];
    },
  };
}
