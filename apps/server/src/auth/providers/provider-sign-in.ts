import type { ProviderName, SignInIdentity } from '@belvedere/api';
import type { SignInProvider } from '@belvedere/document';
import { randomBytes } from 'node:crypto';
import { ProblemError } from '../../http/problem-error.ts';
import { Identities } from '../../state/accounts/identities.ts';
import type { StateDatabase } from '../../state/database/state-database.ts';
import type { Clock } from '../../state/database/wall-clock.ts';
import type { Accounts } from '../accounts/accounts.ts';
import type { SessionOfUser, Visit } from '../sign-in/sign-in.ts';
import { AttemptLimit } from '../limits/attempt-limits.ts';
import { isDomainAllowed, profileOf } from './oidc-claims.ts';
import { OidcClient, ProviderError, type Identified } from './oidc-client.ts';
import { OidcFlows, type Flow, type FlowKind } from './oidc-flow.ts';
import type { KnownProvider, Providers } from './providers.ts';
import { ProvidedAccounts, ProviderRefusal } from './provided-accounts.ts';

const [visitsPerAddress, windowMs] = [60, 60_000];
/** How far the clocks of a provider and this server may differ, s. */
const clockSkewSeconds = 60;

interface Parts {
  readonly accounts: Accounts;
  readonly state: StateDatabase;
  readonly clock: Clock;
  readonly settings: Providers;
  readonly port: () => number;
  readonly publicUrl: string | undefined;
}

/** How a visit to a provider ended: the page to go to, and values of `set-cookie` headers. */
export interface VisitEnd {
  readonly page: string;
  readonly cookies: readonly string[];
  /** The account that was connected, of which its user gets a mail. */
  readonly connected?: { readonly userId: string; readonly provider: string };
}

/** Signs users in with providers of OpenID Connect, confirms sessions there, and connects accounts. */
export class ProviderSignIn {
  readonly #accounts: Accounts;
  readonly #clock: Clock;
  readonly #identities: Identities;
  readonly #provided: ProvidedAccounts;
  readonly #flows: OidcFlows;
  readonly #settings: Providers;
  /** Of providers as they are set now. */
  readonly #clients = new WeakMap<KnownProvider, OidcClient>();
  readonly #byAddress: AttemptLimit;

  constructor({ accounts, state, clock, settings, port, publicUrl }: Parts) {
    this.#settings = settings;
    const elapsed = () => clock.elapsed();
    this.#accounts = accounts;
    this.#clock = clock;
    this.#identities = new Identities(state);
    this.#provided = new ProvidedAccounts({
      accounts,
      state,
      identities: this.#identities,
      now: () => this.#now(),
    });
    this.#flows = new OidcFlows({ port, publicUrl, elapsed });
    this.#byAddress = new AttemptLimit(visitsPerAddress, windowMs, elapsed);
  }

  get providers(): ProviderName[] {
    return this.#settings.all.flatMap(({ provider: { id, name } }) =>
      this.#settings.isUsable(id) ? [{ id, name }] : [],
    );
  }

  #client(id: string): OidcClient | undefined {
    const known = this.#settings.isUsable(id) ? this.#settings.find(id) : undefined;
    if (known === undefined) return undefined;
    const client = this.#clients.get(known) ?? this.#open(known);
    this.#clients.set(known, client);
    return client;
  }

  #open({ provider, secret, allowed }: KnownProvider): OidcClient {
    return new OidcClient({ provider, secret, allowed, elapsed: () => this.#clock.elapsed() });
  }

  /** Asks a provider whether it answers and knows this client, whether it is set or only a draft. */
  async check(
    known: KnownProvider,
    base: string,
  ): Promise<{ readonly result: 'ok' | 'unavailable' | 'invalid'; readonly detail?: string }> {
    try {
      await this.#open(known).check(callbackAddress(base, known.provider.id));
      return { result: 'ok' };
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      const { failure, message } = error;
      return { result: failure === 'unavailable' ? failure : 'invalid', detail: message };
    }
  }

  /**
   * Begins a visit to a provider.
   *
   * @param base the address under which this browser reaches the server
   * @param session of the user who confirms it or connects an account
   * @throws ProblemError `not-found` for an unknown provider, `overloaded` for one that does not answer
   */
  async begin(
    id: string,
    kind: FlowKind,
    { visit, base, session }: { readonly visit: Visit; readonly base: string; readonly session?: string },
  ): Promise<{ readonly address: string; readonly cookie: string }> {
    this.#byAddress.take(`begin ${visit.address}`);
    const client = this.#client(id);
    if (!client || this.#accounts.signUp.needsSetup)
      throw new ProblemError('not-found', 'This workspace has no such sign-in provider.');
    const random = () => randomBytes(32).toString('base64url');
    const flow: Flow = {
      kind,
      provider: id,
      state: random(),
      nonce: random(),
      verifier: random(),
      startedAt: this.#clock.wall(),
      ...(session !== undefined && { session }),
    };
    try {
      const address = await client.begin(flow, callbackAddress(base, id));
      return { address: address.href, cookie: this.#flows.begin(flow) };
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      logFailure(error);
      throw new ProblemError(
        'overloaded',
        `${client.provider.name} does not answer, or is not set up correctly. Try again later, or sign in another way.`,
        { cause: error },
      );
    }
  }

  /** Ends a visit to a provider, from which the browser has come back. @param query with the `?` */
  async finish(
    id: string,
    query: string,
    { visit, base }: { readonly visit: Visit; readonly base: string },
  ): Promise<VisitEnd> {
    this.#byAddress.take(`finish ${visit.address}`);
    const flow = this.#flows.end(visit.cookies);
    const client = this.#client(id);
    const cleared = this.#flows.cleared();
    // Each provider has its own callback, so that none can answer for another.
    if (!flow || !client || flow.provider !== id || this.#accounts.signUp.needsSetup)
      return { page: pageAfter(flow?.kind ?? 'sign-in', 'expired', id), cookies: [cleared] };
    try {
      const identified = await client.finish(new URL(callbackAddress(base, id) + query), flow);
      const end = await this.#end(identified, client.provider, flow, visit);
      return { ...end, cookies: [...end.cookies, cleared] };
    } catch (error) {
      const problem = problemOf(error);
      if (error instanceof ProviderError) logFailure(error);
      await this.#accounts.audit.add({
        action:
          flow.kind === 'link' ? 'identity.add' : flow.kind === 'confirm' ? 'user.confirm' : 'user.sign-in',
        outcome: 'refused',
        address: visit.address,
        detail: `with ${client.provider.name}; ${problem}`,
      });
      return { page: pageAfter(flow.kind, problem, id), cookies: [cleared] };
    }
  }

  async #end(identified: Identified, provider: SignInProvider, flow: Flow, visit: Visit): Promise<VisitEnd> {
    const page = pageAfter(flow.kind);
    if (flow.kind === 'confirm') {
      const { sessionId, userId } = await this.#sessionOf(flow, visit);
      const known = await this.#identities.find(identified);
      const since = flow.startedAt / 1000 - clockSkewSeconds;
      if (known?.userId !== userId || identified.authTime === undefined || identified.authTime < since)
        throw new VisitProblem('not-confirmed');
      return { page, cookies: [await this.#accounts.confirmSession(sessionId)] };
    }
    if (flow.kind === 'link') {
      const { userId } = await this.#sessionOf(flow, visit);
      await this.#connect(identified, provider, userId, visit);
      return { page, cookies: [], connected: { userId, provider: provider.name } };
    }
    const isKnown = (await this.#identities.find(identified)) !== undefined;
    const { byId: before } = this.#accounts.people;
    const userId = await this.#provided.accountOf(identified, provider);
    const { cookies } = await this.#accounts.enter(userId, visit, {
      action: 'user.sign-in',
      detail: `with ${provider.name}`,
      isConfirmed: false,
    });
    const isConnected = !isKnown && before.has(userId);
    return { page, cookies, ...(isConnected && { connected: { userId, provider: provider.name } }) };
  }

  /** Returns the session that began a visit, if it is still the browser's. @throws VisitProblem */
  async #sessionOf({ session }: Flow, { cookies }: Visit): Promise<SessionOfUser> {
    const found = await this.#accounts.userOf(cookies);
    if (!found || found.sessionId !== session) throw new VisitProblem('expired');
    return found;
  }

  async #connect(
    identified: Identified,
    provider: SignInProvider,
    userId: string,
    { address }: Visit,
  ): Promise<void> {
    const profile = profileOf(identified.claims, provider);
    if (!isDomainAllowed(profile, provider)) throw new ProviderRefusal('domain');
    const known = await this.#identities.find(identified);
    if (known) throw new VisitProblem(known.userId === userId ? 'connected' : 'taken');
    const { email } = profile;
    await this.#identities.add(
      identified,
      { userId, provider: provider.id, ...(email && { email }) },
      this.#now(),
    );
    await this.#accounts.people.load();
    const { label, id } = this.#accounts.actor(userId, { address, userAgent: '' });
    await this.#accounts.audit.add({
      actor: label,
      ...(id !== undefined && { actorId: id }),
      address,
      action: 'identity.add',
      outcome: 'done',
      detail: `with ${provider.name}`,
    });
  }

  /** Lists a user's ways to sign in, and the providers that can be connected. */
  async methodsOf(userId: string): Promise<{
    readonly hasPassword: boolean;
    readonly identities: SignInIdentity[];
    readonly providers: ProviderName[];
  }> {
    const identities = await this.#identities.of(userId);
    const names = new Map(this.providers.map(({ id, name }) => [id, name]));
    const used = new Set(identities.map(({ provider }) => provider));
    return {
      hasPassword: await this.#identities.hasPassword(userId),
      identities: identities.map(({ id, provider, email, createdAt, usedAt }) => ({
        id,
        provider,
        name: names.get(provider) ?? provider,
        ...(email !== undefined && { email }),
        createdAt,
        usedAt,
      })),
      providers: this.providers.filter(({ id }) => !used.has(id)),
    };
  }

  /** Disconnects a provider's account. @throws ProblemError `request-invalid` for the last way to sign in */
  async disconnect(userId: string, identity: string, visit: Visit): Promise<void> {
    const { hasPassword, identities } = await this.methodsOf(userId);
    const found = identities.find(({ id }) => id === identity);
    if (!found) throw new ProblemError('not-found', 'This account is not connected any more.');
    const person = this.#accounts.people.find(userId)!;
    if (!(hasPassword && this.#accounts.passwords.mayUse(person)) && identities.length === 1)
      throw new ProblemError(
        'request-invalid',
        'This is your only way to sign in. Connect another provider or set a password first.',
      );
    await this.#identities.remove(identity);
    await this.#accounts.people.load();
    await this.#accounts.audit.add({
      actor: `${person.name} (${person.email})`,
      actorId: userId,
      address: visit.address,
      action: 'identity.remove',
      outcome: 'done',
      detail: `with ${found.name}`,
    });
  }

  #now(): Date {
    return new Date(this.#clock.wall());
  }
}

/** Why a visit did not end as its user wanted. The page has a text for each. */
class VisitProblem extends Error {
  override readonly name = 'VisitProblem';
  readonly problem: 'expired' | 'not-confirmed' | 'taken' | 'connected';

  constructor(problem: VisitProblem['problem']) {
    super(problem);
    this.problem = problem;
  }
}

function problemOf(error: unknown): string {
  if (error instanceof VisitProblem) return error.problem;
  if (error instanceof ProviderRefusal) return error.refusal;
  if (error instanceof ProviderError) return error.failure;
  // An account that was disabled or changed meanwhile.
  if (error instanceof ProblemError) return 'no-account';
  throw error;
}

function callbackAddress(base: string, id: string): string {
  return new URL(`/auth/oidc/${id}/callback`, base).href;
}

function pageAfter(kind: FlowKind, problem?: string, provider?: string): string {
  const search = new URLSearchParams({
    ...((kind === 'again' || kind === 'confirm') && { for: kind }),
    ...(problem !== undefined && { problem }),
    ...(provider !== undefined && { provider }),
  }).toString();
  const path =
    kind === 'link'
      ? '/settings/profile'
      : kind === 'sign-in' && problem !== undefined
        ? '/sign-in'
        : '/signed-in';
  return search === '' ? path : `${path}?${search}`;
}

/** For the operator. Neither codes nor tokens are in these messages. */
function logFailure(error: ProviderError): void {
  // A line break in an answer would begin another entry of the log.
  const message = error.message.replaceAll(/\p{Cc}+/gu, ' ');
  console.error(new Date().toISOString(), 'Sign-in provider:', message);
}
