import { Secret, TOTP } from 'otpauth';

/** What all authenticator apps support: other values are ignored by some of them. */
const parameters = { algorithm: 'SHA1', digits: 6, period: 30 } as const;
/** RFC 4226 recommends 160 bits. */
const keyBytes = 20;

/** Returns a new key for an authenticator app, in base32. */
export function newTotpKey(): string {
  return new Secret({ size: keyBytes }).base32;
}

/**
 * Returns the address that authenticator apps read from a QR code.
 *
 * @param issuer the workspace's title
 */
export function totpAddress(
  key: string,
  { issuer, email }: { readonly issuer: string; readonly email: string },
): string {
  // A colon separates the two names.
  const plain = issuer.replaceAll(':', ' ').trim() || 'Belvedere';
  return new TOTP({ ...parameters, secret: Secret.fromBase32(key), issuer: plain, label: email }).toString();
}

/**
 * Returns the time step of a code (RFC 6238); undefined if it is wrong. Accepts the steps before and after the
 * current one, since clocks differ.
 *
 * @param now ms since 1970
 */
export function stepOfCode(key: string, code: string, now: number): number | undefined {
  const totp = new TOTP({ ...parameters, secret: Secret.fromBase32(key) });
  const delta = totp.validate({ token: code, timestamp: now, window: 1 });
  return delta === null ? undefined : TOTP.counter({ period: parameters.period, timestamp: now }) + delta;
}
