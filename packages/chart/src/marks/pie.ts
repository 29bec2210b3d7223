import { slotsOf } from '@belvedere/query';
import { arc, pie } from 'd3-shape';
import type { Chart, ChartInput, ChartMeasure, Target } from '../chart.ts';
import type { Mark } from '../scene.ts';
import { textWidth } from '../text/text-width.ts';
import { besideLabels, labelSize, wholeInMiddle } from './pie-labels.ts';
import { seriesOf } from './series.ts';

/** Of the radius of a donut. */
const holeShare = 0.62;

/**
 * Parts of a whole around a circle, from the top, in the order of the colour axis; a donut names the whole in
 * its middle.
 */
export function drawPie(input: ChartInput): Chart {
  const { tile, axes, theme, locale, size, hidden } = input;
  if (tile.kind !== 'pie' && tile.kind !== 'donut') throw new TypeError('not a pie');
  const axis = axes.find(candidate => candidate.channel === 'color')!;
  const [measure] = input.measures as [ChartMeasure];
  const slots = slotsOf(axis);
  const series = seriesOf(axis, theme, locale);
  // Names are beside the slices if the tile is wide enough. The legend always has them.
  const hasLabels = size.width >= 260;
  const labelRoom = Math.min(
    size.width * 0.3,
    Math.max(...series.map(({ label }) => textWidth(label, labelSize))) + 62,
  );
  const radius = Math.max(10, Math.min(size.width / 2 - (hasLabels ? labelRoom : 4), size.height / 2 - 8));
  const [cx, cy] = [size.width / 2, size.height / 2];
  const hole = tile.kind === 'donut' ? radius * holeShare : 0;
  const shape = arc<{ startAngle: number; endAngle: number }>()
    .innerRadius(hole)
    .outerRadius(radius)
    .padAngle(tile.kind === 'donut' ? 0.012 : 0.008);
  const slices = (values: Float64Array) => {
    const amounts = Array.from({ length: slots }, (_, position) =>
      hidden?.has(position) ? 0 : Math.max(0, values[position]! || 0),
    );
    return {
      whole: amounts.reduce((sum, amount) => sum + amount, 0),
      arcs: pie<number>().sort(null)(amounts),
    };
  };
  const targets = (values: Float64Array): Target[] => {
    const { whole, arcs } = slices(values);
    return arcs.flatMap((slice, position): Target[] => {
      if (slice.value === 0) return [];
      const middle = (slice.startAngle + slice.endAngle) / 2 - Math.PI / 2;
      return [
        {
          positions: [position],
          name: series[position]!.label,
          value: values[position]!,
          whole,
          colour: series[position]!.colour,
          x: cx + Math.cos(middle) * radius * 0.8,
          y: cy + Math.sin(middle) * radius * 0.8,
          outline: moved(shape(slice)!, cx, cy),
          contains: (x, y) => {
            const distance = Math.hypot(x - cx, y - cy);
            const angle = (Math.atan2(y - cy, x - cx) + Math.PI * 2.5) % (Math.PI * 2);
            return (
              distance <= radius + 2 &&
              distance >= hole - 2 &&
              angle >= slice.startAngle &&
              angle < slice.endAngle
            );
          },
        },
      ];
    });
  };
  return {
    plot: { x: cx - radius, y: cy - radius, width: radius * 2, height: radius * 2 },
    guides: [],
    series,
    targets,
    marks: (values, { isMuted, isSelected }) => {
      const { whole, arcs } = slices(values);
      const paths = arcs.flatMap((slice, position): Mark[] =>
        slice.value === 0
          ? []
          : [
              {
                kind: 'path',
                d: shape(slice)!,
                fill:
                  isMuted || (isSelected && !isSelected(position))
                    ? theme.unfiltered
                    : series[position]!.colour,
              },
            ],
      );
      if (isMuted) return [{ kind: 'group', x: cx, y: cy, marks: paths }];
      const labels = hasLabels ? besideLabels({ series, theme, locale, size, radius }, arcs, whole) : [];
      const middle =
        tile.kind === 'donut' && radius > 36
          ? wholeInMiddle({ theme, locale, radius }, measure.format, whole)
          : [];
      return [{ kind: 'group', x: cx, y: cy, marks: [...paths, ...middle, ...labels] }];
    },
  };
}

/** An SVG path moved to the right and down, coordinates that are absolute only. */
export function moved(d: string, dx: number, dy: number): string {
  return d
    .replace(
      /([ML])(-?[\d.e-]+),(-?[\d.e-]+)/g,
      (_, command: string, x: string, y: string) => `${command}${Number(x) + dx},${Number(y) + dy}`,
    )
    .replace(
      /A([\d.e-]+),([\d.e-]+),([\d.]+),([01]),([01]),(-?[\d.e-]+),(-?[\d.e-]+)/g,
      (_, rx: string, ry: string, turn: string, large: string, sweep: string, x: string, y: string) =>
        `A${rx},${ry},${turn},${large},${sweep},${Number(x) + dx},${Number(y) + dy}`,
    );
}
