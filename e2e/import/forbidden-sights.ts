import type { Dashboard, GridBox, Tile } from '@belvedere/document';
import type { ColumnProfile, Model, TableProfile } from '@belvedere/model';

const gridColumns = 24;
const contacts =
  /(?:^|[_ ])(?:address|phone|fax|e_?mail|url|homepage|(?:postal|zip)(?:_code)?|extension|notes|avatar|referrer)$/i;

/** A model and the profiles of its table and of what it joins, by join. */
export interface OverviewData {
  readonly model: Model;
  readonly profile: TableProfile;
  readonly related: Readonly<Record<string, TableProfile>>;
}

/** What an overview must never show, each said in a sentence; none where it is fit to be seen. */
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
      kind === 'kpi' && at![2] > gridColumns / 4 ? [`${id} is a figure ${at![2]} columns wide`] : [],
    ),
    ...unfilledRows(tiles.map(([, { at }]) => at!)),
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
      ...(column.distinct <= 1 ? [`${column.name} is a constant`] : []),
      ...(!isTime && column.distinct > data.profile.rows * 0.75
        ? [`${column.name} has a value of its own for nearly every row`]
        : []),
      ...(!isTime && column.distinct > 500 ? [`${column.name} has ${column.distinct} values`] : []),
    ];
  });
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
