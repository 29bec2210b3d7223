import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { project, startCli } from './browser.ts';

let folder: string;
const belvedere = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [path.join(project, 'apps', 'cli', 'src', 'main.ts'), ...args], { encoding: 'utf8' });
  return { status, out: stdout.trim(), err: stderr.trim() };
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

test('`new` begins a dashboard’s file, never over another', async () => {
  expect(belvedere('new', 'team/first', folder, '--model', 'small')).toMatchObject({ status: 0, out: 'dashboards/team/first.yaml' });
  expect(await readFile(path.join(folder, 'dashboards/team/first.yaml'), 'utf8')).toMatch(/^# yaml-language-server: .*\nversion: 1\ntitle: first\nmodel: small\n/);
  expect(belvedere('new', 'team/first', folder)).toMatchObject({ status: 1, err: expect.stringContaining('There is a file `dashboards/team/first.yaml` already') as string });
  expect(belvedere('new', 'second', folder, '--model', 'smal')).toMatchObject({ status: 1, err: expect.stringContaining('did you mean `small`?') as string });
  expect(belvedere('new', '../out', folder)).toMatchObject({ status: 1 });
});

test('`check` says what is wrong as file:line:column, and fails; what is right passes, asked too', async () => {
  expect(belvedere('check', folder, '--run')).toMatchObject({ status: 0, out: '', err: '2 documents, 0 errors' });
  await put('dashboards/wrong.yaml', 'version: 1\ntitle: Wrong\nmodel: small\npages:\n  - title: A\n    tiles:\n      a: { kind: kpi, value: { measure: rowz } }\n      b: { kind: kpj }\n');
  expect(belvedere('check', folder)).toMatchObject({ status: 1, out: expect.stringMatching(/^dashboards\/wrong\.yaml:8:12: `kpj` is not one of .*did you mean `kpi`\?$/) as string });
  await put('dashboards/wrong.yaml', 'version: 1\ntitle: Wrong\nmodel: small\npages:\n  - title: A\n    tiles:\n      a: { kind: kpi, value: { measure: rowz } }\n');
  expect(belvedere('check', folder).out).toMatch(/^dashboards\/wrong\.yaml:7:32: .*did you mean `rows`\?$/);
  await put('dashboards/wrong.yaml', 'version: 1\ntitle: Wrong\nmodel: small\npages:\n  - title: A\n    tiles:\n      all: { kind: kpi, value: { measure: rows } }\n      b: { kind: kpi, value: { measure: rows }, listens: [al] }\n');
  expect(belvedere('check', folder).out).toMatch(/^dashboards\/wrong\.yaml:8:\d+: There is no tile `al`; did you mean `all`\?$/);
  const parameters = (lines: string, tile: string) => put('dashboards/wrong.yaml', `version: 1\ntitle: Wrong\nmodel: small\nparameters:\n  ${lines}\npages:\n  - title: A\n    tiles:\n      a: ${tile}\n`);
  await parameters('by: { kind: field, options: [colour, colur] }', '{ kind: bar, x: { field: \':by\' }, y: { measure: rows } }');
  expect(belvedere('check', folder).out).toMatch(/^dashboards\/wrong\.yaml:5:\d+: .*`colur`.*did you mean `colour`\?$/);
  await parameters('by: { kind: field, options: [colour] }', '{ kind: bar, x: { field: \':bye\' }, y: { measure: rows } }');
  expect(belvedere('check', folder).out).toMatch(/^dashboards\/wrong\.yaml:9:\d+: There is no parameter `bye`; did you mean `by`\?$/);
  await parameters('by: { kind: field, options: [colour] }', '{ kind: text, text: hello, showIf: { parameter: buy, is: colour } }');
  expect(belvedere('check', folder).out).toMatch(/^dashboards\/wrong\.yaml:9:\d+: There is no parameter `buy`; did you mean `by`\?$/);
  await parameters('by: { kind: field, options: [colour, day] }', '{ kind: bar, x: { field: \':by\' }, y: { measure: rows }, showIf: { notSelected: a } }');
  expect(belvedere('check', folder, '--run')).toMatchObject({ status: 0, out: '' });
  await rm(path.join(folder, 'dashboards/wrong.yaml'));
});

test('`check` asks what the SQL of models gives', async () => {
  const model = (sql: string) => put('models/counted.yaml', `version: 1\nsql: ${sql}\ndimensions: { colour: {} }\n`);
  await model('select colour, count(*) as n from small group by colour');
  expect(belvedere('check', folder)).toMatchObject({ status: 0, err: '3 documents, 0 errors' });
  await model('select colour from smal');
  expect(belvedere('check', folder)).toMatchObject({ status: 1, out: expect.stringMatching(/^models\/counted\.yaml:2:1: .*smal/) as string });
  await rm(path.join(folder, 'models/counted.yaml'));
});

test('`check --run` tries what row policies let whom see', async () => {
  await put('models/small.yaml', 'version: 1\ntable: small\ndimensions: { day: {}, colour: {}, size: {} }\nmeasures: { sum_size: { expr: sum(size) } }\npolicies:\n  - { name: own, groups: [painters], where: colour = :user.colour, hide: [size] }\n');
  const tests = (one: string) => put('tests/painters.yaml', `version: 1\npeople:\n  ana: { groups: [painters], attributes: { colour: red } }\n  ben: {}\ntests:\n  - ${one}\n`);
  for (const right of ['{ as: ana, model: small, rows: 1, of: 2, hidden: [size] }', '{ as: ben, model: small, rows: 0 }']) {
    await tests(right);
    expect(belvedere('check', folder, '--run')).toMatchObject({ status: 0, out: '' });
  }
  await tests('{ as: ana, model: small, rows: 2, of: 3, hidden: [colour] }');
  expect(belvedere('check', folder)).toMatchObject({ status: 0 });
  expect(belvedere('check', folder, '--run').out.split('\n')).toEqual(['tests/painters.yaml:6:30: ana sees 1 of the 2 rows of `small`, not 2.', 'tests/painters.yaml:6:39: `small` has 2 rows, not 3.', 'tests/painters.yaml:6:46: ana sees `colour` of `small`.']);
  await tests('{ as: anna, model: smal, rows: 2 }');
  expect(belvedere('check', folder).out.split('\n')).toEqual([expect.stringMatching(/^tests\/painters\.yaml:6:7: There is no `anna` among the `people`; did you mean `ana`\?$/), expect.stringMatching(/^tests\/painters\.yaml:6:17: There is no model `smal`; did you mean `small`\?$/)]);
  await rm(path.join(folder, 'tests'), { recursive: true });
  await rm(path.join(folder, 'models/small.yaml'));
});

test('`check` looks at a folder that is open elsewhere, too', async () => {
  const cli = await startCli([folder]);
  expect(belvedere('check', folder)).toMatchObject({ status: 0 });
  await cli.stop();
});

test('`fmt` brings documents into one style; `--check` only says which are not', async () => {
  await put('dashboards/loose.yaml', '# kept\nversion: 1\ntitle: Loose\npages:\n    - title: A\n      tiles: {a: {kind: text,text: hello,at: [ 0,0,6,3 ]}}\n');
  expect(belvedere('fmt', '--check', folder)).toMatchObject({ status: 1, out: 'dashboards/loose.yaml' });
  expect(belvedere('fmt', folder)).toMatchObject({ status: 0, out: 'dashboards/loose.yaml' });
  expect(await readFile(path.join(folder, 'dashboards/loose.yaml'), 'utf8')).toBe('# kept\nversion: 1\ntitle: Loose\npages:\n  - title: A\n    tiles: { a: { kind: text, text: hello, at: [0, 0, 6, 3] } }\n');
  expect(belvedere('fmt', '--check', folder)).toMatchObject({ status: 0, out: '' });
});

test('`migrate` brings documents into today’s version, and changes nothing else; `--check` only says which are not', async () => {
  const text = '# kept\ntitle: Old # and this\npages: [{ title: A, tiles: {} }]\n';
  await put('dashboards/old.yaml', text);
  expect(belvedere('check', folder).out).toContain('dashboards/old.yaml:1:1: `version` is missing');
  expect(belvedere('migrate', '--check', folder)).toMatchObject({ status: 1, out: 'dashboards/old.yaml' });
  expect(await readFile(path.join(folder, 'dashboards/old.yaml'), 'utf8')).toBe(text);
  expect(belvedere('migrate', folder)).toMatchObject({ status: 0, out: 'dashboards/old.yaml' });
  expect(await readFile(path.join(folder, 'dashboards/old.yaml'), 'utf8')).toBe(`# kept\nversion: 1\n${text.slice('# kept\n'.length)}`);
  expect(belvedere('migrate', '--check', folder)).toMatchObject({ status: 0, out: '' });
  expect(belvedere('check', folder).out).not.toContain('old.yaml');
});

test('our own sample is in that style, and free of errors', () => {
  expect(belvedere('fmt', '--check', path.join(project, 'samples', 'workspace'))).toMatchObject({ status: 0, out: '' });
});

test.each([[['check', '--model', 'x'], '--model belongs to'], [['--run'], '--run belongs to'], [['new'], 'Name the new dashboard'], [['fmt', 'a', 'b'], 'One PATH at a time']])('%j is not understood', (args, said) => {
  expect(belvedere(...args)).toMatchObject({ status: 2, err: expect.stringContaining(said) as string });
});
