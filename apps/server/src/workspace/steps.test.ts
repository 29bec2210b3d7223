import { readDocument, type DocumentKind } from '@belvedere/document';
import { finish } from '@belvedere/model';
import { describe, expect, test } from 'vitest';
import { assembleInSteps, assembleWorkspace } from './assemble-workspace.ts';
import type { Documents } from './documents/read-documents.ts';
import { finishInTurns } from './steps.ts';

/** Work whose every step takes longer than a turn. */
function* longSteps(count: number, onStep: () => void) {
  for (let i = 0; i < count; i++) {
    const end = performance.now() + 25;
    while (performance.now() < end);
    onStep();
    yield;
  }
  return count;
}

test('steps that take longer than a turn let other work take turns between them', async () => {
  const order: string[] = [];
  const other = () => {
    order.push('other');
    if (order.length < 7) setImmediate(other);
  };
  setImmediate(other);
  expect(await finishInTurns(longSteps(3, () => order.push('step')))).toBe(3);
  expect(order.filter(one => one === 'step')).toHaveLength(3);
  expect(order.slice(0, order.lastIndexOf('step'))).toContain('other');
});

test('an error of a step reaches the caller', async () => {
  const failing = (function* () {
    yield;
    throw new RangeError('no');
  })();
  await expect(finishInTurns(failing)).rejects.toThrow('no');
});

describe('assembling a workspace', () => {
  const textOf = <K extends DocumentKind>(kind: K, file: string, text: string) =>
    ({ file, text, updated: '', read: readDocument(kind, text, file) }) as const;
  const tiles = (count: number, tile: (i: number) => string) =>
    `pages:\n${Array.from(
      { length: Math.ceil(count / 60) },
      (_, page) =>
        `  - title: P\n    tiles:\n${Array.from({ length: 60 }, (__, i) => `      t${page * 60 + i}: ${tile(page * 60 + i)}\n`).join('')}`,
    ).join('')}`;
  const model =
    'version: 1\ntable: things\ndimensions: { a: {}, b: {} }\nmeasures: { m: { expr: sum(a) }, n: { expr: max(a) } }\n';
  const dashboards = Object.fromEntries(
    Array.from({ length: 5 }, (_, i) => [
      `d${i}`,
      `version: 1\ntitle: D\nmodel: things\n${tiles(120, () => '{ kind: kpi, value: { measure: m } }')}`,
    ]),
  );
  const profile = {
    columns: [
      { name: 'a', type: 'integer' },
      { name: 'b', type: 'text' },
    ],
  };
  const columns = profile.columns.map(column => ({
    ...column,
    nulls: 1,
    distinct: 1,
    isDistinctExact: true,
    top: [],
  }));
  const tables = new Map([
    [
      'things',
      {
        name: 'things',
        state: 'ready',
        alias: 'things-1',
        found: { name: 'things', files: [] },
        imported: { name: 'things', columns: profile.columns, profile: { name: 'things', rows: 2, columns } },
      },
    ],
  ]) as never;
  const documents = {
    settings: {},
    declaredGrants: [],
    problems: [],
    models: new Map([['things', textOf('model', 'models/things.yaml', model)]]),
    sources: new Map(),
    tableFiles: new Map(),
    translations: new Map(),
    dashboards: new Map(
      Object.entries(dashboards).map(([id, text]) => [
        id,
        textOf('dashboard', `dashboards/${id}.yaml`, text),
      ]),
    ),
    alerts: new Map(),
    reports: new Map(),
    tests: [],
  } satisfies Documents;
  const rest = {
    revision: 1,
    skippedFiles: [],
    sources: new Map(),
    sqlTables: new Map(),
    relationships: new Map(),
    title: 'W',
    zone: 'UTC',
  };

  test('makes way at every tile and every field, and gives the same as at once', () => {
    const steps = assembleInSteps(documents, tables, rest);
    let count = 0;
    let result = steps.next();
    for (; !result.done; result = steps.next()) count++;
    // Four fields, and 120 tiles of each of five dashboards.
    expect(count).toBeGreaterThanOrEqual(4 + 5 * 120);
    const once = assembleWorkspace(documents, tables, rest);
    expect([...result.value.dashboards].map(([id, { state, problems }]) => [id, state, problems])).toEqual(
      Object.keys(dashboards).map(id => [id, 'ready', []]),
    );
    expect(JSON.stringify([...once.models])).toBe(JSON.stringify([...result.value.models]));
  });

  test('reports at most 100 problems of a document, and checks at most 2,000 options of its tiles', () => {
    const options = Array.from({ length: 40 }, (_, i) => (i === 0 ? 'a' : `none${i}`));
    const wrong = {
      unknown: tiles(600, i => `{ kind: text, text: x, listens: [other${i}] }`),
      options:
        `parameters: { f: { kind: field, options: [${options.join(', ')}] } }\n` +
        tiles(600, () => "{ kind: table, columns: [':f'] }"),
    };
    for (const [id, text] of Object.entries(wrong)) {
      const found = textOf(
        'dashboard',
        `dashboards/${id}.yaml`,
        `version: 1\ntitle: D\nmodel: things\n${text}`,
      );
      expect([id, found.read.ok]).toEqual([id, true]);
      const one = finish(
        assembleInSteps({ ...documents, dashboards: new Map([[id, found]]) }, tables, rest),
      ).dashboards.get(id)!;
      // Each wrong option is one problem, however many tiles have it.
      expect([id, one.problems.length, one.brokenTiles]).toEqual([id, id === 'unknown' ? 100 : 39, {}]);
    }
    const measures = Array.from({ length: 300 }, (_, i) => `  x${i}: { expr: sum(none${i}) }\n`).join('');
    const many = textOf('model', 'models/many.yaml', `version: 1\ntable: things\nmeasures:\n${measures}`);
    const { models } = assembleWorkspace({ ...documents, models: new Map([['many', many]]) }, tables, rest);
    expect(models.get('many')!.problems).toHaveLength(100);
  });
});
