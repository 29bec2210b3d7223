import { ProblemError } from '../../http/problems.ts';

/** Forgotten beyond this number, the oldest first. */
const maxKeys = 50_000;

/** Counts attempts by key in a sliding window. Times are monotonic, ms. */
export class AttemptLimit {
  readonly #limit: number;
  readonly #windowMs: number;
  readonly #elapsed: () => number;
  readonly #attempts = new Map<string, number[]>();

  constructor(limit: number, windowMs: number, elapsed: () => number) {
    this.#limit = limit;
    this.#windowMs = windowMs;
    this.#elapsed = elapsed;
  }

  /** Counts an attempt. @throws ProblemError `rate-limited` if there were too many */
  take(key: string): void {
    const now = this.#elapsed();
    const recent = (this.#attempts.get(key) ?? []).filter(at => now - at < this.#windowMs);
    // Re-inserted, so that the oldest keys come first.
    this.#attempts.delete(key);
    this.#attempts.set(key, recent);
    if (recent.length >= this.#limit)
      throw new ProblemError('rate-limited', 'Too many attempts. Wait before you try again.', {
        retryAfterSeconds: Math.ceil((recent[0]! + this.#windowMs - now) / 1000),
      });
    recent.push(now);
    if (this.#attempts.size > maxKeys) this.#attempts.delete(this.#attempts.keys().next().value!);
  }

  /** Forgets the attempts of a key, as after a success. */
  clear(key: string): void {
    this.#attempts.delete(key);
  }
}
