import { hasMarks, loadMarks, type ChartTile } from '@belvedere/chart';
import { useEffect, useState } from 'react';

/** Whether a kind can be drawn. Loads its drawing code if necessary. */
export function useMarks(kind: ChartTile['kind']): boolean {
  const [loaded, setLoaded] = useState<ChartTile['kind']>();
  useEffect(() => {
    if (!hasMarks(kind)) void loadMarks(kind).then(() => setLoaded(kind));
  }, [kind]);
  return loaded === kind || hasMarks(kind);
}
