import type { channelEndpoints, DeliveryState } from '@belvedere/api';
import type { Caller } from '../../access/caller.ts';
import type { Directory } from '../../access/directory.ts';
import type { NoteCall } from '../../auth/limits/note-calls.ts';
import type { Channels } from '../../deliver/channels.ts';
import type { Deliveries } from '../../deliver/deliveries.ts';
import type { TestChannel } from '../../deliver/test-channel.ts';
import { presentDelivery } from '../../presenters/present-delivery.ts';
import { failedStates } from '../../state/messages/deliveries.ts';
import { readPage } from '../contract/cursors.ts';
import type { Handlers } from '../contract/mount-contract.ts';

/** What the endpoints of channels and deliveries need. */
export interface DeliveryServices {
  readonly channels: Channels;
  readonly deliveries: Deliveries;
  /** Sends a test message to a channel at once. */
  readonly test: TestChannel;
}

const openStates: readonly DeliveryState[] = ['waiting', 'sending'];

/** Endpoints for channels and deliveries. */
export function channelRoutes(
  { channels, deliveries, test }: DeliveryServices,
  directory: Directory,
  isTeam: boolean,
  note: NoteCall,
  requireConfirmation: (caller: Caller) => void,
): Pick<Handlers, keyof typeof channelEndpoints> {
  return {
    listChannels: () => ({
      channels: channels.list().map(({ name, kind, template, state }) => ({
        name,
        kind,
        ...(template !== undefined && { template }),
        state,
      })),
    }),
    listChannelSettings: () => ({
      hasWebhooks: channels.hasWebhooks,
      hasMail: channels.hasMail,
      channels: channels.list(),
    }),
    createChannel: async call => {
      requireConfirmation(call.caller);
      const created = await channels.create(call.body, isTeam ? call.caller.userId : undefined);
      await note(call, 'channel.create', call.body.name, whereOf(created.channel));
      return created;
    },
    updateChannel: async call => {
      requireConfirmation(call.caller);
      const updated = await channels.update(call.params.channel, call.body, call.ifMatch);
      await note(call, 'channel.change', call.params.channel, whereOf(updated.channel));
      return updated;
    },
    rotateChannelSecret: async call => {
      requireConfirmation(call.caller);
      const updated = await channels.rotateSecret(call.params.channel);
      await note(call, 'channel.rotate', call.params.channel);
      return updated;
    },
    removeChannel: async call => {
      await channels.remove(call.params.channel);
      await note(call, 'channel.delete', call.params.channel);
      return {};
    },
    testChannel: async call => {
      requireConfirmation(call.caller);
      const answer = await test(call.params.channel, call.signal);
      await note(call, 'channel.test', call.params.channel, answer.detail);
      return answer;
    },
    switchWebhooks: async call => {
      const { isOn } = call.body;
      if (isOn) requireConfirmation(call.caller);
      await channels.switchWebhooks(isOn);
      await note(call, 'webhooks.switch', 'webhooks', isOn ? 'on' : 'off');
      return {};
    },
    listDeliveries: async ({ query: { state, channel, ...page } }) => {
      const states = state === 'failed' ? failedStates : state === 'open' ? openStates : state && [state];
      const { entries, ...next } = await readPage(
        'deliveries',
        page,
        ['', ''],
        (after, limit) => deliveries.records.list({ states, channel, after, limit }),
        ({ createdAt, id }): [string, string] => [createdAt, id],
      );
      return {
        deliveries: entries.map(delivery => presentDelivery(delivery, directory)),
        counts: await deliveries.records.counts(),
        ...next,
      };
    },
    resendDelivery: async call => {
      await deliveries.resend(call.params.delivery);
      await note(call, 'delivery.resend', call.params.delivery);
      return {};
    },
  };
}

function whereOf({ addresses, template, host }: ReturnType<Channels['list']>[number]): string {
  return addresses?.join(' ') ?? `${template ?? ''} ${host ?? ''}`;
}
