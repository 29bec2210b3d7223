import type { NewPasskeyResponse, PasskeyResponse } from '@belvedere/api';
import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';

/** Deviations of an attacker's, or a broken, authenticator. */
export interface Deviation {
  readonly origin?: string;
  readonly rpID?: string;
  readonly challenge?: string;
  readonly type?: string;
  /** Without: the user was present, but not verified. */
  readonly isVerified?: boolean;
  readonly counter?: number;
  readonly userHandle?: string;
  readonly hasOtherKey?: boolean;
}

/** An authenticator with one passkey (ES256), for tests against the API. Browsers are tested elsewhere. */
export class SoftwareAuthenticator {
  readonly id = randomBytes(32);
  readonly #origin: string;
  readonly #rpID: string;
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  #counter = 0;

  /** @param origin at which the browser has the page open */
  constructor(origin: string) {
    this.#origin = origin;
    this.#rpID = new URL(origin).hostname;
  }

  /** Responds to options of `navigator.credentials.create`. */
  create(options: Readonly<Record<string, unknown>>, deviation: Deviation = {}): NewPasskeyResponse {
    const { x, y } = this.#keys.publicKey.export({ format: 'jwk' });
    const coordinate = (text: string | undefined) => Buffer.from(text!, 'base64url');
    const key = cborMap([
      [cborInteger(1), cborInteger(2)],
      [cborInteger(3), cborInteger(-7)],
      [cborInteger(-1), cborInteger(1)],
      [cborInteger(-2), cborBytes(coordinate(x))],
      [cborInteger(-3), cborBytes(coordinate(y))],
    ]);
    const length = Buffer.alloc(2);
    length.writeUInt16BE(this.id.length);
    const attested = Buffer.concat([Buffer.alloc(16), length, this.id, key]);
    const data = Buffer.concat([this.#data(0x40, deviation), attested]);
    return {
      id: this.id.toString('base64url'),
      clientDataJSON: this.#clientData('webauthn.create', options, deviation).toString('base64url'),
      attestationObject: cborMap([
        [cborText('fmt'), cborText('none')],
        [cborText('attStmt'), cborMap([])],
        [cborText('authData'), cborBytes(data)],
      ]).toString('base64url'),
      transports: ['internal'],
    };
  }

  /** Responds to options of `navigator.credentials.get`. */
  get(options: Readonly<Record<string, unknown>>, deviation: Deviation = {}): PasskeyResponse {
    this.#counter++;
    const client = this.#clientData('webauthn.get', options, deviation);
    const data = this.#data(0, deviation);
    const key: KeyObject = deviation.hasOtherKey
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
      : this.#keys.privateKey;
    return {
      id: this.id.toString('base64url'),
      clientDataJSON: client.toString('base64url'),
      authenticatorData: data.toString('base64url'),
      signature: sign('sha256', Buffer.concat([data, sha256(client)]), key).toString('base64url'),
      ...(deviation.userHandle !== undefined && {
        userHandle: Buffer.from(deviation.userHandle).toString('base64url'),
      }),
    };
  }

  #clientData(type: string, options: Readonly<Record<string, unknown>>, deviation: Deviation): Buffer {
    const { challenge = options['challenge'], origin = this.#origin } = deviation;
    return Buffer.from(
      JSON.stringify({ type: deviation.type ?? type, challenge, origin, crossOrigin: false }),
    );
  }

  #data(flags: number, { rpID = this.#rpID, isVerified = true, counter = this.#counter }: Deviation): Buffer {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    return Buffer.concat([sha256(rpID), Buffer.from([flags | 1 | (isVerified ? 4 : 0)]), count]);
  }
}

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();

/* The parts of CBOR (RFC 8949) that a passkey needs. */

function cborHead(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value]);
  return value < 256
    ? Buffer.from([(major << 5) | 24, value])
    : Buffer.from([(major << 5) | 25, value >> 8, value & 255]);
}

const cborInteger = (value: number) => (value < 0 ? cborHead(1, -1 - value) : cborHead(0, value));
const cborBytes = (bytes: Buffer) => Buffer.concat([cborHead(2, bytes.length), bytes]);
const cborText = (text: string) => Buffer.concat([cborHead(3, text.length), Buffer.from(text)]);
const cborMap = (entries: readonly (readonly [Buffer, Buffer])[]) =>
  Buffer.concat([cborHead(5, entries.length), ...entries.flat()]);
