/**
 * Does something once nothing has happened for a while, and no later than a longer while after the first that
 * happened.
 */
export class Debounce {
  readonly #does: () => void;
  readonly #afterMs: number;
  readonly #withinMs: number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** When the first happened that nothing was done about yet. */
  #since: number | undefined;

  constructor(
    does: () => void,
    { afterMs, withinMs }: { readonly afterMs: number; readonly withinMs: number },
  ) {
    this.#does = does;
    this.#afterMs = afterMs;
    this.#withinMs = withinMs;
  }

  get isWaiting(): boolean {
    return this.#timer !== undefined;
  }

  /** Restarts the wait, up to its maximum. @param ms a longer wait, which has no maximum */
  stir(ms = this.#afterMs): void {
    clearTimeout(this.#timer);
    this.#since ??= performance.now();
    const left =
      ms > this.#afterMs ? ms : Math.min(ms, Math.max(0, this.#since + this.#withinMs - performance.now()));
    this.#timer = setTimeout(() => {
      this.stop();
      this.#does();
    }, left);
  }

  /** Nothing is waited for any longer, and nothing done. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#since = undefined;
  }
}
