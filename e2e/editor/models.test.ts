import { textHash } from '../../apps/server/src/state/documents/revisions.ts';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { allRead, runBelvedere, type Running } from '../running-belvedere.ts';

const trips = `version: 1
table: trips
time: day
joins:
  city: { table: cities, on: { city: code } }
dimensions:
  day: {}
  # Where it went.
  city: {}
  place: { column: city.name }
  long: { expr: "minutes > 60" }
measures:
  minutes: { expr: sum(minutes), unit: min }
`;

describe('models as texts', () => {
  let folder: string;
  let running: Running;

  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-models-'));
    for (const name of ['data', 'models']) await mkdir(path.join(folder, name));
    await writeFile(path.join(folder, 'belvedere.yaml'), 'version: 1\ntimezone: UTC\n');
    await writeFile(
      path.join(folder, 'data', 'trips.csv'),
      `day,city,minutes\n${Array.from({ length: 40 }, (_, i) => `2024-${String((i % 4) + 1).padStart(2, '0')}-${String((i % 20) + 1).padStart(2, '0')},${['A', 'B', 'C', ''][i % 4]},${i * 3}`).join('\n')}\n`,
    );
    await writeFile(path.join(folder, 'data', 'cities.csv'), 'code,name\nA,Aachen\nB,Basel\nB,Bern\n');
    await writeFile(path.join(folder, 'models', 'trips.yaml'), trips);
    running = await runBelvedere(folder);
    await allRead(running);
  });
  afterAll(async () => {
    await running?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const preview = (part: Parameters<Running['client']['previewModel']>[0]['body']['part'], text = trips) =>
    running.client.previewModel({ params: { name: 'trips' }, body: { text, part } });

  test('a dimension’s preview shows its values, nulls and distribution', async () => {
    expect(await preview({ dimension: 'city' })).toMatchObject({
      kind: 'dimension',
      type: 'text',
      rows: 40,
      distinct: 4 - 1,
      empty: 10,
      values: expect.arrayContaining([
        { value: 'A', rows: 10 },
        { value: null, rows: 10 },
      ]),
    });
    expect(await preview({ dimension: 'long' })).toMatchObject({
      type: 'boolean',
      values: [
        { value: false, rows: 21 },
        { value: true, rows: 19 },
      ],
    });
    const day = await preview({ dimension: 'day' });
    if (day.kind !== 'dimension') throw new Error('another kind');
    expect([day.min, day.max]).toEqual([Date.UTC(2024, 0, 1), Date.UTC(2024, 3, 20)]);
    expect(day.histogram!.reduce((sum, bar) => sum + bar.rows, 0)).toBe(40);
  });

  test('a measure’s preview shows its figure and time series, also of unsaved text', async () => {
    expect(await preview({ measure: 'minutes' })).toMatchObject({
      kind: 'measure',
      type: 'integer',
      value: (39 * 40 * 3) / 2,
    });
    const longest = await preview({ measure: 'longest' }, `${trips}  longest: { expr: max(minutes) }\n`);
    expect(longest).toMatchObject({ value: 117 });
    if (longest.kind !== 'measure') throw new Error('another kind');
    expect(Math.max(...longest.timeSeries!.map(({ value }) => value ?? 0))).toBe(117);
  });

  test('a join’s preview shows how many rows find a match, and the duplicate keys', async () => {
    // B names two rows, so those of B are joined to nothing; C is not there.
    expect(await preview({ join: 'city' })).toEqual({
      kind: 'join',
      rows: 40,
      found: 10,
      rowsThere: 3,
      repeated: [{ key: 'B', rows: 2 }],
    });
  });

  test('an error is reported with its position, and the valid parts still work', async () => {
    const text = trips.replace('sum(minutes)', 'sum(minuets)');
    const { checked } = await running.client.putModelDraft({
      params: { name: 'trips' },
      body: { text, base: textHash(trips), after: 0 },
    });
    expect(checked.problems.find(problem => problem.path === 'measures.minutes.expr')).toMatchObject({
      line: 13,
      suggestion: 'minutes',
      message: 'There is no column `minuets`; did you mean `minutes`? (at character 5 of `sum(minuets)`)',
    });
    expect(checked.dimensions).toEqual({ day: 'date', city: 'text', place: 'text', long: 'boolean' });
    expect(checked.joins).toEqual({ city: { isKeyed: false } });
    // Stored outside of the workspace.
    expect((await running.client.getModelText({ params: { name: 'trips' } })).draft).toMatchObject({
      text,
      version: 1,
      baseHash: textHash(trips),
    });
    expect(await preview({ measure: 'minutes' })).toMatchObject({ value: 2340 });
    await running.client.dropModelDraft({ params: { name: 'trips' } });
    expect((await running.client.getModelText({ params: { name: 'trips' } })).draft).toBeUndefined();
  });

  test('a save names its base, and never overwrites unseen changes', async () => {
    const base = textHash(trips);
    const one = trips.replace('# Where it went.', '# Where it went to.');
    const { hash } = await running.client.saveModelText({
      params: { name: 'trips' },
      body: { text: one },
      ifMatch: base,
    });
    expect(hash).toBe(textHash(one));
    expect(await readFile(path.join(folder, 'models', 'trips.yaml'), 'utf8')).toBe(one);
    await expect(
      running.client.saveModelText({ params: { name: 'trips' }, body: { text: trips }, ifMatch: base }),
    ).rejects.toMatchObject({ problem: { type: 'revision-conflict' } });
    await running.client.saveModelText({ params: { name: 'trips' }, body: { text: trips }, ifMatch: hash });
  });

  test('a draft survives another save of the file, and ends with its own save', async () => {
    const { hash } = await running.client.getModelText({ params: { name: 'trips' } });
    const draft = `${trips}  longest: { expr: max(minutes) }\n`;
    const { version } = await running.client.putModelDraft({
      params: { name: 'trips' },
      body: { text: draft, base: hash!, after: 0 },
    });
    // As the SQL screen does, or Explore with a dashboard.
    const other = await running.client.saveModelText({
      params: { name: 'trips' },
      body: { text: trips.replace('# Where it went.', '# Elsewhere.') },
      ifMatch: hash!,
    });
    expect((await running.client.getModelText({ params: { name: 'trips' } })).draft).toMatchObject({
      text: draft,
      version,
    });
    const own = await running.client.saveModelText({
      params: { name: 'trips' },
      body: { text: trips, draft: version },
      ifMatch: other.hash,
    });
    expect(own.hash).toBe(textHash(trips));
    expect((await running.client.getModelText({ params: { name: 'trips' } })).draft).toBeUndefined();
  });

  test('a rename optionally updates the dashboards that use the name, their translations too', async () => {
    const { client } = running;
    const file = (name: string) => readFile(path.join(folder, 'dashboards', name), 'utf8');
    await mkdir(path.join(folder, 'dashboards'), { recursive: true });
    const text =
      'version: 1\ntitle: Along   # as it was\nmodel: trips\nfilters: [{ field: city }]\npages:\n  - title: One\n    tiles:\n      all: { kind: kpi, value: { measure: minutes } }\n      said: { kind: text, text: "{{ minutes }}" }\n';
    await writeFile(path.join(folder, 'dashboards', 'along.yaml'), text);
    await writeFile(
      path.join(folder, 'dashboards', 'along.de.yaml'),
      'version: 1\nfilters: { city: Stadt }\n',
    );
    await writeFile(
      path.join(folder, 'dashboards', 'else.yaml'),
      'version: 1\ntitle: Else\npages:\n  - title: One\n    tiles:\n      all: { kind: kpi, model: cities, value: { measure: rows } }\n',
    );
    await expect.poll(() => running.server.store.current.dashboards.get('along')?.state).toBe('ready');
    const renamed = trips
      .replace('  minutes: { expr', '  duration: { expr')
      .replace('  city: {}', '  town: { column: city }');
    const base = textHash(trips);
    expect(await client.findModelRenames({ params: { name: 'trips' }, body: { text: renamed } })).toEqual({
      renames: [
        { section: 'dimensions', from: 'city', to: 'town' },
        { section: 'measures', from: 'minutes', to: 'duration' },
      ],
      dashboards: [{ id: 'along', title: 'Along' }],
    });
    const { hash, left } = await client.saveModelText({
      params: { name: 'trips' },
      body: { text: renamed, follow: true },
      ifMatch: base,
    });
    expect(left).toEqual([]);
    const followed = text
      .replace('field: city', 'field: town')
      .replace('measure: minutes', 'measure: duration')
      .replace('{{ minutes }}', '{{ duration }}');
    expect(await file('along.yaml')).toBe(followed);
    expect(await file('along.de.yaml')).toContain('filters: { town: Stadt }');
    expect(running.server.store.current.dashboards.get('along')).toMatchObject({
      state: 'ready',
      problems: [],
    });
    const { revisions } = await client.listRevisions({ params: { id: 'along' } });
    expect(revisions[0]).toMatchObject({ message: 'trips: minutes → duration, city → town' });
    // The user declines the update; the dashboard then reports the missing name.
    await client.saveModelText({ params: { name: 'trips' }, body: { text: trips }, ifMatch: hash });
    expect(await file('along.yaml')).toBe(followed);
    expect(
      running.server.store.current.dashboards
        .get('along')!
        .problems.map(({ message }) => message)
        .join(),
    ).toContain('`duration`: unknown measure');
    await rm(path.join(folder, 'dashboards'), { recursive: true });
  });

  test('an inferred model has a text too, and becomes a file when it is saved', async () => {
    const guessed = await running.client.getModelText({ params: { name: 'cities' } });
    expect(guessed).toMatchObject({
      file: 'models/cities.yaml',
      checked: { problems: [], dimensions: { code: 'text', name: 'text' } },
    });
    expect(guessed.hash).toBeUndefined();
    const { version } = await running.client.putModelDraft({
      params: { name: 'cities' },
      body: { text: `${guessed.text}# mine\n`, after: 0 },
    });
    await running.client.putModelDraft({
      params: { name: 'cities' },
      body: { text: `${guessed.text}# mine!\n`, after: version },
    });
    await running.client.saveModelText({
      params: { name: 'cities' },
      body: { text: `${guessed.text}# mine!\n` },
    });
    expect(await readFile(path.join(folder, 'models', 'cities.yaml'), 'utf8')).toContain('# mine!');
    expect((await running.client.getModelText({ params: { name: 'cities' } })).hash).toBeDefined();
    expect(
      (await running.client.listModels({})).models.find(model => model.name === 'cities')?.isGuessed,
    ).toBe(false);
  });

  test('an unknown model cannot be read or drafted, nor an unknown measure or table previewed', async () => {
    for (const name of ['../belvedere', 'nobody', 'Trips']) {
      await expect(running.client.getModelText({ params: { name } })).rejects.toMatchObject({
        problem: { status: 404 },
      });
      await expect(
        running.client.putModelDraft({ params: { name }, body: { text: trips, after: 0 } }),
      ).rejects.toMatchObject({ problem: { status: 404 } });
    }
    await expect(preview({ measure: 'nothing' })).rejects.toMatchObject({ problem: { status: 404 } });
    await expect(preview({ measure: 'minutes' }, 'version: 1\ntable: nowhere\n')).rejects.toMatchObject({
      problem: { type: 'document-invalid' },
    });
  });

  test('default filters apply unless their field has another filter, and are labelled as the model’s', async () => {
    const ask = (where: Record<string, { oneOf: string[] } | { below: number }>) =>
      running.client
        .postQuery({ params: { name: 'bound' }, body: { measures: ['rows'], where } })
        .then(({ rows }) => rows[0]![0]);
    await writeFile(
      path.join(folder, 'models', 'bound.yaml'),
      'version: 1\ntable: trips\ndimensions: { city: {}, minutes: {} }\nfilters: { city: { noneOf: [A] } }\n',
    );
    await mkdir(path.join(folder, 'dashboards'), { recursive: true });
    await writeFile(
      path.join(folder, 'dashboards', 'bound.yaml'),
      'version: 1\ntitle: Bound\nmodel: bound\npages:\n  - title: One\n    tiles:\n      all: { kind: kpi, value: { measure: rows } }\n',
    );
    await expect.poll(() => running.server.store.current.dashboards.get('bound')?.state).toBe('ready');
    expect([
      await ask({}),
      await ask({ city: { oneOf: ['A', 'B'] } }),
      await ask({ minutes: { below: 6 } }),
    ]).toEqual([30, 20, 1]);
    const explain = (filters: object, locale?: string) =>
      running.client.explainTile({
        params: { id: 'bound', tile: 'all' },
        body: {
          state: { page: 0, filters: filters as Record<string, null>, selections: {} },
          ...(locale && { locale }),
        },
      });
    expect(await explain({})).toMatchObject({
      value: 30,
      filters: [{ from: 'model', text: expect.stringContaining('A') }],
    });
    expect(await explain({}, 'de-AT')).toMatchObject({
      question: 'Rows, wo nicht (City ist A)',
      source: 'die Tabelle trips, aus Dateien gelesen',
      filters: [{ text: 'nicht (City ist A)' }],
    });
    await writeFile(
      path.join(folder, 'models', 'bound.yaml'),
      'version: 1\ntable: trips\ndimensions: { city: { description: Where it began }, minutes: {} }\nmeasures: { rows: { expr: count(*), description: Trips that were not broken off } }\nfilters: { city: { noneOf: [A] } }\n',
    );
    await expect
      .poll(() => explain({}).then(({ measure }) => measure))
      .toMatchObject({ expression: 'count(*)', description: 'Trips that were not broken off' });
    // The user chooses to update all of them.
    expect(await explain({ city: null })).toMatchObject({ value: 40, filters: [] });
  });

  test('`currency` is the workspace’s, in models and in dashboards, unless a format names another', async () => {
    await writeFile(path.join(folder, 'belvedere.yaml'), 'version: 1\ntimezone: UTC\ncurrency: EUR\n');
    await writeFile(
      path.join(folder, 'models', 'priced.yaml'),
      'version: 1\ntable: trips\ndimensions: { city: {} }\nmeasures: { paid: { expr: sum(minutes), format: currency }, abroad: { expr: sum(minutes), format: "currency:JPY" } }\n',
    );
    await mkdir(path.join(folder, 'dashboards'), { recursive: true });
    const text =
      'version: 1\ntitle: Priced\nmodel: priced\npages:\n  - title: One\n    tiles:\n      a: { kind: kpi, value: { measure: rows, format: currency } }\n';
    await writeFile(path.join(folder, 'dashboards', 'priced.yaml'), text);
    await expect
      .poll(() => running.server.store.current.models.get('priced')?.model.measures['paid']?.format)
      .toBe('currency:EUR');
    expect(
      (await running.client.getModel({ params: { name: 'priced' } })).measures.map(({ format }) => format),
    ).toEqual(['currency:EUR', 'currency:JPY', 'integer']);
    expect(
      (await running.client.getDashboard({ params: { id: 'priced' }, query: {} })).document!.pages[0]!.tiles[
        'a'
      ],
    ).toMatchObject({ value: { format: 'currency:EUR' } });
    // The text stays as it was written.
    expect((await running.client.getDashboardText({ params: { id: 'priced' } })).text).toBe(text);
  });

  test('hierarchies consist of existing dimensions', async () => {
    const text =
      'version: 1\ntable: trips\ndimensions: { city: {}, day: {} }\nhierarchies: { place: [city, day], wrong: [city, street] }\nfilters: { town: { oneOf: [A] } }\n';
    await writeFile(path.join(folder, 'models', 'levels.yaml'), text);
    await expect
      .poll(async () =>
        (await running.client.getModelText({ params: { name: 'levels' } })).checked.problems.map(
          problem => `${problem.path} ${problem.line}`,
        ),
      )
      .toEqual(['hierarchies.wrong 4', 'filters.town 5']);
    expect((await running.client.getModel({ params: { name: 'levels' } })).hierarchies).toEqual([
      ['city', 'day'],
    ]);
  });

  test('a source lists its tables and columns', async () => {
    const { tables } = await running.client.getSchema({ params: { name: 'files' } });
    expect(tables.find(table => table.name === 'cities')).toEqual({
      name: 'cities',
      rows: 3,
      columns: [
        { name: 'code', type: 'text' },
        { name: 'name', type: 'text' },
      ],
    });
    await expect(running.client.getSchema({ params: { name: 'nowhere' } })).rejects.toMatchObject({
      problem: { status: 404 },
    });
  });
});
