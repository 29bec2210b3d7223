import { timingSafeEqual } from 'node:crypto';
import { keyedHash } from '../secrets/local-secret.ts';
import { tokenHash } from '../secrets/token-hash.ts';

/** The one request that a proof is for. */
export interface OpeningRequest {
  /** The origin of the server, as its lock file has it. */
  readonly origin: string;
  /** `/open` or `/backup`. */
  readonly path: string;
}

const longestAgeMs = 60_000;

/**
 * Proves that a program of this account knows the opening secret, without sending it. A lock file that came with a
 * folder can name another server of this machine, which receives the proof. It can do nothing with it: a proof is
 * valid for one path, at the origin it was made for only, and for a server that had started before.
 *
 * @param atMs the time of this machine
 */
export function openingProof(secret: string, { origin, path }: OpeningRequest, atMs: number): string {
  return `${atMs}.${keyedHash(`opening\n${origin}\n${path}\n${atMs}`, secret)}`;
}

/** @param startedMs when the server began to listen, by the time of this machine */
export function isOpeningProof(
  authorization: string | undefined,
  secret: string,
  request: OpeningRequest,
  { startedMs, nowMs }: { readonly startedMs: number; readonly nowMs: number },
): boolean {
  const [, proof, at] = /^Bearer ((\d{1,15})\.[\w-]{43})$/.exec(authorization ?? '') ?? [];
  if (proof === undefined) return false;
  const atMs = Number(at);
  if (atMs < startedMs || Math.abs(nowMs - atMs) > longestAgeMs) return false;
  const digest = (text: string) => Buffer.from(tokenHash(text));
  return timingSafeEqual(digest(proof), digest(openingProof(secret, request, atMs)));
}
