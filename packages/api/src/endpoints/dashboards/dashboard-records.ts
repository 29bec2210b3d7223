import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { routes } from '../../routes.ts';

const params = z.object({ id: z.string().max(300) });
const Person = z.object({ id: z.string(), name: z.string() });

/** What a team knows about a dashboard beside its text. Guests and sites get none of it. */
export const DashboardRecord = z
  .object({
    /** Who answers questions about it. Gives no rights. */
    owner: Person.optional(),
    /** A user has checked it as it is now: a change of its text ends this. */
    verified: z
      .object({
        /** Absent if the user has been removed. */
        by: Person.optional(),
        at: z.string(),
        until: z.string(),
      })
      .optional(),
    /** On how many days it was opened in the last seven days, summed over all users. */
    views: z.number(),
    /** Neither opened nor changed in 90 days. */
    isUnused: z.boolean(),
    /** Another user has shared it with the caller or with a group of theirs. */
    isSharedWithCaller: z.boolean(),
  })
  .meta({ id: 'DashboardRecord' });
export type DashboardRecord = z.infer<typeof DashboardRecord>;

/** Endpoints for what a team knows about its dashboards. */
export const dashboardRecordEndpoints = {
  verifyDashboard: endpoint({
    ...routes.verifyDashboard,
    access: { on: 'dashboard', level: 'manage' },
    summary: 'Mark a dashboard, as it is now, as verified for a number of days',
    params,
    body: z.strictObject({ days: z.number().int().min(1).max(366) }),
    response: z.object({}),
  }),
  unverifyDashboard: endpoint({
    ...routes.unverifyDashboard,
    access: { on: 'dashboard', level: 'manage' },
    summary: 'Remove the verification of a dashboard',
    params,
    response: z.object({}),
  }),
  setDashboardOwner: endpoint({
    ...routes.setDashboardOwner,
    access: { on: 'dashboard', level: 'manage' },
    summary: 'Name the user who answers questions about a dashboard; they must be able to open it',
    params,
    body: z.strictObject({ user: z.string().max(100) }),
    response: z.object({}),
  }),
} as const;
