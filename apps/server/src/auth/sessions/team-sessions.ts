import type { SignedInSession } from '@belvedere/api';
import type { StartLimits } from '../../limits.ts';
import type { StateDatabase } from '../../state/database/state-database.ts';
import type { Clock } from '../../state/database/wall-clock.ts';
import { deviceName } from './device-name.ts';
import { newToken, tokenHash } from '../secrets/token-hash.ts';

type SessionLimits = Pick<StartLimits, 'sessionIdleMs' | 'sessionLifeMs'>;

/** Where a request comes from. */
export interface Origin {
  readonly address: string;
  readonly userAgent: string;
}

/** A session as this process knows it. Wall-clock times in ms, as stored: a session outlives the process. */
interface Session {
  readonly id: string;
  readonly userId: string;
  created: number;
  used: number;
  confirmed: number | undefined;
  readonly loadedAt: number;
  /** Monotonic times, set on first use in this process, so that setting the wall clock ends no session. */
  here?: { readonly bornAt: number; usedAt: number; confirmedAt?: number };
}

/** Precision of the stored time of last use, ms: a write for each request is not worth it. */
const keptEveryMs = 60_000;
/** Sessions read by one query; PostgreSQL takes at most 65,535 parameters. */
const maxParameters = 10_000;
/** How long requests that were sent before a token was replaced are still accepted, ms. */
const graceMs = 10_000;

/**
 * The sessions of signed-in users. The database has hashes of their tokens only. Sessions in use are kept in
 * memory too, so that requests need no query, and users stay signed in while the database is away.
 * Sessions end by the workspace's limits: unused for a time, or older than a total age.
 */
export class TeamSessions {
  readonly #state: StateDatabase;
  readonly #clock: Clock;
  readonly #limits: SessionLimits;
  /** By the hash of the token. */
  readonly #known = new Map<string, Session>();
  /** Hashes of tokens that were replaced here a moment ago. */
  readonly #replaced = new Set<string>();
  readonly #listeners = new Set<() => void>();
  /** Changes whenever sessions end, so that one that is being read meanwhile is not remembered. */
  #era = 0;
  #saving: Promise<void> = Promise.resolve();

  constructor(state: StateDatabase, clock: Clock, limits: SessionLimits) {
    this.#state = state;
    this.#clock = clock;
    this.#limits = limits;
  }

  /** Lifetime of the session cookie, s. */
  get lifeSeconds(): number {
    return Math.floor(this.#limits.sessionLifeMs / 1000);
  }

  /** Resolves when all changes so far are saved. */
  settled(): Promise<void> {
    return this.#saving;
  }

  /** Calls a function after sessions have ended. @returns a function that ends the subscription */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Completes a session that was just created.
   *
   * @param isConfirmed whether its user gave a password, or signed in again elsewhere
   */
  async adopt(token: string, { address, userAgent }: Origin, isConfirmed = true): Promise<void> {
    const now = this.#clock.wall();
    const at = iso(now);
    const { user_id: userId } = await this.#state.db
      .updateTable('session')
      .set({
        created_at: at,
        updated_at: at,
        expires_at: iso(now + this.#limits.sessionLifeMs),
        ip_address: address,
        user_agent: userAgent.slice(0, 500),
        confirmed_at: isConfirmed ? at : null,
      })
      .where('token', '=', tokenHash(token))
      .returning('user_id')
      .executeTakeFirstOrThrow();
    await this.#seen(userId, now);
  }

  /** Returns the session of a token, and counts it as used; undefined if it is unknown or has expired. */
  async find(token: string): Promise<{ readonly id: string; readonly userId: string } | undefined> {
    const key = tokenHash(token);
    const found = this.#known.get(key) ?? (await this.#load('token', key));
    if (!found || !this.#isValid(found)) return undefined;
    const [now, elapsed] = [this.#clock.wall(), this.#clock.elapsed()];
    found.here ??= {
      bornAt: elapsed - Math.max(0, now - found.created),
      usedAt: elapsed,
      ...(found.confirmed !== undefined && { confirmedAt: elapsed - Math.max(0, now - found.confirmed) }),
    };
    found.here.usedAt = elapsed;
    if (Math.abs(now - found.used) >= keptEveryMs) this.#keepUse(found, found.here.bornAt);
    return found;
  }

  /** Returns a session by its ID, whatever its token is now, without counting it as used. */
  async findById(id: string): Promise<{ readonly id: string; readonly userId: string } | undefined> {
    const found = this.#ofId(id)[0]?.[1] ?? (await this.#load('id', id));
    return found && this.#isValid(found) ? found : undefined;
  }

  async #load(column: 'token' | 'id', value: string): Promise<Session | undefined> {
    const era = this.#era;
    const row = await this.#state.db
      .selectFrom('session')
      .select(['token', 'id', 'user_id', 'created_at', 'updated_at', 'confirmed_at'])
      .where(column, '=', value)
      .executeTakeFirst();
    if (!row) return undefined;
    const session: Session = {
      id: row.id,
      userId: row.user_id,
      created: Date.parse(row.created_at),
      used: Date.parse(row.updated_at),
      confirmed: row.confirmed_at === null ? undefined : Date.parse(row.confirmed_at),
      loadedAt: this.#clock.elapsed(),
    };
    // Another request may have loaded it meanwhile.
    const known = this.#known.get(row.token);
    if (known) return known;
    if (era === this.#era) this.#known.set(row.token, session);
    return session;
  }

  /** Whether a session is valid. Deletes an expired one, unless its age comes only from an untrusted wall clock. */
  #isValid(session: Session): boolean {
    if (!this.#hasExpired(session)) return true;
    if (session.here || this.#clock.isTrusted()) this.#keep(() => this.end(session.id));
    return false;
  }

  #hasExpired({ here, created, used, loadedAt }: Session): boolean {
    const [now, elapsed] = [this.#clock.wall(), this.#clock.elapsed()];
    const age = here ? elapsed - here.bornAt : now - created;
    const idle = here ? elapsed - here.usedAt : Math.max(now - used, elapsed - loadedAt);
    return age > this.#limits.sessionLifeMs || idle > this.#limits.sessionIdleMs;
  }

  #keepUse(session: Session, bornAt: number): void {
    const now = this.#clock.wall();
    // Uses the current wall clock, which corrects times stored while it was wrong.
    session.used = now;
    session.created = Math.round(now - (this.#clock.elapsed() - bornAt));
    const { id, userId, created } = session;
    this.#keep(async () => {
      const { db } = this.#state;
      await db
        .updateTable('session')
        .set({ created_at: iso(created), updated_at: iso(now) })
        .where('id', '=', id)
        .execute();
      await db
        .updateTable('user')
        .set({ last_seen_at: iso(now) })
        .where('id', '=', userId)
        .execute();
    });
  }

  async #seen(userId: string, now: number): Promise<void> {
    await this.#state.db
      .updateTable('user')
      .set({ last_seen_at: iso(now) })
      .where('id', '=', userId)
      .execute();
  }

  /** Whether the user of a session in use gave the password within this time, ms. */
  isConfirmed(id: string, withinMs: number): boolean {
    const confirmedAt = this.#ofId(id)[0]?.[1].here?.confirmedAt;
    return confirmedAt !== undefined && this.#clock.elapsed() - confirmedAt <= withinMs;
  }

  /**
   * Records that the user of a session gave the password, and replaces its token.
   *
   * @returns the new token
   */
  async confirm(id: string): Promise<string> {
    const token = newToken();
    const now = this.#clock.wall();
    await this.#state.db
      .updateTable('session')
      .set({ token: tokenHash(token), confirmed_at: iso(now) })
      .where('id', '=', id)
      .execute();
    for (const [key, session] of this.#ofId(id)) {
      session.confirmed = now;
      if (session.here) session.here.confirmedAt = this.#clock.elapsed();
      this.#known.set(tokenHash(token), session);
      this.#replaced.add(key);
      setTimeout(() => {
        this.#known.delete(key);
        this.#replaced.delete(key);
      }, graceMs).unref();
    }
    return token;
  }

  /** Lists a user's sessions, the last used first. @param current the ID of the caller's own session */
  async list(userId: string, current: string | undefined): Promise<SignedInSession[]> {
    const rows = await this.#state.db
      .selectFrom('session')
      .select(['id', 'created_at', 'updated_at', 'user_agent', 'ip_address'])
      .where('user_id', '=', userId)
      .where('expires_at', '>', iso(this.#clock.wall()))
      .orderBy('updated_at', 'desc')
      .execute();
    return rows.map(row => ({
      id: row.id,
      isCurrent: row.id === current,
      createdAt: row.created_at,
      usedAt: row.updated_at,
      device: deviceName(row.user_agent ?? ''),
      ...(row.ip_address && { address: row.ip_address }),
    }));
  }

  async end(id: string): Promise<void> {
    await this.#end(session => session.id === id, 'id', id);
  }

  /** Ends all sessions of a user. */
  async endAll(userId: string, except?: string): Promise<void> {
    await this.#end(session => session.userId === userId && session.id !== except, 'user_id', userId, except);
  }

  /** Forgets the sessions that another server has ended or given another token. */
  async followOthers(): Promise<void> {
    const known = [...this.#known.keys()];
    if (known.length === 0) return;
    this.#era++;
    const { db } = this.#state;
    const left = new Set<string>();
    for (let i = 0; i < known.length; i += maxParameters) {
      const some = known.slice(i, i + maxParameters);
      const rows = await db.selectFrom('session').select('token').where('token', 'in', some).execute();
      for (const { token } of rows) left.add(token);
    }
    const ended = known.filter(key => !left.has(key) && !this.#replaced.has(key));
    for (const key of ended) this.#known.delete(key);
    if (ended.length > 0) for (const listener of this.#listeners) listener();
  }

  /** Forgets sessions before and after they are deleted, so that none is loaded in between. */
  async #end(
    isEnded: (session: Session) => boolean,
    column: 'id' | 'user_id',
    value: string,
    except?: string,
  ): Promise<void> {
    const forget = () => {
      this.#era++;
      for (const [key, session] of this.#known) if (isEnded(session)) this.#known.delete(key);
    };
    forget();
    let deletion = this.#state.db.deleteFrom('session').where(column, '=', value);
    if (except !== undefined) deletion = deletion.where('id', '!=', except);
    await deletion.execute();
    forget();
    for (const listener of this.#listeners) listener();
  }

  /** Deletes and forgets expired sessions. @param now ms since 1970 */
  async prune(now: number): Promise<void> {
    for (const [key, session] of this.#known) if (this.#hasExpired(session)) this.#known.delete(key);
    const { sessionIdleMs, sessionLifeMs } = this.#limits;
    await this.#state.db
      .deleteFrom('session')
      .where(({ or, eb }) =>
        or([
          eb('updated_at', '<', iso(now - sessionIdleMs)),
          eb('created_at', '<', iso(now - sessionLifeMs)),
        ]),
      )
      .execute();
  }

  #ofId(id: string): [key: string, session: Session][] {
    return [...this.#known].filter(([, session]) => session.id === id);
  }

  /** Saves a change after those before it. No user is signed out while the database is away. */
  #keep(change: () => Promise<unknown>): void {
    this.#saving = this.#saving.then(change).then(
      () => {},
      (error: Error) => console.error(new Date().toISOString(), 'Could not save sessions:', error.message),
    );
  }
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
