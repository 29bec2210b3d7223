import { z } from 'zod';
import { LevelName, RoleName } from '../../access/access-names.ts';
import { objectKinds } from '../../access/access.ts';
import { endpoint } from '../../endpoint.ts';
import { routes } from '../../routes.ts';

const SubjectKind = z.enum(['user', 'group', 'everyone']);

/** Whom something is shared with. The ID of `everyone` is empty. */
export const Subject = z
  .object({
    kind: SubjectKind,
    id: z.string().max(100),
    name: z.string(),
    email: z.string().optional(),
    /** The names of groups in this one. */
    groups: z.array(z.string()).optional(),
  })
  .meta({ id: 'Subject' });
export type Subject = z.infer<typeof Subject>;

export const Grant = z
  .object({
    subject: Subject,
    level: LevelName,
    /** How many rows of a table an export may have; any number if absent. */
    exportRows: z.number().optional(),
    /** The object on which it was granted: this one, or a folder or source that contains it. */
    from: z.object({ kind: z.enum(objectKinds), id: z.string(), label: z.string() }).optional(),
    /** Declared in `access.yaml`, where alone it can be changed. */
    isDeclared: z.boolean(),
    /** The subject's role allows less, so that less than the level applies. */
    cappedAt: LevelName.optional(),
    /** Of one user: the groups of theirs that are in the subject, which they are not in themselves. */
    through: z.array(z.string()).optional(),
  })
  .meta({ id: 'Grant' });
export type Grant = z.infer<typeof Grant>;

/** What a user may see, and why. */
export const AccessOfUser = z
  .object({
    /** Owners and admins see everything. */
    needsNoGrant: z.boolean(),
    objects: z.array(
      z.object({
        kind: z.enum(objectKinds),
        id: z.string(),
        label: z.string(),
        /** What results from the grants and the role. */
        level: LevelName,
        /** What results from the limits of grants and role; any number if absent. */
        exportRows: z.number().optional(),
        grants: z.array(Grant),
      }),
    ),
    /** Models of which the user sees only some rows or fields. */
    models: z.array(
      z.object({
        name: z.string(),
        label: z.string(),
        /** Those that apply to the user; without any, there are no rows. */
        policies: z.array(z.object({ name: z.string(), text: z.string(), isFit: z.boolean() })),
        /** The labels of fields that do not exist for the user. */
        hidden: z.array(z.string()),
      }),
    ),
  })
  .meta({ id: 'AccessOfUser' });
export type AccessOfUser = z.infer<typeof AccessOfUser>;

const sharedParams = z.object({ kind: z.enum(objectKinds), object: z.string().max(300) });
/** Endpoints for who may see and change an object. */
export const sharingEndpoints = {
  getSharing: endpoint({
    ...routes.getSharing,
    access: { on: 'self' },
    summary:
      'Get with whom a dashboard, folder, model or source is shared; requires the level `manage` on it',
    params: sharedParams,
    response: z.object({
      grants: z.array(Grant),
      /** People who get the object once they accept their invitation. */
      invited: z.array(z.object({ email: z.string(), level: LevelName })),
      /** Owners and admins, who see everything. */
      admins: z.array(z.object({ name: z.string(), email: z.string(), role: RoleName })),
    }),
  }),
  getAccessOfUser: endpoint({
    ...routes.getAccessOfUser,
    access: { on: 'workspace', role: 'admin' },
    summary: 'Get what a user may see, and why',
    params: z.object({ user: z.string().max(100) }),
    response: AccessOfUser,
  }),
  putGrant: endpoint({
    ...routes.putGrant,
    access: { on: 'self' },
    summary: 'Share an object with a user, a group or everyone, change the level, or stop sharing (null)',
    params: sharedParams,
    body: z.strictObject({
      subject: z
        .strictObject({ kind: SubjectKind, id: z.string().max(100) })
        .refine(({ kind, id }) => kind !== 'everyone' || id === '', 'the ID of everyone is empty'),
      level: LevelName.nullable(),
      /** How many rows of a table an export may have; null for any number, and unchanged if absent. */
      exportRows: z.number().int().min(1).max(100_000_000).nullable().optional(),
    }),
    response: z.object({}),
  }),
  findSubjects: endpoint({
    ...routes.findSubjects,
    access: { on: 'workspace', role: 'editor' },
    summary: 'Find users and groups by name or e-mail address, to share with',
    query: z.object({ search: z.string().trim().max(200).default('') }),
    response: z.object({ subjects: z.array(Subject) }),
  }),
} as const;
