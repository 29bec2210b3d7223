import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const length = 32;

/**
 * The code that proves that a person can read the server's console, with which the first owner is created. It
 * has 160 bits, is never stored or sent, and ends when it is used or the server stops.
 */
export class SetupCode {
  /** In groups of four, to be printed once. */
  readonly text: string;
  readonly #digest: Buffer;

  constructor() {
    const code = Array.from(randomBytes(length), byte => letters[byte % letters.length]).join('');
    this.text = code.replaceAll(/.{4}(?=.)/g, '$&-');
    this.#digest = digestOf(code);
  }

  /** Compares in constant time, ignoring dashes, spaces and case. */
  matches(given: string): boolean {
    return timingSafeEqual(digestOf(given.replaceAll(/[\s-]/g, '').toUpperCase()), this.#digest);
  }
}

function digestOf(code: string): Buffer {
  return createHash('sha256').update(code).digest();
}
