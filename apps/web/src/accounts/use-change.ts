import { useState } from 'react';
import { problemText } from '../data/problem-text.ts';
import { refreshAccounts } from './account-data.ts';

/** Makes changes one after the other, fetches what they changed, and says why one failed. */
export function useChange(): {
  readonly change: (work: () => Promise<unknown>) => Promise<boolean>;
  readonly isBusy: boolean;
  readonly problem: string | undefined;
} {
  const [problem, setProblem] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);
  const change = async (work: () => Promise<unknown>) => {
    setIsBusy(true);
    setProblem(undefined);
    try {
      await work();
      await refreshAccounts();
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
