import { useState } from 'react';
import { problemText } from './problem-text.ts';
import { tryChange } from './try-change.ts';

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
    const failed = await tryChange(work, refresh);
    if (failed) setProblem(problemText(failed.error));
    setIsBusy(false);
    return !failed;
  };
  return { change, isBusy, problem };
}
