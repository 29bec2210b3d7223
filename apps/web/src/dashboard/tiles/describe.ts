import type { DashboardState, Field, ModelSummary, NamedAxis } from '@belvedere/api';
import {
  chartTitle,
  formatDay,
  formatList,
  formatNumber,
  formatTime,
  formatValue,
  measureText,
  chartMessagesIn,
} from '@belvedere/chart';
import { measureName, type Calendar, type Dashboard, type Tile } from '@belvedere/document';
import {
  addUnits,
  aggregateCall,
  resultMeasures,
  isOfGroups,
  isOfRows,
  measuresOf,
  onCalendar,
  parseCalendarTime,
  parseDuration,
  startOf,
  timeOfEdge,
  titleFields,
  type Box,
  type FieldFilter,
} from '@belvedere/query';
import { locale, t } from '../../messages/messages.ts';

/** A tile's title: its own, or what it measures. */
export function tileTitle(tile: Tile, model: ModelSummary | undefined): string {
  if (tile.title) return tile.title;
  if (tile.kind === 'text' || tile.kind === 'control') return '';
  if (tile.kind === 'image') return tile.alt;
  if (tile.kind === 'table') return model?.label ?? '';
  const labelOf = (field: string) =>
    model?.dimensions.find(dimension => dimension.name === field)?.label ?? field;
  const what =
    isOfRows(tile) || tile.kind === 'boxplot'
      ? labelOf(tile.y.field)
      : isOfGroups(tile)
        ? measureFields(tile, model)
            .slice(0, 2)
            .toReversed()
            .map(({ label }) => label)
            .join(', ')
        : measureFields(tile, model)[0]!.label;
  return chartTitle(tile, what, labelOf, model?.time, locale);
}

/** What is said where a tile's title is pointed at: its own description, or all of the title, and what the model says of the fields that it names. */
export function titleNote(
  tile: Tile,
  title: string,
  measures: readonly Field[],
  model: ModelSummary | undefined,
): string {
  const named = titleFields(tile).flatMap(
    field => model?.dimensions.find(({ name }) => name === field) ?? [],
  );
  return (
    tile.description ??
    [title, ...[...measures, ...named].flatMap(({ description }) => description ?? [])].join('\n')
  );
}

/** What the model says of each of a tile's measures, in the tile's own formats where it has such; rows where it only counts. */
export function measureFields(tile: Tile, model: ModelSummary | undefined): readonly Field[] {
  if (tile.kind === 'boxplot') {
    const { figures } = chartMessagesIn(locale);
    const format = model?.dimensions.find(dimension => dimension.name === tile.y.field)?.format;
    return (['low', 'q1', 'median', 'q3', 'high'] as const).map(name => ({
      name,
      label: figures[name],
      type: 'number',
      ...(format && { format }),
    }));
  }
  const drawn = measuresOf(tile);
  if (tile.kind === 'text' && drawn.length === 0) return [];
  return resultMeasures(tile).map((encoding, i) => {
    const field = measureField(measureName(encoding), model);
    const shown =
      tile.kind === 'candlestick' && i < drawn.length
        ? { ...field, label: chartMessagesIn(locale).ohlc[(['open', 'high', 'low', 'close'] as const)[i]!] }
        : field;
    if ('show' in encoding && encoding.show === 'share of total')
      return { ...shown, format: encoding.format ?? 'percent', unit: '' };
    return 'format' in encoding && encoding.format ? { ...shown, format: encoding.format } : shown;
  });
}

/** What a measure is called, in the reader's language where its model does not say. */
export function measureLabel(
  measure: Pick<Field, 'name' | 'label'>,
  model: ModelSummary | undefined,
): string {
  return measureText(
    measure,
    field => model?.dimensions.find(dimension => dimension.name === field)?.label ?? field,
    locale,
  );
}

/** What a measure's name stands for: one of the model, or an aggregate of one of its fields. */
export function measureField(name: string, model: ModelSummary | undefined): Field {
  const known = model?.measures.find(measure => measure.name === name);
  if (known) return { ...known, label: measureLabel(known, model) };
  const call = aggregateCall(name);
  if (!call) return { name, label: name, type: 'number' };
  const rows = model?.measures.find(measure => measure.name === 'rows')?.label ?? 'Rows';
  const isCount = call.aggregate === 'count' || call.aggregate === 'distinct';
  const format = isCount
    ? 'integer'
    : model?.dimensions.find(candidate => candidate.name === call.field)?.format;
  return {
    name,
    label: measureLabel({ name, label: call.field === '' ? rows : name }, model),
    type: 'number',
    ...(format && { format }),
  };
}

/** A condition in words: `Jan 1 – Mar 31, 2001`, `15 to 60`, `ATL, ORD`. @param format what its field's numbers are shown with */
export function describeCondition(condition: FieldFilter, format?: string): string {
  if ('last' in condition) return t.filters.last(condition.last);
  if ('this' in condition) return t.filters.this(condition.this);
  if ('contains' in condition) return `“${condition.contains}”`;
  if ('oneOf' in condition) return describeValues(condition.oneOf, format);
  if ('noneOf' in condition) return t.filters.not(describeValues(condition.noneOf, format));
  const { from, below } = condition;
  // As one begins to write it: from nowhere to nowhere.
  if (from === undefined && below === undefined) return t.filters.all;
  if (typeof from === 'string' || typeof below === 'string')
    return describeTimes(
      from === undefined ? undefined : timeOfEdge(from),
      below === undefined ? undefined : timeOfEdge(below),
    );
  const say = (value: number) => formatValue(value, locale, format);
  if (from === undefined) return t.filters.below(say(below!));
  if (below === undefined) return t.filters.least(say(from));
  // A format that does not tell them apart would say that nothing is left.
  return say(from) === say(below)
    ? t.filters.range(formatValue(from, locale), formatValue(below, locale))
    : t.filters.range(say(from), say(below));
}

/** When something happened: a day, a moment, a stretch. */
export function describeEvent({
  from,
  below,
}: {
  readonly from: string;
  readonly below?: string | undefined;
}): string {
  return below === undefined
    ? describeMoment(parseCalendarTime(from))
    : describeTimes(parseCalendarTime(from), parseCalendarTime(below));
}

function describeMoment(ms: number): string {
  return ms % 86_400_000 === 0 ? formatDay(ms, locale) : formatTime(ms, 'minute', locale);
}

function describeValues(
  values: readonly (string | number | boolean | null)[],
  format: string | undefined,
): string {
  const shown = values
    .slice(0, 3)
    .map(value => formatValue(value, locale, format))
    .join(', ');
  return values.length > 3 ? `${shown} +${values.length - 3}` : shown;
}

function describeTimes(start: number | undefined, end: number | undefined): string {
  const day = 86_400_000;
  const show = describeMoment;
  if (start === undefined) return t.filters.below(show(end!));
  if (end === undefined) return t.filters.least(show(start));
  const whole = (['year', 'month', 'day', 'hour'] as const).find(
    unit => startOf(unit, start) === start && addUnits(unit, start, 1) === end,
  );
  if (whole) return formatTime(start, whole, locale);
  return start % day === 0 && end % day === 0
    ? `${show(start)} – ${show(end - day)}`
    : `${show(start)} – ${show(end)}`;
}

/** What is selected, in words. @param formats of those fields that have one, such as a model's dimensions */
export function describeBoxes(
  boxes: readonly Box[],
  formats: readonly ModelSummary[] | ReadonlyMap<string, string | undefined>,
): string {
  const formatOf = (field: string) => ('get' in formats ? formats.get(field) : fieldFormat(formats, field));
  return boxes
    .map(box =>
      Object.entries(box)
        .map(([field, condition]) => describeCondition(condition, formatOf(field)))
        .join(' × '),
    )
    .join('; ');
}

/** What a field's numbers are shown with, where its model says so. */
export function fieldFormat(models: readonly ModelSummary[], field: string): string | undefined {
  return models.flatMap(model => model.dimensions).find(dimension => dimension.name === field)?.format;
}

/** What an option of a parameter is called, a field or a measure of some model. */
export function parameterLabel(models: readonly ModelSummary[], name: string): string {
  const model = models.find(one => one.measures.some(measure => measure.name === name));
  if (model) return measureField(name, model).label;
  return models.some(one => one.dimensions.some(dimension => dimension.name === name))
    ? fieldLabel(models, name)
    : measureField(name, models[0]).label;
}

export function fieldLabel(models: readonly ModelSummary[], field: string): string {
  return (
    models.flatMap(model => model.dimensions).find(dimension => dimension.name === field)?.label ?? field
  );
}

/** Everything that narrows the dashboard's rows: `Departure, Origin state and the selection on Distance`. */
export function describeBounds(
  dashboard: { readonly document?: Dashboard; readonly models: readonly ModelSummary[] },
  state: DashboardState,
): string {
  const filters = dashboard.document?.filters ?? [];
  const set = new Set([
    ...filters
      .filter(filter => filter.default && state.filters[filter.field] !== null)
      .map(filter => filter.field),
    ...Object.entries(state.filters).flatMap(([field, condition]) => (condition ? [field] : [])),
  ]);
  const selected = Object.entries(state.selections).flatMap(([id, boxes]) => {
    const tile = dashboard.document?.pages.map(page => page.tiles[id]).find(found => found !== undefined);
    return boxes.length > 0 && tile
      ? [
          t.filters.selectionOn(
            tileTitle(
              tile,
              dashboard.models.find(model => model.name === (tile.model ?? dashboard.document?.model)),
            ),
          ),
        ]
      : [];
  });
  return formatList([...[...set].map(field => fieldLabel(dashboard.models, field)), ...selected], locale);
}

/** How old the data is, in words, where that is older than the dashboard allows. */
export function describeStaleness(
  staleAfter: string | undefined,
  dataTime: string | undefined,
  now: number,
  calendar: Calendar,
): string | undefined {
  if (!staleAfter || !dataTime) return undefined;
  const newest = parseCalendarTime(dataTime);
  const { count, unit: named } = parseDuration(staleAfter);
  const unit = onCalendar(named, calendar);
  if (addUnits(unit, startOf(unit, newest), count + 1) > now) return undefined;
  const days = Math.floor((now - newest) / 86_400_000);
  const [age, of] =
    days >= 730
      ? ([Math.floor(days / 365), 'year'] as const)
      : days >= 2
        ? ([days, 'day'] as const)
        : ([Math.floor((now - newest) / 3_600_000), 'hour'] as const);
  return t.dashboard.stale(
    new Intl.NumberFormat(locale, { style: 'unit', unit: of, unitDisplay: 'long' }).format(age),
  );
}

/** How much of an additive measure lies outside an axis, or has no value on it, as shares of all. */
export function offAxis(axes: readonly NamedAxis[], values: Float64Array): { outside: number; none: number } {
  const axis = axes[0];
  if (!axis || axis.kind === 'categories') return { outside: 0, none: 0 };
  const per = values.length / (axis.count + 2);
  const sum = (from: number, to: number) =>
    values.subarray(from, to).reduce((total, value) => total + (value || 0), 0);
  const all = sum(0, values.length) || 1;
  return {
    none: sum(axis.count * per, (axis.count + 1) * per) / all,
    outside: sum((axis.count + 1) * per, values.length) / all,
  };
}

export function full(value: number, field: Field): string {
  return formatNumber(value, field.format, locale, 'full', field.unit);
}
