import { TimeZone } from '@belvedere/document';
import { z } from 'zod';
import { LevelName, RoleName } from '../../access/access-names.ts';
import { endpoint } from '../../endpoint.ts';
import { NextCursor, pageParameters } from '../../paging.ts';
import { routes } from '../../routes.ts';
import { objectKinds } from '../../access/access.ts';
import { SignInOptions } from './sign-in-options.ts';
import { SignInAnswer } from './two-factor.ts';

export const Email = z.string().trim().toLowerCase().max(254).pipe(z.email());
const PersonName = z.string().trim().min(1).max(100);
/** Checked further by the server: at least twelve characters, and none that many people use. */
export const Password = z.string().min(1).max(256);
export const SecretToken = z.object({ token: z.string().regex(/^[\w-]{20,100}$/) });
/** Values that row policies compare with, as `:user.NAME`. */
export const Attributes = z.record(
  z.string().regex(/^[a-z][a-z0-9_]{0,62}$/),
  z.union([z.string().max(1000), z.number(), z.boolean(), z.array(z.string().max(1000)).max(1000)]),
);

export const UserAccount = z
  .object({
    id: z.string(),
    name: z.string(),
    email: z.string(),
    role: RoleName,
    isDisabled: z.boolean(),
    /** A program, which has access tokens and cannot sign in. Its `email` is its name. */
    isService: z.boolean(),
    createdAt: z.string(),
    lastSeenAt: z.string().optional(),
    /** The IDs of their groups. */
    groups: z.array(z.string()),
    attributes: Attributes,
    /** Whether signing in needs a code of an authenticator app. */
    hasAuthenticator: z.boolean(),
    /** The number of their passkeys. */
    passkeys: z.number(),
  })
  .meta({ id: 'User' });
export type UserAccount = z.infer<typeof UserAccount>;

export const UserGroup = z
  .object({
    id: z.string(),
    name: z.string(),
    /** Users in it or in one of its groups. */
    members: z.number(),
    /** The IDs of groups in it, whose members are its members. They contain no groups themselves. */
    groups: z.array(z.string()),
    /** Attributes of all members; a member's own take precedence. */
    attributes: Attributes,
    /** For `If-Match`; members do not change it. */
    version: z.string(),
  })
  .meta({ id: 'Group' });
export type UserGroup = z.infer<typeof UserGroup>;

export const Invitation = z
  .object({
    id: z.string(),
    email: z.string(),
    role: RoleName,
    groups: z.array(z.string()),
    createdAt: z.string(),
    expiresAt: z.string(),
  })
  .meta({ id: 'Invitation' });
export type Invitation = z.infer<typeof Invitation>;

export const SignedInSession = z
  .object({
    id: z.string(),
    /** This very session. */
    isCurrent: z.boolean(),
    createdAt: z.string(),
    usedAt: z.string(),
    /** The browser and system, as far as known. */
    device: z.string(),
    address: z.string().optional(),
  })
  .meta({ id: 'SignedInSession' });
export type SignedInSession = z.infer<typeof SignedInSession>;

export const AuditEntry = z
  .object({
    id: z.number().int(),
    at: z.string(),
    /** The user's name and e-mail address then; absent for callers who are not signed in. */
    actor: z.string().optional(),
    address: z.string().optional(),
    /** Such as `user.sign-in` or `grant.change`. */
    action: z.string(),
    object: z.string().optional(),
    outcome: z.enum(['done', 'refused', 'failed']),
    detail: z.string().optional(),
  })
  .meta({ id: 'AuditEntry' });
export type AuditEntry = z.infer<typeof AuditEntry>;

/** Where a link went: to an address by mail, or to the caller, who passes it on. */
const Delivery = z.object({
  mailedTo: z.string().optional(),
  /** A path of this server. Absent if it was mailed. */
  link: z.string().optional(),
  /** Why no mail was sent, although a mail server is set. */
  mailProblem: z.string().optional(),
});

/** Endpoints for signing in, one's own account, users, groups and the audit log. */
export const accountEndpoints = {
  getSignIn: endpoint({
    ...routes.getSignIn,
    access: { on: 'anyone' },
    summary: 'Get how to sign in, and whether the server must be set up first',
    response: SignInOptions,
  }),
  setUp: endpoint({
    ...routes.setUp,
    access: { on: 'anyone' },
    summary: 'Create the first owner, with the code that the server prints at its first start',
    body: z.strictObject({ code: z.string().max(100), name: PersonName, email: Email, password: Password }),
    response: SignInAnswer,
  }),
  signIn: endpoint({
    ...routes.signIn,
    access: { on: 'anyone' },
    summary: 'Sign in with e-mail address and password',
    body: z.strictObject({ email: z.string().trim().max(254), password: Password }),
    response: SignInAnswer,
  }),
  signOut: endpoint({
    ...routes.signOut,
    access: { on: 'anyone' },
    summary: 'Sign out',
    response: z.object({}),
  }),
  getInvitation: endpoint({
    ...routes.getInvitation,
    access: { on: 'anyone' },
    summary: 'Get an invitation by its token',
    params: SecretToken,
    response: z.object({ title: z.string(), email: z.string() }),
  }),
  acceptInvitation: endpoint({
    ...routes.acceptInvitation,
    access: { on: 'anyone' },
    summary: 'Accept an invitation: creates the account and signs in',
    params: SecretToken,
    body: z.strictObject({ name: PersonName, password: Password }),
    response: SignInAnswer,
  }),
  resetPassword: endpoint({
    ...routes.resetPassword,
    access: { on: 'anyone' },
    summary: 'Set a new password, with the token of a reset link; ends all sessions and signs in',
    params: SecretToken,
    body: z.strictObject({ password: Password }),
    response: SignInAnswer,
  }),
  confirmPassword: endpoint({
    ...routes.confirmPassword,
    access: { on: 'self' },
    summary: 'Confirm the password, as changes to users and sources require every ten minutes',
    body: z.strictObject({
      password: Password,
      /** Where two-factor sign-in is on. */
      code: z.string().trim().max(40).optional(),
    }),
    response: z.object({}),
  }),
  updateProfile: endpoint({
    ...routes.updateProfile,
    access: { on: 'self' },
    summary: 'Change one’s own name or time zone',
    body: z.strictObject({
      name: PersonName.optional(),
      /** In which dashboards show times that leave it to their viewers; null for the browser's. */
      zone: TimeZone.max(64).nullable().optional(),
    }),
    response: z.object({}),
  }),
  changePassword: endpoint({
    ...routes.changePassword,
    access: { on: 'self' },
    summary: 'Change one’s own password; ends all other sessions',
    body: z.strictObject({ current: Password, next: Password }),
    response: z.object({}),
  }),
  listSessions: endpoint({
    ...routes.listSessions,
    access: { on: 'self' },
    summary: 'List one’s own sessions',
    response: z.object({ sessions: z.array(SignedInSession) }),
  }),
  endSession: endpoint({
    ...routes.endSession,
    access: { on: 'self' },
    summary: 'End one of one’s own sessions',
    params: z.object({ session: z.string().max(100) }),
    response: z.object({}),
  }),
  listUsers: endpoint({
    ...routes.listUsers,
    access: { on: 'workspace', role: 'admin' },
    summary: 'List users and open invitations',
    response: z.object({
      users: z.array(UserAccount),
      invitations: z.array(Invitation),
      /** Whether all users need a second factor. */
      requiresTwoFactor: z.boolean(),
      /** Whether everyone who may view a dashboard may comment on it. */
      viewersMayComment: z.boolean(),
      /** Whether users may connect assistants by signing in. */
      assistantsMayConnect: z.boolean(),
    }),
  }),
  updateUser: endpoint({
    ...routes.updateUser,
    access: { on: 'workspace', role: 'admin' },
    summary: 'Change a user’s role, groups or attributes, or disable the account, which ends its sessions',
    params: z.object({ user: z.string().max(100) }),
    body: z.strictObject({
      role: RoleName.optional(),
      isDisabled: z.boolean().optional(),
      groups: z.array(z.string().max(100)).max(200).optional(),
      attributes: Attributes.optional(),
    }),
    response: UserAccount,
  }),
  endUserSessions: endpoint({
    ...routes.endUserSessions,
    access: { on: 'workspace', role: 'admin' },
    summary: 'Sign a user out in all browsers. Access tokens go on',
    params: z.object({ user: z.string().max(100) }),
    response: z.object({}),
  }),
  createPasswordReset: endpoint({
    ...routes.createPasswordReset,
    access: { on: 'workspace', role: 'admin' },
    summary: 'Mail a link with which a user sets a new password, or return it; valid for one day',
    params: z.object({ user: z.string().max(100) }),
    response: Delivery,
  }),
  inviteUser: endpoint({
    ...routes.inviteUser,
    access: { on: 'workspace', role: 'admin' },
    summary: 'Invite a user: mails the link, or returns it; valid for seven days',
    body: z.strictObject({
      email: Email,
      role: RoleName,
      groups: z.array(z.string().max(100)).max(200).default([]),
      /** What is shared with the person once they accept. */
      shares: z
        .array(z.strictObject({ kind: z.enum(objectKinds), object: z.string().max(300), level: LevelName }))
        .max(20)
        .default([]),
    }),
    response: Delivery.extend({ invitation: Invitation }),
  }),
  revokeInvitation: endpoint({
    ...routes.revokeInvitation,
    access: { on: 'workspace', role: 'admin' },
    summary: 'Revoke an invitation',
    params: z.object({ invitation: z.string().max(100) }),
    response: z.object({}),
  }),
  listGroups: endpoint({
    ...routes.listGroups,
    access: { on: 'workspace', role: 'admin' },
    summary: 'List groups',
    response: z.object({ groups: z.array(UserGroup) }),
  }),
  saveGroup: endpoint({
    ...routes.saveGroup,
    access: { on: 'workspace', role: 'admin' },
    summary: 'Create a group, or change its name, attributes, members and the groups in it',
    params: z.object({ group: z.string().max(100) }),
    replaces: 'record',
    body: z.strictObject({
      name: PersonName,
      attributes: Attributes.default({}),
      /** Unchanged if absent. */
      groups: z.array(z.string().max(100)).max(200).optional(),
      /** The IDs of users who become members. */
      addMembers: z.array(z.string().max(100)).max(1000).default([]),
      /** The IDs of users who are no longer members. */
      removeMembers: z.array(z.string().max(100)).max(1000).default([]),
    }),
    response: UserGroup,
  }),
  removeGroup: endpoint({
    ...routes.removeGroup,
    access: { on: 'workspace', role: 'admin' },
    summary: 'Delete a group, with what was shared with it',
    params: z.object({ group: z.string().max(100) }),
    response: z.object({}),
  }),
  listAudit: endpoint({
    ...routes.listAudit,
    access: { on: 'workspace', role: 'admin' },
    summary: 'List the audit log, newest first',
    query: z.object({
      search: z.string().max(200).optional(),
      /**
       * What words of the search stand for in the caller's language, each `word=code,code`, separated by `;`,
       * words and codes percent-encoded. An entry matches a word also by one of its codes: an action, an
       * outcome, or a part of its object or detail.
       */
      labels: z.string().max(12_000).optional(),
      action: z.string().max(100).optional(),
      outcome: AuditEntry.shape.outcome.optional(),
      /** Entries from then on. */
      from: z.iso.datetime().optional(),
      ...pageParameters(500, 100),
    }),
    response: z.object({ entries: z.array(AuditEntry), nextCursor: NextCursor }),
  }),
} as const;
