import { arc } from 'd3-shape';
import type { Chart, ChartInput, ChartMeasure, Target } from '../chart.ts';
import { formatNumber, isPercent } from '../text/format.ts';
import { valueScale } from '../guides/value-axis.ts';
import type { Mark } from '../scene.ts';
import { chartMessagesIn } from '../text/chart-messages.ts';
import { targetOf } from '../text/target-text.ts';
import { bandOf, gaugeBands } from './gauge-bands.ts';

const [from, to] = [-Math.PI * 0.6, Math.PI * 0.6];

/** Returns the next round number: 1, 1.5, 2, 3, 4, 5, 6 or 8 times a power of ten. */
function niceAbove(value: number): number {
  if (!(value > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 1.5, 2, 3, 4, 5, 6, 8].find(step => step * power >= value) ?? 10) * power;
}

/** The width of the ring of bands, and its distance from the arc, in pixels. */
const [bandWidth, bandGap] = [4, 2];

/** Draws one figure on an arc with its target and bands. */
export function drawGauge(input: ChartInput): Chart {
  const { tile, theme, locale, size } = input;
  if (tile.kind !== 'gauge') throw new TypeError('not a gauge');
  const [measure] = input.measures as [ChartMeasure];
  const value = (input.filtered ?? input.base)[0] ?? Number.NaN;
  const isShare = isPercent(measure.format);
  const bands = gaugeBands(tile);
  const goals = [input.base, input.filtered ?? input.base].map(values => targetOf(tile, values) || 0);
  const bandEnds = bands.map(({ below }) => below).filter(Number.isFinite);
  const [low, high] = tile.scale?.domain ?? [
    0,
    // A target of a measure changes with selections, but the scale has room for all of them.
    isShare ? 1 : niceAbove(Math.max(value || 0, input.base[0] || 0, ...goals, ...bandEnds) * 1.1),
  ];
  const scale = valueScale(low, high, from, to, measure, locale, { domain: [low, high] });
  // Below the ends of the arc, 1.29 radii from its top, are the labels of the scale.
  const radius = Math.max(16, Math.min(size.width / 2 - 8, (size.height - 26) / 1.29));
  const [cx, cy] = [size.width / 2, radius + 6];
  const thick = Math.max(8, radius * 0.17);
  const band = (a: number, b: number, outerRadius = radius, width = thick) =>
    arc()({
      innerRadius: outerRadius - width,
      outerRadius,
      startAngle: Math.min(a, b),
      endAngle: Math.max(a, b),
    })!;
  const at = (angle: number, distance: number) =>
    [Math.sin(angle) * distance, -Math.cos(angle) * distance] as const;
  const clamped = (amount: number) => Math.max(from, Math.min(to, scale.toPixel(amount)));
  const words = chartMessagesIn(locale);
  const ends = [low, high].map(end => formatNumber(end, measure.format, locale, 'axis'));
  const guides: Mark[] = [
    {
      kind: 'group',
      x: cx,
      y: cy,
      marks: [
        { kind: 'path', d: band(from, to), fill: theme.unfiltered },
        ...bands.flatMap((one): Mark[] => {
          const [begin, end] = [clamped(Math.max(low, one.from)), clamped(Math.min(high, one.below))];
          return end > begin
            ? [
                {
                  kind: 'path',
                  d: band(begin, end, radius - thick - bandGap, bandWidth),
                  fill: theme.highlights[one.look].text,
                },
              ]
            : [];
        }),
        ...[from, to].map((angle, i): Mark => ({
          kind: 'text',
          x: at(angle, radius - thick / 2)[0],
          y: at(angle, radius - thick / 2)[1] + 15,
          text: ends[i]!,
          fill: theme.text3,
          align: 'center',
          size: 11,
        })),
      ],
    },
  ];
  const isGood = (now: number, target: number) => (measure.better === 'down' ? now <= target : now >= target);
  const targets = (values: Float64Array): Target[] => [
    {
      positions: [],
      name: measure.label,
      value: values[0]!,
      colour: theme.accent,
      x: cx,
      y: cy,
      outline: '',
      contains: (x, y) => Math.hypot(x - cx, y - cy) <= radius + 4,
    },
  ];
  return {
    plot: { x: cx - radius, y: cy - radius, width: radius * 2, height: radius * 1.4 },
    guides,
    series: [{ label: '', colour: theme.accent }],
    targets,
    marks: (values, { isMuted }) => {
      const now = values[0]!;
      if (isMuted) return [];
      const target = targetOf(tile, values);
      const hasTarget = target !== undefined && Number.isFinite(target);
      const marks: Mark[] = [];
      if (!Number.isNaN(now))
        marks.push({
          kind: 'path',
          d: band(clamped(Math.min(0, low) > 0 ? 0 : low), clamped(now)),
          fill: theme.accent,
        });
      if (hasTarget) {
        const angle = clamped(target);
        const [[x0, y0], [x1, y1]] = [at(angle, radius - thick - 4), at(angle, radius + 4)];
        marks.push({ kind: 'line', xy: [x0, y0, x1, y1], stroke: theme.text, width: 2 });
        // A word says better or worse, since colour alone is not accessible.
        const good = isGood(now, target);
        marks.push({
          kind: 'text',
          x: 0,
          y: radius * 0.28,
          text: `${Number.isNaN(now) ? '' : good ? '✓ ' : '✗ '}${words.target.alone(formatNumber(target, measure.format, locale, 'label', measure.unit))}`,
          fill: Number.isNaN(now) ? theme.text3 : good ? theme.good : theme.bad,
          align: 'center',
          size: 11,
        });
      }
      marks.push(...gaugeTexts(input, tile, now, { radius, hasTarget }));
      return [{ kind: 'group', x: cx, y: cy, marks }];
    },
  };
}

/** The name of the band that the figure is in, and the figure itself, in the middle. */
function gaugeTexts(
  { theme, locale, measures }: ChartInput,
  tile: ChartInput['tile'] & { readonly kind: 'gauge' },
  now: number,
  { radius, hasTarget }: { readonly radius: number; readonly hasTarget: boolean },
): Mark[] {
  const [measure] = measures as [ChartMeasure];
  const marks: Mark[] = [];
  const reached = bandOf(tile, now);
  const name = reached && chartMessagesIn(locale).bands[reached.look];
  if (name)
    marks.push({
      kind: 'text',
      x: 0,
      y: radius * 0.28 + (hasTarget ? 14 : 0),
      text: name,
      fill: theme.highlights[reached.look].text,
      align: 'center',
      size: 11,
    });
  marks.push({
    kind: 'text',
    x: 0,
    y: radius * 0.06,
    text: formatNumber(
      now,
      measure.format,
      locale,
      'label',
      measure.unit && measure.unit.length <= 4 ? measure.unit : undefined,
    ),
    fill: theme.text,
    align: 'center',
    size: Math.max(14, Math.min(30, radius * 0.3)),
    weight: 600,
  });
  return marks;
}
