import { requestKind, type Contract, type RequestKind } from '@belvedere/api';
import type { FastifyRequest } from 'fastify';
import { isIPv6 } from 'node:net';
import type { Caller } from '../../access/caller.ts';
import type { StartLimits } from '../../limits.ts';
import { ProblemError } from '../../http/problems.ts';

/** Requests a minute, by kind. */
type RequestsPerMinute = Readonly<Record<RequestKind, number>>;

export function ratesOf(limits: StartLimits): RequestsPerMinute {
  return {
    read: limits.readsPerMinute,
    write: limits.writesPerMinute,
    export: limits.exportsPerMinute,
    upload: limits.uploadsPerMinute,
  };
}

interface Bucket {
  tokens: number;
  at: number;
}

/** Forgotten beyond this number, the oldest first. */
const maxKeys = 50_000;

const nouns = { read: 'requests', write: 'changes', export: 'exports', upload: 'uploads' } as const;

/**
 * Limits the requests of each user, or of each address for callers who are not signed in. A user may send a
 * minute's requests at once, and as many a minute from then on (a token bucket).
 */
export class RateLimits {
  readonly #perMinute: RequestsPerMinute;
  readonly #elapsed: () => number;
  readonly #buckets = new Map<string, Bucket>();

  /** @param elapsed a monotonic time, ms */
  constructor(perMinute: RequestsPerMinute, elapsed: () => number = () => performance.now()) {
    this.#perMinute = perMinute;
    this.#elapsed = elapsed;
  }

  /**
   * Counts a request of a user, also while they view as another.
   * @throws ProblemError `rate-limited` if there were too many
   */
  take(request: FastifyRequest, name: keyof Contract, signedIn: Caller | undefined): void {
    const { offset } = request.query as { readonly offset?: unknown };
    this.count(
      principalFor(request, signedIn),
      requestKind(name, typeof offset === 'string' ? offset : undefined),
    );
  }

  /** @throws ProblemError `rate-limited` if there were too many */
  count(principal: string, kind: RequestKind): void {
    const maxTokens = this.#perMinute[kind];
    const key = `${kind} ${principal}`;
    const now = this.#elapsed();
    const before = this.#buckets.get(key) ?? { tokens: maxTokens, at: now };
    const tokens = Math.min(maxTokens, before.tokens + ((now - before.at) / 60_000) * maxTokens);
    // Re-inserted, so that the oldest keys come first.
    this.#buckets.delete(key);
    this.#buckets.set(key, { tokens: tokens < 1 ? tokens : tokens - 1, at: now });
    if (this.#buckets.size > maxKeys) this.#buckets.delete(this.#buckets.keys().next().value!);
    if (tokens >= 1) return;
    const seconds = Math.ceil(((1 - tokens) / maxTokens) * 60);
    throw new ProblemError(
      'rate-limited',
      `Too many ${nouns[kind]}: the limit is ${maxTokens} a minute. Try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`,
      { retryAfterSeconds: seconds },
    );
  }
}

/** Each opening of a public link is counted by itself. */
function principalFor({ ip }: FastifyRequest, signedIn: Caller | undefined): string {
  if (signedIn?.guest) return `guest ${signedIn.guest.opening}`;
  return signedIn ? `user ${signedIn.userId}` : `address ${networkOf(ip)}`;
}

/** An IPv6 client has a whole /64 network of addresses. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped) return mapped;
  const [head = '', tail] = address.split('%')[0]!.split('::');
  const first = head.split(':').filter(Boolean);
  const last = tail === undefined ? [] : tail.split(':').filter(Boolean);
  const zeros = tail === undefined ? 0 : 8 - first.length - last.length;
  return [...first, ...Array<string>(zeros).fill('0'), ...last]
    .slice(0, 4)
    .map(part => part.replace(/^0+(?=.)/, '').toLowerCase())
    .join(':');
}
