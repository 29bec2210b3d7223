import { z } from 'zod';
import { LevelName, RoleName, TokenScopeName } from '../../access/access-names.ts';
import { objectKinds } from '../../access/access.ts';
import { actionObjects } from '../../access/actions.ts';
import { endpoint } from '../../endpoint.ts';
import { routes } from '../../routes.ts';

const Action = z.object({
  object: z.enum(actionObjects),
  /** One of `actionNames`. */
  name: z.string(),
  /** The level that it requires, and on what. Absent if the role alone decides. */
  level: z.object({ on: z.enum(objectKinds), least: LevelName }).optional(),
  /** The least role that may do it; absent if it requires no account. */
  role: RoleName.optional(),
  endpoints: z.array(
    z.object({
      method: z.string(),
      path: z.string(),
      /** The least scope of an access token; absent if only browsers may. */
      token: TokenScopeName.optional(),
      whileViewingAs: z.boolean(),
      guests: z.enum(['no', 'yes', 'with-downloads']),
    }),
  ),
});
export type Action = z.infer<typeof Action>;

/** The endpoint for the table of permissions. */
export const permissionEndpoints = {
  getPermissions: endpoint({
    ...routes.getPermissions,
    access: { on: 'workspace', role: 'admin' },
    summary: 'Get what each role may do, as the server checks it',
    response: z.object({
      actions: z.array(Action),
      /** The highest level of each role on each kind of object; null for none. */
      ceilings: z.record(RoleName, z.record(z.enum(objectKinds), LevelName.nullable())),
    }),
  }),
} as const;
