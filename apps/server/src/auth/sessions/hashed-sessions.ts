import type { BetterAuthOptions } from '@better-auth/core';
import type { DBAdapter, Where } from '@better-auth/core/db/adapter';
import { tokenHash } from '../secrets/token-hash.ts';

type Adapter = DBAdapter<BetterAuthOptions>;

/**
 * Wraps better-auth's adapter so that the database has only the SHA-256 of session tokens. Tokens are hashed
 * where they are written or compared; better-auth itself sees the plain ones, as far as it needs them.
 */
export function hashedSessions(inner: Adapter): Adapter {
  return {
    ...inner,
    create: async <T extends Record<string, unknown>, R = T>(given: Parameters<Adapter['create']>[0]) => {
      if (given.model !== 'session') return inner.create<T, R>(given as never);
      const token = String(given.data['token']);
      const made = await inner.create<T, R>({
        ...given,
        data: { ...given.data, token: tokenHash(token) },
      } as never);
      return { ...made, token };
    },
    findOne: async <T>(given: Parameters<Adapter['findOne']>[0]) => {
      const found = await inner.findOne<T>(hashed(given));
      const token = given.where.find(({ field }) => field === 'token')?.value;
      return found && given.model === 'session' && typeof token === 'string' ? { ...found, token } : found;
    },
    findMany: given => inner.findMany(hashed(given)),
    count: given => inner.count(hashed(given)),
    update: given => inner.update(hashed(given)),
    updateMany: given => inner.updateMany(hashed(given)),
    delete: given => inner.delete(hashed(given)),
    deleteMany: given => inner.deleteMany(hashed(given)),
    consumeOne: given => inner.consumeOne(hashed(given)),
    incrementOne: given => inner.incrementOne(hashed(given)),
    // The state database has its own transactions, which better-auth's calls join.
    transaction: work => work(hashedSessions(inner)),
  };
}

interface Selection {
  readonly model: string;
  readonly where?: Where[] | undefined;
}

function hashed<T extends Selection>(given: T): T {
  if (given.model !== 'session' || !given.where) return given;
  return {
    ...given,
    where: given.where.map(one => (one.field === 'token' ? { ...one, value: hashOf(one.value) } : one)),
  };
}

function hashOf(value: Where['value']): Where['value'] {
  return Array.isArray(value) ? value.map(one => tokenHash(String(one))) : tokenHash(String(value));
}
