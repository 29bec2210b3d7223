import { createClient, decodeFrames, sharedDashboardId, type Client, type Level } from '@belvedere/api';
import { parquetReadObjects } from 'hyparquet';
import { inflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser, openPage, shoot, setCookies } from '../../browser.ts';
import { pdfText } from '../../pdf-text.ts';
import { allRead } from '../../running-belvedere.ts';
import { runTeam, type Member, type RunningTeam } from '../running-team.ts';

/** The number of rows of every kind of export. Each row has a unique word, which is counted. */

const rows = Array.from({ length: 60 }, (_, i) => `row${String(i).padStart(3, '0')}q,${i % 7}`);
const state = { page: 0, filters: {}, selections: {} };

const files = {
  'belvedere.yaml': `version: 1
limits:
  exportRowsOf: { explorer: 40 }
  exportsPerMinute: 1000
  writesPerMinute: 1000
`,
  'data/orders.csv': `code,amount\n${rows.join('\n')}\n`,
  'models/orders.yaml': `version: 1
table: orders
dimensions: { code: {} }
measures: { total: { expr: sum(amount) } }
`,
  'dashboards/orders.yaml': `version: 1
title: Orders
model: orders
pages:
  - title: One
    tiles:
      list: { kind: table, columns: [code], at: [0, 0, 12, 8] }
      groups: { kind: table, columns: [code, total], at: [0, 8, 12, 8] }
      bars: { kind: bar, x: { field: code }, y: { measure: total }, at: [12, 0, 12, 8] }
`,
};

let team: RunningTeam;
let ana: Member;
let edda: Member;

beforeAll(async () => {
  team = await runTeam(files, { hasRateLimits: true });
  await allRead(team);
  ana = await team.join('Ana', 'explorer');
  edda = await team.join('Edda', 'editor');
  await limit(ana, 10);
  await limit(edda, null);
});
afterAll(() => team?.close());

/** Shares a dashboard and the model with a user. */
async function limit(
  { id }: Member,
  exportRows: number | null,
  dashboard = 'orders',
  level: Level = 'explore',
): Promise<void> {
  for (const [kind, object] of [
    ['dashboard', dashboard],
    ['model', 'orders'],
  ] as const)
    await team.owner.client.putGrant({
      params: { kind, object },
      body: { subject: { kind: 'user', id }, level: kind === 'model' ? 'explore' : level, exportRows },
    });
}

const marks = (text: string) => new Set(text.match(/row\d{3}q/g)).size;
function unzipped(file: Buffer): string {
  const texts: string[] = [];
  for (let at = file.indexOf('PK\u0001\u0002'); at >= 0; at = file.indexOf('PK\u0001\u0002', at + 4)) {
    const [size, start] = [file.readUInt32LE(at + 20), file.readUInt32LE(at + 42)];
    const data = start + 30 + file.readUInt16LE(start + 26) + file.readUInt16LE(start + 28);
    const piece = file.subarray(data, data + size);
    texts.push((file.readUInt16LE(at + 10) === 8 ? inflateRawSync(piece) : piece).toString());
  }
  return texts.join('\n');
}
const exported = (
  client: Client,
  format: 'csv' | 'xlsx' | 'parquet' | 'svg' | 'html' | 'pdf',
  tile?: string,
) =>
  client.postExport({
    params: { id: 'orders' },
    body: { format, state, rows: 'all', ...(tile && { tile }) },
  });

describe('a limit of exports', () => {
  test.each([
    ['list', 60],
    ['groups', 60],
    // The ten longest bars, and the others in one.
    ['bars', 11],
  ])('holds for CSV files of %s, whose name says so', async (tile, all) => {
    const response = await exported(ana.client, 'csv', tile);
    expect(decodeURIComponent(response.headers.get('content-disposition')!)).toContain(`(10 of ${all} rows)`);
    expect(marks(await response.text())).toBe(10);
    expect(
      (await (await exported(edda.client, 'csv', tile)).text())
        .trim()
        .split('\n')
        .slice(1, all + 1),
    ).toHaveLength(all);
  });

  test('holds for workbooks, Parquet files, pictures of tables and offline pages', async () => {
    const bytes = async (client: Client, format: 'xlsx' | 'parquet', tile?: string) =>
      Buffer.from(await (await exported(client, format, tile)).arrayBuffer());
    expect(marks(unzipped(await bytes(ana.client, 'xlsx', 'list')))).toBe(10);
    expect(marks(unzipped(await bytes(edda.client, 'xlsx', 'list')))).toBe(60);
    const parquet = async (client: Client) =>
      parquetReadObjects({ file: new Uint8Array(await bytes(client, 'parquet', 'list')).buffer });
    expect(await parquet(ana.client)).toHaveLength(10);
    expect(await parquet(edda.client)).toHaveLength(60);
    expect(marks(await (await exported(ana.client, 'svg', 'list')).text())).toBeLessThanOrEqual(10);
    expect(marks(await (await exported(edda.client, 'svg', 'list')).text())).toBeGreaterThan(10);
    const page = await (await exported(ana.client, 'html')).text();
    const { pages } = JSON.parse(/id="belvedere-data">(.*?)<\/script>/s.exec(page)![1]!) as {
      pages: string[];
    };
    const tables = await Promise.all(
      pages.map(one =>
        Array.fromAsync(
          decodeFrames(
            (async function* () {
              yield Uint8Array.from(Buffer.from(one, 'base64'));
            })(),
          ),
        ),
      ),
    );
    const listed = tables.flat().filter(({ header }) => header.kind === 'rows' || 'rows' in header);
    for (const frame of listed) expect(marks(JSON.stringify(frame.header))).toBeLessThanOrEqual(10);
  });

  test('holds for PDF files of tables and of whole dashboards, with all their pages', async () => {
    const pdf = async (client: Client, tile?: string) =>
      pdfText(Buffer.from(await (await exported(client, 'pdf', tile)).arrayBuffer()));
    for (const tile of ['list', 'groups']) {
      expect([tile, marks(await pdf(ana.client, tile))]).toEqual([tile, 10]);
      expect([tile, marks(await pdf(edda.client, tile))]).toEqual([tile, 60]);
    }
    // The limit is of each table, so one of them is enough.
    const { document } = await edda.client.getDashboard({ params: { id: 'orders' } });
    const [page] = document!.pages;
    const { list } = page!.tiles;
    await edda.client.saveDashboard({
      params: { id: 'tables' },
      body: { document: { ...document!, pages: [{ ...page!, tiles: { list: list! } }] } },
    });
    await limit(ana, 10, 'tables');
    const whole = (client: Client) =>
      client
        .postExport({ params: { id: 'tables' }, body: { format: 'pdf', state, rows: 'all' } })
        .then(response => response.arrayBuffer())
        .then(bytes => pdfText(Buffer.from(bytes)));
    expect(marks(await whole(ana.client))).toBe(10);
    expect(marks(await whole(edda.client))).toBe(60);
    await team.owner.client.putGrant({
      params: { kind: 'dashboard', object: 'tables' },
      body: { subject: { kind: 'user', id: ana.id }, level: null },
    });
    await edda.client.removeDashboard({ params: { id: 'tables' } });
  });

  test('holds for guests of a link: they export as many rows as its maker may', async () => {
    await team.owner.client.switchLinks({ body: { isOn: true } });
    const guests = async (exportRows: number | null) => {
      await limit(edda, exportRows, 'orders', 'manage');
      const { secret } = await edda.client.createLink({
        params: { id: 'orders' },
        body: { name: `At most ${exportRows}`, days: 1, filters: {}, downloads: true },
      });
      const { token } = await team.stranger.openLink({ body: { secret } });
      return createClient(team.server.address, (input, init) =>
        fetch(input, {
          ...init,
          headers: { ...(init?.headers as Record<string, string>), authorization: `Guest ${token}` },
        }),
      );
    };
    const counted = async (guest: Client) => {
      const body = { format: 'pdf', state, rows: 'all', tile: 'list' } as const;
      const file = await guest.postExport({ params: { id: sharedDashboardId }, body });
      return marks(await pdfText(Buffer.from(await file.arrayBuffer())));
    };
    const guest = await guests(12);
    expect(await counted(guest)).toBe(12);
    expect(await counted(await guests(null))).toBe(60);
    await limit(edda, 7, 'orders', 'manage');
    expect(await counted(guest)).toBe(7);
    await limit(edda, null);
  });

  test('refuses files of SQL with more rows', async () => {
    const max = await team.join('Max', 'maker');
    const share = (exportRows: number | null) =>
      team.owner.client.putGrant({
        params: { kind: 'source', object: 'files' },
        body: { subject: { kind: 'user', id: max.id }, level: 'explore', exportRows },
      });
    const file = async (format: 'csv' | 'xlsx' | 'parquet') =>
      Buffer.from(
        await (
          await max.client.exportSql({
            params: { name: 'files' },
            body: { sql: 'select code from orders', format },
          })
        ).arrayBuffer(),
      );
    await share(10);
    // A file without some of a statement's rows would be a wrong result.
    for (const format of ['csv', 'xlsx', 'parquet'] as const)
      await expect(file(format)).rejects.toMatchObject({
        problem: { status: 403, detail: expect.stringContaining('at most 10 rows') },
      });
    await share(60);
    expect(marks((await file('csv')).toString())).toBe(60);
    await share(null);
    expect(marks((await file('csv')).toString())).toBe(60);
  });

  test('holds for programs with a token, and not for pages of the interface', async () => {
    const { secret } = await ana.client.createOwnToken({ body: { name: 'cron', scope: 'explore', days: 7 } });
    const program = createClient(team.server.address, (input, init) =>
      fetch(input, {
        ...init,
        headers: { ...(init?.headers as Record<string, string>), authorization: `Bearer ${secret}` },
      }),
    );
    const query = (client: Client, offset = 0) =>
      client.postQuery({ params: { name: 'orders' }, body: { dimensions: ['code'], limit: 50, offset } });
    expect((await query(program)).rows).toHaveLength(10);
    expect((await query(program)).total).toBe(60);
    expect((await query(program, 8)).rows).toHaveLength(2);
    await expect(query(program, 10)).rejects.toMatchObject({ problem: { type: 'not-allowed' } });
    expect((await query(ana.client)).rows).toHaveLength(50);
    const list = (client: Client) =>
      client.getTileRows({ params: { id: 'orders', tile: 'list' }, body: { state, limit: 50 } });
    expect((await list(program)).rows).toHaveLength(10);
    expect((await list(ana.client)).rows).toHaveLength(50);
  });

  test('applies from the next request, with the role’s limit as the most, and is explained', async () => {
    const counted = async () =>
      (await ana.client.countExportRows({ params: { id: 'orders' }, body: { state } })).limit;
    expect(await counted()).toBe(10);
    await limit(ana, 55);
    expect(await counted()).toBe(40);
    expect(marks(await (await exported(ana.client, 'csv', 'list')).text())).toBe(40);
    const { objects } = await team.owner.client.getAccessOfUser({ params: { user: ana.id } });
    expect(objects.map(({ kind, exportRows, grants }) => [kind, exportRows, grants[0]!.exportRows])).toEqual([
      ['dashboard', 40, 55],
      ['model', 40, 55],
    ]);
    // Another level leaves the limit.
    await team.owner.client.putGrant({
      params: { kind: 'dashboard', object: 'orders' },
      body: { subject: { kind: 'user', id: ana.id }, level: 'edit' },
    });
    const { grants } = await team.owner.client.getSharing({
      params: { kind: 'dashboard', object: 'orders' },
    });
    expect(grants.find(({ subject }) => subject.id === ana.id)).toMatchObject({
      level: 'edit',
      exportRows: 55,
    });
    await limit(ana, 10);
    await team.write(
      'access.yaml',
      'version: 1\ngrants:\n  - { dashboard: orders, everyone: true, level: explore, exportRows: 15 }\n',
    );
    await expect.poll(counted).toBe(15);
    await team.write('access.yaml', 'version: 1\n');
    await expect.poll(counted).toBe(10);
  });

  test('follows a model into dashboards and drafts of one’s own, and to others from there', async () => {
    await limit(edda, 10);
    const { document } = await edda.client.getDashboard({ params: { id: 'orders' } });
    const params = { id: 'own' };
    await edda.client.saveDashboard({ params, body: { document: document! } });
    const { hash: base, text } = await edda.client.getDashboardText({ params });
    await edda.client.putDraft({ params, body: { text: `${text}# draft\n`, base, after: 0 } });
    for (const id of ['own', 'draft:own']) {
      const body = { format: 'csv', state, rows: 'all', tile: 'list' } as const;
      const file = await edda.client.postExport({ params: { id }, body });
      expect([id, marks(await file.text())]).toEqual([id, 10]);
    }
    const share = (exportRows?: number | null) =>
      edda.client.putGrant({
        params: { kind: 'dashboard', object: 'own' },
        body: { subject: { kind: 'user', id: ana.id }, level: 'explore', exportRows },
      });
    for (const more of [null, 11])
      await expect(share(more)).rejects.toMatchObject({ problem: { type: 'not-allowed' } });
    await share();
    const { grants } = await edda.client.getSharing({ params: { kind: 'dashboard', object: 'own' } });
    expect(grants.find(({ subject }) => subject.id === ana.id)).toMatchObject({ exportRows: 10 });
    await limit(edda, null);
    await edda.client.removeDashboard({ params });
  });

  test('is set in the Share dialog, and said before an export', async () => {
    const browser = await launchBrowser();
    try {
      const opened = async (member: Member) => {
        const { page } = await openPage(browser, `${team.server.address}/favicon.svg`);
        await setCookies(page.context(), member.cookie, team.server.address);
        await page.setViewportSize({ width: 1440, height: 900 });
        await page.goto(new URL('/d/orders', team.server.address).href);
        return page;
      };
      const page = await opened(team.owner);
      await page.getByRole('button', { name: 'Share', exact: true }).click();
      await page.getByRole('button', { name: 'Limit exports of Edda' }).click();
      await page.getByRole('textbox', { name: 'Rows per export, at most' }).fill('12');
      await shoot(page, 'team-export-limit-light-1440');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByText('≤ 12').waitFor();
      await page.setViewportSize({ width: 390, height: 844 });
      await shoot(page, 'team-export-limit-light-390');
      const hers = await opened(edda);
      await hers.getByRole('button', { name: 'Export' }).first().click();
      await hers.getByRole('menuitem', { name: 'Excel (XLSX)' }).click();
      await hers.getByText('You can export at most 12 rows of each table.').waitFor();
      await shoot(hers, 'team-export-dialog-light-1440');
    } finally {
      await browser.close();
    }
  });
});
