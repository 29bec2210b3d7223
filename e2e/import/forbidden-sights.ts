import type { Dashboard, GridBox, Tile } from '@belvedere/document';
import type { ColumnProfile, Model, TableProfile } from '@belvedere/model';

const gridColumns = 24;
const contacts =
  /(?:^|[_ ])(?:address|phone|fax|e_?mail|url|homepage|(?:postal|zip)(?:_code)?|extension|notes|avatar|referrer)$/i;

/** A model, with the profiles of its table and of the tables that its joins add, by join. */
export interface OverviewData {
  readonly model: Model;
  readonly profile: TableProfile;
  readonly related: Readonly<Record<string, TableProfile>>;
}

/** Returns a sentence for each thing that an overview must never show. */
export function forbiddenSights(
  { pages }: Dashboard,
  titles: readonly string[],
  data: OverviewData,
): readonly string[] {
  const tiles = Object.entries(pages[0]!.tiles);
  const charts = titles.filter((_, i) => tiles[i]![1].kind !== 'table');
  return [
    ...tiles.flatMap(([id, tile]) => unfitFields(tile, data).map(why => `${id}: ${why}`)),
    ...tiles.flatMap(([id, { kind, at }]) =>
      kind === 'kpi' && at![2] > gridColumns / 3 ? [`${id} is a figure ${at![2]} columns wide`] : [],
    ),
    ...unfilledRows(tiles.map(([, { at }]) => at!)),
    ...tiles.flatMap(([id, tile]) => weakMap(id, tile, data)),
    ...tiles.flatMap(([id, tile]) => weakMeasure(id, tile)),
    ...tiles.flatMap(([id, tile]) => diagonal(id, tile, data)),
    ...tiles.flatMap(([id, tile]) => longSparks(id, tile, data)),
    ...repeated(tiles, data),
    ...weakFigures(tiles, data),
    ...tiles.flatMap(([id, tile]) => uselessColumns(id, tile, data)),
    ...(tiles.filter(([, tile]) => tile.kind === 'kpi' && 'aggregate' in tile.value).length > 1
      ? ['more than one figure counts the different values of a column']
      : []),
    ...titles.flatMap(title => (title.length > 90 ? [`a tile has the long title “${title}”`] : [])),
    // The table of all rows is named after its model, as the figure that counts them is.
    ...charts.flatMap((title, i) => (charts.indexOf(title) < i ? [`two tiles are called “${title}”`] : [])),
  ];
}

/** Fields of a chart that nobody compares rows by. */
function unfitFields(tile: Tile, data: OverviewData): readonly string[] {
  if (tile.kind === 'table' || tile.kind === 'kpi') return [];
  return (['x', 'y', 'color', 'region'] as const).flatMap(channel => {
    const encoding = (tile as unknown as Readonly<Record<string, { field?: string; bin?: unknown }>>)[
      channel
    ];
    const column = encoding?.field === undefined ? undefined : columnOf(encoding.field, data);
    if (!column || encoding?.bin || tile.kind === 'scatter') return [];
    const isTime = column.type === 'date' || column.type === 'time' || column.type === 'instant';
    return [
      ...(contacts.test(column.name) ? [`${column.name} reaches or locates one thing`] : []),
      ...(isMostlyMissing(column, data) ? [`${column.name} is missing more often than any value`] : []),
      ...(column.distinct <= 1 ? [`${column.name} is a constant`] : []),
      ...(!isTime && column.distinct > data.profile.rows * 0.75
        ? [`${column.name} has a value of its own for nearly every row`]
        : []),
      ...(!isTime && column.distinct > 500 && !hasLeader(column, data)
        ? [`${column.name} has ${column.distinct} values`]
        : []),
      ...(isFreeText(column) ? [`${column.name} holds free text`] : []),
    ];
  });
}

/** Of thousands of values, such as the paths of a log, one has a share of the rows that is seen. */
const hasLeader = ({ top }: ColumnProfile, { profile }: OverviewData) =>
  (top.find(({ value }) => value !== null)?.rows ?? 0) >= profile.rows * 0.02;

/** Sentences rather than names, by the values that are known. */
function isFreeText({ type, top }: ColumnProfile): boolean {
  const letters = top.reduce((sum, { value }) => sum + (value?.length ?? 0), 0);
  return type === 'text' && top.length > 0 && letters / top.length > 60;
}

/** A matrix of two fields that follow from one another is a diagonal. */
function diagonal(id: string, tile: Tile, data: OverviewData): readonly string[] {
  if (tile.kind !== 'heatmap') return [];
  const [x, y] = [tile.x, tile.y].map(encoding => ('field' in encoding ? encoding.field! : undefined));
  if (x === undefined || y === undefined) return [];
  const levels = Object.values(data.model.hierarchies ?? {});
  const [one, other] = [columnOf(x, data), columnOf(y, data)];
  const sizes = (column: ColumnProfile | undefined) => column?.top.map(({ rows }) => rows).join();
  return [
    ...(x === y ? [`${id} shows ${x} by itself`] : []),
    ...(levels.some(fields => fields.includes(x) && fields.includes(y))
      ? [`${id} shows ${x} by ${y}, which are levels of one hierarchy`]
      : []),
    ...(one && other && one.distinct === other.distinct && sizes(one) !== '' && sizes(one) === sizes(other)
      ? [`${id} is a diagonal of ${x} and ${y}`]
      : []),
  ];
}

/** Two leaderboards of fields that cut the rows alike, as a code and its name do. */
function repeated(tiles: readonly (readonly [string, Tile])[], data: OverviewData): readonly string[] {
  const shown = tiles.flatMap(([id, tile]) => {
    const field = tile.kind === 'bar' && 'field' in tile.y ? tile.y.field : undefined;
    const column = field === undefined ? undefined : columnOf(field, data);
    return column && column.top.length > 1
      ? [{ id, column, cut: JSON.stringify(column.top.map(one => one.rows)) }]
      : [];
  });
  return shown.flatMap(({ id, column, cut }, i) =>
    shown
      .slice(0, i)
      .some(one => one.cut === cut && one.column.distinct === column.distinct && one.column !== column)
      ? [`${id} cuts the rows as another leaderboard does`]
      : [],
  );
}

/** One figure twice, or as wide as half a page; a counter averaged; a constant counted. */
function weakFigures(tiles: readonly (readonly [string, Tile])[], data: OverviewData): readonly string[] {
  const figures = tiles.flatMap(([id, tile]) =>
    tile.kind === 'kpi' ? [{ id, value: JSON.stringify(tile.value), tile }] : [],
  );
  return [
    ...figures.flatMap(({ id, value }, i) =>
      figures.findIndex(one => one.value === value) < i ? [`${id} repeats a figure`] : [],
    ),
    ...figures.flatMap(({ id, tile }) => {
      const column = 'field' in tile.value && tile.value.field ? columnOf(tile.value.field, data) : undefined;
      return column && column.distinct <= 1 ? [`${id} counts a constant`] : [];
    }),
  ];
}

/** Sparklines of at most 30 whole periods (and a cut one at either end), or 60 where those would be hardly any. */
function longSparks(id: string, tile: Tile, data: OverviewData): readonly string[] {
  if (tile.kind !== 'kpi' || !tile.spark) return [];
  const column = columnOf(tile.spark.field, data);
  const ms = unitMs[tile.spark.timeUnit ?? 'day'];
  if (!column || ms === undefined) return [];
  const points = (Number(column.max) - Number(column.min)) / ms;
  return points > 62 ? [`${id} has a sparkline of ${Math.round(points)} points`] : [];
}
const day = 86_400_000;
const unitMs: Readonly<Record<string, number | undefined>> = {
  minute: 60_000,
  hour: day / 24,
  day,
  week: 7 * day,
  month: 30.44 * day,
  quarter: 91.3 * day,
};

/** Whether the bar of missing values would be the longest of a leaderboard. */
function isMostlyMissing({ name, nulls, top }: ColumnProfile, { profile }: OverviewData): boolean {
  const largest = top.find(({ value }) => value !== null)?.rows ?? profile.rows;
  return profile.columns.some(one => one.name === name) && nulls > largest;
}

/** Milliseconds are never added up. */
function weakMeasure(id: string, tile: Tile): readonly string[] {
  const shown = JSON.stringify(tile);
  return /"total_[a-z_]*milliseconds"/i.test(shown) ? [`${id} adds up milliseconds`] : [];
}

/** Columns of the table of rows that say little, beside six others. */
function uselessColumns(id: string, tile: Tile, data: OverviewData): readonly string[] {
  const columns = tile.kind === 'table' ? (tile.columns ?? []) : [];
  const { time } = data.model;
  const reaching = columns.filter(field => {
    const column = typeof field === 'string' ? columnOf(field, data) : undefined;
    return column !== undefined && contacts.test(column.name);
  });
  return [
    ...(time !== undefined && columns.some(field => field === time) && columns[0] !== time
      ? [`${id} does not begin with ${time}`]
      : []),
    ...(columns.length - reaching.length >= 6
      ? reaching.map(field => `${id} lists ${JSON.stringify(field)} among others`)
      : []),
  ];
}

/** A map of a few places is a spot on a map. */
function weakMap(id: string, tile: Tile, data: OverviewData): readonly string[] {
  if (tile.kind !== 'map' || !('latitude' in tile) || !tile.latitude) return [];
  const expression = data.model.dimensions[tile.latitude.field]?.expression;
  if (expression?.kind !== 'column' || expression.join === undefined) return [];
  const places = data.model.joins[expression.join]!.on.map(({ join, column }) =>
    join === undefined ? data.profile.columns.find(({ name }) => name === column)?.distinct : undefined,
  );
  const reached = places.reduce((most: number, distinct) => most * (distinct ?? Infinity), 1);
  return reached < 6 ? [`${id} is a map of ${reached} places`] : [];
}

function columnOf(field: string, { model, profile, related }: OverviewData): ColumnProfile | undefined {
  const expression = model.dimensions[field]?.expression;
  if (expression?.kind !== 'column') return undefined;
  const table = expression.join === undefined ? profile : related[expression.join];
  return table?.columns.find(({ name }) => name === expression.name);
}

/** Rows of the grid with holes or overlaps. */
function unfilledRows(boxes: readonly GridBox[]): readonly string[] {
  const rows = Math.max(...boxes.map(([, top, , high]) => top + high));
  return Array.from({ length: rows }, (_, y) => {
    const covered = Array.from(
      { length: gridColumns },
      (__, x) =>
        boxes.filter(([left, top, wide, high]) => x >= left && x < left + wide && y >= top && y < top + high)
          .length,
    );
    return covered.every(times => times === 1) ? [] : [`row ${y} of the grid is covered ${covered.join('')}`];
  }).flat();
}

/**
 * Returns a sentence for each text that a drawn overview must never show: names cut to three letters, two
 * names cut to the same text, two number formats along an axis, meaningless digits.
 */
export function forbiddenTexts(svg: string): readonly string[] {
  const drawn = svg.split(/<svg (?=x=)/).slice(1);
  return drawn.flatMap(tile => {
    const texts = [...tile.matchAll(textElement)].map(([element, x, y, size, anchor, text]) => ({
      // Ticks have no weight; headings and cells of tables have.
      isTick: size === '11' && !element.includes('font-weight'),
      x: Number(x),
      y: Number(y),
      anchor: anchor!,
      text: text!,
    }));
    const cut = texts.flatMap(({ text }) => (/^.{1,3}…$/.test(text) ? [`“${text}” is cut`] : []));
    const names = texts.filter(({ text, anchor }) => anchor === 'end' && text.includes('…'));
    const alike = names.flatMap(({ text }, i) =>
      names.findIndex(other => other.text === text) < i ? [`two names are cut to “${text}”`] : [],
    );
    const crashes = texts.flatMap(({ text }) =>
      /^[▲▼] [\d,.]{5,}%/.test(text.replace(/\.\d%/, '%'))
        ? [`“${text}” is no change that anybody reads`]
        : [],
    );
    const raw = texts.flatMap(({ text }) => (/\d[.,]\d{7,}/.test(text) ? [`“${text}” has raw digits`] : []));
    const along = (place: 'x' | 'y', anchor: string) =>
      [
        ...Map.groupBy(
          texts.filter(one => one.isTick && one.anchor === anchor),
          one => one[place],
        ).values(),
      ].map(axis => axis.map(({ text }) => text));
    const axes = [...along('x', 'end'), ...along('y', 'middle')].filter(
      ticks => ticks.length >= 3 && ticks.every(tick => numberText.test(tick)),
    );
    return [...cut, ...alike, ...crashes, ...raw, ...axes.flatMap(mixedForms)];
  });
}

const textElement =
  /<text x="([-\d.]+)" y="([-\d.]+)" font-size="([\d.]+)"[^>]*text-anchor="(\w+)"[^>]*>([^<]*)/g;
const numberText = /^[−-]?[$€£]?\d[\d,]*(?:\.\d+)?(?:\s?[A-Za-z%]+)?$/;

/** The numbers along an axis that are not written alike: `0`, `5,000`, `10K`, or `1000` beside `2,000`. */
function mixedForms(ticks: readonly string[]): readonly string[] {
  const units = new Set(
    ticks.filter(tick => /[1-9]/.test(tick)).map(tick => /[A-Za-z%]+$/.exec(tick)?.[0] ?? ''),
  );
  const isMixed =
    units.size > 1 || (ticks.some(tick => tick.includes(',')) && ticks.some(tick => /\d{4}/.test(tick)));
  return isMixed ? [`an axis has ${ticks.join(' · ')}`] : [];
}
