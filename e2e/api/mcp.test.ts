import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { project, startCli } from '../browser.ts';

// An assistant with the protocol's own client, connected to a process of its own.

let folder: string;
let client: Client;
const main = path.join(project, 'apps', 'cli', 'src', 'main.ts');

async function connect(): Promise<Client> {
  const opened = new Client({ name: 'test', version: '1' });
  await opened.connect(
    new StdioClientTransport({ command: process.execPath, args: [main, 'mcp', folder], stderr: 'pipe' }),
  );
  return opened;
}

interface Said {
  readonly text: string;
  readonly isError: boolean;
  readonly structured?: unknown;
}
const call = async (name: string, given: Record<string, unknown> = {}, by = client): Promise<Said> => {
  const { content, isError = false, structuredContent } = await by.callTool({ name, arguments: given });
  return {
    text: (content as { text?: string }[]).map(part => part.text ?? '').join('\n'),
    isError,
    ...(structuredContent !== undefined && { structured: structuredContent }),
  };
};
const baseIn = (said: string) => /, base (\S+):/.exec(said)![1]!;

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-mcp-test-'));
  await mkdir(path.join(folder, 'data'));
  await mkdir(path.join(folder, 'tests'));
  await writeFile(path.join(folder, 'belvedere.yaml'), 'version: 1\ntitle: Small\n');
  await writeFile(
    path.join(folder, 'data', 'small.csv'),
    'day,colour,size\n2024-01-01,red,1\n2024-01-02,blue,2\n2024-01-03,red,4\n',
  );
  client = await connect();
});
afterAll(async () => {
  await client.close();
  await rm(folder, { recursive: true, force: true });
});

test('the server describes its purpose, and each tool whether it changes anything', async () => {
  expect(client.getInstructions()).toContain('list_models, describe_model, ask');
  const { tools } = await client.listTools();
  expect(tools.filter(tool => tool.annotations?.readOnlyHint !== true).map(tool => tool.name)).toEqual([
    'write_document',
  ]);
  for (const tool of tools) expect(tool.description, tool.name).toMatch(/\.$/);
});

describe('a query', () => {
  test('begins with the list of models', async () => {
    expect((await call('list_models')).text).toBe(
      'small: Small, of the table `small`, 3 rows (inferred from its columns)',
    );
    expect(JSON.parse((await call('describe_model', { model: 'small' })).text)).toMatchObject({
      name: 'small',
      time: 'day',
      dimensions: expect.arrayContaining([
        expect.objectContaining({ name: 'colour', type: 'text' }),
      ]) as unknown,
    });
  });

  test('returns columns for a language model, and data', async () => {
    const { text, structured } = await call('ask', {
      model: 'small',
      measures: ['rows', 'sum(size)'],
      by: ['colour'],
      order: ['-sum(size)'],
    });
    expect(text).toBe(
      'Colour  Rows  Sum of size\n──────  ────  ───────────\nred        2            5\nblue       1            2',
    );
    expect(structured).toMatchObject({
      rows: [
        ['red', 2, 5],
        ['blue', 1, 2],
      ],
      total: 2,
    });
    expect(
      (await call('ask', { model: 'small', measures: ['rows'], by: ['colour'], limit: 1 })).text,
    ).toMatch(/\n1 of 2 rows\. Use limit and offset for more\.$/);
  });

  test.each([
    [{ model: 'smal', measures: ['rows'] }, 'No model `smal`; did you mean `small`?'],
    [{ model: 'small', measures: ['rowz'] }, 'did you mean `rows`?'],
    [
      { model: 'small', measures: ['rows'], where: ['size=much'] },
      '`size` is a number, so `much` does not apply.',
    ],
    [{ model: 'small' }, 'Choose at least one measure'],
  ])('%j returns an error', async (given, words) => {
    expect(await call('ask', given)).toEqual({
      isError: true,
      text: expect.stringContaining(words) as string,
    });
  });
});

describe('a dashboard', () => {
  test('is created from an automatic overview, checked, written and drawn', async () => {
    expect((await call('list_dashboards')).text).toMatch(/^overview\/small: Small\n {2}page 1, /);
    const { text } = await call('read_document', { kind: 'dashboard', name: 'overview/small' });
    const [said, ...lines] = text.split('\n');
    expect(said).toBe('dashboards/small.yaml is not a file yet. Saved without a base, it would be:');
    const whole = `${lines.join('\n').trimEnd()}\n`;
    expect(await call('check_document', { kind: 'dashboard', name: 'small', text: whole })).toEqual({
      isError: false,
      text: 'No problems found.',
    });
    const written = await call('write_document', {
      kind: 'dashboard',
      name: 'small',
      text: whole,
      message: 'Begun',
    });
    expect(written).toEqual({
      isError: false,
      text: expect.stringMatching(/^--- \/dev\/null\n\+\+\+ b\/dashboards\/small\.yaml\n/) as string,
    });
    expect(await readFile(path.join(folder, 'dashboards', 'small.yaml'), 'utf8')).toBe(whole);
    const drawn = async (where: readonly string[]) => {
      const { content } = await client.callTool({
        name: 'render_dashboard',
        arguments: { dashboard: 'small', where },
      });
      const [picture] = content as { type: string; data: string; mimeType: string }[];
      expect(picture).toMatchObject({ type: 'image', mimeType: 'image/png' });
      return Buffer.from(picture!.data, 'base64');
    };
    const [all, red] = [await drawn([]), await drawn(['colour=red'])];
    expect(all.subarray(1, 4).toString()).toBe('PNG');
    expect(red.equals(all)).toBe(false);
    expect(await call('render_dashboard', { dashboard: 'small', where: ['colour'] })).toEqual({
      isError: true,
      text: expect.stringContaining('Invalid condition `colour`') as string,
    });
    expect(await call('render_dashboard', { dashboard: 'small', where: ['colur=red'] })).toEqual({
      isError: true,
      text: '`small` has no field `colur`; did you mean `colour`?',
    });
    expect(await call('render_dashboard', { dashboard: 'small', tile: 'nope' })).toEqual({
      isError: true,
      text: expect.stringContaining('`nope`') as string,
    });
  });

  test('with errors is not written, and every error is listed', async () => {
    const before = await readFile(path.join(folder, 'dashboards', 'small.yaml'), 'utf8');
    const base = baseIn((await call('read_document', { kind: 'dashboard', name: 'small' })).text);
    const wrong =
      'version: 1\ntitle: Small\nmodel: small\npages:\n  - title: One\n    tiles:\n      a: { kind: kpi, value: { measure: rowz } }\n      b: { kind: bar, x: { field: colur }, y: { measure: rows } }\n';
    const { isError, text } = await call('write_document', {
      kind: 'dashboard',
      name: 'small',
      text: wrong,
      base,
    });
    expect(isError).toBe(true);
    expect(text.split('\n')).toEqual([
      'Nothing was written:',
      expect.stringMatching(/^dashboards\/small\.yaml:7:\d+: .*did you mean `rows`\?$/),
      expect.stringMatching(/^dashboards\/small\.yaml:8:\d+: .*did you mean `colour`\?$/),
    ]);
    expect(await readFile(path.join(folder, 'dashboards', 'small.yaml'), 'utf8')).toBe(before);
  });

  test('changed by another user in the meantime is not overwritten', async () => {
    const file = path.join(folder, 'dashboards', 'small.yaml');
    const { text } = await call('read_document', { kind: 'dashboard', name: 'small' });
    await writeFile(file, (await readFile(file, 'utf8')).replace(/^title: .*$/m, 'title: Theirs'));
    const mine = `${text.split('\n').slice(1).join('\n').trimEnd()}\n`.replace(/^title: .*$/m, 'title: Mine');
    expect(
      await call('write_document', { kind: 'dashboard', name: 'small', text: mine, base: baseIn(text) }),
    ).toMatchObject({ isError: true });
    expect(await call('write_document', { kind: 'dashboard', name: 'small', text: mine })).toMatchObject({
      isError: true,
      text: expect.stringContaining('already exists') as string,
    });
    expect(await readFile(file, 'utf8')).toContain('title: Theirs');
    const base = baseIn((await call('read_document', { kind: 'dashboard', name: 'small' })).text);
    expect(
      (await call('write_document', { kind: 'dashboard', name: 'small', text: mine, base })).text,
    ).toMatch(/\n-title: Theirs\n\+title: Mine\n/);
  });

  test.each(['../out', '/etc/passwd', 'a/../../b', '.hidden', 'x/'])(
    'cannot be written to %s',
    async name => {
      expect(
        await call('write_document', {
          kind: 'dashboard',
          name,
          text: 'version: 1\ntitle: X\npages: [{ title: One, tiles: {} }]\n',
        }),
      ).toMatchObject({ isError: true });
      expect(
        await call('write_document', {
          kind: 'model',
          name,
          text: 'version: 1\ntable: small\ndimensions: { colour: {} }\n',
        }),
      ).toMatchObject({ isError: true });
    },
  );
});

test('a dashboard written under the id of an automatic overview replaces it', async () => {
  await writeFile(path.join(folder, 'data', 'other.csv'), 'n\n1\n2\n');
  expect((await call('list_dashboards')).text).toContain('overview/other: Other');
  const mine =
    'version: 1\ntitle: Mine\nmodel: other\npages:\n  - title: One\n    tiles:\n      count: { kind: kpi, value: { measure: rows } }\n';
  expect(
    (await call('write_document', { kind: 'dashboard', name: 'overview/other', text: mine })).isError,
  ).toBe(false);
  expect((await call('list_dashboards')).text).toContain('overview/other: Mine\n  page 1, One: count (kpi)');
  expect((await call('read_document', { kind: 'dashboard', name: 'overview/other' })).text).toMatch(
    /^dashboards\/overview\/other\.yaml, base /,
  );
  await rm(path.join(folder, 'data', 'other.csv'));
  await rm(path.join(folder, 'dashboards', 'overview'), { recursive: true });
});

test('an inferred model is written, and queries then use the written one', async () => {
  const { text } = await call('read_document', { kind: 'model', name: 'small' });
  expect(text).toMatch(/^models\/small\.yaml is not a file yet\./);
  const model =
    'version: 1\ntable: small\ndimensions: { colour: { label: Paint }, size: {}, day: {} }\nmeasures: { large: { expr: count(*) filter (where size > 1) } }\n';
  expect(
    await call('write_document', {
      kind: 'model',
      name: 'small',
      text: model.replace('size > 1', 'siz > 1'),
    }),
  ).toMatchObject({ isError: true, text: expect.stringContaining('did you mean `size`?') as string });
  expect((await call('write_document', { kind: 'model', name: 'small', text: model })).isError).toBe(false);
  expect((await call('ask', { model: 'small', measures: ['large'], by: ['colour'] })).text).toMatch(
    /^Paint +Large/,
  );
  expect((await call('check_workspace', { run: true })).text).toMatch(/\d+ documents, 0 problems$/);
});

test('the SQL of a model is run before it is written', async () => {
  const model = (sql: string) => `version: 1\nsql: ${sql}\ndimensions: { colour: {}, n: {} }\n`;
  const check = (sql: string) => call('check_document', { kind: 'model', name: 'counted', text: model(sql) });
  expect((await check('select colour, count(*) as n from smal group by colour')).text).toMatch(
    /^models\/counted\.yaml:2:1: .*smal/,
  );
  expect((await check('select colour from small')).text).toMatch(/^models\/counted\.yaml:3:\d+: .*`n`/);
  expect((await check('select colour, count(*) as n from small group by colour')).text).toBe(
    'No problems found.',
  );
});

test('a cancelled call ends in the engine, and the next one succeeds', async () => {
  await writeFile(
    path.join(folder, 'models', 'endless.yaml'),
    'version: 1\nsql: select a.range as n from range(1000000000) a, range(1000000000) b where a.range * b.range % 7 = 3\ndimensions: { n: {} }\n',
  );
  const leave = new AbortController();
  const asked = client.callTool(
    { name: 'ask', arguments: { model: 'endless', measures: ['rows'] } },
    { signal: leave.signal },
  );
  setTimeout(() => leave.abort(), 1500);
  await expect(asked).rejects.toThrow();
  const began = performance.now();
  expect((await call('ask', { model: 'small', measures: ['rows'] })).text).toMatch(/3$/);
  expect(performance.now() - began).toBeLessThan(20_000);
  await rm(path.join(folder, 'models', 'endless.yaml'));
});

test('a long call reports its progress', async () => {
  await writeFile(
    path.join(folder, 'data', 'large.csv'),
    `n,word\n${Array.from({ length: 400_000 }, (_, i) => `${i},word ${i % 1000}`).join('\n')}\n`,
  );
  const told: string[] = [];
  await client.callTool(
    { name: 'ask', arguments: { model: 'large', measures: ['rows'] } },
    { onprogress: ({ message = '' }) => told.push(message) },
  );
  expect(told[0]).toMatch(/^Importing .*large.* …/);
});

test('a folder that is open in a browser can be read and changed as well', async () => {
  const belvedere = await startCli([folder], { XDG_CACHE_HOME: path.join(folder, 'cache') });
  const other = await connect();
  expect((await call('ask', { model: 'small', measures: ['rows'] }, other)).text).toMatch(/3$/);
  const { text } = await call('read_document', { kind: 'dashboard', name: 'small' }, other);
  const mine = `${text.split('\n').slice(1).join('\n').trimEnd()}\n`.replace(
    /^title: .*$/m,
    'title: By an assistant',
  );
  expect(
    (
      await call(
        'write_document',
        { kind: 'dashboard', name: 'small', text: mine, base: baseIn(text) },
        other,
      )
    ).isError,
  ).toBe(false);
  await other.close();
  expect(await readFile(path.join(folder, 'dashboards', 'small.yaml'), 'utf8')).toContain(
    'title: By an assistant',
  );
  expect(await belvedere.stop()).toBe(0);
});
