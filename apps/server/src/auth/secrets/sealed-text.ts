import type { SealingSecrets } from './stored-secret.ts';
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const [nonceBytes, tagBytes] = [12, 16];
/** The prefix of encrypted texts, which identifies the version. */
const version = '1:';

/**
 * Encrypts short texts for the state database (AES-256-GCM), with a key derived from the instance's secret
 * (HKDF), so that the database alone cannot be decrypted.
 */
export class TextSealer {
  readonly #keys: readonly Buffer[];

  /**
   * @param secrets the one that seals, and earlier ones that open
   * @param purpose names the key: texts of one purpose cannot be opened for another
   */
  constructor(secrets: SealingSecrets, purpose: string) {
    this.#keys = secrets.map(secret =>
      Buffer.from(hkdfSync('sha256', secret, '', `belvedere ${purpose}`, 32)),
    );
  }

  /** @param owner whose text it is, which opening requires */
  seal(text: string, owner: string): string {
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv('aes-256-gcm', this.#keys[0]!, nonce);
    cipher.setAAD(Buffer.from(owner));
    const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return version + Buffer.concat([nonce, cipher.getAuthTag(), encrypted]).toString('base64url');
  }

  /** Returns the text; undefined if it was sealed with another secret, for another owner, or was changed. */
  open(sealed: string, owner: string): string | undefined {
    if (!sealed.startsWith(version)) return undefined;
    const bytes = Buffer.from(sealed.slice(version.length), 'base64url');
    // Decoding ignores what it does not know: another spelling of the same bytes is not the same text.
    if (version + bytes.toString('base64url') !== sealed) return undefined;
    return this.#keys.map(key => opened(bytes, owner, key)).find(text => text !== undefined);
  }
}

function opened(bytes: Buffer, owner: string, key: Buffer): string | undefined {
  const nonce = bytes.subarray(0, nonceBytes);
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes });
    decipher.setAAD(Buffer.from(owner));
    decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
    const text = decipher.update(bytes.subarray(nonceBytes + tagBytes));
    return Buffer.concat([text, decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}
