import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Directory } from '../access/directory.ts';
import { DocumentIds } from '../state/document-ids.ts';
import { Grants } from '../state/grants.ts';
import { openStateDatabase, type StateDatabase } from '../state/state-database.ts';
import { TeamSettings } from '../state/team-settings.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { Channels } from './channels.ts';

let folder: string;
let state: StateDatabase;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-channels-'));
  state = await openStateDatabase({ folder });
});
afterEach(async () => {
  await state.close();
  await rm(folder, { recursive: true });
});

/** The channels in local mode. @param mailServer that of `belvedere.yaml` */
const channelsWith = (mailServer: string | undefined) =>
  Channels.open({
    state,
    settings: new TeamSettings(state),
    secrets: ['x'.repeat(43)],
    directory: new Directory(undefined, new Grants(state, new DocumentIds(state))),
    isTeam: false,
    clock: { wall: () => 0, elapsed: () => 0, isTrusted: () => true },
    hasMail: true,
    mailServer,
    workspace: () => ({ title: 'Shop', settings: {} }) as Workspace,
    allowed: new Set(),
    domains: [],
  });
const mail = {
  name: 'team',
  target: { kind: 'mail' as const, addresses: ['ana@example.org'] },
  limits: { perHour: 60, groupSeconds: 0 },
};
const ours = 'smtp://mail.example.org';
const theirs = 'smtp://mail.attacker.example';

test('a channel by mail is off once belvedere.yaml names another server, until it is saved again', async () => {
  await (await channelsWith(ours)).create(mail, undefined);
  const reasonWith = async (server: string | undefined) => {
    const channels = await channelsWith(server);
    return channels.offReason(channels.get('team'));
  };
  expect([await reasonWith(ours), await reasonWith(undefined)]).toEqual([undefined, undefined]);
  expect(await reasonWith(theirs)).toContain(`Save it again to send through \`${theirs}\`.`);
  const changed = await channelsWith(theirs);
  expect(changed.list()).toMatchObject([{ name: 'team', state: 'off' }]);
  await changed.update('team', mail);
  expect([await reasonWith(theirs), (await reasonWith(ours)) === undefined]).toEqual([undefined, false]);
});

test('a channel that was saved without a server in belvedere.yaml is not sent through one that appears there', async () => {
  await (await channelsWith(undefined)).create(mail, undefined);
  const channels = await channelsWith(theirs);
  expect(channels.offReason(channels.get('team'))).toContain('names another mail server');
});
