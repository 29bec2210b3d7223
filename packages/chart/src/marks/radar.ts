import { slotsOf } from '@belvedere/query';
import type { Chart, ChartInput, ChartMeasure, Target } from '../chart.ts';
import { positionName } from '../guides/place-axis.ts';
import { extentOf, valueScale, type ValueScale } from '../guides/value-axis.ts';
import type { Mark } from '../scene.ts';
import { fitText } from '../text/text-width.ts';
import { seriesOf } from './series.ts';

/**
 * A measure along spokes, with one shape for each series. All spokes share a scale that includes zero, so
 * that shapes can be compared.
 */
export function drawRadar(input: ChartInput): Chart {
  const { tile, axes, theme, locale, size, hidden } = input;
  if (tile.kind !== 'radar') throw new TypeError('not a radar');
  const axis = axes.find(candidate => candidate.channel === 'x')!;
  const colour = axes.find(candidate => candidate.channel === 'color');
  const [measure] = input.measures as [ChartMeasure];
  const perPosition = colour ? slotsOf(colour) : 1;
  const positions = axis.kind === 'categories' ? slotsOf(axis) : axis.count;
  const series = seriesOf(colour, theme, locale);
  const lanes = series.map((_, s) => s).filter(s => !hidden?.has(s));
  const radius = Math.max(16, Math.min(size.width / 2 - 64, size.height / 2 - 22));
  const [cx, cy] = [size.width / 2, size.height / 2 + 2];
  const [low, high] = extentOf(
    input.base.subarray(0, positions * perPosition),
    input.filtered?.subarray(0, positions * perPosition),
  );
  const scale = valueScale(Math.min(0, low), high, 0, radius, measure, locale, {
    ticks: 3,
    ...(tile.y.scale?.domain && { domain: tile.y.scale.domain }),
  });
  const at = (position: number, distance: number) => {
    const angle = (position / positions) * 2 * Math.PI;
    return [Math.sin(angle) * distance, -Math.cos(angle) * distance] as const;
  };
  const polygon = (distanceOf: (position: number) => number) =>
    `${Array.from({ length: positions }, (_, position) =>
      at(position, distanceOf(position))
        .map(value => Math.round(value * 100) / 100)
        .join(' '),
    )
      .map((point, i) => `${i === 0 ? 'M' : 'L'}${point}`)
      .join('')}z`;
  const names = Array.from({ length: positions }, (_, position) => positionName(axis, position, locale));
  const spokes = radarGuides({ scale, names, at, polygon, radius }, input);
  const guides: Mark[] = [{ kind: 'group', x: cx, y: cy, marks: spokes }];
  const targets = (values: Float64Array): Target[] =>
    names.map((name, position) => {
      const own = lanes.map(s => values[position * perPosition + s]!);
      const best = Math.max(...own.filter(value => !Number.isNaN(value)), Math.min(0, low));
      const [x, y] = at(position, scale.toPixel(best));
      return {
        positions: [position],
        name,
        value: own.length === 1 ? own[0]! : Number.NaN,
        colour: series[lanes[0]!]?.colour ?? theme.accent,
        x: cx + x,
        y: cy + y,
        outline: `M${cx} ${cy}L${cx + at(position, radius)[0]} ${cy + at(position, radius)[1]}`,
        contains: (px, py) => {
          const turn = ((Math.atan2(px - cx, cy - py) / (2 * Math.PI)) * positions + positions) % positions;
          return Math.hypot(px - cx, py - cy) <= radius + 12 && Math.round(turn) % positions === position;
        },
      };
    });
  return {
    plot: { x: cx - radius, y: cy - radius, width: radius * 2, height: radius * 2 },
    guides,
    series,
    targets,
    marks: (values, { isMuted, isSelected }) => {
      const marks: Mark[] = lanes.flatMap((s): Mark[] => {
        const d = polygon(position => Math.max(0, scale.toPixel(values[position * perPosition + s]! || 0)));
        const tint = isMuted ? theme.unfiltered : series[s]!.colour;
        const dots = Array.from({ length: positions }, (_, position) => position)
          .filter(
            position =>
              !Number.isNaN(values[position * perPosition + s]!) && (!isSelected || isSelected(position)),
          )
          .flatMap(position => [
            ...at(position, Math.max(0, scale.toPixel(values[position * perPosition + s]!))),
          ]);
        return [
          { kind: 'path', d, fill: tint, opacity: isMuted ? 0.5 : lanes.length > 3 ? 0.06 : 0.12 },
          { kind: 'path', d, stroke: isSelected ? theme.axis : tint, width: 1.75 },
          { kind: 'circles', xy: dots, radius: 2.75, fill: tint },
        ];
      });
      return [{ kind: 'group', x: cx, y: cy, marks }];
    },
  };
}

/** The spokes of a radar chart, and how positions on them are found. */
interface RadarLayout {
  readonly scale: ValueScale;
  /** The names of the spokes, in order. */
  readonly names: readonly string[];
  readonly radius: number;
  /** The point on a spoke at a distance from the middle. */
  readonly at: (position: number, distance: number) => readonly [number, number];
  /** The path around the middle, at a distance on each spoke. */
  readonly polygon: (distanceOf: (position: number) => number) => string;
}

/** The grid with its numbers, the spokes and their names, around the middle. */
function radarGuides(
  { scale, names, at, polygon, radius }: RadarLayout,
  { theme, size }: Pick<ChartInput, 'theme' | 'size'>,
): Mark[] {
  return [
    ...scale.ticks
      .filter(tick => tick.pixel > 0.5)
      .map((tick): Mark => ({
        kind: 'path',
        d: polygon(() => tick.pixel),
        stroke: theme.grid,
        width: 1,
      })),
    ...names.map((_, position): Mark => ({
      kind: 'line',
      xy: [0, 0, ...at(position, radius)],
      stroke: theme.grid,
      width: 1,
    })),
    ...scale.ticks
      .filter(tick => tick.pixel > 0.5)
      .map((tick): Mark => ({
        kind: 'text',
        x: 4,
        y: -tick.pixel + 11,
        text: tick.label,
        fill: theme.text3,
        align: 'left',
        size: 10,
      })),
    ...names.map((name, position): Mark => {
      const [x, y] = at(position, radius + 10);
      const align = Math.abs(x) < 6 ? 'center' : x > 0 ? 'left' : 'right';
      return {
        kind: 'text',
        x,
        y: y + 4,
        text: fitText(name, align === 'center' ? 120 : Math.max(24, size.width / 2 - Math.abs(x) - 2), 11),
        fill: theme.text2,
        align,
        size: 11,
      };
    }),
  ];
}
