import type { DashboardState, Field, ModelSummary } from '@belvedere/api';
import {
  chartTitle,
  describeCondition as describe,
  describeMoment,
  describeSelection,
  describeTimes,
  formatExactly,
  formatList,
  formatNumber,
  layerLabel,
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
  isRatio,
  measuresOf,
  onCalendar,
  parseCalendarTime,
  parseDuration,
  startOf,
  titleFields,
  type Box,
  type FieldFilter,
} from '@belvedere/query';
import { locale, t } from '../../messages/messages.ts';

/** A tile's title: its own, or the name of its measure. */
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

/**
 * The tooltip of a tile's title: its description, or the whole title, and the descriptions of the fields in
 * it.
 */
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

/** The labels, formats and descriptions of a tile's measures. A tile that only counts has *Rows*. */
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
    const measure = measureField(measureName(encoding), model);
    const show = 'show' in encoding ? encoding.show : undefined;
    const field = { ...measure, label: layerLabel(tile, show, measure.label, locale) };
    const shown =
      tile.kind === 'candlestick' && i < drawn.length
        ? { ...field, label: chartMessagesIn(locale).ohlc[(['open', 'high', 'low', 'close'] as const)[i]!] }
        : field;
    if (isRatio(show)) return { ...shown, format: encoding.format ?? 'percent', unit: '' };
    return 'format' in encoding && encoding.format ? { ...shown, format: encoding.format } : shown;
  });
}

/** A measure's label, in the user's language if its model has none. */
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

/** The field of a measure's name: one of the model, or an aggregate of one of its fields. */
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

/** Describes a condition in the viewer's language. @param format format of its field's numbers */
export const describeCondition = (condition: FieldFilter, format?: string): string =>
  describe(condition, locale, format);

/** When something happened: a day, a moment, a stretch. */
export function describeEvent({
  from,
  below,
}: {
  readonly from: string;
  readonly below?: string | undefined;
}): string {
  return below === undefined
    ? describeMoment(parseCalendarTime(from), locale)
    : describeTimes(parseCalendarTime(from), parseCalendarTime(below), locale);
}

/** Describes a selection. @param formats of fields that have one, such as a model's dimensions */
export function describeBoxes(
  boxes: readonly Box[],
  formats: readonly ModelSummary[] | ReadonlyMap<string, string | undefined>,
): string {
  const formatOf = (field: string) => ('get' in formats ? formats.get(field) : fieldFormat(formats, field));
  return describeSelection(boxes, locale, formatOf);
}

/** The format of a field in its model. */
export function fieldFormat(models: readonly ModelSummary[], field: string): string | undefined {
  return models.flatMap(model => model.dimensions).find(dimension => dimension.name === field)?.format;
}

/** The label of a parameter's option, which is a field or a measure of some model. */
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

/** All digits of a value, where its text has fewer: for its tooltip. */
export function exactDigits(value: number, field: Field): string | undefined {
  const exact = formatExactly(value, locale);
  return Number.isNaN(value) ||
    full(value, { ...field, unit: '' }).replaceAll(/[^\d]/g, '') === exact.replaceAll(/[^\d]/g, '')
    ? undefined
    : exact;
}

export function full(value: number, field: Field): string {
  return formatNumber(value, field.format, locale, 'full', field.unit);
}
