import type { Annotation } from '@belvedere/document';
import { isCalendarTime, parseCalendarTime, slotOf, slotsOf, type Axis } from '@belvedere/query';
import type { Chart, ChannelAxis, ChartInput } from '../chart.ts';
import type { Mark, Rectangle } from '../scene.ts';
import { textWidth, wrapText } from '../text/text-width.ts';

interface Point {
  readonly x: number;
  readonly y: number;
}

type Place = Annotation['x'];

const textSize = 11;
const lineHeight = 14;
/** Candidate positions, above to the right first. */
const directions = [
  [1, -1],
  [-1, -1],
  [0, -1],
  [1, 0],
  [-1, 0],
  [1, 1],
  [-1, 1],
  [0, 1],
] as const;
const distances = [14, 26, 42, 64, 92];

/**
 * Adds annotations, each with a line to its mark. Texts keep the position that they got beside the filtered
 * marks; the lines follow the marks. Charts too small for texts mark the positions only, and the texts are
 * tooltips.
 */
export function withAnnotations(chart: Chart, annotations: readonly Annotation[], input: ChartInput): Chart {
  const { theme, size } = input;
  const { plot, marks } = chart;
  const drawn = input.filtered ?? input.base;
  const boxes = positioned();
  return {
    ...chart,
    marks: (values, look) => {
      if (look.isMuted) return marks(values, look);
      const pointed = annotations.flatMap((annotation, i) => {
        const at = anchorOf(chart, annotation, values, input.axes);
        return at && isIn(plot, at) ? [{ at, box: boxes[i] }] : [];
      });
      return [
        ...marks(values, look),
        ...pointed.flatMap(({ at, box }) => (box ? leader(at, box) : [])),
        ...pointed.flatMap(({ at }) => ring(at)),
        ...pointed.flatMap(({ box }) => (box ? words(box) : [])),
      ];
    },
  };

  /** The box of each text; undefined for a text without room. */
  function positioned(): readonly (Placed | undefined)[] {
    const width = Math.min(170, plot.width * 0.42);
    if (width < 64 || plot.height < 70) return [];
    const widths = width > 110 ? [width, 90] : [width];
    const anchors = annotations.map(annotation => anchorOf(chart, annotation, drawn, input.axes));
    const ground = groundOf(marks(drawn, {}));
    const occupied: Rectangle[] = anchors.flatMap(at =>
      at ? [{ x: at.x - 6, y: at.y - 6, width: 12, height: 12 }] : [],
    );
    return annotations.map(({ text }, i) => {
      const at = anchors[i];
      if (!at || !isIn(plot, at)) return undefined;
      const candidates = widths
        .flatMap((max, narrow) => {
          const lines = wrapText(text, max, textSize, 5);
          const box = {
            lines,
            width: Math.max(...lines.map(line => textWidth(line, textSize))) + 8,
            height: lines.length * lineHeight + 4,
          };
          return distances.flatMap((distance, far) =>
            directions.map(([dx, dy], turn) => ({
              ...box,
              x:
                at.x +
                dx * distance * (dy === 0 ? 1 : 0.7) -
                (dx < 0 ? box.width : dx === 0 ? box.width / 2 : 0),
              y:
                at.y +
                dy * distance * (dx === 0 ? 1 : 0.7) -
                (dy < 0 ? box.height : dy === 0 ? box.height / 2 : 0),
              cost: far * 6 + turn + narrow * 10,
            })),
          );
        })
        .filter(
          one =>
            one.x >= plot.x &&
            one.y >= Math.min(plot.y, 2) &&
            one.x + one.width <= size.width &&
            one.y + one.height <= plot.y + plot.height,
        );
      let best: (Placed & { readonly cost: number }) | undefined;
      for (const one of candidates) {
        const cost =
          one.cost +
          occupied.reduce((sum, other) => sum + (shared(one, other) > 0 ? 400 : 0), 0) +
          ground.reduce((sum, other) => sum + Math.min(1, shared(one, other) / 16) * other.weight, 0);
        if (!best || cost < best.cost) best = { ...one, cost };
      }
      if (!best || best.cost >= 400) return undefined;
      occupied.push(best);
      return best;
    });
  }

  function leader(at: Point, box: Placed): Mark[] {
    const [x, y] = [
      Math.max(box.x, Math.min(box.x + box.width, at.x)),
      Math.max(box.y, Math.min(box.y + box.height, at.y)),
    ];
    return Math.hypot(x - at.x, y - at.y) < 6
      ? []
      : [{ kind: 'line', xy: [at.x, at.y, x, y], stroke: theme.text2, width: 1 }];
  }

  function ring({ x, y }: Point): Mark[] {
    return [
      { kind: 'circles', xy: [x, y], radius: 4, fill: theme.text },
      { kind: 'circles', xy: [x, y], radius: 2.5, fill: theme.surface },
    ];
  }

  function words({ lines, ...box }: Placed): Mark[] {
    return [
      { kind: 'rects', xywh: [box.x, box.y, box.width, box.height], fill: theme.surface, opacity: 0.88 },
      ...lines.map((text, i): Mark => ({
        kind: 'text',
        x: box.x + 4,
        y: box.y + lineHeight * (i + 1) - 2,
        text,
        fill: theme.text,
        align: 'left',
        size: textSize,
      })),
    ];
  }
}

interface Placed extends Rectangle {
  readonly lines: readonly string[];
}

/** The annotations of a panel: all that do not name another one. */
export function annotationsIn(
  annotations: readonly Annotation[],
  row: readonly [ChannelAxis, number] | undefined,
  column: readonly [ChannelAxis, number] | undefined,
): readonly Annotation[] {
  const isOf = (value: Place, panel: readonly [ChannelAxis, number] | undefined) =>
    value === undefined || (panel !== undefined && positionOn(panel[0], value) === panel[1]);
  return annotations.filter(annotation => isOf(annotation.row, row) && isOf(annotation.column, column));
}

/**
 * The annotations at a position of a chart, for its tooltip.
 * @param positions the position on each channel
 */
export function annotationsAt(
  annotations: readonly Annotation[],
  axes: readonly ChannelAxis[],
  positions: Partial<Readonly<Record<'x' | 'y' | 'detail' | 'row' | 'column', number>>>,
): readonly string[] {
  const isAt = (annotation: Annotation) =>
    (['x', 'y', 'detail', 'row', 'column'] as const).every(channel => {
      const axis = axes.find(one => one.channel === channel);
      return !axis || annotation[channel] === undefined
        ? channel === 'row' || channel === 'column' || !axis
        : positionOn(axis, annotation[channel]) === positions[channel];
    });
  return annotations.filter(isAt).map(({ text }) => text);
}

/** Returns the point of an annotation; undefined if its mark is not in the chart. */
function anchorOf(
  chart: Chart,
  annotation: Annotation,
  values: Float64Array,
  axes: readonly ChannelAxis[],
): Point | undefined {
  const colour =
    annotation.color === undefined
      ? undefined
      : positionOn(
          axes.find(axis => axis.channel === 'color'),
          annotation.color,
        );
  if (annotation.color !== undefined && colour === undefined) return undefined;
  if (chart.targets) {
    const position = positionOn(
      axes.find(axis => axis.channel === 'detail'),
      annotation.detail,
    );
    if (annotation.detail === undefined)
      return pointOf(numberAt(chart.across, annotation.x), numberAt(chart.value?.scale, annotation.y));
    const slots = axes.find(axis => axis.channel === 'color');
    return position === undefined
      ? undefined
      : chart
          .targets(values)
          .find(
            target =>
              target.positions[0] === position &&
              (colour === undefined ||
                !slots ||
                target.group === undefined ||
                target.group % slotsOf(slots) === colour),
          );
  }
  const { x, y, value } = chart;
  if (x && y) return pointOf(pixelOn(x, annotation.x), pixelOn(y, annotation.y));
  const along = x ? 'x' : 'y';
  const axisScale = x ?? y;
  const position = axisScale && positionOn(axisScale.axis, annotation[along]);
  if (!axisScale || position === undefined || position >= axisScale.positions) return undefined;
  const given = annotation[along === 'x' ? 'y' : 'x'];
  if (given === undefined) return chart.markAt?.(values, position, colour);
  const amount = numberAt(value?.scale, given);
  return along === 'x'
    ? pointOf(pixelOn(axisScale, annotation.x), amount)
    : pointOf(amount, pixelOn(axisScale, annotation.y));
}

function pointOf(x: number | undefined, y: number | undefined): Point | undefined {
  return x === undefined || y === undefined || Number.isNaN(x) || Number.isNaN(y) ? undefined : { x, y };
}

function numberAt(
  scale: { readonly toPixel: (value: number) => number } | undefined,
  value: Place,
): number | undefined {
  return scale && typeof value === 'number' ? scale.toPixel(value) : undefined;
}

/** Numbers have their exact position, not the middle of their bin. Times have the position of their mark. */
function pixelOn(axisScale: NonNullable<Chart['x']>, value: Place): number | undefined {
  const position = positionOn(axisScale.axis, value);
  if (position === undefined) return undefined;
  return axisScale.axis.kind === 'bins' ? axisScale.toPixel(value as number) : axisScale.middle(position);
}

/** The place of a value on an axis, as a document writes it: times as calendar times, or years as numbers. */
function positionOn(axis: Axis | undefined, value: Place): number | undefined {
  if (!axis || value === undefined) return undefined;
  if (axis.kind === 'categories') {
    const position = axis.values.findIndex(
      one => one === value || (one !== null && value !== null && String(one) === String(value)),
    );
    return position < 0 ? undefined : position;
  }
  if (axis.kind === 'times' ? !isCalendarTime(String(value)) : typeof value !== 'number') return undefined;
  const position = slotOf(axis, axis.kind === 'times' ? parseCalendarTime(String(value)) : Number(value));
  return position < axis.count ? position : undefined;
}

function isIn({ x, y, width, height }: Rectangle, at: Point): boolean {
  return at.x >= x - 1 && at.x <= x + width + 1 && at.y >= y - 1 && at.y <= y + height + 1;
}

/** Returns the shared area of two rectangles, px². */
function shared(a: Rectangle, b: Rectangle): number {
  return (
    Math.max(0, Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x)) *
    Math.max(0, Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y))
  );
}

/** Splits marks into small rectangles, weighted by how much a label may cover them. */
function groundOf(marks: readonly Mark[]): (Rectangle & { readonly weight: number })[] {
  return marks.flatMap((mark): (Rectangle & { readonly weight: number })[] => {
    switch (mark.kind) {
      case 'rects':
        return Array.from({ length: mark.xywh.length / 4 }, (_, i) => {
          const [x, y, width, height] = mark.xywh.slice(i * 4, i * 4 + 4) as [number, number, number, number];
          return { x, y, width, height, weight: 3 };
        });
      case 'circles':
        return Array.from({ length: mark.xy.length / 2 }, (_, i) => ({
          x: mark.xy[i * 2]! - mark.radius,
          y: mark.xy[i * 2 + 1]! - mark.radius,
          width: mark.radius * 2,
          height: mark.radius * 2,
          weight: 4,
        }));
      case 'text': {
        const width = textWidth(mark.text, mark.size);
        return [
          {
            x: mark.x - { left: 0, center: width / 2, right: width }[mark.align],
            y: mark.y - mark.size,
            width,
            height: mark.size,
            weight: 20,
          },
        ];
      }
      case 'line':
        return alongLine(mark.xy);
      default:
        return [];
    }
  });
}

function alongLine(xy: readonly number[]): (Rectangle & { readonly weight: number })[] {
  const pieces: (Rectangle & { readonly weight: number })[] = [];
  for (let i = 2; i < xy.length; i += 2) {
    const [x, y, nextX, nextY] = xy.slice(i - 2, i + 2) as [number, number, number, number];
    const steps = Math.min(40, Math.ceil(Math.hypot(nextX - x, nextY - y) / 6));
    for (let step = 0; step <= steps; step++)
      pieces.push({
        x: x + ((nextX - x) * step) / steps - 2,
        y: y + ((nextY - y) * step) / steps - 2,
        width: 4,
        height: 4,
        weight: 7,
      });
  }
  return pieces;
}
