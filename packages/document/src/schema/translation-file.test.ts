import { expect, test } from 'vitest';
import { readDocument } from '../read-document.ts';
import { strayTexts, translate, untranslated } from './translation-file.ts';

const dashboard = readDocument(
  'dashboard',
  `
version: 1
title: Flights
model: flights
filters:
  - { field: date, label: Day }
parameters:
  by: { kind: field, label: By, options: [a, b] }
  view: { kind: choice, label: As, options: [a, b] }
pages:
  - title: One
    tiles:
      lines: { kind: bar, x: { field: day }, y: { measure: flights }, references: [{ y: mean }, { y: 3, label: Target }, { y: 9, label: Most }], annotations: [{ x: 2024-03, text: A strike }, { x: 2024-04, text: Easter }] }
      total: { kind: kpi, title: All, value: { measure: flights } }
      about: { kind: text, text: Hello }
  - title: Two
    tiles:
      days: { kind: line, title: By day, subtitle: Flights, x: { field: date, axis: { title: Day of departure } }, y: { measure: flights, axis: { grid: false, title: Flights a day } }, color: { field: carrier, legend: { title: Carrier } } }
`,
  'd.yaml',
);
const german = readDocument(
  'translation',
  `
version: 1
title: Flüge
filters: { date: Tag, dat: X }
parameters: { by: Nach, bye: X }
pages: [Eins]
tiles:
  about: { text: Hallo }
  lines: { references: [Mittel, Ziel], annotations: [Ein Streik] }
  days: { title: Je Tag, axes: { y: Flüge je Tag, color: Gesellschaft } }
  dys: { title: X }
`,
  'd.de.yaml',
);
if (!dashboard.ok || !german.ok) throw new Error('the documents of this test do not read');

test('a dashboard uses its translation, and its own texts where that has none', () => {
  const translated = translate(dashboard.value, german.value);
  expect([
    translated.title,
    translated.filters?.[0]?.label,
    ...translated.pages.map(page => page.title),
  ]).toEqual(['Flüge', 'Tag', 'Eins', 'Two']);
  expect(translated.parameters).toMatchObject({
    by: { label: 'Nach', options: ['a', 'b'] },
    view: { label: 'As' },
  });
  expect(translated.pages[1]!.tiles['days']).toEqual({
    ...dashboard.value.pages[1]!.tiles['days'],
    title: 'Je Tag',
    y: { measure: 'flights', axis: { grid: false, title: 'Flüge je Tag' } },
    color: { field: 'carrier', legend: { title: 'Gesellschaft' } },
  });
  expect(translated.pages[0]!.tiles['total']).toEqual(dashboard.value.pages[0]!.tiles['total']);
});

test('named lines and bands are translated, in their order', () => {
  expect(translate(dashboard.value, german.value).pages[0]!.tiles['lines']).toMatchObject({
    references: [{ y: 'mean' }, { y: 3, label: 'Ziel' }, { y: 9, label: 'Most' }],
  });
});

test('annotations of a chart are translated', () => {
  expect(translate(dashboard.value, german.value).pages[0]!.tiles['lines']).toMatchObject({
    annotations: [
      { x: '2024-03', text: 'Ein Streik' },
      { x: '2024-04', text: 'Easter' },
    ],
  });
});

test('missing translations are listed', () => {
  expect(untranslated(dashboard.value, german.value)).toEqual([
    'parameters.view',
    'pages.1',
    'tiles.days.axes.x',
    'tiles.lines.references.2',
    'tiles.lines.annotations.1',
    'tiles.total.title',
    'tiles.days.subtitle',
  ]);
});

test('a translation of an unknown part is an error with the nearest name', () => {
  expect(strayTexts(dashboard.value, german.value).map(({ message }) => message)).toEqual([
    'The dashboard has no filter `dat`; did you mean `date`?',
    'The dashboard has no parameter `bye`; did you mean `by`?',
    'The dashboard has no tile `dys`; did you mean `days`?',
  ]);
});
