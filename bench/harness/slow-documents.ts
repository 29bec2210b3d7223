import { readDocument, type DocumentKind } from '@belvedere/document';
import { shapeNames, textOfShape } from '../../e2e/api/hostile-documents.ts';
import { randomFrom } from '../../e2e/random/random-from.ts';

/** A document made to be slow: its place in a workspace, and its text near a limit of documents. */
export interface SlowDocument {
  readonly kind: DocumentKind;
  readonly file: string;
  readonly text: string;
}

const maxCharacters = 256 * 1024;
const folders = [
  ['dashboard', 'dashboards'],
  ['model', 'models'],
  ['alert', 'alerts'],
  ['report', 'reports'],
  ['test', 'tests'],
] as const;

/**
 * Documents of repeated pieces, and documents whose every reference must be checked, in turn. Each is as large as
 * the limits of documents allow.
 */
export function slowDocuments(count: number, random: () => number): readonly SlowDocument[] {
  return Array.from({ length: count }, (_, i) => {
    const turn = Math.floor(i / 2);
    if (i % 2 === 0) {
      const [kind, folder] = folders[turn % folders.length]!;
      const shape = shapeNames[Math.floor(random() * shapeNames.length)]!;
      const seed = Math.floor(random() * 2 ** 32);
      const write = (size: number) => textOfShape(shape, size, randomFrom(seed));
      return { kind, file: `${folder}/slow${i}.yaml`, text: write(largest(kind, maxCharacters, write)) };
    }
    const { kind, folder, max, write } = checked[turn % checked.length]!;
    const text = write(largest(kind, max, write));
    const read = readDocument(kind, text, 'x.yaml');
    if (!read.ok) throw new Error(`The ${kind} ${turn} is refused: ${read.problems[0]!.message}`);
    return { kind, file: `${folder}/slow${i}.yaml`, text };
  });
}

/** Finds about the largest size of a text that is not refused as too large. */
function largest(kind: DocumentKind, max: number, write: (size: number) => string): number {
  let [from, below] = [1, max + 1];
  while (below - from > from / 50) {
    const middle = (from + below) >> 1;
    const read = readDocument(kind, write(middle), 'x.yaml');
    if (!read.ok && read.problems.some(({ code }) => code === 'document.too-large')) below = middle;
    else from = middle;
  }
  return from;
}

const repeated = (count: number, piece: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => piece(i)).join('');
const list = (count: number, piece: (i: number) => string) =>
  `[${Array.from({ length: count }, (_, i) => piece(i)).join(', ')}]`;
const long = (name: string, i: number) => `${name}_${String(i).padStart(5, '0')}`.padEnd(60, 'abc');
const maxTilesOfPage = 60;
const maxTiles = 30 * maxTilesOfPage;

function dashboard(before: string, count: number, tile: (i: number) => string): string {
  const pages = Math.ceil(count / maxTilesOfPage);
  const page = (number: number) => {
    const first = number * maxTilesOfPage;
    const tiles = repeated(Math.min(maxTilesOfPage, count - first), i => `      ${tile(first + i)}\n`);
    return `  - title: P${number}\n    tiles:\n${tiles}`;
  };
  return `version: 1\ntitle: Slow\nmodel: things\n${before}pages:\n${repeated(pages, page)}`;
}

const parameters = repeated(10, i => {
  const options = (kind: string) => `{ kind: ${kind}, options: ${list(40, n => `n${n}`)} }`;
  return `  m${i}: ${options('measure')}\n  f${i}: ${options('field')}\n`;
});

/** Documents that are valid for the parser, so that the server compares all their names with others. */
const checked: readonly {
  readonly kind: DocumentKind;
  readonly folder: string;
  readonly max: number;
  readonly write: (count: number) => string;
}[] = [
  {
    kind: 'dashboard',
    folder: 'dashboards',
    max: maxTiles,
    write: count =>
      dashboard(
        '',
        count,
        i => `t${i}: { kind: bar, x: { field: b, sort: descending }, y: { measure: rows } }`,
      ),
  },
  {
    // Every tile is checked for every option of its parameters.
    kind: 'dashboard',
    folder: 'dashboards',
    max: maxTiles,
    write: count =>
      dashboard(
        `parameters:\n${parameters}`,
        count,
        i => `t${i}: { kind: table, columns: [${repeated(10, n => `':f${n}', `)}b] }`,
      ),
  },
  {
    // Every name is compared with those of all tiles.
    kind: 'dashboard',
    folder: 'dashboards',
    max: maxTiles,
    write: count =>
      dashboard(
        '',
        count,
        i =>
          `${long('tile', i)}: { kind: text, text: x, listens: ${list(8, n => long('other', i * 8 + n))} }`,
      ),
  },
  {
    kind: 'dashboard',
    folder: 'dashboards',
    max: maxTiles,
    write: count => dashboard('', count, i => `t${i}: { kind: kpi, value: { measure: ${long('m', i)} } }`),
  },
  {
    kind: 'model',
    folder: 'models',
    max: 8000,
    write: count =>
      `version: 1\ntable: things\nmeasures:\n${repeated(count, i => `  ${long('m', i)}: { expr: sum(${long('a', i)}) }\n`)}`,
  },
  {
    // Each measure is made of two others.
    kind: 'model',
    folder: 'models',
    max: 8000,
    write: count =>
      `version: 1\ntable: things\nmeasures:\n  m0: { expr: sum(a) }\n${repeated(count, i => `  m${i + 1}: { expr: m${i} + m${i} }\n`)}`,
  },
  {
    kind: 'model',
    folder: 'models',
    max: 8000,
    write: count =>
      `version: 1\ntable: things\ndimensions:\n${repeated(count, i => `  d${i}: { expr: "${'a + '.repeat(20)}a" }\n`)}`,
  },
  {
    kind: 'model',
    folder: 'models',
    max: 4000,
    write: count =>
      `version: 1\ntable: things\nhierarchies:\n` +
      repeated(count, i => `  h${i}: ${list(8, n => long('d', i * 8 + n))}\n`) +
      `dimensions:\n${repeated(count, i => `  ${long('e', i)}: { column: b }\n`)}`,
  },
  {
    kind: 'alert',
    folder: 'alerts',
    max: 200,
    write: count =>
      `version: 1\ntitle: Slow\nwatch: { dashboard: own, tile: n }\nwhen: { above: 1 }\n` +
      `notify: ${list(count, i => `{ user: u${i}@example.org }`)}\n`,
  },
  {
    kind: 'report',
    folder: 'reports',
    max: 200,
    write: count =>
      `version: 1\ntitle: Slow\ndashboard: own\nschedule: { at: '08:00' }\nto: ${list(count, i => `{ user: u${i}@example.org }`)}\n`,
  },
];
