import { calendarOf } from '@belvedere/document';
import { addUnits, edgeOf, onCalendar, startOf } from '@belvedere/query';
import type { Chart, ChartInput, ChartMeasure, Target } from '../chart.ts';
import { dateFormat, formatTime } from '../text/format.ts';
import { extentOf } from '../guides/value-axis.ts';
import { hasLegend } from '../guides/axis-options.ts';
import { colourScale } from '../scales/colour.ts';
import type { Mark } from '../scene.ts';

const labelSize = 11;
const dayMs = 86_400_000;

/** Days as cells: a column for each week, a row for each weekday, a block for each year. */
export function drawCalendar(input: ChartInput): Chart {
  const { tile, axes, theme, locale, size } = input;
  const weekUnit = onCalendar('week', input.calendar ?? calendarOf({}));
  const axis = axes.find(candidate => candidate.channel === 'x')!;
  if (tile.kind !== 'calendar' || axis.kind !== 'times') throw new TypeError('not a calendar');
  const [measure] = input.measures as [ChartMeasure];
  const first = edgeOf(axis, 0);
  const last = edgeOf(axis, axis.count) - 1;
  const rampHeight = size.height >= 150 && hasLegend(input.tile) ? 18 : 0;
  const [firstYear, lastYear] = [new Date(first).getUTCFullYear(), new Date(last).getUTCFullYear()];
  const left = 44;
  const room = size.height - rampHeight;
  // As many years as fit, the newest first.
  const minWidth = 7 * 5 + 22;
  const years = Math.max(1, Math.min(lastYear - firstYear + 1, Math.floor(room / minWidth)));
  const shownFrom = lastYear - years + 1;
  const isShort = years === 1 && last - first < 300 * dayMs;
  const weeksOf = (year: number) =>
    isShort
      ? Math.ceil((startOf(weekUnit, last) - startOf(weekUnit, first)) / (7 * dayMs)) + 1
      : year > 0
        ? 54
        : 53;
  const cell = Math.max(3, Math.min((size.width - left - 4) / weeksOf(1), (room / years - 22) / 7, 30));
  const block = Math.min(room / years, cell * 7 + 24);
  const startOfYear = (year: number) =>
    isShort ? startOf(weekUnit, first) : startOf(weekUnit, Date.UTC(year, 0, 1));
  const positionIn = (day: number) => {
    const ms = edgeOf(axis, day);
    const year = isShort ? shownFrom : new Date(ms).getUTCFullYear();
    if (year < shownFrom) return undefined;
    const weekday = Math.round((ms - startOf(weekUnit, ms)) / dayMs);
    const week = Math.round((startOf(weekUnit, ms) - startOfYear(year)) / (7 * dayMs));
    return { x: left + week * cell, y: (year - shownFrom) * block + 16 + weekday * cell };
  };
  const spots = Array.from({ length: axis.count }, (_, day) => positionIn(day));
  const { colours, bucketOf, legend } = colourScale(
    extentOf((input.filtered ?? input.base).subarray(0, axis.count)),
    measure,
    input,
  );
  const gap = cell > 6 ? 1.5 : 0.5;
  const guides: Mark[] = [
    ...(rampHeight > 0 ? legend(Math.min(size.width - 4, left + weeksOf(1) * cell), size.height - 3) : []),
  ];
  for (let year = shownFrom; year <= lastYear; year++) {
    const top = (year - shownFrom) * block;
    guides.push({
      kind: 'text',
      x: 0,
      y: top + 16 + cell * 4,
      text: String(isShort ? new Date(first).getUTCFullYear() : year),
      fill: theme.text2,
      align: 'left',
      size: labelSize,
      weight: 600,
    });
    const [from, to] = isShort
      ? [first, last]
      : [Math.max(first, Date.UTC(year, 0, 1)), Math.min(last, Date.UTC(year + 1, 0, 1) - 1)];
    for (let month = startOf('month', from); month <= to; month = addUnits('month', month, 1)) {
      if (month < from - 14 * dayMs) continue;
      const week = Math.round((startOf(weekUnit, Math.max(month, from)) - startOfYear(year)) / (7 * dayMs));
      if (cell * 4 > 22)
        guides.push({
          kind: 'text',
          x: left + week * cell,
          y: top + 10,
          text: dateFormat(locale, { month: 'short' }).format(month),
          fill: theme.text3,
          align: 'left',
          size: labelSize,
        });
    }
  }
  const targets = (values: Float64Array): Target[] =>
    spots.flatMap((spot, day): Target[] =>
      spot && !Number.isNaN(values[day]!)
        ? [
            {
              positions: [day],
              name: formatTime(edgeOf(axis, day), 'day', locale),
              value: values[day]!,
              colour: colours[bucketOf(values[day]!)]!,
              x: spot.x + cell / 2,
              y: spot.y + cell / 2,
              outline: `M${spot.x} ${spot.y}h${cell - gap}v${cell - gap}h${gap - cell}z`,
              contains: (x, y) => x >= spot.x && x < spot.x + cell && y >= spot.y && y < spot.y + cell,
            },
          ]
        : [],
    );
  return {
    plot: { x: left, y: 16, width: weeksOf(1) * cell, height: years * block - 16 },
    guides,
    series: [],
    targets,
    marks: (values, { isMuted, isSelected }) => {
      const byColour: number[][] = colours.map(() => []);
      const dim: number[] = [];
      spots.forEach((spot, day) => {
        const value = values[day]!;
        if (!spot || Number.isNaN(value)) return;
        (isMuted || (isSelected && !isSelected(day)) ? dim : byColour[bucketOf(value)]!).push(
          spot.x,
          spot.y,
          cell - gap,
          cell - gap,
        );
      });
      return [
        { kind: 'rects', xywh: dim, fill: theme.unfiltered, opacity: 0.8 },
        ...byColour.map((xywh, bucket): Mark => ({ kind: 'rects', xywh, fill: colours[bucket]! })),
      ];
    },
  };
}
