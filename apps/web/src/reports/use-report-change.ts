import { useState } from 'react';
import { problemText } from '../data/problem-text.ts';
import { refreshReports } from './report-data.ts';

/** Makes changes to reports, fetches what they changed, and says why one failed. */
export function useReportChange(): {
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
      await refreshReports();
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
