import { ResolvedCalendar } from '@belvedere/document';
import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { routes } from '../../routes.ts';
import { RoleName } from '../../access/access-names.ts';

export const Session = z
  .object({
    /** `local`: one person on this machine, without accounts. */
    mode: z.enum(['local', 'team']),
    user: z.object({
      id: z.string(),
      name: z.string(),
      email: z.string().optional(),
      /** The time zone that the user chose; absent for that of the browser. */
      zone: z.string().optional(),
    }),
    role: RoleName,
    /** The user as whom an owner or admin views the workspace. */
    viewingAs: z.string().optional(),
    workspace: z.object({
      title: z.string(),
      isSample: z.boolean(),
      timezone: z.string(),
      calendar: ResolvedCalendar,
    }),
    version: z.string(),
    /** The users of the folder `tests` as whom the caller can view. */
    people: z.array(z.string()),
  })
  .meta({ id: 'Session' });
export type Session = z.infer<typeof Session>;

/** Who one is, and where. */
export const sessionEndpoints = {
  getSession: endpoint({
    ...routes.getSession,
    access: { on: 'self' },
    summary: 'Get the current user and server',
    response: Session,
  }),
} as const;
