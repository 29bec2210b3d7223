import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { ProblemError } from '../../http/problems.ts';

/** 32 MiB and about 0.2 s for each hash. */
const usualCost: Cost = { N: 2 ** 15, r: 8, p: 3 };
const keyBytes = 64;
const saltBytes = 16;
/** More at once would take the memory and threads of queries. */
const maxAtOnce = 2;
const maxWaiting = 100;

let running = 0;
const waiting: (() => void)[] = [];

/** Returns the scrypt hash of a password, with its salt and cost: `scrypt:N:r:p:SALT:KEY`. */
export async function hashPassword(password: string, cost = usualCost): Promise<string> {
  const salt = randomBytes(saltBytes);
  const key = await derive(password, salt, cost);
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64url'), key.toString('base64url')].join(':');
}

/** Compares in constant time. False for a hash of another form. */
export async function verifyPassword({
  hash,
  password,
}: {
  readonly hash: string;
  readonly password: string;
}): Promise<boolean> {
  const [kind, N, r, p, salt, key] = hash.split(':');
  if (kind !== 'scrypt' || salt === undefined || key === undefined) return false;
  const expected = Buffer.from(key, 'base64url');
  const derived = await derive(password, Buffer.from(salt, 'base64url'), {
    N: Number(N),
    r: Number(r),
    p: Number(p),
  });
  return expected.length === derived.length && timingSafeEqual(expected, derived);
}

/** The parameters of scrypt (RFC 7914). */
interface Cost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
}

async function derive(password: string, salt: Buffer, given: Cost): Promise<Buffer> {
  await begin();
  try {
    return await new Promise<Buffer>((resolve, reject) => {
      const maxmem = 256 * given.N * given.r;
      scrypt(password.normalize('NFKC'), salt, keyBytes, { ...given, maxmem }, (error, key) =>
        error ? reject(error) : resolve(key),
      );
    });
  } finally {
    running--;
    waiting.shift()?.();
  }
}

/** @throws ProblemError `overloaded` if too many passwords wait already */
async function begin(): Promise<void> {
  if (running >= maxAtOnce) {
    if (waiting.length >= maxWaiting)
      throw new ProblemError('overloaded', 'Too many users sign in at once. Try again in a few seconds.');
    await new Promise<void>(resolve => waiting.push(resolve));
  }
  running++;
}
