import type { Role } from '@belvedere/api';
import { roles } from '@belvedere/api';
import type { SignInProvider } from '@belvedere/document';
import type { User } from '../../state/accounts/users.ts';

/** The claims of a provider about a user: of the ID token, and of the user info where that has none. */
export type Claims = Readonly<Record<string, unknown>>;

/** A user as a provider describes them. */
export interface Profile {
  readonly name: string;
  /** In lower case. */
  readonly email?: string;
  readonly isVerified: boolean;
}

export function profileOf(claims: Claims, provider: SignInProvider): Profile {
  const text = (name: string) => {
    const value = claims[name];
    return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
  };
  const email = text('email')?.toLowerCase();
  const isAddress = email !== undefined && email.length <= 254 && /^[^\s@<>,;"]+@[^\s@<>,;"]+$/.test(email);
  const verified = claims['email_verified'];
  return {
    name: plainName(text('name') ?? text('preferred_username') ?? email?.split('@')[0] ?? 'User'),
    ...(isAddress && { email }),
    isVerified:
      isAddress && (verified === true || verified === 'true' || provider.assumeEmailVerified === true),
  };
}

function plainName(text: string): string {
  return (
    text
      .replaceAll(/\p{Cc}+/gu, ' ')
      .trim()
      .slice(0, 100) || 'User'
  );
}

/** Whether the provider's rules let in a user with this address. */
export function isDomainAllowed({ email, isVerified }: Profile, { domains }: SignInProvider): boolean {
  if (domains === undefined || domains.includes('*')) return true;
  return email !== undefined && isVerified && domains.includes(email.slice(email.lastIndexOf('@') + 1));
}

/** What a provider's claims say of a user's rights. Only parts that the workspace maps are there. */
export interface ProvidedRights {
  readonly role?: Exclude<Role, 'owner'>;
  /** The names of groups that the user belongs to, and all names that the mapping decides on. */
  readonly groups?: { readonly of: ReadonlySet<string>; readonly mapped: ReadonlySet<string> };
  /** Values by name; undefined for an attribute whose claim is missing. */
  readonly attributes?: Readonly<Record<string, User['attributes'][string] | undefined>>;
}

export function rightsOf(claims: Claims, provider: SignInProvider): ProvidedRights {
  const values = new Set(textsOf(claimAt(claims, provider.groupsClaim ?? 'groups')));
  const { groups, roles: byValue, attributes, defaultRole = 'viewer' } = provider;
  const given = (map: Readonly<Record<string, string>>) =>
    Object.entries(map).flatMap(([value, name]) => (values.has(value) ? [name] : []));
  return {
    ...(byValue && { role: highest(given(byValue)) ?? defaultRole }),
    ...(groups && { groups: { of: new Set(given(groups)), mapped: new Set(Object.values(groups)) } }),
    ...(attributes && {
      attributes: Object.fromEntries(
        Object.entries(attributes).map(([name, claim]) => [name, attributeFrom(claimAt(claims, claim))]),
      ),
    }),
  };
}

/** The claims that the provider's rules read, by their first names. */
export function claimsRead({ groupsClaim = 'groups', groups, roles: byValue, attributes }: SignInProvider) {
  return ['email', ...(groups || byValue ? [groupsClaim] : []), ...Object.values(attributes ?? {})];
}

/** Returns a claim by its name, or else by its path: some names are addresses with dots. */
export function claimAt(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  return name
    .split('.')
    .reduce<unknown>(
      (value, key) =>
        value !== null && typeof value === 'object' && Object.hasOwn(value, key)
          ? (value as Record<string, unknown>)[key]
          : undefined,
      claims,
    );
}

function textsOf(value: unknown): string[] {
  const all = Array.isArray(value) ? (value as unknown[]) : [value];
  return all.filter(one => typeof one === 'string');
}

function highest(given: readonly string[]): Exclude<Role, 'owner'> | undefined {
  const found = roles.findLast(role => role !== 'owner' && given.includes(role));
  return found === 'owner' ? undefined : found;
}

/** Values of other kinds are as if missing: row policies then match no rows. */
function attributeFrom(value: unknown): User['attributes'][string] | undefined {
  if (typeof value === 'string') return value.slice(0, 1000);
  if (typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))) return value;
  if (!Array.isArray(value) || value.length > 1000) return undefined;
  const texts = textsOf(value);
  return texts.length === value.length ? texts.map(text => text.slice(0, 1000)) : undefined;
}
