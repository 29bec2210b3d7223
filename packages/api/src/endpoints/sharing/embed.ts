import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { routes } from '../../routes.ts';

/** The address of a site, as browsers send it: without a path. Anything else could add to a page's policy. */
const Origin = z
  .string()
  .max(200)
  .regex(
    /^https?:\/\/[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:[1-9]\d{0,4})?$/,
    'an origin such as `https://app.example.com`, without a path',
  )
  .refine(isNormal, 'an origin as browsers send it: without the standard port');

function isNormal(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === text;
}

const NewEmbedKey = z.strictObject({
  name: z.string().trim().min(1).max(100),
  origins: z.array(Origin).min(1).max(20),
  /** The IDs of the dashboards that it can show; all of them if absent. */
  dashboards: z.array(z.string().max(300)).min(1).max(200).optional(),
});

export const EmbedKey = z
  .object({
    /** Tokens name it as their `kid`. */
    id: z.string(),
    name: z.string(),
    /** The sites that may show dashboards with it. */
    origins: z.array(z.string()),
    /** All dashboards if absent. */
    dashboards: z.array(z.object({ id: z.string(), title: z.string() })).optional(),
    createdBy: z.string(),
    createdAt: z.string(),
    usedAt: z.string().optional(),
    /** `off`: embedding is switched off, or its maker is no longer an admin. */
    state: z.enum(['active', 'off']),
  })
  .meta({ id: 'EmbedKey' });
export type EmbedKey = z.infer<typeof EmbedKey>;

const keyParams = z.object({ key: z.string().max(100) });
const KeyWithSecret = z.object({ key: EmbedKey, secret: z.string() });

/** Endpoints for embedding: sites sign what their users see, and show it in a frame. */
export const embedEndpoints = {
  listEmbedKeys: endpoint({
    ...routes.listEmbedKeys,
    access: { on: 'workspace', role: 'admin' },
    summary: 'List the keys for embedding, newest first',
    response: z.object({ isOn: z.boolean(), keys: z.array(EmbedKey) }),
  }),
  createEmbedKey: endpoint({
    ...routes.createEmbedKey,
    access: { on: 'workspace', role: 'admin' },
    summary: 'Create a key for embedding; `secret` signs tokens and cannot be read again',
    body: NewEmbedKey,
    response: KeyWithSecret,
  }),
  rotateEmbedKey: endpoint({
    ...routes.rotateEmbedKey,
    access: { on: 'workspace', role: 'admin' },
    summary:
      'Create a second key with the name, origins and dashboards of one; both work until one is revoked',
    params: keyParams,
    response: KeyWithSecret,
  }),
  revokeEmbedKey: endpoint({
    ...routes.revokeEmbedKey,
    access: { on: 'workspace', role: 'admin' },
    summary: 'Revoke a key for embedding; what it shows ends at once',
    params: keyParams,
    response: z.object({}),
  }),
  switchEmbedding: endpoint({
    ...routes.switchEmbedding,
    access: { on: 'workspace', role: 'owner' },
    summary: 'Switch embedding on or off; while it is off, no dashboard is shown in a frame',
    body: z.strictObject({ isOn: z.boolean() }),
    response: z.object({}),
  }),
  openEmbed: endpoint({
    ...routes.openEmbed,
    access: { on: 'anyone' },
    summary: 'Exchange a signed token for a guest’s access, which ends when the token does',
    body: z.strictObject({
      token: z.string().max(5000),
      /** The origin of the site around the frame; absent for a server, which shows no frame. */
      origin: z.string().max(200).optional(),
      dashboard: z.string().max(300),
      tile: z.string().max(64).optional(),
    }),
    response: z.object({
      /** What the guest's requests send as `Authorization: Guest …`. */
      token: z.string(),
      downloads: z.boolean(),
      theme: z.enum(['auto', 'light', 'dark']),
      locale: z.string().optional(),
      endsInMs: z.number(),
    }),
  }),
} as const;
