import { createHmac } from 'node:crypto';

/** A key of Settings › Embedding. */
export interface EmbedKey {
  readonly id: string;
  readonly secret: string;
}

/** Signs what a viewer may see (JWS, HS256). @param seconds at most 600 */
export function signToken(
  { id, secret }: EmbedKey,
  claims: Readonly<Record<string, unknown>>,
  seconds = 300,
): string {
  const iat = Math.floor(Date.now() / 1000);
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const text = `${part({ alg: 'HS256', typ: 'JWT', kid: id })}.${part({
    aud: 'belvedere-embed',
    iat,
    exp: iat + seconds,
    ...claims,
  })}`;
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
}
