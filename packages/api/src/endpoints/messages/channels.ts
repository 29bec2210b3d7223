import { TimeZone } from '@belvedere/document';
import { z } from 'zod';
import {
  channelNamePattern,
  deliveryStates,
  maxGroupSeconds,
  maxPerHour,
  webhookTemplates,
} from '../../constants/channel-names.ts';
import { endpoint } from '../../endpoint.ts';
import { NextCursor, pageParameters } from '../../paging.ts';
import { routes } from '../../routes.ts';

export const WebhookTemplate = z.enum(webhookTemplates);
export type WebhookTemplate = z.infer<typeof WebhookTemplate>;
export const DeliveryState = z.enum(deliveryStates);
export type DeliveryState = z.infer<typeof DeliveryState>;

const ChannelName = z
  .string()
  .regex(channelNamePattern, 'use lower-case letters, digits, - and _ (60 characters at most)');
const TimeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'a time such as `22:00`');

/** Times at which messages wait until the end of these hours. */
export const QuietHours = z.strictObject({
  from: TimeOfDay,
  /** Not after `from` if they go over midnight. */
  to: TimeOfDay,
  zone: TimeZone.max(64),
  /** The days on which they begin; Monday is 1. */
  days: z.array(z.number().int().min(1).max(7)).min(1).max(7),
  /** Whether critical alerts are sent all the same. */
  passesCritical: z.boolean(),
});
export type QuietHours = z.infer<typeof QuietHours>;

const ChannelLimits = z.strictObject({
  /** Messages in any 60 minutes; further ones wait. */
  perHour: z.number().int().min(1).max(maxPerHour),
  /** Absent if there are no quiet hours. */
  quiet: QuietHours.optional(),
  /** Alerts wait for this time, and those that come meanwhile are sent in one message; 0 for none. */
  groupSeconds: z.number().int().min(0).max(maxGroupSeconds),
});
export type ChannelLimits = z.infer<typeof ChannelLimits>;

const ChannelTarget = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('mail'), addresses: z.array(z.email().max(254)).min(1).max(50) }),
  z.strictObject({
    kind: z.literal('webhook'),
    template: WebhookTemplate,
    /** Often a secret: it cannot be read again. Absent in an update that keeps it. */
    url: z.string().max(2000).optional(),
    /** Of PagerDuty. Absent in an update that keeps it. */
    routingKey: z.string().trim().min(1).max(200).optional(),
  }),
]);
export type ChannelTarget = z.infer<typeof ChannelTarget>;

export const NewChannel = z.strictObject({
  name: ChannelName,
  target: ChannelTarget,
  limits: ChannelLimits,
});
export type NewChannel = z.infer<typeof NewChannel>;

/** A channel as admins see it, without its secrets. */
export const ChannelSettings = z
  .object({
    name: z.string(),
    kind: z.enum(['mail', 'webhook']),
    /** Of a channel by mail. */
    addresses: z.array(z.string()).optional(),
    /** Of a webhook. */
    template: WebhookTemplate.optional(),
    /** The host of a webhook's address. */
    host: z.string().optional(),
    /** Of a generic webhook whose secret was replaced: until when bodies are also signed with the earlier one. */
    earlierSecretUntil: z.string().optional(),
    limits: ChannelLimits,
    /** Absent if that user no longer exists, and in local mode. */
    createdBy: z.string().optional(),
    createdAt: z.string(),
    state: z.enum(['active', 'off']),
    /** Why a channel that is `off` gets nothing: webhooks are switched off, or no confirmed mail server is set. */
    offReason: z.string().optional(),
    /** For `If-Match`. */
    version: z.string(),
  })
  .meta({ id: 'ChannelSettings' });
export type ChannelSettings = z.infer<typeof ChannelSettings>;

/** One message on its way to one recipient. */
export const Delivery = z
  .object({
    id: z.string(),
    kind: z.enum(['alert', 'report', 'test']),
    about: z.string(),
    title: z.string(),
    to: z.discriminatedUnion('kind', [
      /** `name` is absent if that user no longer exists. */
      z.object({ kind: z.literal('user'), name: z.string().optional() }),
      z.object({
        kind: z.literal('channel'),
        channel: z.string(),
        /** Of a channel by mail. */
        address: z.string().optional(),
      }),
    ]),
    state: DeliveryState,
    attempts: z.number(),
    /** Why the last attempt failed, or why it waits. */
    reason: z.string().optional(),
    createdAt: z.string(),
    /** When its state last changed. */
    at: z.string(),
    /** When it is tried next. */
    nextAt: z.string().optional(),
    canResend: z.boolean(),
  })
  .meta({ id: 'Delivery' });
export type Delivery = z.infer<typeof Delivery>;

const channelParams = z.object({ channel: z.string().max(100) });
const Saved = z.object({
  channel: ChannelSettings,
  /** With which a generic webhook is signed. It cannot be read again. */
  secret: z.string().optional(),
});

/** Endpoints for channels and deliveries. */
export const channelEndpoints = {
  listChannels: endpoint({
    ...routes.listChannels,
    access: { on: 'workspace', role: 'editor' },
    summary: 'List the names and kinds of the channels to which alerts and reports can be sent',
    response: z.object({
      channels: z.array(
        z.object({
          name: z.string(),
          kind: z.enum(['mail', 'webhook']),
          template: WebhookTemplate.optional(),
          state: z.enum(['active', 'off']),
        }),
      ),
    }),
  }),
  listChannelSettings: endpoint({
    ...routes.listChannelSettings,
    access: { on: 'workspace', role: 'admin' },
    summary: 'List the channels with their settings, and whether webhooks and mail are on',
    response: z.object({
      hasWebhooks: z.boolean(),
      hasMail: z.boolean(),
      channels: z.array(ChannelSettings),
    }),
  }),
  createChannel: endpoint({
    ...routes.createChannel,
    access: { on: 'workspace', role: 'admin' },
    summary:
      'Create a channel; `secret` verifies the signatures of a generic webhook and cannot be read again',
    body: NewChannel,
    response: Saved,
  }),
  updateChannel: endpoint({
    ...routes.updateChannel,
    access: { on: 'workspace', role: 'admin' },
    summary: 'Change a channel; its name stays, and its kind',
    params: channelParams,
    replaces: 'record',
    body: NewChannel.omit({ name: true }),
    response: Saved,
  }),
  rotateChannelSecret: endpoint({
    ...routes.rotateChannelSecret,
    access: { on: 'workspace', role: 'admin' },
    summary:
      'Replace the secret with which a generic webhook is signed; for a day, the earlier one signs too',
    params: channelParams,
    response: Saved,
  }),
  removeChannel: endpoint({
    ...routes.removeChannel,
    access: { on: 'workspace', role: 'admin' },
    summary: 'Delete a channel; what waits for it is dropped',
    params: channelParams,
    response: z.object({}),
  }),
  testChannel: endpoint({
    ...routes.testChannel,
    access: { on: 'workspace', role: 'admin' },
    summary: 'Send a test message at once, and return what the target answered',
    params: channelParams,
    response: z.object({ isSent: z.boolean(), detail: z.string() }),
  }),
  switchWebhooks: endpoint({
    ...routes.switchWebhooks,
    access: { on: 'workspace', role: 'owner' },
    summary: 'Switch webhooks on or off; while they are off, nothing is sent to them',
    body: z.strictObject({ isOn: z.boolean() }),
    response: z.object({}),
  }),
  listDeliveries: endpoint({
    ...routes.listDeliveries,
    access: { on: 'workspace', role: 'admin' },
    summary: 'List deliveries, newest first; `failed` are those that a user can send again',
    query: z.object({
      state: z.enum([...deliveryStates, 'failed', 'open']).optional(),
      channel: z.string().max(100).optional(),
      ...pageParameters(200, 50),
    }),
    response: z.object({
      deliveries: z.array(Delivery),
      /** Of all deliveries, by state. */
      counts: z.record(DeliveryState, z.number()),
      nextCursor: NextCursor,
    }),
  }),
  resendDelivery: endpoint({
    ...routes.resendDelivery,
    access: { on: 'workspace', role: 'admin' },
    summary: 'Send a delivery again that was given up, dropped, or is uncertain',
    params: z.object({ delivery: z.string().max(100) }),
    response: z.object({}),
  }),
} as const;
