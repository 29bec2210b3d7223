import { z } from 'zod';
import { Label, Name } from './names.ts';

const loopback = ['127.0.0.1', 'localhost', '[::1]'];
/** A role that a provider may give. Only owners make owners. */
const ProvidedRole = z.enum(['viewer', 'explorer', 'editor', 'maker', 'admin']);
/** The name of a claim, or a path to one in a claim: `realm_access.roles`. */
const Claim = z.string().min(1).max(200);
const ClaimValue = z.string().min(1).max(300);

/**
 * Only variables and files that were made for this may be named, since a provider receives what is named.
 */
const ClientSecret = z
  .string()
  .max(300)
  .regex(
    /^\$\{(?:env:BELVEDERE_OIDC_[A-Z0-9_]+|file:\.belvedere\/secrets\/oidc-[\p{L}\p{N}_.-]+)\}$/u,
    'a reference such as `${env:BELVEDERE_OIDC_SECRET}` or `${file:.belvedere/secrets/oidc-NAME}`, never the secret itself',
  );

/** A provider of OpenID Connect, with which users sign in. */
export const SignInProvider = z
  .strictObject({
    /** Part of the callback's address, which is registered at the provider. */
    id: Name,
    name: Label.meta({ description: 'the name on the button “Continue with …”' }),
    issuer: z
      .string()
      .max(500)
      .refine(
        isIssuer,
        'an `https:` address such as `https://login.example.org/realms/main`, without `?` and `#`; `http:` only on this machine',
      ),
    clientId: z.string().min(1).max(300),
    clientSecret: ClientSecret.optional(),
    clientAuthentication: z
      .enum(['basic', 'post'])
      .optional()
      .meta({ description: 'how the client secret is sent; default basic' }),
    scopes: z
      .array(z.string().regex(/^[\x21\x23-\x5B\x5D-\x7E]{1,100}$/, 'a scope without spaces'))
      .max(20)
      .optional()
      .meta({ description: 'scopes beside `openid`; default email and profile' }),
    domains: z
      .array(
        z
          .string()
          .toLowerCase()
          .regex(/^(?:\*|[^\s@*]{1,253})$/, 'a domain such as `example.org`, or `*` for all'),
      )
      .min(1)
      .max(200)
      .optional()
      .meta({ description: 'the domains of e-mail addresses that may sign in; default all' }),
    createAccounts: z
      .boolean()
      .optional()
      .meta({ description: 'creates an account at the first sign-in; default false. Needs `domains`' }),
    assumeEmailVerified: z.boolean().optional().meta({
      description:
        'takes all addresses for verified; only for a provider of your own organization that does not say so, such as Entra ID',
    }),
    defaultRole: ProvidedRole.optional().meta({ description: 'default viewer' }),
    groupsClaim: Claim.optional().meta({ description: 'the claim that lists groups; default groups' }),
    groups: z
      .record(ClaimValue, Label)
      .optional()
      .meta({ description: 'the group of Belvedere for each value of the claim' }),
    roles: z
      .record(ClaimValue, ProvidedRole)
      .optional()
      .meta({ description: 'the role for each value of the claim; the highest counts' }),
    attributes: z
      .record(Name, Claim)
      .optional()
      .meta({ description: 'the claim for each attribute of the user, which row policies read' }),
  })
  .refine(({ createAccounts, domains }) => !createAccounts || domains !== undefined, {
    path: ['domains'],
    message: 'with `createAccounts`, list the domains of e-mail addresses, or `*` for all',
  });
export type SignInProvider = z.infer<typeof SignInProvider>;

/** How users sign in. Takes effect after a restart. */
export const SignInFile = z
  .strictObject({
    password: z
      .boolean()
      .optional()
      .meta({ description: 'whether users sign in with passwords; owners always may. Default true' }),
    breachedPasswords: z.string().min(1).max(1000).optional().meta({
      description:
        'file of SHA-1 hashes of passwords that are refused, sorted, one a line, as of Have I Been Pwned',
    }),
    providers: z
      .array(SignInProvider)
      .max(20)
      .refine(all => new Set(all.map(({ id }) => id)).size === all.length, 'each `id` must occur once')
      .refine(
        all => new Set(all.map(({ issuer }) => issuer)).size === all.length,
        'each `issuer` must occur once',
      )
      .optional(),
  })
  .refine(({ password, providers = [] }) => password !== false || providers.length > 0, {
    path: ['password'],
    message: 'without passwords, there must be a provider',
  });
export type SignInFile = z.infer<typeof SignInFile>;

function isIssuer(text: string): boolean {
  // Older browsers have no `URL.parse`.
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || text.includes('?') || text.includes('#') || url.username || url.password)
    return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && loopback.includes(url.hostname));
}
