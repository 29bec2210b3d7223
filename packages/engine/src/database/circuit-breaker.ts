import { EngineError } from '../result.ts';

/** After this many consecutive failures, no queries are sent to a source for a while. */
const failuresToOpen = 3;
const firstPauseMs = 5_000;
const longestPauseMs = 30_000;
/** Pause after a refused login: at most three attempts a minute, because databases lock accounts. */
const refusedPauseMs = 20_000;

/**
 * Blocks queries to a source that does not respond, and lets a probe through now and then
 * (M. Nygard, "Release It!", the circuit breaker). The pause doubles up to half a minute.
 */
export class CircuitBreaker {
  readonly #now: () => number;
  #failures = 0;
  #pauseMs = firstPauseMs;
  #openUntil = 0;
  #isProbing = false;
  /** The latest error and the time of the first; undefined while the source works. */
  trouble: { readonly error: EngineError; readonly since: number } | undefined;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  get isOpen(): boolean {
    return this.#openUntil > this.#now() || this.#isProbing;
  }

  /** @throws EngineError with the latest error, at once, while the circuit is open */
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

  /**
   * Runs custom SQL. It fails at once while the circuit is open, and its errors do not count as failures of
   * the source.
   * @throws EngineError
   */
  async runAside<T>(work: () => Promise<T>): Promise<T> {
    if (this.#openUntil > this.#now()) throw this.trouble!.error;
    return work();
  }

  /** Lets the next query through, after a user has fixed the source. */
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
    // Invalid, late and cancelled queries are no sign of a failing source.
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
