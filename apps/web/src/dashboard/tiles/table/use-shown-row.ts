import type { DashboardState, RowsPage } from '@belvedere/api';
import type { Box } from '@belvedere/query';
import { useQuery } from '@tanstack/react-query';
import { useEffect, type RefObject } from 'react';
import { client } from '../../../data/server.ts';
import { isRowNamed } from './row-name.ts';

interface ShownRowOptions {
  readonly dashboard: string;
  readonly tile: string;
  readonly state: DashboardState;
  readonly page: RowsPage | undefined;
  /** The element that scrolls. */
  readonly region: RefObject<HTMLElement | null>;
  /** The name of the row that is to be seen. */
  readonly shown: Box | undefined;
}

/**
 * Brings one row of a table into view. A row that is not on the page is fetched, and listed before the others.
 * @returns the rows to list, how many of them are not of the page, and the row's position on the page, or -1
 */
export function useShownRow({ dashboard, tile, state, page, region, shown }: ShownRowOptions): {
  readonly listed: RowsPage['rows'];
  readonly ahead: number;
  readonly shownAt: number;
} {
  const shownAt = shown && page ? page.rows.findIndex(row => isRowNamed(page.columns, row, shown)) : -1;
  const isElsewhere = shown !== undefined && page !== undefined && shownAt < 0;
  const { data } = useQuery({
    queryKey: ['workspace', 'rows', dashboard, tile, state, shown],
    queryFn: ({ signal }) =>
      client.getTileRows(
        { params: { id: dashboard, tile }, body: { state, limit: 1, row: shown! } },
        { signal },
      ),
    enabled: isElsewhere,
  });
  useEffect(() => {
    if (shownAt >= 0)
      region.current?.querySelectorAll('tbody tr')[shownAt]?.scrollIntoView({ block: 'nearest' });
  }, [shownAt, shown, region]);
  const before = isElsewhere && data?.rows[0] ? [data.rows[0]] : [];
  return { listed: [...before, ...(page?.rows ?? [])], ahead: before.length, shownAt };
}
