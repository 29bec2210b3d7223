import { createHash, randomBytes } from 'node:crypto';

/** Returns a new secret of 256 bits for an address or a cookie. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** Returns the form in which tokens are stored: reading the database does not let anyone use them. */
export function tokenHash(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
