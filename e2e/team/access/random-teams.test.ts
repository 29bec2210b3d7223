import {
  createClient,
  decodeFrames,
  folderInAddress,
  levels,
  sharedDashboardId,
  type Client,
  type Level,
  type Role,
} from '@belvedere/api';
import { DuckDBInstance } from '@duckdb/node-api';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inflateRawSync } from 'node:zlib';
import { pdfText } from '../../pdf-text.ts';
import { randomFrom } from '../../random/random-from.ts';
import { allRead, collect } from '../../running-belvedere.ts';
import { claimsOf, signed, type SigningKey } from '../links/embed-tokens.ts';
import { startMailServer, type MailServer, type ReceivedMail } from '../messages/mail-server.ts';
import { enter, password, runTeam, type Member, type RunningTeam } from '../running-team.ts';

/**
 * Random dashboards, policies, people and grants. Each person calls every endpoint for every object; plain
 * code says what they may receive. Every row, title and label has a unique text, which shows where it came
 * from.
 */

const seed = Number(process.env['BELVEDERE_SEED']);
const random = randomFrom(seed);
const below = (n: number) => Math.floor(random() * n);
const pick = <T>(values: readonly T[]): T => values[below(values.length)]!;
const some = <T>(values: readonly T[], chance: number): T[] => values.filter(() => random() < chance);
const upTo = <T>(n: number, make: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => make(i));

const regions = ['north', 'south', 'east', 'west'] as const;
type Region = (typeof regions)[number];

interface Row {
  readonly code: string;
  readonly region: Region;
  readonly amount: number;
}
interface Table {
  readonly name: string;
  readonly label: string;
  /** The label of a dimension that no dashboard shows. */
  readonly hidden: string;
  readonly rows: readonly Row[];
  readonly hasPolicy: boolean;
}
const tables: readonly Table[] = upTo(3, t => ({
  name: `sales${t}`,
  label: `Label${t}q`,
  hidden: `Hidden${t}q`,
  hasPolicy: t > 0,
  rows: upTo(40, r => ({
    code: `code${t}x${r}q`,
    region: pick(regions),
    amount: 100_000 + below(900_000),
  })),
}));

interface Board {
  readonly id: string;
  readonly title: string;
  readonly table: Table;
  readonly showsCodes: boolean;
  /** A list of all codes, from which one is chosen: in the filter bar, or in a tile. */
  readonly choosesCodes: 'in a filter' | 'in a tile' | undefined;
}
const hasCodes = ({ showsCodes, choosesCodes }: Board) => showsCodes || choosesCodes !== undefined;
const boards: readonly Board[] = upTo(8, i => ({
  id: `${pick(['', 'first/', 'second/', 'second/inner/'])}board${i}`,
  title: `Title${i}q`,
  table: pick(tables),
  showsCodes: random() < 0.4,
  choosesCodes: pick(['in a filter', 'in a tile', undefined, undefined] as const),
}));

/** The folders that have dashboards, with those above them. */
const folders = ['first', 'second', 'second/inner'].filter(folder =>
  boards.some(({ id }) => id.startsWith(`${folder}/`)),
);

type Kind = 'dashboard' | 'folder' | 'model' | 'source';
interface Grant {
  readonly kind: Kind;
  readonly id: string;
  readonly level: Level;
  /** The way by which the person has the grant. */
  readonly by: (typeof ways)[number];
}
const ways = ['user', 'group', 'outer group'] as const;
interface Person {
  readonly name: string;
  readonly role: Exclude<Role, 'admin' | 'owner'>;
  readonly regions: readonly Region[];
  readonly grants: readonly Grant[];
}
const roles = ['viewer', 'viewer', 'explorer', 'editor', 'maker', 'maker'] as const;
const people: readonly Person[] = roles.map((role, i) => ({
  name: `Person${i}`,
  role,
  regions: some(regions, 0.4),
  grants: [
    ...some(boards, 0.3).map(({ id }) => ({
      kind: 'dashboard' as const,
      id,
      level: pick(levels),
      by: pick(ways),
    })),
    ...some(folders, 0.2).map(id => ({
      kind: 'folder' as const,
      id,
      level: pick(levels),
      by: pick(ways),
    })),
    ...some(tables, 0.3).map(({ name }) => ({
      kind: 'model' as const,
      id: name,
      level: pick(levels),
      by: pick(ways),
    })),
    ...(random() < 0.15
      ? [{ kind: 'source' as const, id: 'files', level: pick(levels), by: pick(ways) }]
      : []),
  ],
}));

const ceilings: Readonly<Record<Person['role'], Readonly<Record<Kind, Level | undefined>>>> = {
  viewer: { dashboard: 'view', folder: 'view', model: undefined, source: undefined },
  explorer: { dashboard: 'explore', folder: 'explore', model: 'explore', source: undefined },
  editor: { dashboard: 'manage', folder: 'manage', model: 'explore', source: undefined },
  maker: { dashboard: 'manage', folder: 'manage', model: 'manage', source: 'edit' },
};
const rank = (level: Level | undefined) => (level === undefined ? -1 : levels.indexOf(level));
const levelOn = ({ role, grants }: Person, kind: Kind, id: string): number => {
  const granted = grants
    .filter(
      grant =>
        (grant.kind === kind && grant.id === id) ||
        (kind === 'dashboard' && grant.kind === 'folder' && id.startsWith(`${grant.id}/`)) ||
        (kind === 'model' && grant.kind === 'source'),
    )
    .map(({ level }) => rank(level));
  return Math.min(Math.max(-1, ...granted), rank(ceilings[role][kind]));
};

/** Returns what plain code lets a person see. */
function allowedFor(person: Person) {
  const seenBoards = boards.filter(({ id }) => levelOn(person, 'dashboard', id) >= 0);
  const explored = tables.filter(({ name }) => levelOn(person, 'model', name) >= rank('explore'));
  const rowsOf = ({ hasPolicy, rows }: Table) =>
    hasPolicy ? rows.filter(({ region }) => person.regions.includes(region)) : rows;
  const seenRows = new Set([
    ...seenBoards.filter(hasCodes).flatMap(({ table }) => rowsOf(table)),
    ...explored.flatMap(rowsOf),
  ]);
  return {
    seenBoards,
    rowsOf,
    texts: new Set([
      ...seenBoards.map(({ title }) => title),
      ...[...seenBoards.map(({ table }) => table), ...explored].map(({ label }) => label),
      ...explored.map(({ hidden }) => hidden),
      ...Array.from(seenRows, ({ code }) => code),
    ]),
  };
}

const model = ({ name, label, hidden, hasPolicy }: Table) => `version: 1
label: ${label}
table: ${name}
dimensions: { code: {}, region: {}, secret: { column: region, label: ${hidden} } }
measures: { total: { expr: sum(amount) }, rows: { expr: count(*) } }
${hasPolicy ? 'policies: [{ name: own, everyone: true, where: "region in (:user.regions)" }]\n' : ''}`;
const codesIn = {
  'in a filter': { filter: ', { field: code, control: select }', tile: '' },
  'in a tile': {
    filter: '',
    tile: '      choice: { kind: control, field: code, control: select, at: [12, 4, 12, 2] }\n',
  },
} as const;
const codeList = '      list: { kind: table, columns: [code, region], at: [0, 4, 12, 8] }\n';
const board = ({ title, table, showsCodes, choosesCodes }: Board) => {
  const choice = choosesCodes ? codesIn[choosesCodes] : { filter: '', tile: '' };
  return `version: 1
title: ${title}
model: ${table.name}
filters: [{ field: region }${choice.filter}]
pages:
  - title: One
    tiles:
      sum: { kind: kpi, value: { measure: total }, at: [0, 0, 6, 4] }
      bars: { kind: bar, x: { field: region }, y: { measure: total }, at: [6, 0, 6, 4] }
      cross: { kind: pivot, rows: [{ field: region }], values: [{ measure: rows }], at: [12, 0, 12, 4] }
${showsCodes ? codeList : ''}${choice.tile}`;
};

let team: RunningTeam;
let mail: MailServer;
let key: SigningKey;
const members = new Map<string, Member>();
beforeAll(async () => {
  console.log(`teams seed ${seed}: BELVEDERE_SEED=${seed} repeats this run`);
  mail = await startMailServer();
  team = await runTeam(
    {
      'belvedere.yaml': 'version: 1\n',
      ...Object.fromEntries(
        tables.flatMap(table => [
          [
            `data/${table.name}.csv`,
            `code,region,amount\n${table.rows.map(row => `${row.code},${row.region},${row.amount}`).join('\n')}\n`,
          ],
          [`models/${table.name}.yaml`, model(table)],
        ]),
      ),
      ...Object.fromEntries(boards.map(one => [`dashboards/${one.id}.yaml`, board(one)])),
    },
    { mail: { smtpUrl: mail.url, mailFrom: 'Belvedere <belvedere@example.org>' } },
  );
  await allRead(team);
  const { current } = team.server.store;
  expect([
    ...current.problems,
    ...[...current.dashboards.values()].flatMap(({ problems }) => problems),
  ]).toEqual([]);
  const { client } = team.owner;
  await client.switchEmbedding({ body: { isOn: true } });
  key = await client.createEmbedKey({ body: { name: 'Site', origins: ['https://site.example'] } });
  for (const { name, role, regions: own, grants } of people) {
    const params = { group: `of ${name}` };
    const { id: inner } = await client.saveGroup({ params, body: { name: `Of ${name}` } });
    const member = await join(name, role, inner);
    const isOfGroup = random() < 0.5;
    const attributes = { regions: [...own] };
    const { id: outer } = await client.saveGroup({
      params: { group: `around ${name}` },
      body: { name: `Around ${name}`, groups: [inner], ...(isOfGroup && { attributes }) },
    });
    members.set(name, member);
    if (!isOfGroup) await client.updateUser({ params: { user: member.id }, body: { attributes } });
    for (const { kind, id, level, by } of grants)
      await client.putGrant({
        params: { kind, object: kind === 'folder' ? folderInAddress(id) : id },
        body: {
          subject: {
            kind: by === 'user' ? 'user' : 'group',
            id: { user: member.id, group: inner, 'outer group': outer }[by],
          },
          level,
        },
      });
  }
});
afterAll(async () => {
  await team?.close();
  await mail?.close();
});

/** Invites a person by mail and accepts the invitation. */
async function join(name: string, role: Role, group: string): Promise<Member> {
  const email = `${name.toLowerCase()}@example.org`;
  await team.owner.client.inviteUser({ body: { email, role, groups: [group] } });
  const { text } = await mail.mailTo(email, /Invitation/);
  const [, token = ''] = /\/invite\/([\w-]+)/.exec(text) ?? [];
  return enter(team.server, email, client =>
    client.acceptInvitation({ params: { token }, body: { name, password } }),
  );
}

const state = { page: 0, filters: {}, selections: {} };

/** Every way out for a person, over all that there is, theirs or not. */
function waysOut(client: Client): Readonly<Record<string, () => Promise<unknown>>> {
  const ways: Record<string, () => Promise<unknown>> = {
    session: () => client.getSession({}),
    dashboards: () => client.listDashboards({}),
    trash: () => client.listTrash({}),
    models: () => client.listModels({}),
    sources: () => client.listSources({}),
    tables: () => client.listTables({}),
    me: () => client.getMe({}),
    subjects: () => client.findSubjects({ query: { search: '' } }),
    problems: () => client.listProblems({}),
  };
  for (const search of ['Title', 'Label', 'code', 'Hidden', 'sales'])
    Object.assign(ways, {
      [`search ${search}`]: () => client.listDashboards({ query: { search } }),
      [`tiles ${search}`]: () => client.findTiles({ query: { search } }),
    });
  const ids = [
    sharedDashboardId,
    ...boards.map(one => one.id),
    ...tables.map(({ name }) => `overview/${name}`),
  ];
  for (const id of ids) {
    const params = { id };
    const file = async (response: Promise<Response>) => Buffer.from(await (await response).arrayBuffer());
    Object.assign(ways, {
      [`${id}`]: () => client.getDashboard({ params }),
      [`${id} text`]: () => client.getDashboardText({ params }),
      [`${id} revisions`]: () => client.listRevisions({ params }),
      [`${id} thumbnail`]: () => client.getThumbnail({ params }).then(one => one.text()),
      [`${id} query`]: async () => collect(await client.queryTiles({ params, body: { state } })),
      [`${id} index`]: async () =>
        collect(await client.getBrushIndex({ params, body: { state, active: 'bars' } })),
      [`${id} values`]: () => client.getFieldValues({ params: { id, field: 'region' }, body: { state } }),
      [`${id} codes`]: () => client.getFieldValues({ params: { id, field: 'code' }, body: { state } }),
      [`${id} searched codes`]: () =>
        client.getFieldValues({ params: { id, field: 'code' }, body: { state, search: 'code' } }),
      [`${id} choice`]: async () =>
        collect(await client.queryTiles({ params, body: { state, tiles: ['choice'] } })),
      [`${id} filtered codes`]: async () =>
        collect(
          await client.queryTiles({
            params,
            body: { state: { ...state, filters: { code: { contains: 'code' } } } },
          }),
        ),
      [`${id} rows`]: () => client.getTileRows({ params: { id, tile: 'bars' }, body: { state } }),
      [`${id} list`]: () => client.getTileRows({ params: { id, tile: 'list' }, body: { state } }),
      [`${id} explain`]: () => client.explainTile({ params: { id, tile: 'sum' }, body: { state } }),
      [`${id} count`]: () => client.countExportRows({ params, body: { state } }),
      [`${id} sharing`]: () => client.getSharing({ params: { kind: 'dashboard', object: id } }),
      ...Object.fromEntries(
        (['csv', 'svg'] as const).map(format => [
          `${id} ${format}`,
          () => client.postExport({ params, body: { format, state } }).then(one => one.text()),
        ]),
      ),
      [`${id} xlsx`]: async () =>
        unzipped(await file(client.postExport({ params, body: { format: 'xlsx', state } }))),
      [`${id} parquet`]: async () =>
        rowsOfParquet(
          await file(
            client.postExport({
              params,
              body: {
                format: 'parquet',
                state,
                tile: boards.some(one => one.id === id && one.showsCodes) ? 'list' : 'bars',
              },
            }),
          ),
        ),
      [`${id} pdf`]: async () =>
        pdfText(await file(client.postExport({ params, body: { format: 'pdf', state } }))),
      [`${id} html`]: async () =>
        offline(await client.postExport({ params, body: { format: 'html', state } }).then(one => one.text())),
    });
  }
  for (const { name } of tables) {
    const params = { name };
    Object.assign(ways, {
      [`${name} model`]: () => client.getModel({ params }),
      [`${name} text`]: () => client.getModelText({ params }),
      [`${name} profile`]: () => client.getModelProfile({ params }),
      [`${name} values`]: () => client.getModelValues({ params }),
      [`${name} query`]: () => client.postQuery({ params, body: { dimensions: ['code', 'region'] } }),
      [`${name} table`]: () => client.getTable({ params: { table: name } }),
      [`${name} rows`]: () => client.getTableRows({ params: { table: name } }),
      [`${name} SQL`]: () =>
        client.runSql({ params: { name: 'files' }, body: { sql: `select * from ${name}` } }),
      [`${name} SQL error`]: () =>
        client.runSql({ params: { name: 'files' }, body: { sql: `select cast(code as int) from ${name}` } }),
      [`${name} exploration`]: async () =>
        collect(await client.queryTiles({ params: { id: `explore:${name}` }, body: { state } })),
    });
  }
  return ways;
}

/** The texts in a workbook: the entries of a ZIP, by its directory. */
function unzipped(file: Buffer): string {
  const texts: string[] = [];
  let at = file.indexOf('PK\u0001\u0002');
  while (at >= 0) {
    const [size, start] = [file.readUInt32LE(at + 20), file.readUInt32LE(at + 42)];
    const data = start + 30 + file.readUInt16LE(start + 26) + file.readUInt16LE(start + 28);
    const piece = file.subarray(data, data + size);
    texts.push((file.readUInt16LE(at + 10) === 8 ? inflateRawSync(piece) : piece).toString());
    at = file.indexOf('PK\u0001\u0002', at + 4);
  }
  return texts.join('\n');
}

async function rowsOfParquet(bytes: Buffer): Promise<unknown> {
  const stored = path.join(team.folder, 'export.parquet');
  await writeFile(stored, bytes);
  const database = await DuckDBInstance.create(':memory:');
  const connection = await database.connect();
  try {
    return (await connection.runAndReadAll(`select * from '${stored}'`)).getRowObjectsJson();
  } finally {
    connection.closeSync();
    database.closeSync();
    await rm(stored);
  }
}

/** The texts of a mail and of the files in it. */
async function textsOf({ raw, text }: ReceivedMail): Promise<readonly string[]> {
  const attached = raw.matchAll(
    /Content-Type: (\S+?);[^]*?Content-Disposition: attachment[^]*?\r\n\r\n([A-Za-z0-9+/=\r\n]+)/g,
  );
  const texts = await Promise.all(
    Array.from(attached, ([, type, base64 = '']) => {
      const bytes = Buffer.from(base64, 'base64');
      if (type === 'application/pdf') return pdfText(bytes);
      return type === 'text/csv' ? bytes.toString() : unzipped(bytes);
    }),
  );
  return [text, ...texts];
}

/** An offline page with its results, which it keeps as base64. */
async function offline(page: string): Promise<unknown> {
  const data = /<script type="application\/json" id="belvedere-data">(.*?)<\/script>/s.exec(page)![1]!;
  const { pages, indexes } = JSON.parse(data) as {
    pages: string[];
    indexes: Record<string, string>;
  };
  const framesOf = (base64: string) =>
    collect(
      decodeFrames(
        (async function* () {
          yield Uint8Array.from(Buffer.from(base64, 'base64'));
        })(),
      ),
    );
  return [page, await Promise.all([...pages, ...Object.values(indexes)].map(framesOf))];
}

const written = (value: unknown) =>
  JSON.stringify(value, (_, one: unknown) =>
    typeof one === 'bigint' ? String(one) : ArrayBuffer.isView(one) ? Array.from(one as Uint8Array) : one,
  );
const marks = /\b(?:Title|Label|Hidden|code)\d+(?:x\d+)?q/g;
/** Guests learn no person's name either. */
const guestMarks = /\b(?:(?:Title|Label|Hidden|code)\d+(?:x\d+)?q|Person\d|Olga)/gi;

describe('a person of a random team', () => {
  test.each(people)('$name, $role, gets nothing but what plain code lets them see', async person => {
    const { client } = members.get(person.name)!;
    const { texts, seenBoards, rowsOf } = allowedFor(person);
    const leaked: string[] = [];
    const found = new Set<string>();
    for (const [way, open] of Object.entries(waysOut(client))) {
      // An error is a way out, too.
      const answer = await open().catch((error: { problem?: unknown }) => error.problem ?? String(error));
      for (const [mark] of written(answer).matchAll(marks)) {
        found.add(mark);
        if (!texts.has(mark)) leaked.push(`${way}: ${mark}`);
      }
    }
    expect([...new Set(leaked)]).toEqual([]);
    // All that one may see is found: the test does not pass because nothing answers.
    expect([...texts].filter(text => !found.has(text))).toEqual([]);
    for (const { id, table } of seenBoards) {
      const frames = written(
        await collect(await client.queryTiles({ params: { id }, body: { state, tiles: ['sum'] } })),
      );
      const sum = rowsOf(table).reduce((total, { amount }) => total + amount, 0);
      if (rowsOf(table).length > 0) expect([id, frames.includes(String(sum))]).toEqual([id, true]);
      for (const other of tables) {
        const all = other.rows.reduce((total, { amount }) => total + amount, 0);
        if (all !== sum) expect([id, frames.includes(String(all))]).toEqual([id, false]);
      }
    }
  });

  test.each(people)('$name, $role, finds nothing else in the files of reports', async person => {
    const { client, email } = members.get(person.name)!;
    const { texts, seenBoards } = allowedFor(person);
    const others = boards.filter(one => !seenBoards.includes(one));
    for (const { id, title } of [...seenBoards.slice(0, 2), ...others.slice(0, 1)]) {
      const text =
        `version: 1\ntitle: Report of ${id}\nowner: ${email}\ndashboard: ${id}\n` +
        `schedule: { at: "08:00", days: weekdays }\nattach: [pdf, xlsx, csv]\nto: [{ user: ${email} }]\n`;
      if (others.some(one => one.id === id)) {
        const refused = await client.sendReport({ body: { text } }).catch((error: unknown) => error);
        expect(refused).toBeInstanceOf(Error);
        expect(written((refused as { problem: unknown }).problem).match(marks)).toBe(null);
        continue;
      }
      await client.sendReport({ body: { text } });
      const inMail = await textsOf(await mail.mailTo(email, new RegExp(`Report of ${id}`)));
      expect([id, inMail.length > 1]).toEqual([id, true]);
      const found = inMail.join('\n').match(marks);
      expect([id, [...new Set(found)].filter(mark => !texts.has(mark))]).toEqual([id, []]);
      expect([title, found?.includes(title)]).toEqual([title, true]);
    }
  });

  test.each(people)(
    'a guest of a frame with the attributes of $name gets no other rows',
    async ({ regions: own }) => {
      const leaked: string[] = [];
      const missing: string[] = [];
      for (const of of some(boards, 0.4)) {
        const locked = random() < 0.5 ? [...new Set([pick(regions), ...some(regions, 0.4)])] : undefined;
        const claims = {
          // A claim that the dashboard has no use for is refused.
          ...(of.table.hasPolicy && { attributes: { regions: [...own] } }),
          downloads: true,
          ...(locked && { locked: { region: { oneOf: locked } } }),
          ...(of.choosesCodes === 'in a filter' && { free: ['code'] }),
        };
        const { token } = await team.stranger.openEmbed({
          body: {
            token: signed(key, claimsOf(of.id, claims)),
            origin: 'https://site.example',
            dashboard: of.id,
          },
        });
        const guest = createClient(team.server.address, (input, init) =>
          fetch(input, {
            ...init,
            headers: { ...(init?.headers as Record<string, string>), authorization: `Guest ${token}` },
          }),
        );
        const rows = of.table.rows.filter(
          ({ region }) =>
            (!of.table.hasPolicy || own.includes(region)) &&
            (locked === undefined || locked.includes(region)),
        );
        const texts = new Set([
          of.title,
          of.table.label,
          ...(hasCodes(of) ? rows.map(({ code }) => code) : []),
        ]);
        const found = new Set<string>();
        for (const [way, open] of Object.entries(waysOut(guest))) {
          const answer = await open().catch((error: { problem?: unknown }) => error.problem ?? String(error));
          for (const [mark] of written(answer).matchAll(guestMarks)) {
            found.add(mark);
            if (!texts.has(mark)) leaked.push(`${of.id} ${way}: ${mark}`);
          }
        }
        missing.push(...[...texts].filter(text => text.startsWith('code') && !found.has(text)));
        const frames = written(
          await collect(
            await guest.queryTiles({ params: { id: sharedDashboardId }, body: { state, tiles: ['sum'] } }),
          ),
        );
        const sum = rows.reduce((total, { amount }) => total + amount, 0);
        if (rows.length > 0) expect([of.id, frames.includes(String(sum))]).toEqual([of.id, true]);
      }
      expect([...new Set(leaked)]).toEqual([]);
      expect(missing).toEqual([]);
    },
  );

  test.each(people)('$name, $role, gets images only of what they see', async person => {
    // Images are drawn from the same SVG as above, so its texts are theirs.
    const { client } = members.get(person.name)!;
    const { seenBoards } = allowedFor(person);
    for (const one of boards) {
      const status = await client
        .postExport({ params: { id: one.id }, body: { format: 'png', tile: 'sum', state } })
        .then(
          response => response.status,
          (error: { problem: { status: number } }) => error.problem.status,
        );
      expect([one.id, status]).toEqual([one.id, seenBoards.includes(one) ? 200 : 404]);
    }
  });

  test.each(people)(
    'the access of $name, $role, is explained with the grants it comes from',
    async person => {
      const params = { user: members.get(person.name)!.id };
      const { objects, models, needsNoGrant } = await team.owner.client.getAccessOfUser({ params });
      const everything = [
        ...boards.map(({ id }) => ['dashboard', id] as const),
        ...tables.map(({ name }) => ['model', name] as const),
        ['source', 'files'] as const,
      ];
      const expected = everything.flatMap(([kind, id]) => {
        const level = levelOn(person, kind, id);
        return level < 0 ? [] : [`${kind} ${id}: ${levels[level]}`];
      });
      expect(needsNoGrant).toBe(false);
      expect(objects.map(({ kind, id, level }) => `${kind} ${id}: ${level}`).toSorted()).toEqual(
        expected.toSorted(),
      );
      for (const { kind, id, grants } of objects)
        expect(grants.map(({ from, level }) => `${from?.kind ?? kind} ${from?.id ?? id}: ${level}`)).toEqual(
          expect.arrayContaining(
            person.grants
              .filter(grant => grant.kind === kind && grant.id === id)
              .map(grant => `${grant.kind} ${grant.id}: ${grant.level}`),
          ),
        );
      expect(objects.every(({ grants }) => grants.length > 0)).toBe(true);
      for (const { subject, through } of objects.flatMap(({ grants }) => grants))
        expect(through).toEqual(subject.name === `Around ${person.name}` ? [`Of ${person.name}`] : undefined);
      expect(models.map(({ name, policies }) => [name, policies.map(({ isFit }) => isFit)])).toEqual(
        tables.filter(({ hasPolicy }) => hasPolicy).map(({ name }) => [name, [person.regions.length > 0]]),
      );
    },
  );

  test('a disabled account may see nothing, and an admin all of it, without grants', async () => {
    const { client, id } = team.owner;
    const admin = await client.getAccessOfUser({ params: { user: id } });
    expect([admin.needsNoGrant, admin.objects.length]).toEqual([true, boards.length + tables.length + 1]);
    const { id: service } = await client.createServiceAccount({ body: { name: 'idle', role: 'maker' } });
    await client.updateUser({ params: { user: service }, body: { isDisabled: true } });
    expect((await client.getAccessOfUser({ params: { user: service } })).objects).toEqual([]);
  });

  test('the owner sees all of it', async () => {
    const answers = [];
    for (const open of Object.values(waysOut(team.owner.client)))
      answers.push(await open().catch(error => String(error)));
    const found = new Set(Array.from(written(answers).matchAll(marks), ([mark]) => mark));
    for (const { rows, label, hidden } of tables)
      for (const text of [label, hidden, ...rows.map(({ code }) => code)])
        expect([text, found.has(text)]).toEqual([text, true]);
  });
});
