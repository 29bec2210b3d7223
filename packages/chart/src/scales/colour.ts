import type { ChartInput, ChartMeasure } from '../chart.ts';
import { formatNumber } from '../text/format.ts';
import type { Mark } from '../scene.ts';
import { textWidth } from '../text/text-width.ts';
import { colourRamp } from './ramp.ts';

const buckets = 28;
const rampStep = 3;
const labelSize = 11;

export interface ColourScale {
  /** One for each bucket. A frame has time for one path for each. */
  readonly colours: readonly string[];
  readonly bucketOf: (value: number) => number;
  /** The values with the first and the last colour; of a diverging scale, as far from zero on both sides. */
  readonly domain: readonly [number, number];
  /**
   * The legend: a strip of the colours between the smallest and the largest value, ending at `right`.
   */
  readonly legend: (right: number, baseline: number) => readonly Mark[];
}

export interface ColourScaleOptions {
  /** Use a square-root scale, which shows differences among small values. */
  readonly isSquareRoot?: boolean;
  /** Missing values are drawn too, so the smallest value needs a different colour. */
  readonly isOnGround?: boolean;
  /** Larger values than the scale's maximum have its colour. */
  readonly hasMore?: boolean;
  /** Smaller values than its minimum have its colour. */
  readonly hasLess?: boolean;
}

const groundBuckets = 6;

/** Returns the colour scale of a measure: sequential, or diverging around zero if there are values on both sides. */
export function colourScale(
  [dataLow, dataHigh]: readonly [number, number],
  measure: ChartMeasure,
  { theme, locale }: Pick<ChartInput, 'theme' | 'locale'>,
  { isSquareRoot = false, isOnGround = false, hasMore = false, hasLess = false }: ColourScaleOptions = {},
): ColourScale {
  const reach = Math.max(-dataLow, dataHigh);
  // Few small values on the other side of zero do not justify half of the colours.
  const isDiverging = dataLow < 0 && dataHigh > 0 && Math.min(-dataLow, dataHigh) >= reach * 0.2;
  const [low, high] = isDiverging
    ? [-reach, reach]
    : [measure.isAdditive ? Math.min(0, dataLow) : dataLow, dataHigh];
  const left = isOnGround && !isDiverging ? groundBuckets : 0;
  const colours = colourRamp(isDiverging ? theme.diverging : theme.sequential, buckets + left).slice(left);
  const bucketOf = (value: number) => {
    // If all values are equal, they can only be compared with 0.
    const share = high > low ? (value - low) / (high - low) : value > 0 ? 1 : 0;
    return Math.max(
      0,
      Math.min(
        buckets - 1,
        Math.floor((isSquareRoot ? Math.sqrt(Math.max(0, share)) : share) * (buckets - 0.001)),
      ),
    );
  };
  const legend = (right: number, baseline: number): Mark[] => {
    if (!(high > low)) return [];
    const shown = isDiverging ? colours.slice(bucketOf(dataLow), bucketOf(dataHigh) + 1) : colours;
    const [minValue, maxValue] = (isDiverging ? [dataLow, dataHigh] : [low, high]).map(value =>
      formatNumber(value, measure.format, locale, value === 0 ? 'axis' : 'label', measure.unit),
    ) as [string, string];
    const from = hasLess ? `< ${minValue}` : minValue;
    const to = hasMore ? `${maxValue}+` : maxValue;
    const end = right - textWidth(to, labelSize) - 6;
    const start = end - shown.length * rampStep;
    return [
      {
        kind: 'text',
        x: start - 6,
        y: baseline,
        text: from,
        fill: theme.text3,
        align: 'right',
        size: labelSize,
      },
      ...shown.map((fill, i): Mark => ({
        kind: 'rects',
        xywh: [start + i * rampStep, baseline - 8, rampStep, 8],
        fill,
      })),
      { kind: 'text', x: right, y: baseline, text: to, fill: theme.text3, align: 'right', size: labelSize },
    ];
  };
  return { colours, bucketOf, domain: [low, high], legend };
}
