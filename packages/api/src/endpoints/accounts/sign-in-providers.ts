import { SignInProvider } from '@belvedere/document';
import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { routes } from '../../routes.ts';

const { id, clientSecret: _reference, ...rules } = SignInProvider.shape;

export const ChangedProvider = z.strictObject({
  ...rules,
  /** It cannot be read again. Absent for a public client, and in a change that keeps it. */
  clientSecret: z.string().trim().min(1).max(1000).optional(),
});
export type ChangedProvider = z.infer<typeof ChangedProvider>;

export const ProviderSettings = z
  .object({
    id: z.string(),
    /** Its rules without the secret; absent if this instance cannot open the setting. */
    provider: ChangedProvider.omit({ clientSecret: true }).optional(),
    hasSecret: z.boolean(),
    /** `file` is `belvedere.yaml`, which is changed by an editor. */
    setBy: z.enum(['file', 'owner']),
    /** `unconfirmed`: an owner has not confirmed it. `unreadable`: it must be entered again. */
    state: z.enum(['active', 'unconfirmed', 'unreadable']),
    /** For `If-Match`. */
    version: z.string(),
  })
  .meta({ id: 'ProviderSettings' });
export type ProviderSettings = z.infer<typeof ProviderSettings>;

const providerParams = z.object({ provider: z.string().max(100) });

/** Endpoints for the providers with which users sign in. */
export const providerEndpoints = {
  listProviders: endpoint({
    ...routes.listProviders,
    access: { on: 'workspace', role: 'admin' },
    summary: 'List the sign-in providers with their rules, without their secrets',
    response: z.object({ providers: z.array(ProviderSettings) }),
  }),
  createProvider: endpoint({
    ...routes.createProvider,
    access: { on: 'workspace', role: 'owner' },
    summary: 'Add a provider of OpenID Connect, with which users sign in at once',
    body: ChangedProvider.extend({ id }),
    response: z.object({}),
  }),
  updateProvider: endpoint({
    ...routes.updateProvider,
    access: { on: 'workspace', role: 'owner' },
    summary: 'Change a sign-in provider; its ID stays',
    params: providerParams,
    replaces: 'record',
    body: ChangedProvider,
    response: z.object({}),
  }),
  removeProvider: endpoint({
    ...routes.removeProvider,
    access: { on: 'workspace', role: 'owner' },
    summary: 'Remove a sign-in provider; accounts stay, and sign in another way',
    params: providerParams,
    response: z.object({}),
  }),
  checkProvider: endpoint({
    ...routes.checkProvider,
    access: { on: 'workspace', role: 'owner' },
    summary: 'Ask a provider whether it answers and knows this client and its secret',
    params: providerParams,
    /** Without `provider`, the one that is set. */
    body: z.strictObject({ provider: ChangedProvider.optional() }),
    response: z.object({
      /** `unavailable`: it does not answer. `invalid`: it is no such provider, or refuses the client. */
      result: z.enum(['ok', 'unavailable', 'invalid']),
      /** In English. */
      detail: z.string().optional(),
    }),
  }),
} as const;
