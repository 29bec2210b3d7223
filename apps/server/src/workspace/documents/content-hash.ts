import { createHash } from 'node:crypto';

/** Returns a hash that identifies a text. */
export function contentHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
