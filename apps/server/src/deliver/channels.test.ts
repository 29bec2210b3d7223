import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Directory } from '../access/directory.ts';
import { DocumentIds } from '../state/documents/document-ids.ts';
import { Grants } from '../state/sharing/grants.ts';
import { openStateDatabase, type StateDatabase } from '../state/database/state-database.ts';
import { TeamSettings } from '../state/administration/team-settings.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { Channels } from './channels.ts';

let folder: string;
let state: StateDatabase;
let now: number;
beforeEach(async () => {
  now = 0;
  folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-channels-'));
  state = await openStateDatabase({ folder });
});
afterEach(async () => {
  await state.close();
  await rm(folder, { recursive: true });
});

/** The channels in local mode, as one server knows them. */
const channelsWith = (mailOffReason?: () => string | undefined, settings = new TeamSettings(state)) =>
  Channels.open({
    state,
    settings,
    secrets: ['x'.repeat(43)],
    directory: new Directory(undefined, new Grants(state, new DocumentIds(state))),
    isTeam: false,
    clock: { wall: () => now, elapsed: () => 0, isTrusted: () => true },
    mailer: {
      isSet: true,
      get offReason() {
        return mailOffReason?.();
      },
    },
    workspace: () => ({ title: 'Shop', settings: {} }) as Workspace,
    allowed: new Set(),
    domains: new Set(),
  });
const mail = {
  name: 'team',
  target: { kind: 'mail' as const, addresses: ['ana@example.org'] },
  limits: { perHour: 60, groupSeconds: 0 },
};
const webhook = { kind: 'webhook' as const, template: 'generic' as const };
const hook = { name: 'hook', target: { ...webhook, url: 'https://hook.example.org/' }, limits: mail.limits };

test('a channel by mail is off, with the reason, while the mail server is not confirmed', async () => {
  let reason: string | undefined = 'The mail server needs confirmation.';
  const channels = await channelsWith(() => reason);
  await channels.create(mail, undefined);
  expect(channels.list()).toMatchObject([{ name: 'team', state: 'off', offReason: reason }]);
  reason = undefined;
  expect(channels.offReason(channels.get('team'))).toBeUndefined();
});

test('a replaced signing secret signs for a day, also if the new one is replaced meanwhile', async () => {
  const settings = new TeamSettings(state);
  await settings.set('hasWebhooks', true);
  const channels = await channelsWith(undefined, settings);
  const hour = 3_600_000;
  const { secret: first } = await channels.create(hook, undefined);
  const { secret: second } = await channels.rotateSecret('hook');
  now = hour;
  const { secret: third } = await channels.rotateSecret('hook');
  const signing = () => (channels.openForSending(channels.get('hook')).to as { signing: unknown }).signing;
  expect(signing()).toEqual([third, second, first]);
  now = 24 * hour;
  expect(signing()).toEqual([third, second]);
  expect(channels.list()).toMatchObject([{ earlierSecretUntil: new Date(25 * hour).toISOString() }]);
  now = 25 * hour;
  expect(signing()).toEqual([third]);
});

describe('two servers on one state database', () => {
  const seldom = { perHour: 1, groupSeconds: 0 };
  /** Two servers that have not heard of each other's changes yet. @param channel known to both */
  const twoServers = async (...channels: (typeof mail | typeof hook)[]) => {
    const settings = new TeamSettings(state);
    await settings.set('hasWebhooks', true);
    const one = await channelsWith(undefined, settings);
    for (const channel of channels) await one.create(channel, undefined);
    return [one, await channelsWith(undefined, settings)] as const;
  };

  test('refuse a name that the other one has just taken', async () => {
    const [one, two] = await twoServers();
    await one.create(mail, undefined);
    await expect(two.create(mail, undefined)).rejects.toMatchObject({ type: 'request-invalid' });
  });

  test('keep a signing secret that the other one has just replaced', async () => {
    const [one, two] = await twoServers(hook);
    const { secret } = await one.rotateSecret('hook');
    await two.update('hook', { target: webhook, limits: seldom });
    expect(two.openForSending(two.get('hook'))).toMatchObject({
      limits: seldom,
      to: { signing: [secret, expect.any(String)] },
    });
  });

  test('do not overwrite a change of the other one that its editor has not seen', async () => {
    const [one, two] = await twoServers(mail);
    const { version } = two.list()[0]!;
    const { channel } = await one.update('team', { ...mail, limits: seldom }, version);
    await expect(two.update('team', mail, version)).rejects.toMatchObject({
      type: 'revision-conflict',
      version: channel.version,
    });
    expect(two.list()).toEqual([channel]);
  });

  test('do not create a channel again that the other one has just deleted', async () => {
    const [one, two] = await twoServers(mail);
    await one.remove('team');
    await expect(two.update('team', mail)).rejects.toMatchObject({ type: 'not-found' });
    expect(two.list()).toEqual([]);
  });
});
