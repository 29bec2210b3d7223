import { createHmac } from 'node:crypto';

/**
 * Returns the header `Belvedere-Signature` of a body: the time of sending in seconds, and for each secret the
 * HMAC-SHA256 of that time, a dot and the body. A receiver looks for its own, and refuses old times.
 */
export function signatureOf(body: string, secrets: readonly string[], now: number): string {
  const time = Math.floor(now / 1000);
  const digests = secrets.map(
    secret => `v1=${createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')}`,
  );
  return [`t=${time}`, ...digests].join(',');
}
