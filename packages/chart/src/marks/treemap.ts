import { groupsOf, slotsOf } from '@belvedere/query';
import { treemap, treemapSquarify, type HierarchyRectangularNode } from 'd3-hierarchy';
import type { Chart, ChartInput, ChartMeasure, Target } from '../chart.ts';
import { formatNumber } from '../text/format.ts';
import { shadingOf } from '../guides/shading.ts';
import { colourRamp } from '../scales/ramp.ts';
import type { Mark } from '../scene.ts';
import { fitText } from '../text/text-width.ts';
import { inkOn } from '../theme/theme.ts';
import { seriesOf } from './series.ts';
import { treeOf, type TreeNode } from './tree.ts';

/**
 * Nested areas in proportion to their values. Colours distinguish the outer level, or show another measure.
 * @see Bruls, Huizing and van Wijk, “Squarified Treemaps”, 2000
 */
export function drawTreemap(input: ChartInput): Chart {
  const { tile, axes, theme, locale, hidden } = input;
  if (tile.kind !== 'treemap') throw new TypeError('not a treemap');
  const shading = shadingOf(input, groupsOf(axes));
  const size = { ...input.size, height: input.size.height - (shading?.legendHeight ?? 0) };
  const [measure] = input.measures as [ChartMeasure];
  const series = treeColours(input);
  const headerHeight = axes.length > 1 ? 17 : 0;
  const layOut = (values: Float64Array): HierarchyRectangularNode<TreeNode> =>
    treemap<TreeNode>()
      .tile(treemapSquarify)
      .size([size.width, size.height])
      .paddingInner(2)
      .paddingTop(node => (node.depth === 0 || !node.children ? 0 : headerHeight))
      .round(true)(treeOf(values, axes, locale, hidden));
  const groupAt = (positions: readonly number[]) =>
    positions.reduce((group, position, i) => group * slotsOf(axes[i]!) + position, 0);
  const colourOf = (node: HierarchyRectangularNode<TreeNode>, values: Float64Array) => {
    if (!shading) return series[node.data.positions[0]!]!.colour;
    return node.children
      ? theme.text3
      : shading.colours[shading.shadeOf(values, groupAt(node.data.positions))]!;
  };
  const targets = (values: Float64Array): Target[] => {
    const root = layOut(values);
    return root
      .descendants()
      .filter(node => node.depth > 0)
      .toSorted((a, b) => b.depth - a.depth)
      .map(node => ({
        positions: node.data.positions,
        name: node
          .ancestors()
          .toReversed()
          .slice(1)
          .map(one => one.data.name)
          .join(' › '),
        value: node.value ?? 0,
        whole: root.value ?? 0,
        colour: colourOf(node, values),
        x: (node.x0 + node.x1) / 2,
        y: node.children ? node.y0 + headerHeight / 2 : (node.y0 + node.y1) / 2,
        outline: `M${node.x0} ${node.y0}H${node.x1}V${node.y1}H${node.x0}z`,
        contains: (x, y) => x >= node.x0 && x < node.x1 && y >= node.y0 && y < node.y1,
      }));
  };
  return {
    plot: { x: 0, y: 0, width: size.width, height: size.height },
    guides: shading?.legendHeight ? shading.legend(input.size.height - 3) : [],
    series,
    targets,
    marks: (values, { isMuted, isSelected }) => {
      const marks: Mark[] = [];
      for (const node of layOut(values).descendants()) {
        if (node.depth === 0) continue;
        const [x, y, width, height] = [node.x0, node.y0, node.x1 - node.x0, node.y1 - node.y0];
        const isDim =
          isMuted || (isSelected && !isSelected(...(node.data.positions as [number, number?, number?])));
        if (node.children) {
          if (node.depth === 1 && !isMuted && width > 30)
            marks.push({
              kind: 'text',
              x: x + 2,
              y: y + 12,
              text: fitText(node.data.name, width - 6, 11),
              fill: theme.text2,
              align: 'left',
              size: 11,
              weight: 600,
            });
          continue;
        }
        // Inner levels have lighter shades of their branch's colour.
        const share =
          axes.length > 1 && !shading
            ? (node.parent?.children?.indexOf(node) ?? 0) /
              Math.max(1, (node.parent?.children?.length ?? 1) - 1)
            : 0;
        const fill = isDim
          ? theme.unfiltered
          : colourRamp([colourOf(node, values), theme.surface], 100)[Math.round(share * 42)]!;
        marks.push({ kind: 'rects', xywh: [x, y, width, height], fill });
        if (isMuted || width < 34 || height < 17) continue;
        const ink = isDim ? theme.text3 : inkOn(fill);
        marks.push({
          kind: 'text',
          x: x + 5,
          y: y + 14,
          text: fitText(node.data.name, width - 8, 11),
          fill: ink,
          align: 'left',
          size: 11,
        });
        if (height >= 34)
          marks.push({
            kind: 'text',
            x: x + 5,
            y: y + 28,
            text: fitText(formatNumber(node.value ?? 0, measure.format, locale, 'label'), width - 8, 11),
            fill: ink,
            align: 'left',
            size: 11,
          });
      }
      return marks;
    },
  };
}

/** The colours of the outer level; the accent alone if it has more values than there are hues. */
function treeColours({ axes, theme, locale }: ChartInput): { label: string; colour: string }[] {
  const series = seriesOf(axes[0], theme, locale);
  return axes.length === 1 || series.length > theme.series.length + 1
    ? series.map(({ label }) => ({ label, colour: theme.accent }))
    : series;
}
