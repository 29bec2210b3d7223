import { createHmac } from 'node:crypto';

/**
 * Returns the header `Belvedere-Signature` of a body: the time of sending in seconds, and the HMAC-SHA256 of
 * that time, a dot and the body. A receiver compares it, and refuses old times.
 */
export function signatureOf(body: string, secret: string, now: number): string {
  const time = Math.floor(now / 1000);
  const digest = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex');
  return `t=${time},v1=${digest}`;
}
