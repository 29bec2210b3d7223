import { z } from 'zod';
import { Email, Password, SecretToken } from './accounts.ts';
import { endpoint } from '../../endpoint.ts';
import { routes } from '../../routes.ts';
import { ProviderName } from './sign-in-options.ts';

/** A provider's account with which a user signs in. */
export const SignInIdentity = z
  .object({
    id: z.string(),
    /** The provider's ID. Its name, while the workspace has the provider. */
    provider: z.string(),
    name: z.string(),
    /** The address that the provider gave. */
    email: z.string().optional(),
    createdAt: z.string(),
    usedAt: z.string(),
  })
  .meta({ id: 'SignInIdentity' });
export type SignInIdentity = z.infer<typeof SignInIdentity>;

const provider = z.object({ provider: z.string().max(63) });
/** The provider's page, on which the user signs in. The response sets a cookie that lasts ten minutes. */
const Begun = z.object({ address: z.string() });

/** Endpoints for signing in with providers, and for changes that are confirmed by mail. */
export const signInEndpoints = {
  requestPasswordReset: endpoint({
    ...routes.requestPasswordReset,
    access: { on: 'anyone' },
    summary: 'Mail a link with which a user sets a new password, valid for one hour, if the address is known',
    body: z.strictObject({ email: Email }),
    response: z.object({}),
  }),
  requestEmailChange: endpoint({
    ...routes.requestEmailChange,
    access: { on: 'self' },
    summary: 'Mail a link to a new address, with which it becomes the user’s own, valid for one day',
    body: z.strictObject({ email: Email, password: Password.optional() }),
    response: z.object({}),
  }),
  confirmEmailChange: endpoint({
    ...routes.confirmEmailChange,
    access: { on: 'anyone' },
    summary: 'Change a user’s e-mail address, with the token of a confirmation link',
    params: SecretToken,
    response: z.object({ email: z.string() }),
  }),
  beginProviderSignIn: endpoint({
    ...routes.beginProviderSignIn,
    access: { on: 'anyone' },
    summary: 'Begin to sign in with a provider: returns the provider’s page to open',
    params: provider,
    body: z.strictObject({
      /** Signs in again, in a window of its own that the page opened. */
      again: z.boolean().default(false),
    }),
    response: Begun,
  }),
  beginProviderConfirmation: endpoint({
    ...routes.beginProviderConfirmation,
    access: { on: 'self' },
    summary: 'Begin to confirm the session by signing in again at a provider, instead of with the password',
    params: provider,
    response: Begun,
  }),
  listIdentities: endpoint({
    ...routes.listIdentities,
    access: { on: 'self' },
    summary: 'List the providers with which one signs in, and those that can be connected',
    response: z.object({
      hasPassword: z.boolean(),
      hasMail: z.boolean(),
      identities: z.array(SignInIdentity),
      providers: z.array(ProviderName),
    }),
  }),
  beginIdentity: endpoint({
    ...routes.beginIdentity,
    access: { on: 'self' },
    summary: 'Begin to connect a provider’s account to one’s own account',
    params: provider,
    response: Begun,
  }),
  removeIdentity: endpoint({
    ...routes.removeIdentity,
    access: { on: 'self' },
    summary: 'Disconnect a provider’s account from one’s own account',
    params: z.object({ identity: z.string().max(100) }),
    response: z.object({}),
  }),
} as const;
