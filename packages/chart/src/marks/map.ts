import { edgeOf, positionsOf } from '@belvedere/query';
import { isHidden } from '../rows/row-points.ts';
import { geoAlbersUsa, geoEqualEarth, geoMercator, geoPath, type GeoProjection } from 'd3-geo';
import type { Chart, ChartInput, ChartMeasure, ChartPoint, Target } from '../chart.ts';
import { hasLegend } from '../guides/axis-options.ts';
import { positionName } from '../guides/place-axis.ts';
import { extentOf } from '../guides/value-axis.ts';
import { regionKey, type MapRegion, type MapShapes } from '../map-shapes.ts';
import { colourScale } from '../scales/colour.ts';
import type { Mark, Size } from '../scene.ts';
import { chartMessagesIn } from '../text/chart-messages.ts';
import { seriesOf } from './series.ts';

/**
 * Draws regions coloured by a measure, or points: single ones if they are few, else clusters.
 */
export function drawMap(input: ChartInput): Chart {
  if (input.tile.kind !== 'map') throw new TypeError('not a map');
  return input.tile.region ? drawRegions(input) : drawPlaces(input);
}

function drawRegions(input: ChartInput): Chart {
  const { axes, shapes, size, theme, locale } = input;
  const [measure] = input.measures as [ChartMeasure];
  const axis = axes.find(candidate => candidate.channel === 'detail')!;
  const legendHeight = size.height >= 120 && hasLegend(input.tile) ? 16 : 0;
  const projection = projectionOf(shapes, { width: size.width, height: size.height - legendHeight });
  const path = geoPath(projection).digits(1);
  const drawn = (shapes?.regions ?? []).flatMap(region => {
    const d = path(region.shape);
    return d ? [{ region, d, bounds: path.bounds(region.shape), centre: path.centroid(region.shape) }] : [];
  });
  // The region of each position. If several values name the same region, the first one has it.
  const byKey = new Map<string, number>();
  drawn.forEach(({ region }, i) => region.keys.forEach(key => byKey.has(key) || byKey.set(key, i)));
  const positions = axis.kind === 'categories' ? axis.values.map(value => byKey.get(regionKey(value))) : [];
  const positionIn = new Map<number, number>();
  positions.forEach(
    (region, position) => region !== undefined && !positionIn.has(region) && positionIn.set(region, position),
  );
  // Values without a region, or whose region another value has: the tile reports them.
  const lost = shapes
    ? positions.filter(
        (region, position) =>
          !Number.isNaN(input.base[position]!) &&
          (region === undefined || positionIn.get(region) !== position),
      ).length
    : 0;
  const { colours, bucketOf, legend } = colourScale(
    extentOf((input.filtered ?? input.base).subarray(0, positions.length)),
    measure,
    input,
    { isOnGround: true },
  );
  const contains = (region: MapRegion, bounds: [[number, number], [number, number]]) => {
    const rings = projectedRings(region, projection);
    return (x: number, y: number) =>
      x >= bounds[0][0] &&
      x <= bounds[1][0] &&
      y >= bounds[0][1] &&
      y <= bounds[1][1] &&
      isInside(rings(), x, y);
  };
  const tests = drawn.map(({ region, bounds }) => contains(region, bounds));
  return {
    plot: { x: 0, y: 0, width: size.width, height: size.height - legendHeight },
    guides: [
      ...(legendHeight > 0 ? legend(size.width - 4, size.height - 3) : []),
      ...(lost > 0
        ? [
            {
              kind: 'text',
              x: 4,
              y: size.height - 3,
              text: chartMessagesIn(locale).notOnMap(lost),
              fill: theme.text3,
              align: 'left',
              size: 11,
            } satisfies Mark,
          ]
        : []),
    ],
    series: [],
    targets: values =>
      drawn.flatMap(({ region, d, centre }, i): Target[] => {
        const position = positionIn.get(i);
        const value = position === undefined ? Number.NaN : values[position]!;
        return position === undefined || Number.isNaN(value)
          ? []
          : [
              {
                positions: [position],
                name: nameOf(region, shapes!, locale),
                value,
                colour: colours[bucketOf(value)]!,
                x: centre[0],
                y: centre[1],
                outline: d,
                contains: tests[i]!,
              },
            ];
      }),
    marks: (values, { isMuted, isSelected }) => {
      const byColour: string[] = colours.map(() => '');
      let [dim, none] = ['', ''];
      drawn.forEach(({ d }, i) => {
        const position = positionIn.get(i);
        const value = position === undefined ? Number.NaN : values[position]!;
        if (Number.isNaN(value)) none += d;
        else if (isMuted || (isSelected && !isSelected(position!))) dim += d;
        else byColour[bucketOf(value)] += d;
      });
      const border = { stroke: theme.surface, width: shapes && shapes.regions.length > 400 ? 0.25 : 0.6 };
      return [
        ...(none ? [{ kind: 'path', d: none, fill: theme.grid, ...border } satisfies Mark] : []),
        ...(dim ? [{ kind: 'path', d: dim, fill: theme.unfiltered, ...border } satisfies Mark] : []),
        ...byColour.flatMap((d, bucket): Mark[] =>
          d ? [{ kind: 'path', d, fill: colours[bucket]!, ...border }] : [],
        ),
      ];
    },
  };
}

/** The world's coasts are tens of kilometres off: on the map of a town they would run through it. */
const minDegreesOfCoasts = 3;

function drawPlaces(input: ChartInput): Chart {
  const { axes, shapes, size, theme, locale, points, hidden } = input;
  const xAxis = axes.find(axis => axis.channel === 'x')!;
  const yAxis = axes.find(axis => axis.channel === 'y')!;
  if (xAxis.kind === 'categories' || yAxis.kind === 'categories') throw new TypeError('places need numbers');
  const colour = axes.find(axis => axis.channel === 'color');
  const series = seriesOf(colour, theme, locale);
  const [west, east] = [edgeOf(xAxis, 0), edgeOf(xAxis, positionsOf(xAxis))];
  const [south, north] = [edgeOf(yAxis, 0), edgeOf(yAxis, positionsOf(yAxis))];
  const projection = projectionOf(shapes, size, [
    Math.max(-180, west),
    Math.max(-85, south),
    Math.min(180, east),
    Math.min(85, north),
  ]);
  const path = geoPath(projection).digits(1);
  const isOfTown = shapes?.kind === 'world' && Math.max(east - west, north - south) < minDegreesOfCoasts;
  const land = (isOfTown ? [] : (shapes?.regions ?? [])).map(region => path(region.shape) ?? '').join('');
  const [columns, rows] = [positionsOf(xAxis), positionsOf(yAxis)];
  const perColumn = rows + 2;
  const centres = Array.from({ length: columns * rows }, (_, i) =>
    projection([
      (edgeOf(xAxis, Math.floor(i / rows)) + edgeOf(xAxis, Math.floor(i / rows) + 1)) / 2,
      (edgeOf(yAxis, i % rows) + edgeOf(yAxis, (i % rows) + 1)) / 2,
    ]),
  );
  const valueAt = (values: Float64Array, i: number) => values[Math.floor(i / rows) * perColumn + (i % rows)]!;
  const isInPlot = (at: [number, number] | null): at is [number, number] =>
    at !== null && at[0] >= 0 && at[0] <= size.width && at[1] >= 0 && at[1] <= size.height;
  const largest = Math.max(...centres.map((_, i) => valueAt(input.filtered ?? input.base, i) || 0), 1e-9);
  // Neighbouring circles do not overlap.
  const spacings = centres
    .flatMap((centre, i) => {
      const other = centres[i + rows] ?? null;
      return isInPlot(centre) && isInPlot(other) && valueAt(input.base, i) > 0
        ? [Math.hypot(centre[0] - other[0], centre[1] - other[1])]
        : [];
    })
    .toSorted((a, b) => a - b);
  const maxRadius = Math.max(3, Math.min(22, (spacings[spacings.length >> 1] ?? 36) * 0.6));
  const radiusOf = (value: number) => Math.max(1.2, maxRadius * Math.sqrt(value / largest));
  const cells = (values: Float64Array) =>
    centres.flatMap((centre, i) => {
      const value = valueAt(values, i);
      return isInPlot(centre) && value > 0
        ? [
            {
              x: centre[0],
              y: centre[1],
              column: Math.floor(i / rows),
              row: i % rows,
              value,
              radius: radiusOf(value),
            },
          ]
        : [];
    });
  return {
    plot: { x: 0, y: 0, ...size },
    guides: [{ kind: 'path', d: land, fill: theme.grid, stroke: theme.axis, width: 0.5 }],
    series: points ? series : [{ label: '', colour: theme.accent }],
    targets: values =>
      cells(values)
        .toSorted((a, b) => a.radius - b.radius)
        .map(cell => ({
          positions: [cell.column, cell.row],
          name: `${positionName(yAxis, cell.row, locale)}, ${positionName(xAxis, cell.column, locale)}`,
          value: cell.value,
          colour: theme.accent,
          x: cell.x,
          y: cell.y,
          outline: `M${cell.x - cell.radius} ${cell.y}a${cell.radius} ${cell.radius} 0 1 0 ${2 * cell.radius} 0a${cell.radius} ${cell.radius} 0 1 0 ${-2 * cell.radius} 0`,
          contains: (x, y) => Math.hypot(x - cell.x, y - cell.y) <= Math.max(5, cell.radius),
        })),
    marks: (values, look) => {
      if (points) return pointMarks(look.points ?? points, look.isMuted === true, look.isSelected);
      return cellMarks(cells(values), look, theme);
    },
  };

  function pointMarks(
    all: readonly ChartPoint[],
    isMuted: boolean,
    isSelected: ((first: number, second?: number) => boolean) | undefined,
  ): Mark[] {
    const bright: number[][] = series.map(() => []);
    const dim: number[] = [];
    for (const point of all) {
      const at = projection([point.x, point.y]);
      if (!isInPlot(at) || isHidden(point, hidden)) continue;
      const column = Math.floor((point.x - west) / ((east - west) / columns));
      const row = Math.floor((point.y - south) / ((north - south) / rows));
      (isMuted || (isSelected && !isSelected(column, row))
        ? dim
        : bright[Math.max(0, Math.min(series.length - 1, point.colour))]!
      ).push(at[0], at[1]);
    }
    const radius = all.length > 1500 ? 1.75 : all.length > 300 ? 2.25 : 3;
    return [
      { kind: 'circles', xy: dim, radius, fill: theme.axis, opacity: 0.5 },
      ...bright.map((xy, s): Mark => ({
        kind: 'circles',
        xy,
        radius,
        fill: series[s]!.colour,
        opacity: all.length > 800 ? 0.5 : 0.75,
      })),
    ];
  }
}

/** A cell of a map: its circle and its value. */
interface MapCell {
  readonly x: number;
  readonly y: number;
  readonly column: number;
  readonly row: number;
  readonly value: number;
  readonly radius: number;
}

/** Circles of cells, the largest first. */
function cellMarks(
  cells: readonly MapCell[],
  look: Parameters<Chart['marks']>[1],
  theme: ChartInput['theme'],
): Mark[] {
  const [bright, dim]: [string[], string[]] = [[], []];
  for (const cell of cells.toSorted((a, b) => b.radius - a.radius))
    (look.isMuted || (look.isSelected && !look.isSelected(cell.column, cell.row)) ? dim : bright).push(
      circle(cell.x, cell.y, cell.radius),
    );
  return [
    { kind: 'path', d: dim.join(''), fill: theme.axis, opacity: 0.4 },
    {
      kind: 'path',
      d: bright.join(''),
      fill: theme.accent,
      stroke: theme.surface,
      width: 0.75,
      opacity: 0.72,
    },
  ];
}

function circle(x: number, y: number, radius: number): string {
  const [r, left] = [Math.round(radius * 10) / 10, Math.round((x - radius) * 10) / 10];
  return `M${left} ${Math.round(y * 10) / 10}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;
}

/**
 * An equal-area projection for the world, since areas are compared; Albers for the United States; Mercator,
 * which keeps angles, for regions so small that areas hardly change.
 * @param bounds west, south, east, north of the visible part; all regions by default
 */
function projectionOf(
  shapes: MapShapes | undefined,
  size: Size,
  bounds?: readonly [number, number, number, number],
): GeoProjection {
  const box: [[number, number], [number, number]] = [
    [4, 4],
    [Math.max(24, size.width - 4), Math.max(24, size.height - 4)],
  ];
  const all = {
    type: 'FeatureCollection' as const,
    features: (shapes?.regions ?? []).map(region => region.shape),
  };
  const corners = bounds && {
    type: 'MultiPoint' as const,
    coordinates: [
      [bounds[0], bounds[1]],
      [bounds[0], bounds[3]],
      [bounds[2], bounds[1]],
      [bounds[2], bounds[3]],
      [(bounds[0] + bounds[2]) / 2, bounds[1]],
      [(bounds[0] + bounds[2]) / 2, bounds[3]],
    ],
  };
  if (shapes?.kind === 'us') return geoAlbersUsa().fitExtent(box, all);
  if (corners && (bounds[2] - bounds[0] < 200 || shapes?.kind !== 'world'))
    return geoMercator()
      .rotate([-(bounds[0] + bounds[2]) / 2, 0])
      .fitExtent(box, corners);
  if (shapes?.kind === 'own') return geoMercator().fitExtent(box, all);
  return geoEqualEarth().fitExtent(box, all.features.length > 0 ? all : { type: 'Sphere' });
}

/** Returns a region's name in the user's language if known. */
function nameOf(region: MapRegion, shapes: MapShapes, locale: string): string {
  const two = shapes.kind === 'world' ? region.keys.find(key => key.length === 2) : undefined;
  return (two && regionNames(locale).of(two.toUpperCase())) ?? region.name;
}

const namesByLocale = new Map<string, Intl.DisplayNames>();

function regionNames(locale: string): Intl.DisplayNames {
  const names = namesByLocale.get(locale) ?? new Intl.DisplayNames(locale, { type: 'region' });
  namesByLocale.set(locale, names);
  return names;
}

/** Returns a region's rings in pixels, computed at the first hit test. */
function projectedRings(
  region: MapRegion,
  projection: GeoProjection,
): () => readonly (readonly [number, number][])[] {
  let rings: [number, number][][] | undefined;
  return () => {
    if (rings) return rings;
    rings = [];
    let ring: [number, number][] = [];
    geoPath(projection, {
      beginPath: () => {},
      arc: () => {},
      moveTo: (x: number, y: number) => void (ring = [[x, y]]),
      lineTo: (x: number, y: number) => void ring.push([x, y]),
      closePath: () => void rings!.push(ring),
    })(region.shape);
    return rings;
  };
}

/** Even-odd rule: holes are outside. */
function isInside(rings: readonly (readonly [number, number][])[], x: number, y: number): boolean {
  let inside = false;
  for (const ring of rings) {
    for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
      const [[x1, y1], [x2, y2]] = [ring[i]!, ring[j]!];
      if (y1 > y !== y2 > y && x < ((x2 - x1) * (y - y1)) / (y2 - y1) + x1) inside = !inside;
    }
  }
  return inside;
}
