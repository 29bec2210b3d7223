import type { MeasureEncoding, Tile } from '@belvedere/document';
import { axisOf, spreadOf } from './axis-of-field.ts';
import { isAmount, isContinuous, isMeasureField, isNumber, isTime, type FieldFacts } from './field-facts.ts';

export const maxBars = 10;
export const rows: MeasureEncoding = { measure: 'rows' };

/**
 * Suggests a chart for one to three fields: a figure for a measure, a time series for a time, a histogram for
 * a number, a ranking for names. Two fields give the one along the other; two measures give a point per name.
 */
export function suggestTile(fields: readonly FieldFacts[]): Tile {
  const measures = fields.filter(isMeasureField);
  const dimensions = fields.filter(field => !isMeasureField(field));
  const [first, second] = dimensions;
  const measure: MeasureEncoding = measures[0] ? { measure: measures[0].name } : rows;
  if (fields.length === 3 && measures.length === 2 && first) {
    const other: MeasureEncoding = { measure: measures[1]!.name };
    return isContinuous(first)
      ? {
          kind: 'combo',
          x: axisOf(first),
          layers: [
            { mark: 'bar', y: measure },
            { mark: 'line', y: other, axis: 'right' },
          ],
        }
      : { kind: 'scatter', x: measure, y: other, detail: { field: first.name } };
  }
  if (fields.length > 3 || measures.length > 1)
    return { kind: 'table', columns: fields.map(field => field.name) };
  if (!first) return { kind: 'kpi', value: measure };
  if (!second) {
    if (isTime(first)) return { kind: measures.length > 0 ? 'line' : 'area', x: axisOf(first), y: measure };
    if (isNumber(first)) return { kind: 'bar', x: axisOf(first), y: measure };
    return { kind: 'bar', x: measure, y: { field: first.name, limit: maxBars } };
  }
  const time = dimensions.find(isTime);
  const numbers = dimensions.filter(isAmount);
  const names = dimensions.filter(field => field !== time && !isAmount(field));
  if (time && numbers[0])
    return { kind: 'line', x: axisOf(time), y: { field: numbers[0].name, aggregate: 'mean' } };
  if (time && names[0])
    return { kind: 'line', x: axisOf(time), y: measure, color: { field: names[0].name, limit: 5 } };
  if (numbers.length >= 2) return { kind: 'scatter', x: spreadOf(numbers[0]!), y: spreadOf(numbers[1]!) };
  if (numbers[0] && names[0])
    return {
      kind: 'bar',
      x: { field: numbers[0].name, aggregate: 'mean' },
      y: { field: names[0].name, limit: maxBars },
    };
  return { kind: 'heatmap', x: axisOf(second), y: axisOf(first), color: measure };
}
