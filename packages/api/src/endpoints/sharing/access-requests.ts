import { z } from 'zod';
import { LevelName } from '../../access/access-names.ts';
import { endpoint } from '../../endpoint.ts';
import { routes } from '../../routes.ts';

/** A user asks to open a dashboard. */
export const AccessRequest = z
  .object({
    id: z.string(),
    user: z.object({ id: z.string(), name: z.string(), email: z.string() }),
    dashboard: z.object({ id: z.string(), title: z.string() }),
    message: z.string(),
    at: z.string(),
  })
  .meta({ id: 'AccessRequest' });
export type AccessRequest = z.infer<typeof AccessRequest>;

/** Endpoints with which users ask for dashboards that were not shared with them. */
export const accessRequestEndpoints = {
  requestAccess: endpoint({
    ...routes.requestAccess,
    access: { on: 'self' },
    summary: 'Ask those who manage a dashboard to share it. The response does not say whether it exists',
    body: z.strictObject({
      dashboard: z.string().min(1).max(300),
      message: z.string().trim().max(500).default(''),
    }),
    response: z.object({}),
  }),
  listAccessRequests: endpoint({
    ...routes.listAccessRequests,
    access: { on: 'self' },
    summary: 'List the open requests for dashboards that the caller manages, the newest first',
    response: z.object({
      /** Whether users may ask for access. */
      isOn: z.boolean(),
      requests: z.array(AccessRequest),
    }),
  }),
  answerAccessRequest: endpoint({
    ...routes.answerAccessRequest,
    access: { on: 'self' },
    summary: 'Share a dashboard with the user who asked for it, at a level, or decline (null)',
    params: z.object({ request: z.string().max(100) }),
    body: z.strictObject({ level: LevelName.nullable() }),
    response: z.object({}),
  }),
  switchAccessRequests: endpoint({
    ...routes.switchAccessRequests,
    access: { on: 'workspace', role: 'owner' },
    summary: 'Allow users to ask for dashboards that were not shared with them, or no longer',
    body: z.strictObject({ isOn: z.boolean() }),
    response: z.object({}),
  }),
} as const;
