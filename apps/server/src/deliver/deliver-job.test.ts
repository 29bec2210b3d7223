import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Directory } from '../access/directory.ts';
import { DeliveryRecords } from '../state/messages/deliveries.ts';
import { MessageRecords } from '../state/messages/messages.ts';
import { openStateDatabase, type StateDatabase } from '../state/database/state-database.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { Channels, OpenChannel } from './channels.ts';
import { DeliverJob } from './deliver-job.ts';
import type { NewMessage } from './message.ts';

let folder: string;
let state: StateDatabase;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-deliver-'));
  state = await openStateDatabase({ folder });
});
afterEach(async () => {
  await state.close();
  await rm(folder, { recursive: true });
});

const channel: OpenChannel = {
  id: 'c',
  name: 'hook',
  limits: { perHour: 60, groupSeconds: 30 },
  to: { kind: 'webhook', template: 'generic', url: 'https://hook.example.org/', signing: [] },
};
const titles = ['One', 'Two', 'Three', 'Four'];

/** Alerts that are due at the same time. @param sent gets the titles of each message that is sent */
async function serverWith(sent: string[][], records: DeliveryRecords) {
  return new DeliverJob({
    state,
    records,
    messages: new MessageRecords(state),
    channels: {
      find: () => ({ name: 'hook' }),
      offReason: () => undefined,
      openForSending: () => channel,
    } as unknown as Channels,
    sender: {
      webhook: async (
        _: unknown,
        { messages }: { readonly messages: readonly { readonly title: string }[] },
      ) => {
        sent.push(messages.map(({ title }) => title));
        return { kind: 'sent', detail: '' };
      },
    } as never,
    directory: { users: new Map() } as unknown as Directory,
    workspace: () => ({}) as Workspace,
    clock: { wall: () => 0 },
    resend: async () => {},
  });
}

test.each([1, 2])('alerts that are due at once are sent in one message by %i servers', async servers => {
  const records = new DeliveryRecords(state);
  for (const title of titles) {
    const message = {
      kind: 'alert',
      about: title,
      key: title,
      title,
      lines: [],
      facts: [],
      links: [],
      images: [],
      files: [],
      to: [],
      requires: [],
    } as NewMessage;
    await new MessageRecords(state).add(title, message, '1970-01-01');
    const to = { kind: 'channel', channel: 'hook', channelId: 'c' } as const;
    await records.add(title, title, to, '1970-01-01', '1970-01-01');
  }
  const sent: string[][] = [];
  const jobs = await Promise.all(Array.from({ length: servers }, () => serverWith(sent, records)));
  const { signal } = new AbortController();
  await Promise.all(titles.map((object, i) => jobs[i % servers]!.run({ object, signal })));
  expect(sent.map(message => message.toSorted())).toEqual([titles.toSorted()]);
});
