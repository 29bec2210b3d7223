import type { SourceState } from './source.ts';

interface ObservedStore {
  readonly current: {
    readonly sources: ReadonlyMap<string, Pick<SourceState, 'problem'>>;
  };
  subscribe(listener: () => void): () => void;
}

/**
 * Logs why sources cannot be connected, once for each reason: attempts are repeated for as long as it lasts.
 *
 * @returns a function that ends it
 */
export function logSourceFailures(store: ObservedStore): () => void {
  const logged = new Map<string, string>();
  const look = () => {
    for (const [name, { problem }] of store.current.sources) {
      if (!problem) logged.delete(name);
      else if (logged.get(name) !== problem.message) {
        logged.set(name, problem.message);
        // A line break would begin another entry of the log.
        const line = problem.message.replaceAll(/\p{Cc}+/gu, ' ');
        console.error(new Date().toISOString(), `Source ${name}:`, line);
      }
    }
  };
  look();
  return store.subscribe(look);
}
