import { FilterDefault } from '@belvedere/document';
import { z } from 'zod';
import { maxTokenDays } from '../../access/access.ts';
import { Attributes } from '../accounts/accounts.ts';
import { endpoint } from '../../endpoint.ts';
import { routes } from '../../routes.ts';

/**
 * What guests may change of a filter: nothing (`no`; with null it is set to all values), only within a
 * condition that always applies (`within`), or everything (`any`).
 */
const LinkFilter = z.discriminatedUnion('change', [
  z.strictObject({ change: z.literal('no'), value: FilterDefault.nullable() }),
  z.strictObject({ change: z.literal('within'), value: FilterDefault }),
  z.strictObject({ change: z.literal('any') }),
]);

/** What guests see of a dashboard. */
export const GuestView = z.strictObject({
  /** The titles of pages; all pages if absent. */
  pages: z.array(z.string().max(200)).min(1).max(100).optional(),
  /** By field. A filter that is not named stays as the dashboard has it. */
  filters: z.record(z.string().max(200), LinkFilter).default({}),
  /** Whether pictures and PDF files may be downloaded. */
  downloads: z.boolean().default(false),
  /** What row policies know of guests; without it, models with policies show nothing. */
  attributes: Attributes.optional(),
});
export type GuestView = z.infer<typeof GuestView>;

const NewLink = GuestView.extend({
  name: z.string().trim().min(1).max(100),
  days: z.number().int().min(1).max(maxTokenDays).default(30),
  passphrase: z.string().min(8).max(200).optional(),
  /** How often it can be opened. */
  maxOpens: z.number().int().min(1).max(1_000_000).optional(),
});

export const PublicLink = z
  .object({
    id: z.string(),
    name: z.string(),
    dashboard: z.object({ id: z.string(), title: z.string() }),
    createdBy: z.string(),
    createdAt: z.string(),
    expiresAt: z.string(),
    /** `off`: public links are switched off, or its maker may no longer share the dashboard. */
    state: z.enum(['active', 'off', 'expired', 'used-up']),
    opens: z.number(),
    maxOpens: z.number().optional(),
    openedAt: z.string().optional(),
    hasPassphrase: z.boolean(),
    /** The titles of pages; all pages if absent. */
    pages: z.array(z.string()).optional(),
    downloads: z.boolean(),
  })
  .meta({ id: 'PublicLink' });
export type PublicLink = z.infer<typeof PublicLink>;

const dashboardParams = z.object({ id: z.string().max(300) });
const linkParams = z.object({ link: z.string().max(100) });
const LinkLife = z.strictObject({ days: z.number().int().min(1).max(maxTokenDays) });
/** `token` is what a guest's requests send as `Authorization: Guest …`. */
const GuestAccess = z.object({ token: z.string(), downloads: z.boolean() });

/** Endpoints for public links: with one, anyone can look at a dashboard without an account. */
export const linkEndpoints = {
  listLinks: endpoint({
    ...routes.listLinks,
    access: { on: 'dashboard', level: 'manage' },
    summary: 'List a dashboard’s public links, newest first',
    params: dashboardParams,
    response: z.object({
      /** Whether an owner has switched public links on. */
      isOn: z.boolean(),
      /** Whether row policies protect the dashboard. Then links need attributes, and only admins create them. */
      isProtected: z.boolean(),
      canCreate: z.boolean(),
      links: z.array(PublicLink),
    }),
  }),
  createLink: endpoint({
    ...routes.createLink,
    access: { on: 'dashboard', level: 'manage' },
    summary: 'Create a public link to a dashboard; `secret` ends its address `/s/…` and cannot be read again',
    params: dashboardParams,
    body: NewLink,
    response: z.object({ link: PublicLink, secret: z.string() }),
  }),
  previewLink: endpoint({
    ...routes.previewLink,
    access: { on: 'dashboard', level: 'manage' },
    summary: 'Get a guest’s access for ten minutes, to see what a link would show before it is created',
    params: dashboardParams,
    body: GuestView,
    response: GuestAccess,
  }),
  setLinkLife: endpoint({
    ...routes.setLinkLife,
    access: { on: 'dashboard', level: 'manage' },
    summary:
      'Let a public link end in so many days from now, sooner or later than before; its open pages follow',
    params: dashboardParams.extend(linkParams.shape),
    body: LinkLife,
    response: PublicLink,
  }),
  revokeLink: endpoint({
    ...routes.revokeLink,
    access: { on: 'dashboard', level: 'manage' },
    summary: 'Revoke a public link; its open pages show nothing more',
    params: dashboardParams.extend(linkParams.shape),
    response: z.object({}),
  }),
  listAllLinks: endpoint({
    ...routes.listAllLinks,
    access: { on: 'workspace', role: 'admin' },
    summary: 'List the public links to all dashboards, newest first',
    response: z.object({ isOn: z.boolean(), links: z.array(PublicLink) }),
  }),
  setAnyLinkLife: endpoint({
    ...routes.setAnyLinkLife,
    access: { on: 'workspace', role: 'admin' },
    summary: 'The same, for a link to any dashboard',
    params: linkParams,
    body: LinkLife,
    response: PublicLink,
  }),
  revokeAnyLink: endpoint({
    ...routes.revokeAnyLink,
    access: { on: 'workspace', role: 'admin' },
    summary: 'Revoke a public link to any dashboard',
    params: linkParams,
    response: z.object({}),
  }),
  switchLinks: endpoint({
    ...routes.switchLinks,
    access: { on: 'workspace', role: 'owner' },
    summary: 'Switch public links on or off; while they are off, none can be opened',
    body: z.strictObject({ isOn: z.boolean() }),
    response: z.object({}),
  }),
  openLink: endpoint({
    ...routes.openLink,
    access: { on: 'anyone' },
    summary: 'Open a public link, which counts as one opening',
    body: z.strictObject({ secret: z.string().max(200), passphrase: z.string().max(200).optional() }),
    response: GuestAccess,
  }),
} as const;
