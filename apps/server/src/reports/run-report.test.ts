import { strFromU8, unzipSync } from 'fflate';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { NewMessage } from '../deliver/message.ts';
import { openReports, shareWith, type ReportFixture } from './report-fixture.ts';
import { runReport, type ReportParts, type ReportResult } from './run-report.ts';

const due = Date.parse('2024-05-03T06:00:00Z');
const report = (more: string, dashboard = 'sales', owner = 'olga') =>
  `version: 1\ntitle: Weekly sales\nowner: ${owner}@example.org\ndashboard: ${dashboard}\nschedule: { at: "08:00" }\n${more}`;

let fixture: ReportFixture;
beforeAll(async () => {
  fixture = await openReports();
});
beforeEach(() => fixture.reset());
afterAll(() => fixture?.close());

async function run(text: string, changed: Partial<ReportParts> = {}): Promise<ReportResult> {
  const { parts, report: read } = fixture;
  return runReport(read(text), due, { ...parts, ...changed }, new AbortController().signal);
}

const messagesOf = (result: ReportResult): readonly NewMessage[] => {
  expect(result).toMatchObject({ kind: 'sent' });
  return result.kind === 'sent' ? result.messages : [];
};

const targets = ({ to }: NewMessage) => to.map(one => (one.kind === 'user' ? one.userId : `#${one.channel}`));

/** All text of a message's files, workbooks unpacked. */
const textOf = ({ files }: NewMessage): string =>
  files
    .map(({ name, bytes }) =>
      name.endsWith('.xlsx')
        ? Object.values(unzipSync(bytes))
            .map(part => strFromU8(part))
            .join('\n')
        : Buffer.from(bytes).toString('latin1'),
    )
    .join('\n');

test('a report > sends each recipient their own rows, and draws equal content once', async () => {
  const text = report(
    'attach: [xlsx, csv]\nto: [{ user: nora@example.org }, { user: nils@example.org }, { user: sven@example.org }]\n',
  );
  const messages = messagesOf(await run(text));
  expect(messages.map(targets)).toEqual([['nora', 'nils'], ['sven']]);
  const [north, south] = messages.map(textOf) as [string, string];
  expect([north.includes('canary-north-2'), north.includes('canary-south')]).toEqual([true, false]);
  expect([south.includes('canary-south-1'), south.includes('canary-north')]).toEqual([true, false]);
  expect(messages[0]).toMatchObject({
    kind: 'report',
    about: 'report:weekly',
    key: `report:weekly:${due}:nora:0`,
    title: 'Weekly sales',
    requires: [{ kind: 'dashboard', id: 'sales' }],
    unsubscribe: '/reports/weekly/unsubscribe',
    images: [{ alt: 'Sales, page Figures', width: 1200 }, { alt: 'Sales, page Shops' }],
  });
  expect([...messages[0]!.images[0]!.png.subarray(1, 4)]).toEqual([...Buffer.from('PNG')]);
  expect(messages[0]!.links[0]!.href).toBe('/d/sales');
});

test('a report > on a dashboard in its viewers’ time zone is drawn for each zone', async () => {
  for (const [name, zone] of [
    ['nora', 'Asia/Tokyo'],
    ['nils', 'America/New_York'],
  ] as const)
    fixture.users.set(name, { ...fixture.users.get(name)!, zone });
  const to = 'attach: [csv]\nto: [{ user: nora@example.org }, { user: nils@example.org }]\n';
  expect(messagesOf(await run(report(to, 'own_zone'))).map(targets)).toEqual([['nora'], ['nils']]);
  expect(messagesOf(await run(report(to))).map(targets)).toEqual([['nora', 'nils']]);
});

test('a report > shows the owner’s rows to channels, and to users if its text says so', async () => {
  const text = report('attach: [csv]\nrows: owner\nto: [{ user: nora@example.org }, { channel: Ops }]\n');
  const messages = messagesOf(await run(text));
  expect(messages.map(targets)).toEqual([['nora'], ['#Ops']]);
  for (const message of messages) expect(textOf(message)).toMatch(/canary-south-1[^]*canary-north-1/);
  expect(messages[1]).not.toHaveProperty('unsubscribe');
  // The owner sees one region only, and so does the channel.
  const own = report('attach: [csv]\nto: [{ channel: Ops }]\n', 'sales', 'nora');
  const [message] = messagesOf(await run(own));
  expect(textOf(message!)).not.toContain('south');
});

test('a report > leaves out recipients who cannot see the dashboard, are disabled, unknown or unsubscribed', async () => {
  const { users, grants } = fixture;
  grants.splice(
    grants.findIndex(({ subjectId, object }) => subjectId === 'sven' && object === 'sales'),
    1,
  );
  users.set('nils', { ...users.get('nils')!, isDisabled: true });
  await fixture.refresh();
  const text = report(
    'to: [{ group: Readers }, { user: nils@example.org }, { user: nobody@example.org }, { group: Others }]\npictures: false\n',
  );
  const result = await run(text, { unsubscribed: async () => new Set(['vera']) });
  expect(messagesOf(result).flatMap(targets).toSorted()).toEqual(['ed', 'nora']);
  expect(result).toMatchObject({
    left: expect.arrayContaining([
      { recipient: 'sven@example.org', reason: 'forbidden' },
      { recipient: 'nils@example.org', reason: 'disabled' },
      { recipient: 'vera@example.org', reason: 'unsubscribed' },
      { recipient: 'nobody@example.org', reason: 'unknown' },
      { recipient: 'Others', reason: 'unknown' },
    ]) as unknown,
  });
});

test('a report > stops once its owner is unknown, disabled or may no longer see the dashboard', async () => {
  const { users, grants } = fixture;
  const text = (owner: string) => report('to: [{ user: olga@example.org }]\n', 'sales', owner);
  expect(await run(text('stranger'))).toEqual({ kind: 'stopped', reason: 'owner-unknown' });
  grants.splice(
    grants.findIndex(({ subjectId, object }) => subjectId === 'ed' && object === 'sales'),
    1,
  );
  await fixture.refresh();
  expect(await run(text('ed'))).toEqual({ kind: 'stopped', reason: 'owner-forbidden' });
  users.set('nora', { ...users.get('nora')!, isDisabled: true });
  expect(await run(text('nora'))).toEqual({ kind: 'stopped', reason: 'owner-disabled' });
});

test('a report > gives files of data only to those who may export them', async () => {
  const text = report('attach: [pdf, csv]\nto: [{ user: vera@example.org }]\n');
  const [message] = messagesOf(await run(text));
  expect(message!.files.map(({ name }) => name)).toEqual(['Sales.pdf']);
  expect(message!.lines.join()).toContain('not attached');
});

test('bursting > sends each list its filters, and no rows that its recipients may not see', async () => {
  const text = report(`attach: [csv]
each:
  - { to: [{ user: nora@example.org }, { user: sven@example.org }], filters: { region: { oneOf: [south] } } }
  - { to: [{ user: ed@example.org }], filters: { region: { oneOf: [north] } } }
`);
  const messages = messagesOf(await run(text));
  const byUser = new Map(messages.flatMap(one => targets(one).map(name => [name, textOf(one)] as const)));
  expect(byUser.get('nora')).not.toContain('canary');
  expect(byUser.get('sven')).toContain('canary-south-1');
  expect(byUser.get('ed')).toContain('canary-north-1');
  expect(byUser.get('ed')).not.toContain('south');
  expect(messages.find(one => targets(one).includes('ed'))!.links[0]!.href).toContain('f.region=');
});

test('bursting > is refused with the owner’s rows if a tile does not have the field', async () => {
  const text = (rows: string) =>
    report(
      `rows: ${rows}\nattach: [csv]\neach: [{ to: [{ user: nora@example.org }], filters: { region: { oneOf: [north] } } }]\n`,
      'mixed',
    );
  expect(await run(text('owner'))).toMatchObject({
    kind: 'skipped',
    left: [{ recipient: 'nora@example.org', reason: 'filter-not-applied' }],
  });
  expect(await run(text('recipient'))).toMatchObject({ kind: 'sent' });
});

test('conditions > freshness counts to the end of the newest day', async () => {
  const text = (fresh: string) => report(`onlyIf: { fresh: ${fresh} }\npictures: false\n`);
  // The newest day is May 2; it is 8:00 on May 3 in Berlin.
  expect(await run(text('8 hours'))).toMatchObject({ kind: 'sent' });
  expect(await run(text('7 hours'))).toMatchObject({ kind: 'skipped', reason: 'not-fresh' });
});

test.each([
  ['above: 69', 'sent'],
  ['above: 70', 'skipped'],
  ['below: 71', 'sent'],
  ['above: 10, below: 20', 'skipped'],
])('conditions > the owner’s figure of 70 with %s is %s', async (bound, kind) => {
  const text = report(`onlyIf: { tile: total, ${bound} }\npictures: false\n`);
  expect(await run(text)).toMatchObject({ kind });
});

test('conditions > recipients without any rows get nothing if it must not be empty', async () => {
  const text = report(
    'onlyIf: { notEmpty: true }\nfilters: { region: { oneOf: [north] } }\npictures: false\n' +
      'to: [{ user: nora@example.org }, { user: sven@example.org }]\n',
  );
  const result = await run(text);
  expect(messagesOf(result).map(targets)).toEqual([['nora']]);
  expect(result).toMatchObject({ left: [{ recipient: 'sven@example.org', reason: 'empty' }] });
});

test('a size limit > leaves out files, then pictures, and says so', async () => {
  const text = report('attach: [pdf]\n');
  const [whole] = messagesOf(await run(text));
  const pictures = whole!.images.reduce((sum, { png }) => sum + png.length, 0) * (4 / 3);
  const [without] = messagesOf(await run(text, { maxBytes: Math.ceil(pictures) + 100 }));
  expect(without!.files).toEqual([]);
  expect(without!.lines.join()).toContain('Sales.pdf');
  const [least] = messagesOf(await run(text, { maxBytes: 100 }));
  expect([least!.images, least!.files]).toEqual([[], []]);
  expect(least!.lines).toHaveLength(2);
});

test('pages > only those of the report are drawn and written', async () => {
  const [message] = messagesOf(await run(report('pages: [2]\nattach: [xlsx]\n')));
  expect(message!.images).toHaveLength(1);
  const sheets = Object.keys(unzipSync(message!.files[0]!.bytes)).filter(name =>
    /worksheets\/sheet\d+\.xml$/.test(name),
  );
  expect(sheets).toHaveLength(2);
  expect(message!.links[0]!.href).toBe('/d/sales?page=2');
});

test('grants > an added one is no reason to draw again for the same rows and fields', async () => {
  fixture.grants.push(shareWith('nora', 'view', 'dashboard', 'sales'));
  await fixture.refresh();
  const text = report('to: [{ user: nora@example.org }, { user: nils@example.org }]\npictures: false\n');
  expect(messagesOf(await run(text))).toHaveLength(1);
});

test('a report > is written in its own language, and otherwise in the workspace’s', async () => {
  const text = 'attach: [csv]\nto: [{ user: nora@example.org }]\n';
  const [english] = messagesOf(await run(report(text)));
  const [german] = messagesOf(await run(report(`${text}locale: de-CH\n`)));
  expect(english).not.toHaveProperty('locale');
  expect(german).toMatchObject({
    locale: 'de-CH',
    images: [{ alt: 'Sales, Seite Figures' }, { alt: 'Sales, Seite Shops' }],
    links: [{ label: 'Dashboard öffnen' }],
  });
});
