import type { ChangedProvider, ProviderSettings } from '@belvedere/api';
import type { AttributeRow } from '../users/attribute-rows.ts';

/** A sign-in provider as it is being edited: texts as typed. */
export interface ProviderDraft {
  readonly id: string;
  readonly name: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly domains: string;
  readonly createAccounts: boolean;
  readonly defaultRole: ProvidedRole;
  readonly groupsClaim: string;
  readonly groups: readonly AttributeRow[];
  readonly roles: readonly AttributeRow[];
  readonly attributes: readonly AttributeRow[];
  readonly scopes: string;
  readonly clientAuthentication: 'basic' | 'post';
  readonly assumeEmailVerified: boolean;
}

export type ProvidedRole = NonNullable<ChangedProvider['defaultRole']>;
export const providedRoles: readonly ProvidedRole[] = ['viewer', 'explorer', 'editor', 'maker', 'admin'];

/** The texts that are entered in fields of their own. */
export type ProviderField =
  | 'id'
  | 'name'
  | 'issuer'
  | 'clientId'
  | 'clientSecret'
  | 'domains'
  | 'groupsClaim'
  | 'scopes';

const standardScopes = ['email', 'profile'];
const rowsOf = (map: Readonly<Record<string, string>> = {}): readonly AttributeRow[] =>
  Object.entries(map).map(([name, value], key) => ({ key, name, value }));
const wordsIn = (text: string) => text.split(/[\s,;]+/).filter(word => word !== '');

/** @param known undefined for a new provider, or for one that must be entered again */
export function providerDraft(known: ProviderSettings | undefined): ProviderDraft {
  const rules: Partial<ChangedProvider> = known?.provider ?? {};
  const { name = '', issuer = '', clientId = '', domains = [] } = rules;
  return {
    id: known?.id ?? '',
    name,
    issuer,
    clientId,
    clientSecret: '',
    domains: domains.join(', '),
    createAccounts: rules.createAccounts ?? false,
    defaultRole: rules.defaultRole ?? 'viewer',
    groupsClaim: rules.groupsClaim ?? '',
    groups: rowsOf(rules.groups),
    roles: rowsOf(rules.roles),
    attributes: rowsOf(rules.attributes),
    scopes: (rules.scopes ?? standardScopes).join(' '),
    clientAuthentication: rules.clientAuthentication ?? 'basic',
    assumeEmailVerified: rules.assumeEmailVerified ?? false,
  };
}

/** Returns an ID from a provider's name, as long as none was typed. */
export function idFromName(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[^a-z]+|_+$/g, '');
  return plain.slice(0, 40);
}

/**
 * Returns the fields that are wrong. The server checks them again, and more.
 * @param taken the IDs of the other providers
 */
export function wrongProviderFields(
  draft: ProviderDraft,
  taken: readonly string[],
): ReadonlySet<ProviderField> {
  const { id, name, issuer, clientId, createAccounts, domains } = draft;
  const checks: Partial<Record<ProviderField, boolean>> = {
    id: /^(?!constructor$)[a-z][a-z0-9_]{0,62}$/.test(id) && !taken.includes(id),
    name: name.trim() !== '',
    issuer: /^https?:\/\/[^?#\s]+$/.test(issuer.trim()),
    clientId: clientId.trim() !== '',
    domains: !createAccounts || wordsIn(domains).length > 0,
  };
  return new Set((Object.keys(checks) as ProviderField[]).filter(field => !checks[field]));
}

/** Returns what is sent. Rules that have their standard values, and rows without a name, are left out. */
export function changedProvider(draft: ProviderDraft): ChangedProvider {
  const scopes = wordsIn(draft.scopes);
  const mapOf = <V extends string>(rows: readonly AttributeRow[]) => {
    const filled = rows.filter(({ name, value }) => name.trim() !== '' && value.trim() !== '');
    return Object.fromEntries(filled.map(({ name, value }) => [name.trim(), value.trim() as V]));
  };
  const [groups, roles, attributes] = [
    mapOf(draft.groups),
    mapOf<ProvidedRole>(draft.roles),
    mapOf(draft.attributes),
  ];
  const isFilled = (map: object) => Object.keys(map).length > 0;
  const domains = wordsIn(draft.domains);
  return {
    name: draft.name.trim(),
    issuer: draft.issuer.trim(),
    clientId: draft.clientId.trim(),
    ...(draft.clientSecret.trim() !== '' && { clientSecret: draft.clientSecret.trim() }),
    ...(draft.clientAuthentication !== 'basic' && { clientAuthentication: draft.clientAuthentication }),
    ...(scopes.join(' ') !== standardScopes.join(' ') && { scopes }),
    ...(domains.length > 0 && { domains }),
    ...(draft.createAccounts && { createAccounts: true }),
    ...(draft.assumeEmailVerified && { assumeEmailVerified: true }),
    ...(draft.defaultRole !== 'viewer' && { defaultRole: draft.defaultRole }),
    ...(draft.groupsClaim.trim() !== '' && { groupsClaim: draft.groupsClaim.trim() }),
    ...(isFilled(groups) && { groups }),
    ...(isFilled(roles) && { roles }),
    ...(isFilled(attributes) && { attributes }),
  };
}
