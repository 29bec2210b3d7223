import { z } from 'zod';
import { ProblemError } from '../../http/problems.ts';
import { OAuthError } from './oauth-error.ts';
import { receiverOf } from './redirect-uris.ts';
import { TextSealer } from '../secrets/sealed-text.ts';
import type { SealingSecrets } from '../secrets/stored-secret.ts';

/** An assistant that has registered itself (RFC 7591). */
export interface OAuthClient {
  /** As it calls itself. */
  readonly name: string;
  readonly redirectUris: readonly string[];
}

const Metadata = z.object({
  redirect_uris: z.array(z.string().max(500)).min(1).max(10),
  client_name: z.string().max(500).optional(),
});
const Sealed = z.tuple([z.string(), z.array(z.string())]);
const longestName = 60;

/**
 * Assistants that register themselves. A client ID is what was registered, sealed with the instance's secret, so
 * that strangers can register as often as they like and nothing is stored.
 */
export class OAuthClients {
  readonly #sealer: TextSealer;

  constructor(secrets: SealingSecrets) {
    this.#sealer = new TextSealer(secrets, 'oauth clients');
  }

  /** @param metadata the body of the request. @returns the response. @throws OAuthError */
  register(metadata: unknown): Readonly<Record<string, unknown>> {
    const { data, error } = Metadata.safeParse(metadata);
    if (error) {
      const [issue] = error.issues;
      throw new OAuthError('invalid_client_metadata', `${issue!.path.join('.')}: ${issue!.message}`);
    }
    const unsafe = data.redirect_uris.find(uri => !receiverOf(uri));
    if (unsafe !== undefined)
      throw new OAuthError(
        'invalid_redirect_uri',
        `${unsafe} is refused. Use https, http on localhost, or the scheme of a program.`,
      );
    const name = plainName(data.client_name ?? '') || receiverOf(data.redirect_uris[0]!)!.site;
    return {
      client_id: this.#sealer.seal(JSON.stringify([name, data.redirect_uris]), ''),
      client_id_issued_at: Math.floor(Date.now() / 1000),
      client_name: name,
      redirect_uris: data.redirect_uris,
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    };
  }

  /** @throws ProblemError `request-invalid` if the server has not registered it */
  find(clientId: string | undefined): OAuthClient {
    const text = clientId === undefined ? undefined : this.#sealer.open(clientId, '');
    if (text === undefined)
      throw new ProblemError(
        'request-invalid',
        'This assistant is not registered here. Remove it in the assistant’s settings and connect it again.',
      );
    const [name, redirectUris] = Sealed.parse(JSON.parse(text));
    return { name, redirectUris };
  }
}

/** Without control characters and those that reorder text. */
function plainName(text: string): string {
  const plain = text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '').replaceAll(/\s+/g, ' ');
  return Array.from(plain).slice(0, longestName).join('').trim();
}
