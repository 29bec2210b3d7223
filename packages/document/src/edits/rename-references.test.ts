import { describe, expect, test } from 'vitest';
import type { DashboardFile } from '../schema/dashboard.ts';
import { editText } from './edit-text.ts';
import {
  renameReferences,
  renameReferencesInTexts,
  isNothingRenamed,
  renamesBetween,
} from './rename-references.ts';
import type { ModelFile } from '../schema/model-file.ts';
import { readDocument } from '../read-document.ts';

const model = (dimensions: ModelFile['dimensions'], measures: ModelFile['measures'] = {}): ModelFile => ({
  version: 1,
  table: 't',
  dimensions: dimensions!,
  measures,
});

describe('a rename', () => {
  test.each<[string, ModelFile, ModelFile, { dimensions: object; measures: object }]>([
    [
      'a measure with the same expression',
      model({}, { n: { expr: 'sum(x)' } }),
      model({}, { total: { expr: 'sum(x)', label: 'Total' } }),
      { dimensions: {}, measures: { n: 'total' } },
    ],
    [
      'a dimension that keeps its column',
      model({ day: {} }),
      model({ on_day: { column: 'day' } }),
      { dimensions: { day: 'on_day' }, measures: {} },
    ],
    [
      'a field with an expression',
      model({ big: { expr: 'x > 9' } }),
      model({ large: { expr: 'x > 9' } }),
      { dimensions: { big: 'large' }, measures: {} },
    ],
    [
      'not a field with another meaning',
      model({ day: {} }, { n: { expr: 'sum(x)' } }),
      model({ date: {} }, { m: { expr: 'sum(y)' } }),
      { dimensions: {}, measures: {} },
    ],
    [
      'not a field that still exists',
      model({ day: {} }),
      model({ day: {}, again: { column: 'day' } }),
      { dimensions: {}, measures: {} },
    ],
    [
      'not two fields with the same meaning',
      model({}, { a: { expr: 'sum(x)' } }),
      model({}, { b: { expr: 'sum(x)' }, c: { expr: 'sum(x)' } }),
      { dimensions: {}, measures: {} },
    ],
  ])('%s', (_, before, after, renamed) => {
    expect(renamesBetween(before, after)).toMatchObject(renamed);
    expect(isNothingRenamed(renamesBetween(before, after))).toBe(
      Object.keys({ ...renamed.dimensions, ...renamed.measures }).length === 0,
    );
  });
});

const text = `version: 1
title: Trips   # of all
model: trips
colours: { city: { A: "#112233" } }
filters:
  - { field: city, label: city }
parameters:
  of: { kind: measure, options: [minutes, n], default: minutes }
  by: { kind: field, options: [city, day] }
  word: { kind: choice, options: [city, minutes] }
  grain: { kind: timeUnit, options: [day, month] }
pages:
  - title: minutes
    tiles:
      # the first one
      a: { kind: bar, x: { measure: minutes }, y: { field: city, sort: { measure: minutes } }, drill: [city, day] }
      s: { kind: bar, x: { measure: minutes }, y: { field: day, sort: { field: city, aggregate: distinct } } }
      b: { kind: table, columns: [city, minutes, median(hour)], sort: { field: minutes }, bars: [minutes], heat: [minutes], highlights: [{ field: minutes, when: { from: 9 }, look: bad }] }
      c: { kind: kpi, value: { field: hour, aggregate: median }, spark: { field: day, timeUnit: day }, filters: [{ field: city, default: { oneOf: [city] } }] }
      d: { kind: text, text: "{{minutes}} by {{ median(hour) }} of {{ n }}, minutes", showIf: { filtered: city } }
      e: { kind: bar, model: others, x: { measure: minutes }, y: { field: city } }
      f: { kind: bar, x: { measure: ":of" }, y: { field: ":by" }, showIf: { parameter: of, is: [minutes, n] } }
      g: { kind: image, file: city.png, alt: city, showIf: { parameter: word, is: minutes } }
`;
const renames = renamesBetween(
  model({ city: {}, hour: {}, day: {} }, { minutes: { expr: 'sum(minutes)' }, n: { expr: 'count(*)' } }),
  model(
    { town: { column: 'city' }, at: { column: 'hour' }, day: {} },
    { duration: { expr: 'sum(minutes)' }, n: { expr: 'count(*)' } },
  ),
);

const read = (of: string): DashboardFile => {
  const found = readDocument('dashboard', of, 'trips.yaml');
  if (!found.ok) throw new Error(found.problems[0]!.message);
  return found.value;
};

test('updates every reference in a dashboard, and nothing else', () => {
  expect(editText(text, renameReferences(read(text), 'trips', renames))).toBe(`version: 1
title: Trips   # of all
model: trips
colours: { town: { A: "#112233" } }
filters:
  - { field: town, label: city }
parameters:
  of: { kind: measure, options: [duration, n], default: duration }
  by: { kind: field, options: [town, day] }
  word: { kind: choice, options: [city, minutes] }
  grain: { kind: timeUnit, options: [day, month] }
pages:
  - title: minutes
    tiles:
      # the first one
      a: { kind: bar, x: { measure: duration }, y: { field: town, sort: { measure: duration } }, drill: [town, day] }
      s: { kind: bar, x: { measure: duration }, y: { field: day, sort: { field: town, aggregate: distinct } } }
      b: { kind: table, columns: [town, duration, median(at)], sort: { field: duration }, bars: [duration], heat: [duration], highlights: [{ field: duration, when: { from: 9 }, look: bad }] }
      c: { kind: kpi, value: { field: at, aggregate: median }, spark: { field: day, timeUnit: day }, filters: [{ field: town, default: { oneOf: [city] } }] }
      d: { kind: text, text: "{{duration}} by {{ median(at) }} of {{ n }}, minutes", showIf: { filtered: town } }
      e: { kind: bar, model: others, x: { measure: minutes }, y: { field: city } }
      f: { kind: bar, x: { measure: ":of" }, y: { field: ":by" }, showIf: { parameter: of, is: [duration, n] } }
      g: { kind: image, file: city.png, alt: city, showIf: { parameter: word, is: minutes } }
`);
});

test('in another model updates only the tiles of that model', () => {
  const edits = renameReferences(read(text), 'others', renames);
  expect(edits.map(edit => edit.path.join('.'))).toEqual([
    'pages.0.tiles.e.x.measure',
    'pages.0.tiles.e.y.field',
  ]);
});

test('keeps the other field if a dimension and a measure share a name', () => {
  const measureOnly = renamesBetween(
    model({ minutes: {} }, { minutes: { expr: 'sum(minutes)' } }),
    model({ minutes: {} }, { duration: { expr: 'sum(minutes)' } }),
  );
  const edits = renameReferences(read(text), 'trips', measureOnly);
  expect(edits.filter(edit => edit.path.includes('b'))).toEqual([]);
  expect(edits.some(edit => edit.path.join('.') === 'pages.0.tiles.a.x.measure')).toBe(true);
});

test('updates translations: the filters they name, the figures in their texts', () => {
  const translation = {
    version: 1 as const,
    title: 'minutes',
    filters: { city: 'Stadt' },
    tiles: { d: { text: '{{ minutes }} Minuten' }, e: { title: 'minutes' } },
  };
  expect(renameReferencesInTexts(translation, read(text), 'trips', renames)).toEqual([
    { kind: 'rename', path: ['filters', 'city'], to: 'town' },
    { kind: 'set', path: ['tiles', 'd', 'text'], value: '{{ duration }} Minuten' },
  ]);
});
