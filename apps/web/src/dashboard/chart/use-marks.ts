import { hasMarks, loadMarks, type ChartTile } from '@belvedere/chart';
import { useEffect, useState } from 'react';

/** Whether a kind can be drawn; what draws it is fetched where it is not there yet. */
export function useMarks(kind: ChartTile['kind']): boolean {
  const [loaded, setLoaded] = useState<ChartTile['kind']>();
  useEffect(() => {
    if (!hasMarks(kind)) void loadMarks(kind).then(() => setLoaded(kind));
  }, [kind]);
  return loaded === kind || hasMarks(kind);
}
