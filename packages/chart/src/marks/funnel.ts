import { slotsOf } from '@belvedere/query';
import type { Chart, ChartInput, ChartMeasure, Target } from '../chart.ts';
import { formatNumber } from '../text/format.ts';
import { namesBeside } from '../guides/names-beside.ts';
import { positionName } from '../guides/place-axis.ts';
import { extentOf } from '../guides/value-axis.ts';
import type { Mark } from '../scene.ts';
import { textWidth } from '../text/text-width.ts';

/** Draws each step as a centred bar, with its share of the step before. */
export function drawFunnel(input: ChartInput): Chart {
  const { tile, axes, measures, theme, locale, size } = input;
  if (tile.kind !== 'funnel') throw new TypeError('not a funnel');
  const axis = axes.find(candidate => candidate.channel === 'y');
  const steps = axis ? slotsOf(axis) : measures.length;
  const names = Array.from({ length: steps }, (_, step) =>
    axis ? positionName(axis, step, locale) : measures[step]!.label,
  );
  // Other is not a step, so it has no share.
  const isRest = (step: number) => axis?.kind === 'categories' && axis.other && step === axis.values.length;
  const measureOf = (step: number) => (axis ? measures[0]! : measures[step]!) as ChartMeasure;
  const beside = namesBeside(names, size.width * 0.4 - 10, (size.height - 4) / Math.max(1, steps), 12);
  const labelWidth = beside.width + 10;
  const plot = {
    x: labelWidth,
    y: 2,
    width: Math.max(20, size.width - labelWidth - 54),
    height: size.height - 4,
  };
  const row = plot.height / Math.max(1, steps);
  const [, high] = extentOf(input.base, input.filtered);
  const middle = plot.x + plot.width / 2;
  const widthOf = (value: number) => (high > 0 ? (Math.max(0, value || 0) / high) * plot.width : 0);
  const thickness = Math.min(48, row * 0.78);
  const topOf = (step: number) => plot.y + row * step + (row - thickness) / 2;
  const guides = names.flatMap((_, step) =>
    beside.marks(step, plot.x - 8, topOf(step) + thickness / 2, theme.text),
  );
  const targets = (values: Float64Array): Target[] =>
    names.flatMap((name, step): Target[] => {
      const value = values[step]!;
      if (Number.isNaN(value)) return [];
      const [half, y] = [widthOf(value) / 2, topOf(step)];
      return [
        {
          positions: axis ? [step] : [],
          name,
          value,
          ...(values[0]! > 0 && { whole: values[0]! }),
          colour: theme.accent,
          x: middle,
          y: y + thickness / 2,
          outline: `M${middle - half} ${y}H${middle + half}V${y + thickness}H${middle - half}z`,
          contains: (x, at) => x >= plot.x && at >= plot.y + row * step && at < plot.y + row * (step + 1),
        },
      ];
    });
  return {
    plot,
    guides,
    series: [{ label: '', colour: theme.accent }],
    targets,
    marks: (values, { isMuted, isSelected }) => {
      const [bright, dim]: [number[], number[]] = [[], []];
      const marks: Mark[] = [];
      const labels: Mark[] = [];
      for (let step = 0; step < steps; step++) {
        const value = values[step]!;
        if (Number.isNaN(value)) continue;
        const [width, y] = [widthOf(value), topOf(step)];
        (isMuted || (isSelected && axis && !isSelected(step)) ? dim : bright).push(
          middle - width / 2,
          y,
          Math.max(1, width),
          thickness,
        );
        if (isMuted) continue;
        // Connects one step to the next.
        const next = values[step + 1];
        if (next !== undefined && !Number.isNaN(next) && !isRest(step + 1) && row - thickness > 2) {
          const [a, b, below] = [width / 2, widthOf(next) / 2, topOf(step + 1)];
          marks.push({
            kind: 'path',
            d: `M${middle - a} ${y + thickness}H${middle + a}L${middle + b} ${below}H${middle - b}z`,
            fill: theme.accent,
            opacity: 0.14,
          });
        }
        const text = formatNumber(value, measureOf(step).format, locale, 'label');
        const fits = textWidth(text, 12) < width - 10;
        labels.push({
          kind: 'text',
          x: fits ? middle : middle + width / 2 + 6,
          y: y + thickness / 2 + 4,
          text,
          fill: fits ? (isSelected && axis && !isSelected(step) ? theme.text2 : theme.surface) : theme.text,
          align: fits ? 'center' : 'left',
          size: 12,
          weight: 600,
        });
        const before = values[step - 1];
        if (step > 0 && before! > 0 && !isRest(step))
          labels.push({
            kind: 'text',
            x: size.width - 2,
            y: y + thickness / 2 + 4,
            text: formatNumber(value / before!, 'percent', locale, 'label'),
            fill: theme.text3,
            align: 'right',
            size: 11,
          });
      }
      return [
        ...marks,
        { kind: 'rects', xywh: dim, fill: theme.unfiltered },
        { kind: 'rects', xywh: bright, fill: theme.accent },
        ...labels,
      ];
    },
  };
}
