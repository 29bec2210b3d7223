import { createHmac } from 'node:crypto';

/** A key for embedding, as its maker got it. */
export interface SigningKey {
  readonly key: { readonly id: string };
  readonly secret: string;
}

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Signs claims as a site does, without a library. @param header replaces parts of the header */
export function signed(
  { key, secret }: SigningKey,
  claims: Readonly<Record<string, unknown>>,
  header: Readonly<Record<string, unknown>> = {},
): string {
  const text = `${part({ alg: 'HS256', kid: key.id, typ: 'JWT', ...header })}.${part(claims)}`;
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
}

/** Returns the claims of a token that lives for five minutes, or as many seconds as given. */
export function claimsOf(
  dashboard: string,
  more: Readonly<Record<string, unknown>> = {},
  seconds = 300,
): Record<string, unknown> {
  const iat = Math.floor(Date.now() / 1000);
  return { aud: 'belvedere-embed', iat, exp: iat + seconds, dashboard, ...more };
}
