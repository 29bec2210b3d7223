import type { Field, NamedAxis, RowsHeader } from '@belvedere/api';
import {
  annotationsAt,
  formatNumber,
  formatWithin,
  isPercent,
  positionName,
  chartMessagesIn,
  type ChartPoint,
  type ChartTile,
  type Panel,
  type Target,
} from '@belvedere/chart';
import {
  edgeOf,
  groupsOf,
  parseCalendarTime,
  positionsOf,
  slotsOf,
  wholePositions,
  type NotedEvent,
} from '@belvedere/query';
import type { Picture } from '../../../live/live-tile.ts';
import { locale, t } from '../../../messages/messages.ts';
import { cellText } from '../../tiles/table/cell-text.ts';
import { full } from '../../tiles/describe.ts';
import { axesInPanel } from '@belvedere/crossfilter';
import { areaAround, shapeAt } from '../marks/mark-shape.ts';
import type { TooltipContent } from './Tooltip.tsx';

export interface Hovered {
  readonly picture: Pick<Picture, 'values' | 'additive'>;
  /** The values that are drawn now, under the selections of other tiles. */
  readonly values: Float64Array;
  readonly measures: readonly Field[];
  /** How many of them, the last ones, are only in the tooltip and not drawn. */
  readonly tooltipMeasures: number;
  /** Whether series are lines, not bars. */
  readonly isLine: boolean;
}

/**
 * The tooltip of a position on the axes of a chart or a panel: all series and measures there, with shares and
 * changes.
 */
export function hoverPosition(
  panel: Panel,
  axes: readonly NamedAxis[],
  positions: { readonly x: number; readonly y: number },
  hovered: Hovered,
): TooltipContent | undefined {
  const { picture, measures, tooltipMeasures } = hovered;
  const drawn = measures.length - tooltipMeasures;
  const { chart } = panel;
  const own = axesInPanel(axes);
  const values = panel.valuesOf(hovered.values);
  const base = panel.valuesOf(picture.values);
  const groups = own.reduce((product, axis) => product * slotsOf(axis), 1);
  const colour = own.find(axis => axis.channel === 'color');
  const groupFor = (colourPlace: number, x = positions.x) =>
    own.reduce(
      (group, axis) =>
        group * slotsOf(axis) + (axis.channel === 'x' ? x : axis.channel === 'y' ? positions.y : colourPlace),
      0,
    );
  const title = [
    panel.label,
    ...own
      .filter(axis => axis.channel !== 'color')
      .map(axis => {
        const position = axis.channel === 'x' ? positions.x : positions.y;
        const [from, below] = wholePositions(axis, positionsOf(axis));
        const name = positionName(axis, position, locale);
        return position < from || (position >= below && position < positionsOf(axis))
          ? t.tile.incomplete(name)
          : name;
      }),
  ]
    .filter(Boolean)
    .join(' · ');
  const said = (value: number, whole: number, measure: Field, isAdditive: boolean) =>
    values === base || !isAdditive || Object.is(value, whole)
      ? full(value, measure)
      : `${full(value, measure)} ${t.tile.of} ${full(whole, measure)}`;
  const mark = shapeAt(panel, positions, values, hovered.isLine);
  const anchor = {
    ...(mark && { mark }),
    x: panel.x + (chart.x ? chart.x.middle(positions.x) : chart.plot.x),
    y: panel.y + (chart.y ? chart.y.middle(positions.y) : chart.plot.y + chart.plot.height / 3),
  };
  if (!colour) {
    const rows = measures.flatMap((measure, m) => {
      const value = values[m * groups + groupFor(0)]!;
      return Number.isNaN(value)
        ? []
        : [
            {
              label: measure.label,
              value: said(value, base[m * groups + groupFor(0)]!, measure, picture.additive[m]!),
              colour: m >= drawn ? undefined : drawn > 1 ? chart.series[m]?.colour : chart.series[0]?.colour,
            },
          ];
    });
    if (rows.length === 0) return undefined;
    return { title, rows: [...rows, ...change()], ...anchor };
  }
  const series = Array.from({ length: positionsOf(colour) }, (_, position) => ({
    position,
    value: values[groupFor(position)]!,
    all: base[groupFor(position)]!,
  })).filter(row => !Number.isNaN(row.value) && row.value !== 0);
  const sum =
    picture.additive[0] && series.length > 1 && series.every(row => row.value > 0)
      ? series.reduce((total, row) => total + row.value, 0)
      : undefined;
  const rows = series
    .toSorted((a, b) => b.value - a.value)
    .map(({ position, value, all }) => ({
      label: positionName(colour, position, locale),
      value: [
        said(value, all, measures[0]!, picture.additive[0]!),
        ...(sum ? [formatNumber(value / sum, 'percent', locale, 'label')] : []),
        ...tooltipLines(groupFor(position)),
      ].join(' · '),
      colour: chart.series[position]?.colour ?? chart.series[0]?.colour,
    }));
  if (rows.length === 0) return undefined;
  return {
    title,
    rows: sum ? [...rows, { label: chartMessagesIn(locale).total, value: full(sum, measures[0]!) }] : rows,
    ...anchor,
  };

  /** The measures of the tooltip of one series among several, which have no rows of their own there. */
  function tooltipLines(group: number): string[] {
    return measures
      .slice(drawn)
      .map((measure, m) => `${measure.label} ${full(values[(drawn + m) * groups + group]!, measure)}`);
  }

  /** Along time, the change since the previous position. */
  function change(): TooltipContent['rows'] {
    const time = own.find(axis => axis.channel === 'x' && axis.kind === 'times');
    const before = time && positions.x > 0 ? values[groupFor(0, positions.x - 1)]! : Number.NaN;
    const now = values[groupFor(0)]!;
    if (Number.isNaN(before) || Number.isNaN(now) || drawn > 1 || before === 0) return [];
    const difference = now - before;
    const isShare = isPercent(measures[0]!.format);
    const text = isShare
      ? t.tile.points(signed(difference * 100, '.1f'))
      : `${signed(difference, measures[0]!.format)} (${signed(difference / Math.abs(before), 'percent')})`;
    return [{ label: t.tile.sinceBefore, value: text }];
  }
}

const pointAt = (x: number, y: number) => ({ x, y, mark: { area: areaAround(x, y), dots: [{ x, y }] } });

/** The row of a single point: its identifying fields first, then its position. */
export function hoverPoint(
  panel: Panel,
  { index, x, y }: ChartPoint,
  { rows, columns, axes = [] }: RowsHeader,
): TooltipContent {
  const drawn = [
    [x, panel.chart.x],
    [y, panel.chart.y],
  ] as const;
  const entries = columns.map((column, i) => {
    const [place, scale] = drawn[i] ?? [];
    return {
      label: column.label ?? column.name,
      value:
        place !== undefined && scale?.axis.kind === 'bins' && column.format === undefined
          ? formatWithin(place, scale.axis.step * scale.axis.count, locale)
          : cellText(rows[index]![i]!, column.type, column.format),
    };
  });
  const [positions, telling, others] = [
    entries.slice(0, 2),
    entries
      .slice(2, 2 + axes.length)
      .filter(
        (_, i) =>
          axes[i]!.channel === 'color' ||
          (axes[i]!.channel === 'shape' &&
            axes.every(axis => axis.channel !== 'color' || axis.field !== axes[i]!.field)),
      ),
    entries.slice(2 + axes.length),
  ];
  const [name, ...rest] = others.length > 0 ? others : telling;
  const title = [panel.label, name?.value].filter(Boolean).join(' · ');
  return {
    title,
    rows: [...(others.length > 0 ? [...telling, ...rest] : rest), ...positions],
    ...pointAt(panel.x + panel.chart.x!.toPixel(x), panel.y + panel.chart.y!.toPixel(y)),
  };
}

/** The event notes in the period of a position. */
export function withEventsAt(
  content: TooltipContent | undefined,
  axes: readonly NamedAxis[],
  position: number,
  notes: readonly NotedEvent[],
): TooltipContent | undefined {
  const time = axes.find(axis => axis.channel === 'x');
  if (!content || time?.kind !== 'times' || position < 0 || position >= time.count) return content;
  const [start, end] = [edgeOf(time, position), edgeOf(time, position + 1)];
  const there = notes.filter(
    ({ from, below }) =>
      parseCalendarTime(from) < end &&
      (below === undefined ? parseCalendarTime(from) >= start : parseCalendarTime(below) > start),
  );
  return there.length === 0 ? content : { ...content, events: there.map(({ text }) => text) };
}

/** Adds the annotations at a position to its tooltip. */
export function withAnnotationsAt(
  content: TooltipContent | undefined,
  tile: ChartTile,
  axes: readonly NamedAxis[],
  positions: Parameters<typeof annotationsAt>[2],
): TooltipContent | undefined {
  const annotations = 'annotations' in tile ? (tile.annotations ?? []) : [];
  const said = content && annotations.length > 0 ? annotationsAt(annotations, axes, positions) : [];
  return said.length === 0 ? content : { ...content!, events: [...(content!.events ?? []), ...said] };
}

/** The tooltip of a target: its value, its share of the whole, and all series there. */
export function hoverTarget(
  panel: Panel,
  target: Target,
  all: readonly NamedAxis[],
  { picture, values: shown, measures, tooltipMeasures }: Hovered,
): TooltipContent {
  const drawn = measures.length - tooltipMeasures;
  const axes = axesInPanel(all);
  const [values, before] = [panel.valuesOf(shown), panel.valuesOf(picture.values)];
  const title = [panel.label, target.name].filter(Boolean).join(' · ');
  const [x, y] = [panel.x + target.x, panel.y + target.y];
  const outline = { path: target.outline, x: panel.x, y: panel.y };
  const anchor = { x, y, mark: { area: areaAround(x, y), outline } };
  const sizes = axes.map(slotsOf);
  const colour = axes.find(axis => axis.channel === 'color');
  if (Number.isNaN(target.value) && colour) {
    const rows = Array.from({ length: positionsOf(colour) }, (_, position) => ({
      position,
      value: values[target.positions[0]! * slotsOf(colour) + position]!,
    }))
      .filter(row => !Number.isNaN(row.value))
      .toSorted((a, b) => b.value - a.value);
    return {
      title,
      rows: rows.map(({ position, value }) => ({
        label: positionName(colour, position, locale),
        value: full(value, measures[0]!),
        colour: panel.chart.series[position]?.colour,
      })),
      ...anchor,
    };
  }
  const isLeaf =
    axes.length > 0 &&
    target.positions.length === axes.length &&
    target.positions.every(position => position >= 0);
  const group =
    target.group ??
    (isLeaf ? target.positions.reduce((sum, position, i) => sum * sizes[i]! + position, 0) : -1);
  const groups = groupsOf(axes);
  if (group >= 0 && drawn > 1) {
    return {
      title,
      rows: measures.map((one, m) => ({
        label: one.label,
        value: full(values[m * groups + group]!, one),
        ...(m === 0 && { colour: target.colour }),
      })),
      ...anchor,
    };
  }
  const whole = group >= 0 ? before[group]! : Number.NaN;
  const measure =
    axes.length === 0 ? (measures.find(one => one.label === target.name) ?? measures[0]!) : measures[0]!;
  const value =
    shown !== picture.values && picture.additive[0] && !Number.isNaN(whole) && whole !== target.value
      ? `${full(target.value, measure)} ${t.tile.of} ${full(whole, measure)}`
      : full(target.value, measure);
  const share =
    target.whole && picture.additive[0] && target.whole > 0
      ? [
          {
            label: t.tile.shareOfAll,
            value: formatNumber(target.value / target.whole, 'percent', locale, 'label'),
          },
        ]
      : [];
  const others =
    group < 0
      ? []
      : measures
          .slice(drawn)
          .map((one, m) => ({ label: one.label, value: full(values[(drawn + m) * groups + group]!, one) }));
  return {
    title,
    rows: [{ label: measure.label, value, colour: target.colour }, ...share, ...others],
    ...anchor,
  };
}

function signed(value: number, format: string | undefined): string {
  return `${value > 0 ? '+' : ''}${formatNumber(value, format, locale, 'label')}`;
}
