import type { Role } from '@belvedere/api';
import { kyselyAdapter } from '@better-auth/kysely-adapter';
import { betterAuth } from 'better-auth/minimal';
import type { BetterAuthOptions } from 'better-auth';
import type { Kysely } from 'kysely';
import type { StateDatabase } from '../../state/database/state-database.ts';
import { hashedSessions } from '../sessions/hashed-sessions.ts';
import { hashPassword, verifyPassword } from '../passwords/password-hash.ts';

/** better-auth's names in the tables of the state database. */
export const authSchema = {
  user: {
    fields: { emailVerified: 'email_verified', createdAt: 'created_at', updatedAt: 'updated_at' },
    additionalFields: {
      role: { type: 'string', required: true, input: false },
      disabledAt: { type: 'string', required: false, input: false, fieldName: 'disabled_at' },
      lastSeenAt: { type: 'string', required: false, input: false, fieldName: 'last_seen_at' },
      attributes: { type: 'string', required: true, input: false, defaultValue: '{}' },
    },
  },
  session: {
    fields: {
      userId: 'user_id',
      createdAt: 'created_at',
      updatedAt: 'updated_at',
      expiresAt: 'expires_at',
      ipAddress: 'ip_address',
      userAgent: 'user_agent',
    },
    additionalFields: {
      confirmedAt: { type: 'string', required: false, input: false, fieldName: 'confirmed_at' },
    },
  },
  account: {
    fields: {
      accountId: 'account_id',
      providerId: 'provider_id',
      userId: 'user_id',
      accessToken: 'access_token',
      refreshToken: 'refresh_token',
      idToken: 'id_token',
      accessTokenExpiresAt: 'access_token_expires_at',
      refreshTokenExpiresAt: 'refresh_token_expires_at',
      createdAt: 'created_at',
      updatedAt: 'updated_at',
    },
  },
  verification: {
    fields: { expiresAt: 'expires_at', createdAt: 'created_at', updatedAt: 'updated_at' },
  },
} as const satisfies BetterAuthOptions;

export type Auth = Awaited<ReturnType<typeof openBetterAuth>>;

/**
 * Opens better-auth as a library on the state database. It serves no addresses: our endpoints call it.
 *
 * @param secret signs what better-auth itself signs, at least 32 characters
 */
export async function openBetterAuth(
  state: StateDatabase,
  { secret, lifeMs }: { readonly secret: string; readonly lifeMs: number },
) {
  const auth = betterAuth({
    ...authSchema,
    // Dates and booleans are stored as for SQLite on PostgreSQL too.
    database: (options: BetterAuthOptions) =>
      hashedSessions(kyselyAdapter(current(state), { type: 'sqlite' })(options)),
    secret,
    baseURL: 'http://127.0.0.1',
    telemetry: { enabled: false },
    logger: { disabled: true },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      // Checked by password-rules.ts.
      minPasswordLength: 1,
      maxPasswordLength: 256,
      password: { hash: hashPassword, verify: verifyPassword },
    },
    session: { ...authSchema.session, expiresIn: Math.floor(lifeMs / 1000) },
    databaseHooks: {
      session: {
        create: {
          // However a user signs in, a disabled account gets no session.
          before: async ({ userId }) => {
            const user = await state.db
              .selectFrom('user')
              .select('disabled_at')
              .where('id', '=', userId)
              .executeTakeFirst();
            return user?.disabled_at === null ? undefined : false;
          },
        },
      },
    },
  });
  const { internalAdapter: records } = await auth.$context;
  return {
    /** Returns the token of a new session; undefined if the account is disabled. */
    async beginSession(userId: string): Promise<string | undefined> {
      return (await records.createSession(userId))?.token;
    },

    /** @param hash of the password, if the user has one */
    async createUser(user: NewUser, hash?: string): Promise<string> {
      const { id } = await records.createUser(
        { ...user, emailVerified: hash === undefined, attributes: '{}' },
        { method: 'email-password' },
      );
      if (hash !== undefined)
        await records.linkAccount({ userId: id, accountId: id, providerId: 'credential', password: hash });
      return id;
    },

    /** Takes the time of one hash in all cases. @param userId undefined if there is no such user */
    async isPassword(userId: string | undefined, password: string): Promise<boolean> {
      const account = await records.findCredentialAccount(userId ?? '');
      if (account?.password) return verifyPassword({ hash: account.password, password });
      await hashPassword(password);
      return false;
    },

    /** @param hash of the password */
    async setPassword(userId: string, hash: string): Promise<void> {
      if (await records.findCredentialAccount(userId)) await records.updatePassword(userId, hash);
      else await records.linkAccount({ userId, accountId: userId, providerId: 'credential', password: hash });
    },
  };
}

export interface NewUser {
  readonly name: string;
  readonly email: string;
  readonly role: Role;
}

/** Returns a database that runs each query in the caller's transaction, if it is in one. */
function current(state: StateDatabase): Kysely<never> {
  return new Proxy({} as Kysely<never>, {
    get: (_, name) => {
      const { db } = state;
      const found: unknown = Reflect.get(db, name, db);
      return typeof found === 'function' ? (found.bind(db) as unknown) : found;
    },
  });
}
