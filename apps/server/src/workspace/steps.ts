import type { Steps } from '@belvedere/model';

/** How long steps are done before other work gets a turn. */
const turnMs = 20;

/** Does the steps of one turn. @returns the result in a list of its own, or undefined if there are more steps */
export function takeTurn<T>(steps: Steps<T>): readonly [T] | undefined {
  const end = performance.now() + turnMs;
  do {
    const { done, value } = steps.next();
    if (done) return [value];
  } while (performance.now() < end);
  return undefined;
}

/** Does the steps, and lets other work take turns between them. */
export async function finishInTurns<T>(steps: Steps<T>): Promise<T> {
  for (;;) {
    const found = takeTurn(steps);
    if (found) return found[0];
    await new Promise(resolve => setImmediate(resolve));
  }
}
