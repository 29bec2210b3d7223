/** Synchronous work that may make way for other work after each of its steps. */
export type Steps<T> = Generator<undefined, T>;

/** Does all steps at once. */
export function finish<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}
