import { z } from 'zod';
import { roles } from '../../access/access.ts';
import { endpoint } from '../../endpoint.ts';
import { routes } from '../../routes.ts';
import { SecretName } from '../data/source-access.ts';

const kinds = ['provider', 'breached-passwords', 'mail-server', 'mail-domains', 'webhook-hosts'] as const;

/** A setting of `belvedere.yaml` that reaches or trusts anything outside the workspace. */
export const ExternalSetting = z
  .object({
    id: z.string(),
    kind: z.enum(kinds),
    /** The issuer, the file, the mail server, the domains, or the hosts with their ports. */
    names: z.array(z.string()),
    /** The name of a sign-in provider. */
    provider: z.string().optional(),
    /** The secret that a provider gets, by its name. */
    secret: SecretName.optional(),
    createsAccounts: z.boolean().optional(),
    /** The roles that a provider can give. */
    roles: z.array(z.enum(roles)).optional(),
    /** The hash of exactly this setting. */
    content: z.string(),
  })
  .meta({ id: 'ExternalSetting' });
export type ExternalSetting = z.infer<typeof ExternalSetting>;

export const externalSettingEndpoints = {
  confirmSetting: endpoint({
    ...routes.confirmSetting,
    access: { on: 'workspace', role: 'owner' },
    summary: 'Confirm a setting of `belvedere.yaml` that reaches or trusts anything outside the workspace',
    params: z.object({ setting: z.string().max(100) }),
    body: z.strictObject({ /** The hash of the setting shown to the owner. */ content: z.string().max(64) }),
    response: z.object({}),
  }),
} as const;
