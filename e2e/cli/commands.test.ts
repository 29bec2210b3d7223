import { execFile, spawnSync } from 'node:child_process';
import { link, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ChannelRecords } from '../../apps/server/src/state/messages/channels.ts';
import { openStateDatabase } from '../../apps/server/src/state/database/state-database.ts';
import { project, startCli } from '../browser.ts';
import { startHostileListener, type HostileListener } from '../servers/hostile-listener.ts';

let folder: string;
/** The output of a command, without its lines about progress, which depend on how busy the machine is. */
const belvedere = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [path.join(project, 'apps', 'cli', 'src', 'main.ts'), ...args],
    { encoding: 'utf8' },
  );
  return {
    status,
    out: stdout.trim(),
    err: stderr.replaceAll(/^(Importing|Connecting|Querying) .* …$\n?/gm, '').trim(),
  };
};
const put = async (file: string, text: string) => {
  await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
  await writeFile(path.join(folder, file), text);
};

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-commands-'));
  await put('belvedere.yaml', 'version: 1\ntitle: Small\n');
  await put('data/small.csv', 'day,colour,size\n2024-01-01,red,1\n2024-01-02,blue,2\n');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('`new` creates a dashboard’s file, and never overwrites one', async () => {
  expect(belvedere('new', 'team/first', folder, '--model', 'small')).toMatchObject({
    status: 0,
    out: 'dashboards/team/first.yaml',
  });
  expect(await readFile(path.join(folder, 'dashboards/team/first.yaml'), 'utf8')).toMatch(
    /^# yaml-language-server: \$schema=..\/..\/.belvedere\/schema\/dashboard.json\nversion: 1\ntitle: first\nmodel: small\n/,
  );
  expect(
    JSON.parse(await readFile(path.join(folder, '.belvedere/schema/dashboard.json'), 'utf8')),
  ).toHaveProperty('properties.pages');
  expect(belvedere('new', 'team/first', folder)).toMatchObject({
    status: 1,
    err: expect.stringContaining('`dashboards/team/first.yaml` already exists.') as string,
  });
  expect(belvedere('new', 'second', folder, '--model', 'smal')).toMatchObject({
    status: 1,
    err: expect.stringContaining('did you mean `small`?') as string,
  });
  expect(belvedere('new', '../out', folder)).toMatchObject({ status: 1 });
});

test('`check` reports errors as file:line:column and fails; valid documents pass, with their queries too', async () => {
  expect(belvedere('check', folder, '--run')).toMatchObject({
    status: 0,
    out: '',
    err: '2 documents, 0 errors',
  });
  await put(
    'dashboards/wrong.yaml',
    'version: 1\ntitle: Wrong\nmodel: small\npages:\n  - title: A\n    tiles:\n      a: { kind: kpi, value: { measure: rowz } }\n      b: { kind: kpj }\n',
  );
  expect(belvedere('check', folder)).toMatchObject({
    status: 1,
    out: expect.stringMatching(
      /^dashboards\/wrong\.yaml:8:12: `kpj` is not one of .*did you mean `kpi`\?$/,
    ) as string,
  });
  await put(
    'dashboards/wrong.yaml',
    'version: 1\ntitle: Wrong\nmodel: small\npages:\n  - title: A\n    tiles:\n      a: { kind: kpi, value: { measure: rowz } }\n',
  );
  expect(belvedere('check', folder).out).toMatch(/^dashboards\/wrong\.yaml:7:32: .*did you mean `rows`\?$/);
  await put(
    'dashboards/wrong.yaml',
    'version: 1\ntitle: Wrong\nmodel: small\npages:\n  - title: A\n    tiles:\n      all: { kind: kpi, value: { measure: rows } }\n      b: { kind: kpi, value: { measure: rows }, listens: [al] }\n',
  );
  expect(belvedere('check', folder).out).toMatch(
    /^dashboards\/wrong\.yaml:8:\d+: There is no tile `al`; did you mean `all`\?$/,
  );
  const parameters = (lines: string, tile: string) =>
    put(
      'dashboards/wrong.yaml',
      `version: 1\ntitle: Wrong\nmodel: small\nparameters:\n  ${lines}\npages:\n  - title: A\n    tiles:\n      a: ${tile}\n`,
    );
  await parameters(
    'by: { kind: field, options: [colour, colur] }',
    "{ kind: bar, x: { field: ':by' }, y: { measure: rows } }",
  );
  expect(belvedere('check', folder).out).toMatch(
    /^dashboards\/wrong\.yaml:5:\d+: .*`colur`.*did you mean `colour`\?$/,
  );
  await parameters(
    'by: { kind: field, options: [colour] }',
    "{ kind: bar, x: { field: ':bye' }, y: { measure: rows } }",
  );
  expect(belvedere('check', folder).out).toMatch(
    /^dashboards\/wrong\.yaml:9:\d+: There is no parameter `bye`; did you mean `by`\?$/,
  );
  await parameters(
    'by: { kind: field, options: [colour] }',
    '{ kind: text, text: hello, showIf: { parameter: buy, is: colour } }',
  );
  expect(belvedere('check', folder).out).toMatch(
    /^dashboards\/wrong\.yaml:9:\d+: There is no parameter `buy`; did you mean `by`\?$/,
  );
  await parameters(
    'by: { kind: field, options: [colour, day] }',
    "{ kind: bar, x: { field: ':by' }, y: { measure: rows }, showIf: { notSelected: a } }",
  );
  expect(belvedere('check', folder, '--run')).toMatchObject({ status: 0, out: '' });
  await rm(path.join(folder, 'dashboards/wrong.yaml'));
});

test('`check` warns of files that look like documents but are not read, and names the folder that was probably meant', async () => {
  const own = await mkdtemp(path.join(os.tmpdir(), 'belvedere-unread-'));
  for (const name of ['data', 'models', 'queries', 'dashbord', 'docs', '.github'])
    await mkdir(path.join(own, name));
  await writeFile(path.join(own, 'data', 'small.csv'), 'a,b\n1,x\n');
  await writeFile(path.join(own, 'data', 'notes.yaml'), 'a: 1\n');
  await writeFile(path.join(own, 'docs', 'linked.csv'), 'a,b\n1,x\n');
  await link(path.join(own, 'docs', 'linked.csv'), path.join(own, 'data', 'linked.csv'));
  for (const name of [
    'queries/late.yaml',
    'dashbord/sales.yaml',
    'docs/notes.md',
    '.github/ci.yaml',
    'belvedere.yml',
    'models/readme.txt',
  ])
    await writeFile(path.join(own, name), 'version: 1\n');
  const { status, out, err } = belvedere('check', own);
  expect(out.split('\n')).toEqual([
    expect.stringMatching(/^belvedere\.yml: warning: .*did you mean `belvedere\.yaml`\?$/),
    expect.stringMatching(/^dashbord\/sales\.yaml: warning: .*did you mean `dashboards`\?$/),
    expect.stringMatching(/^models\/readme\.txt: warning: .*`models\/`/),
    expect.stringMatching(
      /^queries\/late\.yaml: warning: This file is not used: documents belong in `access\/`, `alerts\/`, .*\.$/,
    ),
    expect.stringMatching(/^docs: warning: `docs` outside of `data` is not imported\. .*`data: \.`/),
    expect.stringMatching(/^data\/linked\.csv: warning: This file was not imported\. .*hard link/),
  ]);
  expect([status, err]).toEqual([0, '0 documents, 0 errors, 6 warnings']);
  await rm(own, { recursive: true, force: true });
});

test('`check` knows recipients where there is a state database', async () => {
  const own = await mkdtemp(path.join(os.tmpdir(), 'belvedere-recipients-'));
  await mkdir(path.join(own, 'alerts'));
  await mkdir(path.join(own, 'data'));
  await writeFile(path.join(own, 'belvedere.yaml'), 'version: 1\n');
  await writeFile(path.join(own, 'data/small.csv'), 'day,size\n2024-01-01,1\n2024-01-02,2\n');
  await writeFile(
    path.join(own, 'alerts/size.yaml'),
    'version: 1\ntitle: Size\nwatch: { model: small, measure: rows }\nwhen: { above: 5 }\n' +
      'notify:\n  - { user: ana@example.org }\n  - { channel: opz }\n',
  );
  expect(belvedere('check', own)).toMatchObject({ status: 0, out: '' });
  const state = await openStateDatabase({ folder: path.join(own, '.belvedere') });
  const limits = { perHour: 60, groupSeconds: 0 };
  const target = { kind: 'mail', addresses: [] } as const;
  const channel = { id: '1', name: 'ops', target, sealedSecret: '', limits, createdAt: '2026-01-01' };
  await new ChannelRecords(state).add(channel);
  await state.close();
  expect(belvedere('check', own)).toMatchObject({
    status: 1,
    out: 'alerts/size.yaml:7:7: Unknown channel `opz`; did you mean `ops`?',
  });
  await rm(own, { recursive: true });
});

test('`check` runs the SQL of models', async () => {
  const model = (sql: string) =>
    put('models/counted.yaml', `version: 1\nsql: ${sql}\ndimensions: { colour: {} }\n`);
  await model('select colour, count(*) as n from small group by colour');
  expect(belvedere('check', folder)).toMatchObject({ status: 0, err: '3 documents, 0 errors' });
  await model('select colour from smal');
  expect(belvedere('check', folder)).toMatchObject({
    status: 1,
    out: expect.stringMatching(/^models\/counted\.yaml:2:1: .*smal/) as string,
  });
  await rm(path.join(folder, 'models/counted.yaml'));
});

test('`check --run` tests the row policies', async () => {
  await put(
    'models/small.yaml',
    'version: 1\ntable: small\ndimensions: { day: {}, colour: {}, size: {} }\nmeasures: { sum_size: { expr: sum(size) } }\npolicies:\n  - { name: own, groups: [painters], where: colour = :user.colour, hide: [size] }\n',
  );
  const tests = (one: string) =>
    put(
      'tests/painters.yaml',
      `version: 1\npeople:\n  ana: { groups: [painters], attributes: { colour: red } }\n  ben: {}\ntests:\n  - ${one}\n`,
    );
  for (const right of [
    '{ as: ana, model: small, rows: 1, of: 2, hidden: [size] }',
    '{ as: ben, model: small, rows: 0 }',
  ]) {
    await tests(right);
    expect(belvedere('check', folder, '--run')).toMatchObject({ status: 0, out: '' });
  }
  await tests('{ as: ana, model: small, rows: 2, of: 3, hidden: [colour] }');
  expect(belvedere('check', folder)).toMatchObject({ status: 0 });
  expect(belvedere('check', folder, '--run').out.split('\n')).toEqual([
    'tests/painters.yaml:6:30: ana sees 1 of the 2 rows of `small`, not 2.',
    'tests/painters.yaml:6:39: `small` has 2 rows, not 3.',
    'tests/painters.yaml:6:46: ana sees `colour` of `small`.',
  ]);
  await tests('{ as: anna, model: smal, rows: 2 }');
  expect(belvedere('check', folder).out.split('\n')).toEqual([
    expect.stringMatching(
      /^tests\/painters\.yaml:6:7: Unknown user `anna` in `people`; did you mean `ana`\?$/,
    ),
    expect.stringMatching(/^tests\/painters\.yaml:6:17: There is no model `smal`; did you mean `small`\?$/),
  ]);
  await rm(path.join(folder, 'tests'), { recursive: true });
  await rm(path.join(folder, 'models/small.yaml'));
});

test('`fmt` formats documents; `--check` only lists the unformatted ones', async () => {
  await put(
    'dashboards/loose.yaml',
    '# kept\nversion: 1\ntitle: Loose\npages:\n    - title: A\n      tiles: {a: {kind: text,text: hello,at: [ 0,0,6,3 ]}}\n',
  );
  expect(belvedere('fmt', '--check', folder)).toMatchObject({ status: 1, out: 'dashboards/loose.yaml' });
  expect(belvedere('fmt', folder)).toMatchObject({ status: 0, out: 'dashboards/loose.yaml' });
  expect(await readFile(path.join(folder, 'dashboards/loose.yaml'), 'utf8')).toBe(
    '# kept\nversion: 1\ntitle: Loose\npages:\n  - title: A\n    tiles: { a: { kind: text, text: hello, at: [0, 0, 6, 3] } }\n',
  );
  expect(belvedere('fmt', '--check', folder)).toMatchObject({ status: 0, out: '' });
});

test('`migrate` updates documents to the current version, and changes nothing else; `--check` only lists the outdated ones', async () => {
  const text = '# kept\ntitle: Old # and this\npages: [{ title: A, tiles: {} }]\n';
  await put('dashboards/old.yaml', text);
  expect(belvedere('check', folder).out).toContain('dashboards/old.yaml:1:1: `version` is missing');
  expect(belvedere('migrate', '--check', folder)).toMatchObject({ status: 1, out: 'dashboards/old.yaml' });
  expect(await readFile(path.join(folder, 'dashboards/old.yaml'), 'utf8')).toBe(text);
  expect(belvedere('migrate', folder)).toMatchObject({ status: 0, out: 'dashboards/old.yaml' });
  expect(await readFile(path.join(folder, 'dashboards/old.yaml'), 'utf8')).toBe(
    `# kept\nversion: 1\n${text.slice('# kept\n'.length)}`,
  );
  expect(belvedere('migrate', '--check', folder)).toMatchObject({ status: 0, out: '' });
  expect(belvedere('check', folder).out).not.toContain('old.yaml');
});

test('the sample workspace is formatted, and free of errors', () => {
  expect(belvedere('fmt', '--check', path.join(project, 'samples', 'workspace'))).toMatchObject({
    status: 0,
    out: '',
  });
});

describe('`ask`', () => {
  test('returns columns, CSV or JSON, and reports that there are more rows', () => {
    expect(
      belvedere(
        'ask',
        'small',
        folder,
        '--measures',
        'rows,sum(size)',
        '--by',
        'colour',
        '--order',
        '-sum(size)',
      ),
    ).toMatchObject({
      status: 0,
      err: '',
      out: 'Colour  Rows  Sum of size\n──────  ────  ───────────\nblue       1            2\nred        1            1',
    });
    expect(
      belvedere(
        'ask',
        'small',
        folder,
        '-m',
        'rows',
        '-b',
        'day:month,colour',
        '-w',
        'size>=1',
        '-w',
        'size<2',
        '--csv',
      ).out,
    ).toBe('day,colour,rows\r\n2024-01-01T00:00:00,red,1');
    const { status, out, err } = belvedere(
      'ask',
      'small',
      folder,
      '-m',
      'rows',
      '-b',
      'colour',
      '--limit',
      '1',
      '--json',
    );
    expect({ status, err, answer: JSON.parse(out) as unknown }).toEqual({
      status: 0,
      err: '',
      answer: {
        columns: [
          { name: 'colour', label: 'Colour', type: 'text' },
          { name: 'rows', label: 'Rows', type: 'integer', format: 'integer' },
        ],
        rows: [['blue', 1]],
        total: 2,
      },
    });
    expect(
      belvedere('ask', 'small', folder, '-m', 'rows', '-b', 'colour', '--limit', '1', '--offset', '1'),
    ).toMatchObject({
      out: expect.stringMatching(/red +1$/) as string,
      err: '1 of 2 rows. Use --limit and --offset for more.',
    });
  });

  test('uses the current files, whenever they were last imported', async () => {
    await put('data/small.csv', 'day,colour,size\n2024-01-01,red,1\n2024-01-02,blue,2\n2024-01-03,blue,3\n');
    expect(belvedere('ask', 'small', folder, '-m', 'rows', '--csv').out).toBe('rows\r\n3');
    await put('data/small.csv', 'day,colour,size\n2024-01-01,red,1\n2024-01-02,blue,2\n');
    expect(belvedere('ask', 'small', folder, '-m', 'rows', '--csv').out).toBe('rows\r\n2');
  });

  test('shows a user’s view, by the policies of the model', async () => {
    await put(
      'models/small.yaml',
      'version: 1\ntable: small\ndimensions: { colour: {}, size: {} }\npolicies:\n  - { name: own, groups: [painters], where: colour = :user.colour, hide: [size] }\n',
    );
    await put(
      'tests/painters.yaml',
      'version: 1\npeople:\n  ana: { groups: [painters], attributes: { colour: red } }\n',
    );
    expect(belvedere('ask', 'small', folder, '-m', 'rows', '-b', 'colour', '--as', 'ana', '--csv').out).toBe(
      'colour,rows\r\nred,1',
    );
    expect(belvedere('ask', 'small', folder, '-m', 'rows', '-b', 'size', '--as', 'ana')).toMatchObject({
      status: 1,
      err: expect.stringContaining('size') as string,
    });
    expect(belvedere('ask', 'small', folder, '-m', 'rows', '--as', 'anna')).toMatchObject({
      status: 1,
      err: expect.stringContaining('did you mean `ana`?') as string,
    });
    await rm(path.join(folder, 'tests'), { recursive: true });
    await rm(path.join(folder, 'models'), { recursive: true });
  });

  test('has the time limit of exports, not that of pages', async () => {
    await put(
      'models/endless.yaml',
      'version: 1\nsql: select a.range as n from range(1000000000) a, range(1000000000) b where a.range * b.range % 7 = 3\ndimensions: { n: {} }\n',
    );
    await put(
      'belvedere.yaml',
      'version: 1\ntitle: Small\nlimits: { questionTime: 1 second, exportTime: 2 seconds }\n',
    );
    expect(belvedere('ask', 'endless', folder, '-m', 'rows')).toMatchObject({
      status: 1,
      out: '',
      err: expect.stringContaining('after 2 s') as string,
    });
    await put('belvedere.yaml', 'version: 1\ntitle: Small\n');
    await rm(path.join(folder, 'models'), { recursive: true });
  });

  test.each([
    [
      ['small'],
      'Choose at least one measure (`rows`) or dimension (`day`, `colour`, `size`, `weekday`, `month_of_year`).',
    ],
    [['smal', '-m', 'rows'], 'No model `smal`; did you mean `small`?'],
    [['small', '-m', 'rowz'], 'did you mean `rows`?'],
    [['small', '-m', 'rows', '-w', 'colur=red'], 'did you mean `colour`?'],
    [['small', '-m', 'rows', '-w', 'size=much'], '`size` is a number, so `much` does not apply.'],
  ])('%j fails with an explanation', ([model, ...words], said) => {
    expect(belvedere('ask', model!, folder, ...words)).toMatchObject({
      status: 1,
      out: '',
      err: expect.stringContaining(said) as string,
    });
  });
});

describe('`render`', () => {
  test('draws the state of an address into a folder, a file or a pipe', async () => {
    const csv = 'Day,Rows\r\n2024-01-01,1';
    for (const state of [
      'http://127.0.0.1:4600/d/overview/small?f.colour=%5B%22red%22%5D',
      '?f.colour=["red"]',
      '{"filters":{"colour":{"oneOf":["red"]}}}',
    ]) {
      expect(
        belvedere('render', 'overview/small', folder, '--format', 'csv', '--out', '-', '--state', state),
      ).toMatchObject({ status: 0, out: csv });
    }
    expect(
      belvedere('render', 'overview/small', folder, '--format', 'csv', '--out', '-', '-w', 'colour=red'),
    ).toMatchObject({ status: 0, out: csv });
    const out = await mkdtemp(path.join(os.tmpdir(), 'belvedere-drawn-'));
    expect(
      JSON.parse(
        belvedere('render', 'overview/small', folder, '--format', 'svg', '--out', out, '--json').out,
      ),
    ).toEqual({ file: path.join(out, 'Small.svg') });
    expect(await readFile(path.join(out, 'Small.svg'), 'utf8')).toMatch(/^<svg /);
    const named = path.join(out, 'named.SVG');
    expect(belvedere('render', 'overview/small', folder, '--out', named).status).toBe(0);
    expect(await readFile(named, 'utf8')).toMatch(/^<svg /);
    await rm(out, { recursive: true });
  });

  test.each([
    [['overview/smal'], 'did you mean `overview/small`?'],
    [['overview/small', '-w', 'colur=red'], '`overview/small` has no field `colur`; did you mean `colour`?'],
    [['overview/small', '--page', '9'], '`overview/small` has one page: there is no page 9.'],
    [['overview/small', '--tile', 'none'], 'Tile `none` not found on this page.'],
    [['overview/small', '--state', '{'], 'Invalid `state`: not JSON.'],
    [['overview/small', '--state', '{"filters":3}'], '`filters`'],
    [['overview/small', '--state', '?f.colour=red'], 'Part of the `state` is invalid'],
    [['overview/small', '--out', path.join('no', 'such', 'x.pdf')], 'so cannot write `x.pdf`.'],
  ])('%j fails with an explanation', ([dashboard, ...words], said) => {
    expect(belvedere('render', dashboard!, folder, ...words)).toMatchObject({
      status: 1,
      out: '',
      err: expect.stringContaining(said) as string,
    });
  });
});

test.each([
  'postgres:/host-canary',
  'mysql://user:pass-canary@host/d',
  'postgres://u:pass-canary@h/d?schema=A-B',
])('the invalid state address %s is refused without being quoted', address => {
  const { status, out, err } = belvedere('render', 'overview/small', folder, '--state-url', address);
  expect([status, out]).toEqual([1, '']);
  expect(err).toMatch(/^Invalid .*--state-url/);
  expect(err).not.toContain('canary');
});

test('commands also work while the folder is open in Belvedere, on event notes too', async () => {
  const cli = await startCli([folder]);
  expect(belvedere('check', folder)).toMatchObject({ status: 0 });
  expect(belvedere('ask', 'small', folder, '-m', 'rows', '--csv').out).toBe('rows\r\n2');
  expect(belvedere('render', 'overview/small', folder, '--format', 'csv', '--out', '-')).toMatchObject({
    status: 0,
  });
  expect(belvedere(folder, '--no-open', '--port', '0', '--json')).toMatchObject({
    status: 1,
    out: '',
    err: expect.stringMatching(/^\{"type":"folder-held",/) as string,
  });
  await cli.stop();
});

describe('output for programs', () => {
  test('is JSON: results on stdout, errors on stderr', () => {
    expect(JSON.parse(belvedere('check', folder, '--json').out)).toEqual({
      documents: expect.any(Number) as number,
      problems: expect.any(Array) as unknown[],
      warnings: expect.any(Array) as unknown[],
    });
    expect(JSON.parse(belvedere('fmt', '--check', folder, '--json').out)).toEqual({
      changed: expect.any(Array) as unknown[],
      isWritten: false,
    });
    const { status, out, err } = belvedere('ask', 'smal', folder, '-m', 'rows', '--json');
    expect({ status, out, problem: JSON.parse(err) as unknown }).toEqual({
      status: 1,
      out: '',
      problem: {
        type: 'not-found',
        title: 'Not found, or not shared with you',
        detail: 'No model `smal`; did you mean `small`?',
      },
    });
  });

  test('a reader that closes the pipe after the first line causes no error', () => {
    const command = `"${process.execPath}" "${path.join(project, 'apps', 'cli', 'src', 'main.ts')}" ask small "${folder}" -m rows -b colour,size,day --csv | head -1`;
    expect(spawnSync('bash', ['-c', command], { encoding: 'utf8' })).toMatchObject({
      status: 0,
      stdout: 'colour,size,day,rows\r\n',
      // On a busy machine, any work takes long enough for a line about progress.
      stderr: expect.stringMatching(/^(Importing .* …\n)*$/) as string,
    });
  });
});

test.each([[[]], [['ask']], [['render']], [['mcp']], [['new']], [['check']], [['fmt']], [['migrate']]])(
  '%j prints its usage',
  command => {
    const { status, out } = belvedere(...command, '--help');
    expect(status).toBe(0);
    expect(out).toMatch(new RegExp(`^Usage: belvedere ${command[0] ?? ''}`));
  },
);

test.each([
  [['check', '--model', 'x'], "unknown option '--model'"],
  [['--run'], "unknown option '--run'"],
  [['check', '--port', '3'], "unknown option '--port'"],
  [['check', '--jsn'], 'Did you mean --json?'],
  [['new'], "missing required argument 'dashboard'"],
  [['fmt', 'a', 'b'], 'Expected 1 argument but got 2'],
  [['.', 'b'], 'expected one path'],
  [['--gallery', '.'], '--gallery cannot be used with a path'],
  [['--host', '0.0.0.0'], 'Other machines could connect without signing in'],
  [['--port', '70000'], 'Expected a number from 0 to 65535.'],
  [['render', 'x', '--format', 'pfd'], 'Allowed choices are png, svg,'],
  [['render', 'x', '--locale', 'xx-yy-zz-__'], 'such as de-CH'],
  [['ask', 'x', '--csv', '--json'], 'cannot be used with'],
])('%j is not understood', (args, said) => {
  expect(belvedere(...args)).toMatchObject({
    status: 2,
    out: '',
    err: expect.stringContaining(said) as string,
  });
});

test.each([
  [['chekc'], 'No such file or folder: `chekc`; did you mean `check`?'],
  [['chekc', '.'], 'did you mean `check`?'],
  [['check', 'nowhere'], 'No such file or folder: `nowhere`'],
])('%j is not found', (args, said) => {
  expect(belvedere(...args)).toMatchObject({
    status: 1,
    out: '',
    err: expect.stringContaining(said) as string,
  });
});

describe('a workspace with an unconfirmed source', () => {
  let listener: HostileListener;
  beforeAll(async () => {
    listener = await startHostileListener();
    await put(
      'sources/shop.yaml',
      `version: 1\nkind: postgres\nlabel: The shop\nconnection:\n  host: 127.0.0.1\n  port: ${listener.port}\n  database: shop\n  user: reader\n  password: \${env:HOME}\n`,
    );
    await put('models/orders.yaml', 'version: 1\nsource: shop\ntable: orders\n');
    await put(
      'dashboards/orders.yaml',
      'version: 1\ntitle: Orders\nmodel: orders\npages:\n  - title: One\n    tiles:\n      all: { kind: kpi, value: { measure: rows } }\n',
    );
  });
  afterAll(async () => {
    await listener.close();
    for (const file of ['sources/shop.yaml', 'models/orders.yaml', 'dashboards/orders.yaml'])
      await rm(path.join(folder, file));
  });
  // This process cannot listen for the end of the other one.
  const belvedere = (...args: string[]) =>
    new Promise<{ readonly status: number | null; readonly out: string; readonly err: string }>(resolve => {
      execFile(
        process.execPath,
        [path.join(project, 'apps', 'cli', 'src', 'main.ts'), ...args],
        { env: { ...process.env, XDG_STATE_HOME: path.join(folder, '..', 'belvedere-commands-state') } },
        (error, out, err) =>
          resolve({ status: error ? Number(error.code) : 0, out: out.trim(), err: err.trim() }),
      );
    });
  const would = () =>
    `The shop needs confirmation. Once confirmed, it will: Connect to 127.0.0.1:${listener.port} as reader, database shop, sending the environment variable HOME.`;

  test(
    'fails `check`, which names its address; `ask`, `render` and `new` fail on it, and work without it',
    { timeout: 240_000 },
    async () => {
      expect(await belvedere('check', folder)).toMatchObject({
        status: 1,
        out: `sources/shop.yaml:4:1: ${would()} Confirm it on its page under Data, or use --trust for one run. 1 model on it is not checked.`,
      });
      for (const args of [
        ['ask', 'orders'],
        ['render', 'overview/shop_orders'],
        ['new', 'more', '--model', 'orders'],
      ]) {
        expect(await belvedere(...args.slice(0, 2), folder, ...args.slice(2)), args.join(' ')).toMatchObject({
          status: 1,
          out: '',
          err: expect.stringContaining(would()) as string,
        });
      }
      expect(JSON.parse((await belvedere('ask', 'orders', folder, '--json')).err)).toMatchObject({
        type: 'source-unconfirmed',
      });
      expect((await belvedere('ask', 'small', folder, '-m', 'rows')).status).toBe(0);
      expect([listener.connections, listener.received]).toEqual([0, '']);
    },
  );

  test('may connect with `--trust`, in that run alone', { timeout: 60_000 }, async () => {
    await belvedere('check', folder, '--trust');
    const { connections } = listener;
    expect(connections).toBeGreaterThan(0);
    expect((await belvedere('check', folder)).out).toContain('needs confirmation');
    expect(listener.connections).toBe(connections);
  });
});
