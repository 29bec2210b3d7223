import { useState } from 'react';
import { problemText } from './problem-text.ts';

export interface Change {
  /** @returns whether it succeeded */
  readonly change: (work: () => Promise<unknown>) => Promise<boolean>;
  readonly isBusy: boolean;
  readonly problem: string | undefined;
}

/** Makes changes one after the other, fetches what they changed, and says why one failed. */
export function useChange(refresh: () => Promise<unknown>): Change {
  const [problem, setProblem] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);
  const change = async (work: () => Promise<unknown>) => {
    setIsBusy(true);
    setProblem(undefined);
    try {
      await work();
      await refresh();
      return true;
    } catch (error) {
      setProblem(problemText(error));
      return false;
    } finally {
      setIsBusy(false);
    }
  };
  return { change, isBusy, problem };
}
