import { isAtLeast } from '@belvedere/api';
import type { SignInProvider } from '@belvedere/document';
import { randomUUID } from 'node:crypto';
import type { Identities } from '../../state/accounts/identities.ts';
import { Invitations } from '../../state/accounts/invitations.ts';
import type { StateDatabase } from '../../state/database/state-database.ts';
import type { User } from '../../state/accounts/users.ts';
import type { Accounts } from '../accounts/accounts.ts';
import { isDomainAllowed, profileOf, rightsOf, type Profile } from './oidc-claims.ts';
import type { Identified } from './oidc-client.ts';

/**
 * Why a user whom a provider has identified is not signed in. `no-account` is the same for users without an
 * account and for disabled ones.
 */
export type Refusal = 'domain' | 'email-unverified' | 'no-account' | 'connect-first';

export class ProviderRefusal extends Error {
  override readonly name = 'ProviderRefusal';
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal);
    this.refusal = refusal;
  }
}

interface Parts {
  readonly accounts: Accounts;
  readonly state: StateDatabase;
  readonly identities: Identities;
  readonly now: () => Date;
}

/**
 * Finds, connects or creates the accounts of users whom providers have identified. The issuer and subject
 * identify a user; the address only where the provider has verified it.
 */
export class ProvidedAccounts {
  readonly #parts: Parts;
  readonly #invitations: Invitations;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#invitations = new Invitations(parts.state);
  }

  /**
   * Returns the ID of the user's account, after setting the rights that the provider decides on.
   *
   * @throws ProviderRefusal
   */
  async accountOf(identified: Identified, provider: SignInProvider): Promise<string> {
    const { accounts, identities, now } = this.#parts;
    const profile = profileOf(identified.claims, provider);
    if (!isDomainAllowed(profile, provider))
      throw new ProviderRefusal(profile.isVerified ? 'domain' : 'email-unverified');
    const known = await identities.find(identified);
    if (known) {
      const person = accounts.people.find(known.userId);
      if (!person || person.isDisabled) throw new ProviderRefusal('no-account');
      await identities.use(known.id, provider.id, profile.email, now());
      await this.#setRights(person, identified, provider);
      return person.id;
    }
    const id = await this.#connectOrCreate(identified, profile, provider);
    await accounts.people.load();
    await this.#setRights(accounts.people.find(id)!, identified, provider);
    return id;
  }

  /** Connects the account of a verified address, or creates one. */
  async #connectOrCreate(
    identified: Identified,
    { name, email, isVerified }: Profile,
    provider: SignInProvider,
  ): Promise<string> {
    if (email === undefined || !isVerified) throw new ProviderRefusal('email-unverified');
    const { accounts, state, identities, now } = this.#parts;
    const same = accounts.people.findByEmail(email);
    if (same?.isDisabled || same?.isService) throw new ProviderRefusal('no-account');
    // A provider that is taken over must not open the accounts that manage all others, nor go round a second
    // factor.
    const isGuarded = same && (isAtLeast(same.role, 'admin') || same.hasAuthenticator || same.passkeys > 0);
    if (isGuarded) throw new ProviderRefusal('connect-first');
    const connect = (userId: string) =>
      identities.add(identified, { userId, provider: provider.id, email }, now());
    if (same) {
      await connect(same.id);
      await this.#note('identity.add', `${same.name} (${same.email})`, provider);
      return same.id;
    }
    const invitation = (await this.#invitations.list(now())).find(one => one.email === email);
    if (invitation && isAtLeast(invitation.role, 'admin')) throw new ProviderRefusal('connect-first');
    if (!invitation && !provider.createAccounts) throw new ProviderRefusal('no-account');
    const role = invitation?.role ?? provider.defaultRole ?? 'viewer';
    const id = await state.transaction(async () => {
      if (invitation && !(await this.#invitations.accept(invitation.id, now())))
        throw new ProviderRefusal('no-account');
      const created = await accounts.signUp.createProvided({ name, email, role });
      await connect(created);
      const groups = new Set((await accounts.groups.list()).map(group => group.id));
      await accounts.groups.setGroupsOf(
        created,
        (invitation?.groups ?? []).filter(group => groups.has(group)),
      );
      if (invitation) await this.#invitations.grantTo(created, invitation.id, now());
      return created;
    });
    await this.#note('user.add', `${name} (${email})`, provider, `as ${role}`);
    return id;
  }

  /** Sets role, groups and attributes, as far as the workspace maps claims to them. Owners stay owners. */
  async #setRights(person: User, { claims }: Identified, provider: SignInProvider): Promise<void> {
    const { role, groups, attributes } = rightsOf(claims, provider);
    const ids = groups && (await this.#groupsWith(person, groups));
    const merged = attributes && without({ ...person.attributes, ...attributes });
    const change = {
      ...(role && person.role !== 'owner' && role !== person.role && { role }),
      ...(ids && ids.toSorted().join() !== person.groups.toSorted().join() && { groups: ids }),
      ...(merged && JSON.stringify(merged) !== JSON.stringify(person.attributes) && { attributes: merged }),
    };
    if (Object.keys(change).length === 0) return;
    // With the rights of an admin where these suffice, so that no mapping ever makes an owner.
    await this.#parts.accounts.administration.updateUser(person.id, change, {
      label: `Sign-in with ${provider.name}`,
      role: person.role === 'owner' ? 'owner' : 'admin',
    });
  }

  /** Returns the IDs of a user's groups. Groups that the mapping does not name stay; missing ones are made. */
  async #groupsWith(
    person: User,
    { of, mapped }: { readonly of: ReadonlySet<string>; readonly mapped: ReadonlySet<string> },
  ): Promise<string[]> {
    const { groups } = this.#parts.accounts;
    const byName = async () => new Map((await groups.list()).map(({ id, name }) => [name, id]));
    const before = await byName();
    for (const name of of)
      // Another sign-in may create it at the same moment.
      if (!before.has(name)) await groups.save(randomUUID(), { name, attributes: {} }).catch(() => {});
    const ids = await byName();
    const decided = new Set([...mapped].map(name => ids.get(name)));
    return [...person.groups.filter(id => !decided.has(id)), ...[...of].flatMap(name => ids.get(name) ?? [])];
  }

  #note(action: string, object: string, { name }: SignInProvider, ...details: readonly string[]) {
    return this.#parts.accounts.audit.add({
      actor: `Sign-in with ${name}`,
      action,
      object,
      outcome: 'done',
      detail: [`with ${name}`, ...details].join('; '),
    });
  }
}

function without(attributes: Readonly<Record<string, User['attributes'][string] | undefined>>) {
  return Object.fromEntries(
    Object.entries(attributes).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
