import { ApiError } from '@belvedere/api';
import { mkdir, mkdtemp, open, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { allRead, collect, runBelvedere, type Running } from '../running-belvedere.ts';

let folder: string;
let running: Running;
const text = (title: string, more = '') =>
  `version: 1\ntitle: ${title}\nmodel: small\n\npages:\n  - title: One\n    tiles:\n      n: { kind: kpi, value: { measure: rows }, at: [0, 0, 8, 3] } # kept\n${more}`;
const onDisk = (id: string) => readFile(path.join(folder, 'dashboards', `${id}.yaml`), 'utf8');

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-editing-'));
  await mkdir(path.join(folder, 'dashboards'));
  await mkdir(path.join(folder, 'data'));
  await writeFile(path.join(folder, 'belvedere.yaml'), 'version: 1\ntitle: Small\n');
  await writeFile(path.join(folder, 'data', 'small.csv'), 'colour,size\nred,1\nblue,2\nred,3\n');
  running = await runBelvedere(folder);
  await allRead(running);
});
afterAll(async () => {
  await running.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  await writeFile(path.join(folder, 'dashboards', 'one.yaml'), text('One'));
  await running.server.store.refresh();
  await running.client.dropDraft({ params: { id: 'one' } });
});

const params = { id: 'one' };
const problemOf = async (work: Promise<unknown>) => {
  const error: unknown = await work.then(
    () => undefined,
    problem => problem,
  );
  return error instanceof ApiError ? [error.problem.status, error.problem.type] : error;
};

describe('a JSON Patch', () => {
  const title = (value: string) => [{ op: 'replace' as const, path: '/title', value }];

  test('changes its lines of the file, and returns them as a diff', async () => {
    const { hash } = await running.client.getDashboardText({ params });
    const saved = await running.client.patchDashboard({
      params,
      query: { message: 'By patch' },
      body: [{ op: 'test', path: '/title', value: 'One' }, ...title('Two')],
      ifMatch: hash,
    });
    expect(await onDisk('one')).toBe(text('Two'));
    expect(saved.diff.split('\n').filter(line => /^[-+](?![-+])/.test(line))).toEqual([
      '-title: One',
      '+title: Two',
    ]);
    const { revisions } = await running.client.listRevisions({ params });
    expect(revisions[0]).toMatchObject({ hash: saved.hash, number: saved.number, message: 'By patch' });
  });

  test('changes the present text without a version, and no other one with it', async () => {
    const { hash } = await running.client.getDashboardText({ params });
    await running.client.patchDashboard({ params, query: {}, body: title('Two') });
    expect(await onDisk('one')).toBe(text('Two'));
    expect(
      await problemOf(
        running.client.patchDashboard({ params, query: {}, body: title('Three'), ifMatch: hash }),
      ),
    ).toEqual([412, 'revision-conflict']);
    expect(await onDisk('one')).toBe(text('Two'));
  });

  test('changes the present text without a version, also when others change it at the same time', async () => {
    const ids = ['a', 'b', 'c', 'd', 'e'];
    await Promise.all(
      ids.map(id =>
        running.client.patchDashboard({
          params,
          query: {},
          body: [
            { op: 'add', path: `/pages/0/tiles/${id}`, value: { kind: 'text', text: id, at: [0, 20, 6, 2] } },
          ],
        }),
      ),
    );
    const saved = await onDisk('one');
    expect(ids.filter(id => !saved.includes(`text: ${id}`))).toEqual([]);
  });

  test.each([
    ['does not apply', [{ op: 'remove', path: '/pages/9' }], 'request-invalid'],
    ['makes the document invalid', [{ op: 'replace', path: '/pages', value: 'none' }], 'document-invalid'],
    ['is none', [{ op: 'set', path: '/title', value: 'x' }], 'request-invalid'],
    ['lacks a value', [{ op: 'replace', path: '/title' }], 'request-invalid'],
    ['has no operations', [], 'request-invalid'],
    ['has a wrong pointer', [{ op: 'remove', path: 'title' }], 'request-invalid'],
  ])('changes nothing if it %s', async (_, operations, problem) => {
    const response = await running.send(`${running.server.address}/api/v1/dashboards/one`, {
      method: 'PATCH',
      headers: { 'x-belvedere': '1', 'content-type': 'application/json-patch+json' },
      body: JSON.stringify(operations),
    });
    expect(await response.json()).toMatchObject({ type: problem });
    expect(await onDisk('one')).toBe(text('One'));
  });

  test('applies to saved dashboards only', async () => {
    expect(
      await problemOf(
        running.client.patchDashboard({ params: { id: 'none' }, query: {}, body: title('Two') }),
      ),
    ).toEqual([404, 'not-found']);
  });
});

describe('saving', () => {
  test('writes the exact text to the disk, and keeps it and the previous text as revisions', async () => {
    const { hash } = await running.client.getDashboardText({ params });
    const saved = await running.client.saveDashboardText({
      params,
      body: { text: text('Two'), message: 'Another title' },
      ifMatch: hash,
    });
    expect(await onDisk('one')).toBe(text('Two'));
    const { revisions } = await running.client.listRevisions({ params });
    expect(revisions.slice(0, 2).map(({ origin, message }) => [origin, message])).toEqual([
      ['saved', 'Another title'],
      ['disk', ''],
    ]);
    expect(revisions[0]!.hash).toBe(saved.hash);
    expect(
      (await running.client.getRevision({ params: { id: 'one', number: revisions[1]!.number } })).text,
    ).toBe(text('One'));
    expect((await running.client.getDashboard({ params, query: {} })).title).toBe('Two');
  });

  test('creates one revision, however often the disk is read in the meantime', async () => {
    let { hash } = await running.client.getDashboardText({ params });
    const titles = Array.from({ length: 25 }, (_, i) => `Title ${i}`);
    for (const title of titles) {
      let isSaving = true;
      const reading = async () => {
        while (isSaving) await running.server.store.refresh();
      };
      const looking = async () => {
        while (isSaving) await running.client.getDashboardText({ params });
      };
      const others = [reading(), looking()];
      ({ hash } = await running.client.saveDashboardText({
        params,
        body: { text: text(title), message: title },
        ifMatch: hash,
      }));
      isSaving = false;
      await Promise.all(others);
    }
    const { revisions } = await running.client.listRevisions({ params });
    expect(revisions.slice(0, 25).map(({ message }) => message)).toEqual(titles.toReversed());
    expect(revisions[0]!.hash).toBe(hash);
    expect(
      (await running.client.getRevision({ params: { id: 'one', number: revisions[25]!.number } })).text,
    ).toBe(text('One'));
  });

  test('writes the figures of thumbnails in the language that is asked for', async () => {
    await mkdir(path.join(folder, 'models'), { recursive: true });
    await writeFile(
      path.join(folder, 'models', 'half.yaml'),
      'version: 1\ntable: small\nmeasures: { half: { expr: sum(size) / 4.0 } }\n',
    );
    await writeFile(
      path.join(folder, 'dashboards', 'half.yaml'),
      text('Half').replace('model: small', 'model: half').replace('measure: rows', 'measure: half'),
    );
    await running.server.store.refresh();
    const drawn = async (query: { readonly locale?: string }) =>
      (await running.client.getThumbnail({ params: { id: 'half' }, query })).text();
    expect(await drawn({})).toContain('>1.5<');
    expect(await drawn({ locale: 'de-AT' })).toContain('>1,5<');
    expect(await drawn({ locale: 'no language' })).toContain('>1.5<');
  });

  test('keeps each revision in a form that can still be drawn', async () => {
    const { hash } = await running.client.getDashboardText({ params });
    await running.client.saveDashboardText({
      params,
      body: {
        text: text(
          'Two',
          '      c: { kind: bar, x: { measure: rows }, y: { field: colour }, at: [8, 0, 8, 8] }\n',
        ),
      },
      ifMatch: hash,
    });
    const { revisions } = await running.client.listRevisions({ params });
    const page = await running.client.listRevisions({ params, query: { limit: 1 } });
    const next = await running.client.listRevisions({ params, query: { limit: 1, cursor: page.nextCursor } });
    expect([...page.revisions, ...next.revisions]).toEqual(revisions.slice(0, 2));
    const drawn = async (id: string) =>
      (await running.client.getThumbnail({ params: { id }, query: {} })).text();
    const [now, before] = await Promise.all(
      revisions.slice(0, 2).map(({ number }) => drawn(`revision:${number}:one`)),
    );
    expect(now).toBe(await drawn('one'));
    expect(before).not.toBe(now);
    expect(
      await problemOf(running.client.getDashboard({ params: { id: 'revision:999999:one' }, query: {} })),
    ).toEqual([404, 'not-found']);
  });

  test('never overwrites a text other than its base', async () => {
    const { hash } = await running.client.getDashboardText({ params });
    await writeFile(path.join(folder, 'dashboards', 'one.yaml'), text('By hand'));
    expect(
      await problemOf(
        running.client.saveDashboardText({ params, body: { text: text('Two') }, ifMatch: hash }),
      ),
    ).toEqual([412, 'revision-conflict']);
    expect(await onDisk('one')).toBe(text('By hand'));
    const refused = await running.send(`${running.server.address}/api/v1/dashboards/one/text`, {
      method: 'PUT',
      headers: { 'x-belvedere': '1', 'content-type': 'application/json', 'if-match': `"${hash}"` },
      body: JSON.stringify({ text: text('Two') }),
    });
    const current = (await running.client.getDashboardText({ params })).hash;
    expect([refused.status, refused.headers.get('etag')]).toEqual([412, `"${current}"`]);
    expect(await refused.json()).toMatchObject({ type: 'revision-conflict', version: current });
    await rm(path.join(folder, 'dashboards', 'one.yaml'));
    expect(
      await problemOf(
        running.client.saveDashboardText({ params, body: { text: text('Two') }, ifMatch: hash }),
      ),
    ).toEqual([412, 'revision-conflict']);
  });

  test('reports a conflict to one of two users who save from the same base', async () => {
    const { hash } = await running.client.getDashboardText({ params });
    const both = await Promise.all(
      ['A', 'B'].map(title =>
        problemOf(running.client.saveDashboardText({ params, body: { text: text(title) }, ifMatch: hash })),
      ),
    );
    expect(both.filter(problem => problem === undefined)).toHaveLength(1);
    expect(both.filter(problem => problem !== undefined)).toEqual([[412, 'revision-conflict']]);
  });

  test('refuses a text with errors, each with its line, and does not change the file', async () => {
    const { hash } = await running.client.getDashboardText({ params });
    const wrong = text('Two').replace('kind: kpi', 'kind: kpj');
    const error = await running.client
      .saveDashboardText({ params, body: { text: wrong }, ifMatch: hash })
      .catch((problem: ApiError) => problem.problem);
    expect(error).toMatchObject({
      status: 422,
      type: 'document-invalid',
      errors: [{ line: 8, file: 'dashboards/one.yaml', suggestion: 'kpi' }],
    });
    expect(await onDisk('one')).toBe(text('One'));
  });

  test('leaves no half-written files', async () => {
    expect((await readdir(path.join(folder, 'dashboards'))).filter(name => name.startsWith('.'))).toEqual([]);
  });

  test.each(['../out', 'a/../../out', '/etc/x', '.hidden', 'a/.b', 'a\\b', 'x.yaml/', 'a\0b', ''])(
    'refuses the id `%s`',
    async id => {
      const [status] = (await problemOf(
        running.client.saveDashboardText({ params: { id }, body: { text: text('Out') } }),
      )) as [number];
      expect([400, 404]).toContain(status);
    },
  );
});

test('writes nothing through a link that leads out of the workspace', async () => {
  const outside = await mkdtemp(path.join(os.tmpdir(), 'belvedere-outside-'));
  await symlink(outside, path.join(folder, 'dashboards', 'linked'));
  for (const id of ['linked/x', 'linked/deeper/x'])
    expect(
      await problemOf(running.client.saveDashboardText({ params: { id }, body: { text: text('Out') } })),
    ).toEqual([403, 'not-allowed']);
  expect(await problemOf(running.client.moveDashboard({ params, body: { to: 'linked/x' } }))).toEqual([
    403,
    'not-allowed',
  ]);
  expect(await readdir(outside)).toEqual([]);
  expect(await onDisk('one')).toBe(text('One'));
  await rm(path.join(folder, 'dashboards', 'linked'));
  await rm(outside, { recursive: true });
});

describe('a change of many files', () => {
  test('of 500 at once, as by git pull, is one refresh, with a revision of each', async () => {
    const ids = Array.from({ length: 500 }, (_, i) => `many/d${i}`);
    await mkdir(path.join(folder, 'dashboards', 'many'), { recursive: true });
    let told = 0;
    const stop = running.server.store.subscribe(event => {
      if (event.kind === 'workspace') told++;
    });
    await Promise.all(
      ids.map((id, i) => writeFile(path.join(folder, 'dashboards', `${id}.yaml`), text(`Dashboard ${i}`))),
    );
    await expect
      .poll(
        async () =>
          (await running.client.listDashboards({ query: {} })).dashboards.filter(
            ({ folder: of }) => of === 'many',
          ).length,
      )
      .toBe(500);
    await new Promise(resolve => setTimeout(resolve, 500));
    stop();
    expect(told).toBeLessThan(10);
    expect((await running.client.listRevisions({ params: { id: 'many/d499' } })).revisions).toHaveLength(1);
    await rm(path.join(folder, 'dashboards', 'many'), { recursive: true });
    await running.server.store.refresh();
  });
});

describe('a file with errors', () => {
  test('is shown in its last valid form, with its errors', async () => {
    await writeFile(path.join(folder, 'dashboards', 'one.yaml'), text('One').replace('pages:', 'pagse:'));
    await running.server.store.refresh();
    const opened = await running.client.getDashboard({ params, query: {} });
    expect([opened.state, opened.title, opened.problems[0]!.suggestion]).toEqual(['ready', 'One', 'pages']);
  });
});

describe('drafts', () => {
  test('have an id of their own for queries, and do not change the dashboard', async () => {
    const { hash } = await running.client.getDashboardText({ params });
    const draft = await running.client.putDraft({
      params,
      body: {
        text: text(
          'Draft',
          '      c: { kind: bar, x: { measure: rows }, y: { field: colour }, at: [8, 0, 8, 8] }\n',
        ),
        base: hash,
        after: 0,
      },
    });
    expect([draft.version, draft.dashboard.id, draft.dashboard.title]).toEqual([1, 'draft:one', 'Draft']);
    const frames = await collect(
      await running.client.queryTiles({
        params: { id: 'draft:one' },
        body: { state: { page: 0, filters: {}, selections: {} } },
      }),
    );
    expect(frames.map(({ header }) => ('tile' in header ? header.tile : header.kind)).toSorted()).toEqual([
      'c',
      'end',
      'n',
    ]);
    expect((await running.client.getDashboard({ params, query: {} })).title).toBe('One');
    expect((await running.client.getDashboardText({ params })).draft).toMatchObject({
      base: text('One'),
      version: 1,
    });
  });

  test('of two windows do not overwrite each other', async () => {
    const { hash } = await running.client.getDashboardText({ params });
    await running.client.putDraft({ params, body: { text: text('A'), base: hash, after: 0 } });
    expect(
      await problemOf(running.client.putDraft({ params, body: { text: text('B'), base: hash, after: 0 } })),
    ).toEqual([412, 'revision-conflict']);
    expect(
      (await running.client.putDraft({ params, body: { text: text('B'), base: hash, after: 1 } })).version,
    ).toBe(2);
  });

  test('with an incomplete text report it, and their last valid text still answers queries', async () => {
    const { hash } = await running.client.getDashboardText({ params });
    await running.client.putDraft({ params, body: { text: text('A'), base: hash, after: 0 } });
    await running.client.getDashboard({ params: { id: 'draft:one' }, query: {} });
    const { dashboard } = await running.client.putDraft({
      params,
      body: { text: text('B').replace('tiles:', 'tiles'), base: hash, after: 1 },
    });
    expect([dashboard.title, dashboard.problems.length > 0]).toEqual(['A', true]);
  });

  test('survive a server restart, and end with the save', async () => {
    const { hash } = await running.client.getDashboardText({ params });
    await running.client.putDraft({ params, body: { text: text('Kept'), base: hash, after: 0 } });
    await running.close();
    running = await runBelvedere(folder);
    await allRead(running);
    expect((await running.client.getDashboardText({ params })).draft!.text).toBe(text('Kept'));
    await running.client.saveDashboardText({ params, body: { text: text('Kept') }, ifMatch: hash });
    expect((await running.client.getDashboardText({ params })).draft).toBeUndefined();
  });
});

describe('moving and removing', () => {
  test('a dashboard moves with its history, its draft and its translations', async () => {
    await writeFile(path.join(folder, 'dashboards', 'one.de.yaml'), 'version: 1\ntexts:\n  title: Eins\n');
    const { hash } = await running.client.getDashboardText({ params });
    await running.client.saveDashboardText({
      params,
      body: { text: text('Two'), message: 'Before' },
      ifMatch: hash,
    });
    await running.client.moveDashboard({ params, body: { to: 'team/two' } });
    expect(await onDisk('team/two')).toBe(text('Two'));
    expect(await onDisk('team/two.de')).toContain('Eins');
    expect((await running.client.listRevisions({ params: { id: 'team/two' } })).revisions[0]!.message).toBe(
      'Before',
    );
    expect(await problemOf(running.client.getDashboard({ params, query: {} }))).toEqual([404, 'not-found']);
    await running.client.removeDashboard({ params: { id: 'team/two' } });
  });

  test('a moved dashboard is found by every address that it had, until another one takes it', async () => {
    const document = {
      version: 1 as const,
      title: 'Moved',
      model: 'small',
      pages: [{ title: 'One', tiles: {} }],
    };
    const save = (id: string) => running.client.saveDashboard({ params: { id }, body: { document } });
    const move = (id: string, to: string) => running.client.moveDashboard({ params: { id }, body: { to } });
    const found = async (id: string) => (await running.client.findMovedDashboard({ params: { id } })).id;
    await save('first');
    expect(await found('first')).toBeUndefined();
    await move('first', 'north/second');
    await running.client.moveFolder({ body: { from: 'north', to: 'south' } });
    expect([await found('first'), await found('north/second')]).toEqual(['south/second', 'south/second']);
    expect(await found('south/second')).toBeUndefined();
    expect(await found('never')).toBeUndefined();
    // Back at its first address.
    await move('south/second', 'first');
    expect([await found('first'), await found('south/second')]).toEqual([undefined, 'first']);
    await move('first', 'third');
    await save('first');
    await running.client.removeDashboard({ params: { id: 'third' } });
    expect([await found('first'), await found('south/second')]).toEqual([undefined, undefined]);
    await running.client.removeDashboard({ params: { id: 'first' } });
  });

  test('a dashboard refers to its schema in the workspace, wherever it moves', async () => {
    const schemaOf = async (id: string) => {
      const [, address] = /\$schema=(.*)\n/.exec(await onDisk(id))!;
      const file = path.resolve(path.dirname(path.join(folder, 'dashboards', id)), address!);
      return JSON.parse(await readFile(file, 'utf8')) as { readonly required: readonly string[] };
    };
    const pages = [{ title: 'One', tiles: {} }];
    await running.client.saveDashboard({
      params: { id: 'new' },
      body: { document: { version: 1, title: 'New', model: 'small', pages } },
    });
    expect((await schemaOf('new')).required).toContain('pages');
    const { text: begun, hash } = await running.client.getDashboardText({ params: { id: 'new' } });
    await running.client.putDraft({
      params: { id: 'new' },
      body: { text: `${begun}# draft\n`, base: hash, after: 0 },
    });
    await running.client.moveDashboard({ params: { id: 'new' }, body: { to: 'team/north/new' } });
    expect((await schemaOf('team/north/new')).required).toContain('pages');
    const moved = await running.client.getDashboardText({ params: { id: 'team/north/new' } });
    expect(moved.draft).toMatchObject({ text: `${moved.text}# draft\n`, baseHash: moved.hash });
    expect(
      (await running.client.listRevisions({ params: { id: 'team/north/new' } })).revisions[0],
    ).toMatchObject({
      hash: moved.hash,
      origin: 'saved',
    });
    await running.client.removeDashboard({ params: { id: 'team/north/new' } });
  });

  test('a folder moves with all its contents or not at all; drill-downs to its dashboards still work', async () => {
    const put = (id: string, title: string, opens?: string) =>
      running.client.saveDashboardText({
        params: { id },
        body: {
          text: `# kept\nversion: 1\ntitle: ${title}\nmodel: small\npages:\n  - title: One\n    tiles:\n      n: { kind: bar, x: { measure: rows }, y: { field: colour }${opens ? `, opens: ${opens}` : ''} }   # here\n`,
        },
      });
    await put('north/a', 'A', 'north/deep/b');
    await put('north/deep/b', 'B');
    await put('guide', 'Guide', 'north/a');
    await put('south/deep/b', 'Taken');
    const { hash } = await running.client.getDashboardText({ params: { id: 'north/a' } });
    await running.client.putDraft({
      params: { id: 'north/a' },
      body: { text: `${await onDisk('north/a')}# draft\n`, base: hash, after: 0 },
    });
    expect(await problemOf(running.client.moveFolder({ body: { from: 'north', to: 'south' } }))).toEqual([
      412,
      'revision-conflict',
    ]);
    expect(await onDisk('north/a')).toContain('title: A');
    expect(await problemOf(running.client.moveFolder({ body: { from: 'nowhere', to: 'east' } }))).toEqual([
      404,
      'not-found',
    ]);
    expect(await problemOf(running.client.moveFolder({ body: { from: 'north', to: '../out' } }))).toEqual([
      400,
      'request-invalid',
    ]);
    expect(await running.client.moveFolder({ body: { from: 'north', to: 'far/east' } })).toEqual({
      moved: 2,
    });
    expect(await onDisk('far/east/a')).toContain('opens: far/east/deep/b }   # here');
    expect(await onDisk('far/east/deep/b')).toContain('title: B');
    expect(await onDisk('guide')).toContain('opens: far/east/a }   # here');
    expect((await running.client.getDashboardText({ params: { id: 'far/east/a' } })).draft?.text).toContain(
      '# draft',
    );
    expect(
      (await running.client.listRevisions({ params: { id: 'far/east/deep/b' } })).revisions.length,
    ).toBeGreaterThan(0);
    await expect(readdir(path.join(folder, 'dashboards', 'north'))).rejects.toThrow('ENOENT');
    for (const id of ['far/east/a', 'far/east/deep/b', 'guide', 'south/deep/b'])
      await running.client.removeDashboard({ params: { id } });
  });

  test('a removed dashboard is in the trash and can be restored, unless its name is taken', async () => {
    const { number } = await running.client.removeDashboard({ params });
    expect(await problemOf(running.client.getDashboardText({ params }))).toEqual([404, 'not-found']);
    expect((await running.client.listTrash({})).documents[0]).toMatchObject({
      number,
      kind: 'dashboard',
      name: 'one',
      title: 'One',
    });
    await running.client.saveDashboardText({ params, body: { text: text('Taken') } });
    expect(await problemOf(running.client.restoreDocument({ params: { number } }))).toEqual([
      412,
      'revision-conflict',
    ]);
    await running.client.removeDashboard({ params });
    expect(await running.client.restoreDocument({ params: { number } })).toEqual({
      kind: 'dashboard',
      id: 'one',
    });
    expect(await onDisk('one')).toBe(text('One'));
  });
});

describe('user data of a dashboard', () => {
  const state = { page: 0, filters: {}, selections: {} };
  const id = 'owned';
  const mine = async () => {
    const { favourites, recent, views } = await running.client.getMe({});
    return {
      favourite: favourites.includes(id),
      recent: recent.some(one => one.dashboard === id),
      views: views.filter(one => one.dashboard === id).map(({ name }) => name),
    };
  };
  const messages = async () =>
    (await running.client.listRevisions({ params: { id } })).revisions.map(({ message }) => message);
  const notes = async () =>
    (await running.client.getDashboard({ params: { id }, query: {} })).notes.map(note => note.text);
  const own = async () => {
    await running.client.saveDashboardText({
      params: { id },
      body: { text: text('Owned'), message: 'First' },
    });
    await running.client.putFavourite({ params: { id }, body: { isFavourite: true } });
    await running.client.putRecent({ params: { id }, body: { state } });
    await running.client.putView({ params: { id, name: 'Mine' }, body: { state } });
    await running.client.addEventNote({ params: { id }, body: { from: '2024-01-01', text: 'Sale' } });
    await running.client.putDraft({
      params: { id },
      body: {
        text: text('Owned, and on'),
        base: (await running.client.getDashboardText({ params: { id } })).hash,
        after: 0,
      },
    });
  };
  const nothing = { favourite: false, recent: false, views: [] };
  const all = { favourite: true, recent: true, views: ['Mine'] };

  test('moves to the trash and back with it; another dashboard of the same name has none of it', async () => {
    await own();
    const { number } = await running.client.removeDashboard({ params: { id } });
    await running.client.saveDashboardText({
      params: { id },
      body: { text: text('Another'), message: 'Other' },
    });
    expect([
      await mine(),
      await messages(),
      await notes(),
      (await running.client.getDashboardText({ params: { id } })).draft,
    ]).toEqual([nothing, ['Other'], [], undefined]);
    await running.client.putView({ params: { id, name: 'Theirs' }, body: { state } });
    const other = await running.client.removeDashboard({ params: { id } });
    await running.client.restoreDocument({ params: { number } });
    expect([
      await mine(),
      await messages(),
      await notes(),
      (await running.client.getDashboardText({ params: { id } })).draft?.text,
    ]).toEqual([all, ['First'], ['Sale'], text('Owned, and on')]);
    const again = await running.client.removeDashboard({ params: { id } });
    await running.client.restoreDocument({ params: { number: other.number } });
    expect((await mine()).views).toEqual(['Theirs']);
    await running.client.removeDashboard({ params: { id } });
    await running.client.restoreDocument({ params: { number: again.number } });
    await running.client.removeDashboard({ params: { id } });
  });

  test('is not inherited by a new dashboard in place of one removed on the disk', async () => {
    await own();
    await running.client.dropDraft({ params: { id } });
    await rm(path.join(folder, 'dashboards', `${id}.yaml`));
    await expect
      .poll(async () =>
        (await running.client.listDashboards({ query: {} })).dashboards.some(one => one.id === id),
      )
      .toBe(false);
    await running.client.saveDashboardText({ params: { id }, body: { text: text('Another') } });
    expect([await mine(), await notes()]).toEqual([nothing, []]);
    await running.client.removeDashboard({ params: { id } });
  });

  test.each(['removing', 'restoring'])(
    'survives a crash between its records and its file, while %s',
    async () => {
      await own();
      const file = path.join(folder, 'dashboards', `${id}.yaml`);
      const whole = await readFile(file, 'utf8');
      const { number } = await running.client.removeDashboard({ params: { id } });
      await running.close();
      // As it is when the process ended before the file was removed, or after it was put back.
      await writeFile(file, whole);
      running = await runBelvedere(folder);
      await allRead(running);
      expect([await mine(), await messages(), await notes()]).toEqual([all, ['First'], ['Sale']]);
      expect((await running.client.listTrash({})).documents.map(one => one.number)).not.toContain(number);
      await running.client.removeDashboard({ params: { id } });
    },
  );

  test('is deleted for good after 30 days in the trash', async () => {
    await own();
    const { number } = await running.client.removeDashboard({ params: { id } });
    await running.close();
    const records = new DatabaseSync(path.join(folder, '.belvedere', 'state.db'));
    const { id: documentId } = records
      .prepare('select document_id as id from trash where number = ?')
      .get(number) as { id: string };
    records
      .prepare('update trash set at = ? where number = ?')
      .run(new Date(Date.now() - 31 * 86_400_000).toISOString(), number);
    records.close();
    running = await runBelvedere(folder);
    await allRead(running);
    await expect
      .poll(async () => (await running.client.listTrash({})).documents.map(one => one.number))
      .not.toContain(number);
    const left = new DatabaseSync(path.join(folder, '.belvedere', 'state.db'), { readOnly: true });
    for (const table of ['favourite', 'recent', 'view', 'event_note', 'revision', 'draft'])
      expect(
        left.prepare(`select count(*) as count from ${table} where document_id = ?`).get(documentId),
        table,
      ).toEqual({ count: 0 });
    left.close();
  });
});

test('a damaged state database is set aside; the dashboards remain', async () => {
  await running.close();
  await writeFile(path.join(folder, '.belvedere', 'state.db'), 'no database');
  for (const end of ['-wal', '-shm'])
    await rm(path.join(folder, '.belvedere', `state.db${end}`), { force: true });
  running = await runBelvedere(folder);
  await allRead(running);
  expect((await running.client.getDashboardText({ params })).text).toBe(text('One'));
  expect(
    (await readdir(path.join(folder, '.belvedere'))).some(name => name.startsWith('state.db.damaged-')),
  ).toBe(true);
});

test('a failing disk makes the folder read-only: an unsaved change is never reported as saved', async () => {
  const own = await mkdtemp(path.join(os.tmpdir(), 'belvedere-failing-disk-'));
  await mkdir(path.join(own, 'dashboards'));
  await writeFile(path.join(own, 'belvedere.yaml'), 'version: 1\n');
  await writeFile(path.join(own, 'dashboards', 'one.yaml'), text('One'));
  const failing = await runBelvedere(own);
  const handle = await open(path.join(own, 'belvedere.yaml'));
  const files = Object.getPrototypeOf(handle) as { sync(): Promise<void> };
  const sync = files.sync;
  const save = async (title: string) =>
    failing.client.saveDashboardText({
      params,
      body: { text: text(title) },
      ifMatch: (await failing.client.getDashboardText({ params })).hash,
    });
  try {
    files.sync = () => Promise.reject(Object.assign(new Error('EIO: i/o error, fsync'), { code: 'EIO' }));
    expect(await problemOf(save('Two'))).toEqual([503, 'state-unavailable']);
    files.sync = sync;
    // The disk reports no error any more. After a failed fsync, that proves nothing.
    expect(await problemOf(save('Three'))).toEqual([503, 'state-unavailable']);
    expect(await readFile(path.join(own, 'dashboards', 'one.yaml'), 'utf8')).toBe(text('One'));
    expect(await (await failing.send(`${failing.server.address}/readyz`)).json()).toMatchObject({
      ready: true,
      saving: expect.stringContaining('The disk failed'),
    });
    expect((await failing.client.getDashboard({ params, query: {} })).title).toBe('One');
  } finally {
    files.sync = sync;
    await handle.close();
    await failing.close();
    await rm(own, { recursive: true, force: true });
  }
});
