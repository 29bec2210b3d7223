import { EngineError } from '../result.ts';

/** After so many failures in a row a source is left alone for a while. */
const failuresToOpen = 3;
const firstPauseMs = 5_000;
const longestPauseMs = 30_000;
/** A login that was refused is tried three times a minute at most: databases lock accounts. */
const refusedPauseMs = 20_000;

/**
 * Keeps questions away from a source that does not answer, and lets one through now and then to see whether it does again
 * (M. Nygard, "Release It!", the circuit breaker). The pause doubles up to half a minute.
 */
export class CircuitBreaker {
  readonly #now: () => number;
  #failures = 0;
  #pauseMs = firstPauseMs;
  #openUntil = 0;
  #isProbing = false;
  /** What was wrong at last, and since when; undefined while all is well. */
  trouble: { readonly error: EngineError; readonly since: number } | undefined;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  get isOpen(): boolean {
    return this.#openUntil > this.#now() || this.#isProbing;
  }

  /** @throws EngineError the last trouble, at once, while the circuit is open */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const isProbe = this.#openUntil > 0;
    if (isProbe && (this.#openUntil > this.#now() || this.#isProbing)) throw this.trouble!.error;
    if (isProbe) this.#isProbing = true;
    try {
      const result = await work();
      this.#close();
      return result;
    } catch (error) {
      this.#note(error);
      throw error;
    } finally {
      if (isProbe) this.#isProbing = false;
    }
  }

  /** A statement that somebody wrote: it waits for nobody while the circuit is open, and what is wrong with it says nothing about the source. @throws EngineError */
  async runAside<T>(work: () => Promise<T>): Promise<T> {
    if (this.#openUntil > this.#now()) throw this.trouble!.error;
    return work();
  }

  /** Lets the next question through, for someone who has mended something and wants to see. */
  retry(): void {
    this.#openUntil = 0;
    this.#failures = 0;
  }

  #close(): void {
    this.#failures = 0;
    this.#pauseMs = firstPauseMs;
    this.#openUntil = 0;
    this.trouble = undefined;
  }

  #note(error: unknown): void {
    const code = error instanceof EngineError ? error.code : undefined;
    // A question that was wrong, late or called off says nothing about the source.
    if (code !== 'source-unreachable' && code !== 'source-refused') return;
    this.#failures++;
    this.trouble = { error: error as EngineError, since: this.trouble?.since ?? Date.now() };
    if (code === 'source-refused') this.#openUntil = this.#now() + refusedPauseMs;
    else if (this.#failures >= failuresToOpen || this.#openUntil > 0) {
      this.#openUntil = this.#now() + this.#pauseMs;
      this.#pauseMs = Math.min(longestPauseMs, this.#pauseMs * 2);
    }
  }
}
