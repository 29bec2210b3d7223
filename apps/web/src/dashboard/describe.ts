import type { DashboardState, Field, ModelSummary, NamedAxis, OpenDashboard } from '@belvedere/api';
import { formatNumber, formatTime, formatValue } from '@belvedere/chart';
import type { MeasureEncoding, Tile } from '@belvedere/document';
import { addUnits, parseCalendarTime, parseDuration, startOf, type Box, type FieldFilter } from '@belvedere/query';
import { locale, t } from '../messages/messages.ts';

/** A tile's title: its own, or what it measures. */
export function tileTitle(tile: Tile, model: ModelSummary | undefined): string {
  if (tile.title) return tile.title;
  const name = measureEncoding(tile)?.measure;
  const measure = model?.measures.find(candidate => candidate.name === name);
  return measure?.label ?? (tile.kind === 'table' ? (model?.label ?? '') : tile.kind === 'text' ? '' : (name ?? tile.kind));
}

/** The measure a tile shows; `rows` where it only counts. */
function measureEncoding(tile: Tile): MeasureEncoding | undefined {
  switch (tile.kind) {
    case 'kpi':
      return tile.value;
    case 'heatmap':
      return tile.color;
    case 'line':
    case 'area':
      return tile.y;
    case 'bar':
      return 'measure' in tile.y ? tile.y : 'measure' in tile.x ? tile.x : { measure: 'rows' };
    case 'scatter':
      return { measure: 'rows' };
    default:
      return undefined;
  }
}

/** What the model says of a tile's measure, in the tile's own format where it has one. */
export function measureField(tile: Tile, model: ModelSummary | undefined): Field {
  const encoding = measureEncoding(tile) ?? { measure: 'rows' };
  const field = model?.measures.find(measure => measure.name === encoding.measure) ?? { name: encoding.measure, label: encoding.measure, type: 'number' };
  if (encoding.show === 'share of total') return { ...field, format: encoding.format ?? 'percent', unit: '' };
  return encoding.format ? { ...field, format: encoding.format } : field;
}

/** A condition in words: `Jan 1 – Mar 31, 2001`, `15 to 60`, `ATL, ORD`. */
export function describeCondition(condition: FieldFilter): string {
  if ('last' in condition) return t.filters.last(condition.last);
  if ('this' in condition) return t.filters.this(condition.this);
  if ('contains' in condition) return `“${condition.contains}”`;
  if ('oneOf' in condition) {
    const shown = condition.oneOf.slice(0, 3).map(value => formatValue(value, locale));
    return condition.oneOf.length > 3 ? `${shown.join(', ')} +${condition.oneOf.length - 3}` : shown.join(', ');
  }
  const { from, below } = condition;
  if (typeof from === 'string' || typeof below === 'string') return describeTimes(from as string | undefined, below as string | undefined);
  if (from === undefined) return t.filters.below(formatValue(below!, locale));
  return below === undefined ? t.filters.least(formatValue(from, locale)) : t.filters.range(formatValue(from, locale), formatValue(below, locale));
}

function describeTimes(from: string | undefined, below: string | undefined): string {
  const day = 86_400_000;
  const show = (ms: number) => (ms % day === 0 ? formatTime(ms, 'day', locale).replace(/^\w{3},? /, '') : formatTime(ms, 'minute', locale));
  if (from === undefined) return t.filters.below(show(parseCalendarTime(below!)));
  if (below === undefined) return t.filters.least(show(parseCalendarTime(from)));
  const [start, end] = [parseCalendarTime(from), parseCalendarTime(below)];
  const whole = (['year', 'month', 'day', 'hour'] as const).find(unit => startOf(unit, start) === start && addUnits(unit, start, 1) === end);
  if (whole) return formatTime(start, whole, locale);
  return start % day === 0 && end % day === 0 ? `${show(start)} – ${show(end - day)}` : `${show(start)} – ${show(end)}`;
}

export function describeBoxes(boxes: readonly Box[]): string {
  return boxes.map(box => Object.values(box).map(describeCondition).join(' × ')).join('; ');
}

export function fieldLabel(models: readonly ModelSummary[], field: string): string {
  return models.flatMap(model => model.dimensions).find(dimension => dimension.name === field)?.label ?? field;
}

/** Everything that narrows the dashboard's rows: `Departure, Origin state and the selection on Distance`. */
export function describeBounds(dashboard: OpenDashboard, state: DashboardState): string {
  const filters = dashboard.document?.filters ?? [];
  const set = new Set([...filters.filter(filter => filter.default && state.filters[filter.field] !== null).map(filter => filter.field), ...Object.entries(state.filters).flatMap(([field, condition]) => (condition ? [field] : []))]);
  const selected = Object.entries(state.selections).flatMap(([id, boxes]) => {
    const tile = dashboard.document?.pages.map(page => page.tiles[id]).find(found => found !== undefined);
    return boxes.length > 0 && tile ? [t.filters.selectionOn(tileTitle(tile, dashboard.models.find(model => model.name === (tile.model ?? dashboard.document?.model))))] : [];
  });
  return new Intl.ListFormat(locale, { type: 'conjunction' }).format([...[...set].map(field => fieldLabel(dashboard.models, field)), ...selected]);
}

/** How old the data is, in words, where that is older than the dashboard allows. */
export function describeStaleness(staleAfter: string | undefined, dataTime: string | undefined, now: number): string | undefined {
  if (!staleAfter || !dataTime) return undefined;
  const newest = parseCalendarTime(dataTime);
  const { count, unit } = parseDuration(staleAfter);
  if (addUnits(unit, startOf(unit, newest), count + 1) > now) return undefined;
  const days = Math.floor((now - newest) / 86_400_000);
  const [age, of] = days >= 730 ? [Math.floor(days / 365), 'year'] as const : days >= 2 ? [days, 'day'] as const : [Math.floor((now - newest) / 3_600_000), 'hour'] as const;
  return t.dashboard.stale(new Intl.NumberFormat(locale, { style: 'unit', unit: of, unitDisplay: 'long' }).format(age));
}

/** How much of an additive measure lies outside an axis, or has no value on it, as shares of all. */
export function offAxis(axes: readonly NamedAxis[], values: Float64Array): { outside: number; none: number } {
  const axis = axes[0];
  if (!axis || axis.kind === 'categories') return { outside: 0, none: 0 };
  const per = values.length / (axis.count + 2);
  const sum = (from: number, to: number) => values.subarray(from, to).reduce((total, value) => total + (value || 0), 0);
  const all = sum(0, values.length) || 1;
  return { none: sum(axis.count * per, (axis.count + 1) * per) / all, outside: sum((axis.count + 1) * per, values.length) / all };
}

export function full(value: number, field: Field): string {
  return formatNumber(value, field.format, locale, 'full', field.unit);
}
