import { z } from 'zod';
import { maxTokenDays } from '../../access/access.ts';
import { RoleName, TokenScopeName } from '../../access/access-names.ts';
import { endpoint } from '../../endpoint.ts';
import { routes } from '../../routes.ts';

export const AccessToken = z
  .object({
    id: z.string(),
    name: z.string(),
    scope: TokenScopeName,
    createdAt: z.string(),
    expiresAt: z.string(),
    isExpired: z.boolean(),
    /** To the minute; absent if it was never used. */
    usedAt: z.string().optional(),
    /** Of an assistant whose user signed in: the site or the program that received the token. */
    client: z.string().optional(),
  })
  .meta({ id: 'AccessToken' });
export type AccessToken = z.infer<typeof AccessToken>;

const NewToken = z.strictObject({
  name: z.string().trim().min(1).max(100),
  scope: TokenScopeName,
  days: z.number().int().min(1).max(maxTokenDays).default(90),
});
/** `secret` is what programs send. It is returned only here. */
const CreatedToken = z.object({ token: AccessToken, secret: z.string() });
const tokenParams = z.object({ token: z.string().max(100) });
const userParams = z.object({ user: z.string().max(100) });

/** Endpoints for the tokens with which programs call the API, and for accounts of programs. */
export const accessTokenEndpoints = {
  listOwnTokens: endpoint({
    ...routes.listOwnTokens,
    access: { on: 'self' },
    summary: 'List one’s own access tokens',
    response: z.object({ tokens: z.array(AccessToken) }),
  }),
  createOwnToken: endpoint({
    ...routes.createOwnToken,
    access: { on: 'self' },
    summary: 'Create an access token, for a program that calls the API as oneself',
    body: NewToken,
    response: CreatedToken,
  }),
  revokeOwnToken: endpoint({
    ...routes.revokeOwnToken,
    access: { on: 'self' },
    summary: 'Revoke one of one’s own access tokens',
    params: tokenParams,
    response: z.object({}),
  }),
  createServiceAccount: endpoint({
    ...routes.createServiceAccount,
    access: { on: 'workspace', role: 'admin' },
    summary: 'Create the account of a program, which has access tokens and cannot sign in',
    body: z.strictObject({
      /** Stands for an e-mail address, as in `access.yaml`. */
      name: z.string().regex(/^[a-z][a-z0-9-]{0,62}$/),
      role: RoleName,
      groups: z.array(z.string().max(100)).max(200).default([]),
    }),
    response: z.object({ id: z.string() }),
  }),
  listTokens: endpoint({
    ...routes.listTokens,
    access: { on: 'workspace', role: 'admin' },
    summary: 'List the access tokens of a user or a service account',
    params: userParams,
    response: z.object({ tokens: z.array(AccessToken) }),
  }),
  createServiceToken: endpoint({
    ...routes.createServiceToken,
    access: { on: 'workspace', role: 'admin' },
    summary: 'Create an access token of a service account',
    params: userParams,
    body: NewToken,
    response: CreatedToken,
  }),
  revokeToken: endpoint({
    ...routes.revokeToken,
    access: { on: 'workspace', role: 'admin' },
    summary: 'Revoke an access token of a user or a service account',
    params: userParams.extend(tokenParams.shape),
    response: z.object({}),
  }),
} as const;
