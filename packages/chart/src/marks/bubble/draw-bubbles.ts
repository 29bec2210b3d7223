import type { Chart, ChartInput, Target } from '../../chart.ts';
import type { Mark } from '../../scene.ts';
import { bubbleGrid, bubbleTitles } from './bubble-guides.ts';
import { bubbleLayout, type Bubble } from './bubble-layout.ts';
import { linesThrough, trendOf } from './bubble-lines.ts';
import { bubbleNames, bubbleOpacity } from './bubble-names.ts';

/** Up to so many bubbles are all named, as far as there is room; of more only the largest. */
const fewPoints = 40;
const largestPoints = 12;

/** Draws a bubble for each value of a field: placed by two measures, as large as a third. */
export function drawBubbles(input: ChartInput): Chart {
  const { tile, theme, locale } = input;
  if (tile.kind !== 'scatter') throw new TypeError('not a scatter of measures');
  const layout = bubbleLayout(input);
  const { plot, series, groups, sizeMeasure, xScale, yScale, bubblesOf, colourOf } = layout;
  const direction = tile.order?.sort === 'descending' ? -1 : 1;
  const guides = [
    ...bubbleGrid(layout),
    ...(input.isInRow ? [] : bubbleTitles(layout, locale)),
    ...(layout.shading?.legendHeight ? layout.shading.legend((input.headroom ?? 0) + 10) : []),
  ];

  return {
    plot,
    guides,
    series,
    value: { along: 'y', scale: yScale },
    across: xScale,
    // The smaller come before the larger that they may lie on; Other, which cannot be selected, is last.
    targets: values =>
      bubblesOf(values)
        .toReversed()
        .toSorted((a, b) => Number(a.isOther) - Number(b.isOther))
        .map((bubble): Target => ({
          positions: [bubble.detail],
          group: bubble.group,
          name: bubble.colour >= 0 ? `${bubble.name} · ${series[bubble.colour]!.label}` : bubble.name,
          value: values[groups + bubble.group]!,
          colour: colourOf(bubble, values),
          x: bubble.x,
          y: bubble.y,
          outline: `M${bubble.x - bubble.radius} ${bubble.y}a${bubble.radius} ${bubble.radius} 0 1 0 ${bubble.radius * 2} 0a${bubble.radius} ${bubble.radius} 0 1 0 ${-bubble.radius * 2} 0z`,
          contains: (x, y) => Math.hypot(x - bubble.x, y - bubble.y) <= Math.max(bubble.radius + 1, 6),
        })),
    marks: (values, { isMuted, isSelected }) => {
      const bubbles = bubblesOf(values);
      const isDim = (bubble: Bubble) =>
        isMuted || (isSelected !== undefined && !isSelected(bubble.detail, bubble.colour));
      const circle = (bubble: Bubble): Mark => ({
        kind: 'circles',
        xy: [bubble.x, bubble.y],
        radius: bubble.radius,
        fill: isDim(bubble) ? theme.unfiltered : colourOf(bubble, values),
        opacity: isDim(bubble) ? 0.7 : sizeMeasure ? bubbleOpacity : 0.85,
      });
      // Selected bubbles cover others; the lines through them are below.
      const lines = tile.order ? linesThrough(bubbles, direction, isMuted === true, layout) : [];
      const drawn = [
        ...lines,
        ...[...bubbles.filter(isDim), ...bubbles.filter(bubble => !isDim(bubble))].map(circle),
      ];
      if (isMuted) return drawn;
      const trend = tile.trend ? trendOf(bubbles, layout) : undefined;
      const named =
        tile.labels === false
          ? 0
          : tile.labels || bubbles.length <= fewPoints
            ? bubbles.length
            : sizeMeasure
              ? largestPoints
              : 0;
      return [
        ...drawn,
        ...(trend ? [trend] : []),
        ...bubbleNames(
          bubbles.filter(bubble => !isDim(bubble)),
          named,
          lines,
          values,
          layout,
        ),
      ];
    },
  };
}
