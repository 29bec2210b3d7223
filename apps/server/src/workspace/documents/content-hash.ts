import { createHash } from 'node:crypto';

/** What stands for a text: another text, another one. */
export function contentHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
