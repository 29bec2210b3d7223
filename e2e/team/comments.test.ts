import { contract, createClient, type Client, type Endpoint } from '@belvedere/api';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { allRead, runBelvedere } from '../running-belvedere.ts';
import { runTeam, type Member, type RunningTeam } from './running-team.ts';

/** Comments: who can read, write and delete them, who is notified, and which part of a state others see. */

const board = (title: string, model: string) => `version: 1
title: ${title}
model: ${model}
filters:
  - { field: city }
pages:
  - title: One
    tiles:
      cities: { kind: bar, x: { field: city }, y: { measure: rows }, at: [0, 0, 12, 8] }
  - title: Two
    tiles:
      list: { kind: table, columns: [city], at: [0, 0, 12, 8] }
`;
const fields = 'dimensions: { city: {}, badger_pay: {} }\nmeasures: { rows: { expr: count(*) } }\n';
const files = {
  'belvedere.yaml': 'version: 1\ntitle: Shop\n',
  'data/orders.csv': 'city,badger_pay\nAachen,100\nBonn,200\n',
  'data/guarded.csv': 'city,badger_pay,team\nMoorhen City,777777,red\nBonn,2,blue\n',
  'models/orders.yaml': `version: 1\ntable: orders\n${fields}`,
  'models/guarded.yaml':
    `version: 1\ntable: guarded\n${fields}` +
    'policies: [{ name: own, everyone: true, where: "team = :user.team" }]\n',
  'dashboards/sales.yaml': board('Sales', 'orders'),
  'dashboards/guarded.yaml': board('Guarded', 'guarded'),
  'dashboards/hidden.yaml': board('Hidden', 'orders'),
};

let team: RunningTeam;
let eve: Member;
let ed: Member;
let vera: Member;
let mallory: Member;
const share = (object: string, id: string, level: 'view' | 'explore' | 'manage' | null, kind = 'dashboard') =>
  team.owner.client.putGrant({
    params: { kind: kind as 'dashboard', object },
    body: { subject: { kind: 'user', id }, level },
  });
beforeAll(async () => {
  team = await runTeam(files);
  await allRead(team);
  [eve, ed, vera, mallory] = [
    await team.join('Eve', 'explorer'),
    await team.join('Ed', 'editor'),
    await team.join('Vera', 'viewer'),
    await team.join('Mallory', 'explorer'),
  ];
  for (const object of ['sales', 'guarded']) {
    await share(object, eve.id, 'explore');
    await share(object, ed.id, 'manage');
    await share(object, vera.id, 'view');
  }
});
afterAll(() => team?.close());

const at = (id = 'sales') => ({ params: { id } });
const write = (by: Member, body: string, more: object = {}, id = 'sales') =>
  by.client.addComment({ ...at(id), body: { body, ...more } });
const one = (comment: number, id = 'sales') => ({ params: { id, comment } });
const listed = async (by: Member, id = 'sales') => (await by.client.listComments(at(id))).comments;
const status = (code: number) => ({ problem: { status: code } });

describe('comments', () => {
  test('are read and written by everyone who sees the dashboard', async () => {
    const { id } = await write(eve, '  Why so **few**?  ', {
      tile: 'cities',
      anchor: [{ city: { oneOf: ['Bonn'] } }],
      state: { page: 0, filters: { city: { oneOf: ['Bonn'] } }, selections: {} },
    });
    const reply = await write(ed, 'Closed in May.', { parent: id });
    const me = await write(vera, 'Me too', { parent: id });
    await expect(listed(mallory)).rejects.toMatchObject(status(404));
    await expect(write(mallory, 'Hello')).rejects.toMatchObject(status(404));
    await expect(team.stranger.listComments(at())).rejects.toMatchObject(status(401));
    expect(await listed(vera)).toMatchObject([
      {
        id,
        body: 'Why so **few**?',
        author: { id: eve.id, name: 'Eve' },
        isOwn: false,
        tile: 'cities',
        anchor: [{ city: { oneOf: ['Bonn'] } }],
        state: { filters: { city: { oneOf: ['Bonn'] } } },
        isWithheld: false,
      },
      { id: reply.id, parent: id, author: { name: 'Ed' } },
      { id: me.id, parent: id, isOwn: true },
    ]);
    const may = async ({ client }: Member) => {
      const { canWrite, canResolve, canModerate } = await client.listComments(at());
      return [canWrite, canResolve, canModerate];
    };
    expect(await may(vera)).toEqual([true, false, false]);
    expect(await may(eve)).toEqual([true, true, false]);
    expect(await may(team.owner)).toEqual([true, true, true]);
    await vera.client.removeComment(one(me.id));
  });

  test('by viewers are switched off by owners alone, from the next request on', async () => {
    const { id } = await write(vera, 'Why?');
    await expect(ed.client.switchViewerComments({ body: { isOn: false } })).rejects.toMatchObject(
      status(403),
    );
    expect((await team.owner.client.listUsers({})).viewersMayComment).toBe(true);
    await team.owner.client.switchViewerComments({ body: { isOn: false } });
    try {
      expect((await team.owner.client.listUsers({})).viewersMayComment).toBe(false);
      expect(await vera.client.listComments(at())).toMatchObject({ canWrite: false });
      for (const attempt of [
        () => write(vera, 'Me too'),
        () => write(vera, 'Me too', { parent: id }),
        () => vera.client.updateComment({ ...one(id), body: { body: 'Why then?' } }),
        () => vera.client.findMentionable({ ...at(), query: {} }),
      ])
        await expect(attempt()).rejects.toMatchObject(status(403));
      // An explorer with whom the dashboard was shared to view it is a viewer there.
      await share('sales', eve.id, 'view');
      await expect(write(eve, 'Me too')).rejects.toMatchObject(status(403));
      await share('sales', eve.id, 'explore');
      await eve.client.removeComment(one((await write(eve, 'And I')).id));
      await vera.client.removeComment(one(id));
    } finally {
      await team.owner.client.switchViewerComments({ body: { isOn: true } });
    }
    const { entries } = await team.owner.client.listAudit({ query: { limit: 200 } });
    expect(entries.filter(({ action }) => action === 'comment.switch')).toHaveLength(2);
  });

  test('are edited by their author, deleted by their author or an admin, which the audit log shows', async () => {
    const { id } = await write(eve, 'First');
    await expect(ed.client.updateComment({ ...one(id), body: { body: 'Mine' } })).rejects.toMatchObject(
      status(403),
    );
    await expect(
      team.owner.client.updateComment({ ...one(id), body: { body: 'Mine' } }),
    ).rejects.toMatchObject(status(403));
    const edited = await eve.client.updateComment({ ...one(id), body: { body: 'Second' } });
    expect(edited).toMatchObject({ body: 'Second', isOwn: true, editedAt: expect.any(String) as string });
    await expect(ed.client.removeComment(one(id))).rejects.toMatchObject(status(403));
    // Not by way of another dashboard.
    await expect(team.owner.client.removeComment(one(id, 'hidden'))).rejects.toMatchObject(status(404));
    const reply = await write(ed, 'Answer', { parent: id });
    await team.owner.client.removeComment(one(id));
    const left = (await listed(vera)).filter(comment => comment.id >= id);
    expect(left).toMatchObject([
      { id, body: '', isDeleted: true },
      { id: reply.id, isDeleted: false },
    ]);
    await expect(eve.client.updateComment({ ...one(id), body: { body: 'Back' } })).rejects.toMatchObject(
      status(404),
    );
    await ed.client.removeComment(one(reply.id));
    expect((await listed(vera)).filter(comment => comment.id >= id)).toEqual([]);
    const { entries } = await team.owner.client.listAudit({ query: { limit: 200 } });
    expect(entries.filter(({ action }) => action === 'comment.delete')).toMatchObject([
      { object: 'dashboard sales', detail: 'Eve', actor: expect.stringContaining('Olga') as string },
    ]);
  });

  test('are resolved by thread, and a reply opens the thread again', async () => {
    const { id } = await write(eve, 'Fix this');
    const resolve = (by: Member, comment: number, isResolved = true) =>
      by.client.resolveComment({ ...one(comment), body: { isResolved } });
    expect(await resolve(ed, id)).toMatchObject({ resolved: { by: { name: 'Ed' } } });
    await expect(resolve(vera, id)).rejects.toMatchObject(status(403));
    const reply = await write(eve, 'Not yet', { parent: id });
    const [root] = (await listed(eve)).filter(comment => comment.id === id);
    expect(root?.resolved).toBeUndefined();
    await expect(resolve(ed, reply.id)).rejects.toMatchObject(status(400));
    await expect(write(ed, 'Deeper', { parent: reply.id })).rejects.toMatchObject(status(400));
    await eve.client.removeComment(one(reply.id));
    await eve.client.removeComment(one(id));
  });

  test('name a tile that exists when they are written, and outlive it', async () => {
    await expect(write(eve, 'x', { tile: 'nothing' })).rejects.toMatchObject(status(400));
    await expect(write(eve, 'x', { anchor: [{ city: { oneOf: ['a'] } }] })).rejects.toMatchObject(
      status(400),
    );
    await expect(write(eve, '   ')).rejects.toMatchObject(status(400));
    await expect(write(eve, 'x'.repeat(4001))).rejects.toMatchObject(status(400));
    const { id } = await write(eve, 'About the list', { tile: 'list' });
    const { text, hash } = await ed.client.getDashboardText(at());
    const without = text.replace(
      / {6}list: .*\n/,
      '      other: { kind: text, text: Hi, at: [0, 0, 12, 8] }\n',
    );
    await team.owner.client.saveDashboardText({ ...at(), body: { text: without }, ifMatch: hash });
    expect((await listed(eve)).find(comment => comment.id === id)).toMatchObject({ tile: 'list' });
    await eve.client.removeComment(one(id));
  });

  test('follow a dashboard that moves, go to the trash with it, and come back; copies have none', async () => {
    const before = (await listed(eve)).map(({ body }) => body);
    expect(before.length).toBeGreaterThan(0);
    const { text } = await ed.client.getDashboardText(at());
    await team.owner.client.saveDashboardText({ ...at('copy'), body: { text } });
    expect(await listed(team.owner, 'copy')).toEqual([]);
    await team.owner.client.moveDashboard({ ...at(), body: { to: 'moved' } });
    expect((await listed(eve, 'moved')).map(({ body }) => body)).toEqual(before);
    const { number } = await team.owner.client.removeDashboard(at('moved'));
    await expect(listed(team.owner, 'moved')).rejects.toMatchObject(status(404));
    await team.owner.client.restoreDocument({ params: { number } });
    expect((await listed(eve, 'moved')).map(({ body }) => body)).toEqual(before);
    await team.owner.client.moveDashboard({ ...at('moved'), body: { to: 'sales' } });
  });
});

describe('mentions', () => {
  test('are offered of people who may see the dashboard, and refused of others by name', async () => {
    const { people } = await eve.client.findMentionable({ ...at(), query: {} });
    expect(people.map(({ name }) => name).toSorted()).toEqual(['Ed', 'Olga', 'Vera']);
    expect((await eve.client.findMentionable({ ...at(), query: { search: 've' } })).people).toEqual([
      { id: vera.id, name: 'Vera' },
    ]);
    await expect(write(eve, 'Hi @Mallory', { mentions: [mallory.id] })).rejects.toMatchObject({
      problem: { status: 400, detail: expect.stringContaining('Mallory may not see') as string },
    });
    await expect(write(eve, 'Hi', { mentions: ['nobody'] })).rejects.toMatchObject(status(400));
  });

  test('by viewers are of those whom the comments name already', async () => {
    const offered = async () =>
      (await vera.client.findMentionable({ ...at(), query: {} })).people.map(({ name }) => name).toSorted();
    const { id } = await write(eve, 'Look, @Ed', { mentions: [ed.id] });
    expect(await offered()).toEqual(['Ed', 'Eve']);
    const reply = await write(vera, '@Eve, done', { parent: id, mentions: [eve.id] });
    expect(reply.mentions).toEqual([{ id: eve.id, name: 'Eve' }]);
    // The owner sees the dashboard, too. The response names neither them nor those who do not.
    const answers = await Promise.all(
      [team.owner.id, mallory.id, 'nobody'].map(mentioned =>
        write(vera, 'Hi @Olga @Mallory', { mentions: [mentioned] }).catch(
          (error: { readonly problem: object }) => JSON.stringify({ ...error.problem, instance: '' }),
        ),
      ),
    );
    expect(new Set(answers).size).toBe(1);
    expect(String(answers[0])).toContain('does not exist');
    await eve.client.removeComment(one(id));
  });

  test('and replies reach inboxes of those who may see the dashboard, read and unread', async () => {
    const { id } = await write(eve, 'Look, @Vera, not @Ed', { mentions: [vera.id] });
    const inbox = async (by: Member) =>
      (await by.client.getInbox({})).items.filter(item => item.comment >= id);
    expect(await inbox(vera)).toMatchObject([
      {
        comment: id,
        reason: 'mention',
        dashboard: { id: 'sales', title: 'Sales' },
        author: { name: 'Eve' },
        isRead: false,
      },
    ]);
    expect(await inbox(ed)).toEqual([]);
    const { id: reply } = await write(ed, 'Seen', { parent: id });
    expect(await inbox(eve)).toMatchObject([{ comment: reply, reason: 'reply' }]);
    expect(await inbox(ed)).toEqual([]);

    await vera.client.markInboxRead({ body: { comments: [id], isRead: true } });
    expect(await inbox(vera)).toMatchObject([{ isRead: true }]);
    await vera.client.markInboxRead({ body: { comments: [id], isRead: false } });
    expect((await vera.client.getInbox({})).unread).toBe(1);
    // The newest comment that was seen never moves back.
    await vera.client.markCommentsRead({ ...at(), body: { readTo: reply } });
    await vera.client.markCommentsRead({ ...at(), body: { readTo: 1 } });
    expect((await vera.client.listComments(at())).readTo).toBe(reply);
    expect((await vera.client.getInbox({})).unread).toBe(0);

    // Objects that are no longer shared are absent, and return with the grant.
    await share('sales', vera.id, null);
    expect((await vera.client.getInbox({})).items).toEqual([]);
    await write(ed, '@Vera', { parent: id });
    await share('sales', vera.id, 'view');
    expect(await inbox(vera)).toHaveLength(1);
    await eve.client.removeComment(one(id));
    expect(await inbox(vera)).toEqual([]);
  });
});

describe('notifications of a dashboard', () => {
  const choose = (by: Member, notified: 'all' | 'involved' | 'none', id = 'sales') =>
    by.client.followComments({ ...at(id), body: { notified } });
  const reasons = async (by: Member, since: number) =>
    (await by.client.getInbox({})).items
      .filter(({ comment }) => comment >= since)
      .map(({ reason }) => reason)
      .toReversed();

  test('are of all comments, of mentions and replies, or none, as each user chose, viewers too', async () => {
    const { id } = await write(vera, 'First');
    expect(await vera.client.listComments(at())).toMatchObject({ notified: 'involved' });
    const others = async () => {
      await write(eve, 'Nothing for Vera');
      await write(eve, 'But @Vera', { mentions: [vera.id] });
      await write(eve, 'Reply', { parent: id });
    };
    await others();
    expect(await reasons(vera, id)).toEqual(['mention', 'reply']);
    const from = async (notified: 'all' | 'none') => {
      await choose(vera, notified);
      expect(await vera.client.listComments(at())).toMatchObject({ notified });
      expect((await vera.client.getInbox({})).choices).toEqual([
        { dashboard: { id: 'sales', title: 'Sales' }, notified },
      ]);
      const own = await write(vera, 'Own');
      await others();
      return reasons(vera, own.id);
    };
    expect(await from('all')).toEqual(['follow', 'mention', 'reply']);
    // The text of an old comment that changes is no news.
    await ed.client.updateComment({
      ...one((await write(ed, 'Old')).id),
      body: { body: 'Older', mentions: [] },
    });
    expect(await reasons(ed, id)).toEqual([]);
    expect(await from('none')).toEqual([]);
    await choose(vera, 'involved');
    expect((await vera.client.getInbox({})).choices).toEqual([]);
  });

  test('end with access to it, and cannot be chosen without', async () => {
    await choose(vera, 'all');
    await share('sales', vera.id, null);
    const { id } = await write(eve, 'Unseen');
    await expect(choose(vera, 'none')).rejects.toMatchObject(status(404));
    await expect(choose(mallory, 'all')).rejects.toMatchObject(status(404));
    expect((await vera.client.getInbox({})).choices).toEqual([]);
    await share('sales', vera.id, 'view');
    expect(await reasons(vera, id)).toEqual([]);
    expect((await vera.client.getInbox({})).choices).toHaveLength(1);
    await choose(vera, 'involved');
  });
});

describe('anchors and states', () => {
  /** The text of a comment as a viewer receives it. */
  const sentTo = async (by: Member, id: string, comment: number) =>
    JSON.stringify((await listed(by, id)).find(found => found.id === comment));

  test('with fields that a dashboard does not show are withheld from those who cannot explore its model', async () => {
    const canary = { oneOf: [424_242] };
    const state = { page: 0, filters: {}, selections: {} };
    await share('orders', ed.id, 'explore', 'model');
    for (const [given, isShown] of [
      [{ state: { ...state, filters: { badger_pay: canary } } }, false],
      [{ state: { ...state, selections: { cities: [{ badger_pay: canary }] } } }, false],
      [{ state: { ...state, tiles: { cities: { drill: [{ badger_pay: canary }] } } } }, false],
      [{ state: { ...state, tiles: { cities: { color: 'badger_pay' } } } }, false],
      [{ state: { ...state, tiles: { list: { sort: { by: 'badger_pay', descending: true } } } } }, false],
      [{ state: { ...state, tiles: { list: { without: ['badger_pay'] } } } }, false],
      [{ state: { ...state, parameters: { metric: 'badger_pay' } } }, false],
      [{ state: { ...state, parameters: { toString: 'badger_pay' } } }, false],
      [
        {
          tile: 'cities',
          anchor: [{ badger_pay: canary }],
          state: { ...state, tiles: { cities: { color: 'badger_pay' } } },
        },
        false,
      ],
      [{ state: { ...state, filters: { city: { oneOf: ['Aachen'] } } } }, true],
      [{ state: { ...state, tiles: { list: { sort: { by: 'city', descending: true } } } } }, true],
    ] as const) {
      const { id } = await write(ed, 'See', given);
      expect(await sentTo(ed, 'sales', id)).toMatch(/badger_pay|city/);
      const sent = await sentTo(vera, 'sales', id);
      const named = JSON.stringify(given);
      expect([named, sent.includes('badger'), sent.includes('424242')]).toEqual([named, false, false]);
      expect([named, sent.includes('"isWithheld":false')]).toEqual([named, isShown]);
      await ed.client.removeComment(one(id));
    }
    await share('orders', ed.id, null, 'model');
  });

  test('name only fields that their tile shows, or that its author broke it down by', async () => {
    const state = (color: string) => ({ page: 0, filters: {}, selections: {}, tiles: { cities: { color } } });
    await share('orders', ed.id, 'explore', 'model');
    for (const [by, field, color, isStored] of [
      [team.owner, 'city', undefined, true],
      [team.owner, 'badger_pay', undefined, false],
      [team.owner, 'badger_pay', 'city', false],
      [team.owner, 'badger_pay', 'badger_pay', true],
      [ed, 'badger_pay', 'badger_pay', true],
      [vera, 'city', undefined, true],
      [vera, 'badger_pay', 'badger_pay', false],
      [vera, 'no_such_field', 'no_such_field', false],
      [team.owner, 'rows', undefined, false],
      [team.owner, 'toString', 'toString', false],
    ] as const) {
      const written = write(by, 'See', {
        tile: 'cities',
        anchor: [{ city: { oneOf: ['Bonn'] }, [field]: { oneOf: ['Bonn'] } }],
        ...(color !== undefined && { state: state(color) }),
      });
      const outcome = await written.then(
        ({ id }) => by.client.removeComment(one(id)).then(() => true),
        (error: Error) => error.message,
      );
      const refused = `The tile \`cities\` does not show \`${field}\`, so an anchor on it cannot name this field.`;
      expect([by.email, field, color, outcome]).toEqual([by.email, field, color, isStored || refused]);
    }
    await share('orders', ed.id, null, 'model');
  });

  test('over row policies are for their author and those who see all rows', async () => {
    const more = {
      tile: 'cities',
      anchor: [{ city: { oneOf: ['Moorhen City'] } }],
      state: { page: 0, filters: { city: { contains: 'Moorhen' } }, selections: {} },
    };
    for (const author of [team.owner, eve]) {
      const { id } = await write(author, 'Look', more, 'guarded');
      for (const reader of [team.owner, eve, ed, vera]) {
        const sent = await sentTo(reader, 'guarded', id);
        const maySee = reader === author || reader === team.owner;
        expect([reader.email, sent.includes('Moorhen'), sent.includes('"isWithheld":true')]).toEqual([
          reader.email,
          maySee,
          !maySee,
        ]);
      }
    }
  });
});

describe('other callers', () => {
  const withHeader = (authorization: string): Client =>
    createClient(team.server.address, (input, init) =>
      fetch(input, { ...init, headers: { ...(init?.headers as Record<string, string>), authorization } }),
    );
  const aboutComments = (Object.entries(contract) as [string, Endpoint][]).filter(([, { path }]) =>
    /comments|mentionable|inbox|me\/mail/.test(path),
  );

  test('guests of public links never see or write comments', async () => {
    await team.owner.client.switchLinks({ body: { isOn: true } });
    const { secret } = await team.owner.client.createLink({
      ...at(),
      body: { name: 'All', downloads: true, filters: {} },
    });
    const { token } = await team.stranger.openLink({ body: { secret } });
    expect(aboutComments.length).toBe(13);
    for (const [name, { method, path }] of aboutComments) {
      const response = await fetch(
        team.server.address + path.replace(':id', 'shared').replace(':comment', '1'),
        {
          method,
          headers: {
            authorization: `Guest ${token}`,
            'x-belvedere': '1',
            'content-type': 'application/json',
          },
          ...(method !== 'GET' && method !== 'DELETE' && { body: '{}' }),
        },
      );
      expect([name, response.status]).toEqual([name, 403]);
    }
    const guest = withHeader(`Guest ${token}`);
    const seen = JSON.stringify(await guest.getDashboard({ params: { id: 'shared' }, query: {} }));
    expect(seen).not.toContain('Closed in May');
  });

  test('tokens with the scope explore write as their owner, and never as an admin', async () => {
    const created = async (by: Member, scope: 'read' | 'explore') => {
      const { secret } = await by.client.createOwnToken({ body: { name: scope, scope, days: 1 } });
      return { ...by, client: withHeader(`Bearer ${secret}`) };
    };
    const reading = await created(eve, 'read');
    const writing = await created(eve, 'explore');
    const ofOwner = await created(team.owner, 'explore');
    expect((await listed(reading)).length).toBeGreaterThan(0);
    await expect(write(reading, 'x')).rejects.toMatchObject(status(403));
    const { id } = await write(writing, 'By a program');
    expect((await listed(vera)).find(comment => comment.id === id)).toMatchObject({
      author: { name: 'Eve' },
    });
    await expect(ofOwner.client.removeComment(one(id))).rejects.toMatchObject(status(403));
    await writing.client.removeComment(one(id));
  });

  test('drafts and revisions have no comments', async () => {
    await expect(listed(team.owner, 'draft:sales')).rejects.toMatchObject(status(404));
    await expect(write(team.owner, 'x', {}, 'revision:1:sales')).rejects.toMatchObject(status(404));
  });
});

test('event notes bear the name of their author, except for guests', async () => {
  const note = await ed.client.addEventNote({ ...at(), body: { from: '2026-01-01', text: 'Launch' } });
  expect(note).toMatchObject({ author: 'Ed' });
  await team.owner.client.updateEventNote({
    params: { id: 'sales', note: note.id },
    body: { from: '2026-01-01', text: 'Launched' },
  });
  const { notes } = await vera.client.getDashboard({ ...at(), query: {} });
  expect(notes).toMatchObject([{ text: 'Launched', author: 'Olga' }]);
});

test('a workspace without accounts has comments of its owner, and no inbox or mail', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-comments-'));
  for (const file of ['data/orders.csv', 'models/orders.yaml', 'dashboards/sales.yaml'] as const) {
    await mkdir(path.join(folder, path.dirname(file)), { recursive: true });
    await writeFile(path.join(folder, file), files[file]);
  }
  const local = await runBelvedere(folder);
  await allRead(local);
  const { client } = local;
  const { id } = await client.addComment({ ...at(), body: { body: 'For later', tile: 'cities' } });
  await client.addComment({ ...at(), body: { body: 'Done', parent: id } });
  await client.resolveComment({ ...one(id), body: { isResolved: true } });
  await client.markCommentsRead({ ...at(), body: { readTo: id } });
  expect(await client.listComments(at())).toMatchObject({
    canWrite: true,
    readTo: id,
    comments: [{ isOwn: true, resolved: { by: { id: 'owner' } } }, { parent: id }],
  });
  expect((await client.findMentionable({ ...at(), query: {} })).people).toEqual([]);
  expect(await client.getInbox({})).toEqual({ items: [], unread: 0, choices: [] });
  expect(await client.getMailChoice({})).toEqual({ hasMail: false, isOn: false });
  await expect(client.putMailChoice({ body: { isOn: true } })).rejects.toMatchObject(status(404));
  await client.removeComment(one(id));
  await local.close();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});
