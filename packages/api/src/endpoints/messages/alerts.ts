import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { DocumentError } from '../../problems/document-error.ts';
import { routes } from '../../routes.ts';
import { Delivery } from './channels.ts';

/**
 * The state of an alert. `unchecked`: not yet. `invalid`: its text has errors. `stopped`: its owner may no longer
 * see what it watches, or there is no owner.
 */
const AlertStateName = z.enum([
  'ok',
  'pending',
  'firing',
  'noData',
  'error',
  'unchecked',
  'paused',
  'invalid',
  'stopped',
]);
export type AlertStateName = z.infer<typeof AlertStateName>;

/** The state of one group, or of the only value. */
const GroupStateName = z.enum(['ok', 'pending', 'firing', 'noData', 'error']);

/** How values are written. Those of `missing` are ages in milliseconds. */
const WatchedMeasure = z.object({
  label: z.string(),
  format: z.string().optional(),
  unit: z.string().optional(),
  isAge: z.boolean(),
});

const Severity = z.enum(['info', 'warning', 'critical']);
const StopReason = z.enum(['no-owner', 'unknown-owner', 'disabled-owner', 'no-access']);

const AlertSummary = z
  .object({
    id: z.string(),
    title: z.string(),
    state: AlertStateName,
    /** When the state began. Times are ms since 1970. */
    since: z.number().optional(),
    checkedAt: z.number().optional(),
    /** The next check that is planned by time. */
    nextCheck: z.number().optional(),
    /** The value of the only group. Absent for callers who may not see it. */
    value: z.number().nullable().optional(),
    measure: WatchedMeasure.optional(),
    /** Number of groups, and of those that fire. */
    groups: z.object({ count: z.number().int(), firing: z.number().int() }).optional(),
    severity: Severity,
    owner: z.string().optional(),
    isOwn: z.boolean(),
    snoozedUntil: z.number().optional(),
    isPaused: z.boolean(),
    /** What it watches, if it is on a dashboard that the caller may open. */
    dashboard: z
      .object({ id: z.string(), title: z.string(), tile: z.string(), tileTitle: z.string() })
      .optional(),
    /** What it watches otherwise: the label of a model, and of its measure. */
    model: z.string().optional(),
    /** Whether the caller gets its messages, by name or as a member of a group. */
    isRecipient: z.boolean(),
    /** Whether the caller has muted it for themselves. */
    hasUnsubscribed: z.boolean(),
    canEdit: z.boolean(),
  })
  .meta({ id: 'AlertSummary' });
export type AlertSummary = z.infer<typeof AlertSummary>;

const AlertDetail = AlertSummary.extend({
  description: z.string().optional(),
  /** When it fires, in a phrase. Absent for callers who may not see its values. */
  condition: z.string().optional(),
  runbook: z.string().optional(),
  /** The language of its messages, if it is not the workspace's. */
  locale: z.string().optional(),
  stopped: StopReason.optional(),
  /** Why the last check failed. */
  problem: z.string().optional(),
  /** Errors of its text, for those who may edit it. */
  errors: z.array(DocumentError),
  /** Whether the caller may see values and groups. */
  isShown: z.boolean(),
  states: z.array(
    z.object({
      group: z.string(),
      label: z.string(),
      state: GroupStateName,
      since: z.number(),
      value: z.number().nullable(),
      /** Why, in a sentence. */
      reason: z.string(),
      lackingSince: z.number().optional(),
    }),
  ),
  /** The newest changes of state, newest first. */
  history: z.array(
    z.object({
      group: z.string(),
      label: z.string(),
      at: z.number(),
      from: GroupStateName,
      to: GroupStateName,
      value: z.number().nullable(),
      reason: z.string(),
    }),
  ),
  /** When it was checked first. */
  begunAt: z.number().optional(),
  snoozedBy: z.string().optional(),
  /** The newest messages of the alert, for its owner and admins. */
  deliveries: z.array(Delivery).optional(),
  notify: z.array(z.object({ kind: z.enum(['user', 'group', 'channel']), name: z.string() })),
}).meta({ id: 'AlertDetail' });
export type AlertDetail = z.infer<typeof AlertDetail>;

/** The past values of what a text watches, for its rehearsal in the browser. */
const PastValues = z
  .object({
    /** The unit of the periods; absent for a figure, whose values are those at the end of each day. */
    unit: z.enum(['minute', 'hour', 'day', 'week', 'month', 'quarter', 'year']).optional(),
    measure: WatchedMeasure,
    /** Names of the dimensions whose values are the groups. */
    by: z.array(z.string()),
    /** Values under *Other* are not watched. */
    hasOther: z.boolean(),
    /** Number of all groups. */
    groups: z.number().int(),
    series: z.array(
      z.object({
        group: z.string(),
        label: z.string(),
        /** Begin and end of each period in wall-clock ms, its value, and for figures the earlier value. */
        points: z.array(
          z.tuple([z.number(), z.number(), z.number().nullable(), z.number().nullable().optional()]),
        ),
      }),
    ),
  })
  .meta({ id: 'PastValues' });
export type PastValues = z.infer<typeof PastValues>;

const TileAlert = z.object({
  id: z.string(),
  title: z.string(),
  tile: z.string(),
  state: AlertStateName,
  since: z.number().optional(),
  severity: Severity,
  /** When it fired, oldest first, in the workspace's time. Empty for callers who may not see its values. */
  fired: z.array(z.object({ from: z.string(), below: z.string().optional() })),
});
export type TileAlert = z.infer<typeof TileAlert>;

const Id = z.string().min(1).max(300);
const Language = z
  .string()
  .regex(/^[a-z]{2}(-[A-Za-z]{2})?$/)
  .optional();
const some = { ids: z.array(Id).min(1).max(1000) };
const Done = z.object({
  /** Those that were changed. The caller may not change the others, or they no longer exist. */
  done: z.array(z.string()),
});

/** Endpoints for alerts. Each caller sees the alerts on what they may view, and changes their own. */
export const alertEndpoints = {
  listAlerts: endpoint({
    ...routes.listAlerts,
    access: { on: 'self' },
    summary: 'List the alerts on dashboards and models that the caller may view',
    response: z.object({ alerts: z.array(AlertSummary), canCreate: z.boolean() }),
  }),
  getAlert: endpoint({
    ...routes.getAlert,
    access: { on: 'self' },
    summary: 'Read an alert with its groups and its history',
    params: z.object({ id: Id }),
    query: z.object({ language: Language }),
    response: AlertDetail,
  }),
  rehearseAlert: endpoint({
    ...routes.rehearseAlert,
    access: { on: 'workspace', role: 'editor' },
    summary: 'Read the past values of what an alert’s text watches, as the caller may see them',
    body: z.strictObject({ text: z.string().max(262_144) }),
    response: PastValues,
  }),
  snoozeAlerts: endpoint({
    ...routes.snoozeAlerts,
    access: { on: 'self' },
    summary: 'Send no messages of alerts until a time, or again from now on',
    body: z.strictObject({ ...some, until: z.number().int().nullable() }),
    response: Done,
  }),
  putAlertSubscription: endpoint({
    ...routes.putAlertSubscription,
    access: { on: 'self' },
    summary: 'Mute an alert for the caller alone, or send them its messages again',
    params: z.object({ id: Id }),
    body: z.strictObject({ isSubscribed: z.boolean() }),
    response: z.object({}),
  }),
  checkAlerts: endpoint({
    ...routes.checkAlerts,
    access: { on: 'self' },
    summary: 'Check alerts now',
    body: z.strictObject(some),
    response: Done,
  }),
  pauseAlerts: endpoint({
    ...routes.pauseAlerts,
    access: { on: 'workspace', role: 'editor' },
    summary: 'Stop checking alerts, or check them again, by a change of their texts',
    body: z.strictObject({ ...some, paused: z.boolean() }),
    response: Done,
  }),
  listTileAlerts: endpoint({
    ...routes.listTileAlerts,
    access: { on: 'dashboard', level: 'view' },
    summary: 'List the alerts on a dashboard’s tiles, with their states and when they fired',
    params: z.object({ id: Id }),
    response: z.object({ alerts: z.array(TileAlert) }),
  }),
} as const;
