import { useState } from 'react';
import { problemText } from '../data/problem-text.ts';

/** Makes a change, then fetches what it changed, and says why it failed. */
export function useAttempt(refresh: () => Promise<void>): {
  readonly attempt: (work: () => Promise<unknown>) => Promise<void>;
  readonly problem: string | undefined;
} {
  const [problem, setProblem] = useState<string>();
  return {
    problem,
    attempt: async work => {
      setProblem(undefined);
      try {
        await work();
        await refresh();
      } catch (error) {
        setProblem(problemText(error));
      }
    },
  };
}
