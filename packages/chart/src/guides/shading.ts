import { shadingMeasures } from '@belvedere/query';
import { roomOf, type ChartInput } from '../chart.ts';
import { colourScale } from '../scales/colour.ts';
import type { Mark } from '../scene.ts';
import { fitText, textWidth } from '../text/text-width.ts';
import { hasLegend } from './axis-options.ts';
import { labelSize } from './frame.ts';
import { extentOf } from './value-axis.ts';

/** How a measure shades the marks whose size or position other measures give. */
export interface Shading {
  /** The colours that marks can have; the last one is for marks without a value. */
  readonly colours: readonly string[];
  /** Which of the colours a group has. */
  readonly shadeOf: (values: Float64Array, group: number) => number;
  /** The height of its legend, and the legend with its baseline there: the measure, and its colours. */
  readonly legendHeight: number;
  readonly legend: (baseline: number) => readonly Mark[];
}

/**
 * The shading of a chart by the last of its measures; undefined if none shades it.
 * @param groups the number of values of each measure
 */
export function shadingOf(input: ChartInput, groups: number): Shading | undefined {
  const { tile, measures, size, theme } = input;
  if (shadingMeasures(tile).length === 0) return undefined;
  const at = measures.length - 1;
  const measure = measures[at]!;
  const valuesOf = (values: Float64Array) => values.subarray(at * groups, (at + 1) * groups);
  const { colours, bucketOf, legend } = colourScale(
    extentOf(...roomOf(input).map(valuesOf)),
    // The palest shade is the smallest value, not zero: lengths show how far from zero values are.
    { ...measure, isAdditive: false },
    input,
    { isOnGround: true },
  );
  return {
    colours: [...colours, theme.other],
    shadeOf: (values, group) => {
      const value = valuesOf(values)[group]!;
      return Number.isNaN(value) ? colours.length : bucketOf(value);
    },
    legendHeight: size.height >= 100 && hasLegend(tile) && !input.isInRow ? 18 : 0,
    legend: baseline => {
      const strip = legend(size.width - 4, baseline);
      const [from] = strip;
      const room = from?.kind === 'text' ? from.x - textWidth(from.text, labelSize) - 16 : 0;
      return [
        {
          kind: 'text',
          x: 4,
          y: baseline,
          text: fitText(measure.label, Math.max(0, room), labelSize),
          fill: theme.text2,
          align: 'left',
          size: labelSize,
        },
        ...strip,
      ];
    },
  };
}
