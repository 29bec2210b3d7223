import type { DashboardState } from '@belvedere/api';
import type { Tile } from '@belvedere/document';
import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { FieldProfiles } from '../../editor/encoding/field-profiles.ts';
import { useIsCurrentPage } from '../../shell/use-is-current-page.ts';
import { firstChart } from './explore-chart.ts';
import { searchFromExplored } from './explore-url.ts';

interface Explored {
  readonly chart: Tile;
  readonly profiles: FieldProfiles;
  /** The search for fields. */
  readonly search: string;
  readonly state: DashboardState;
}

/**
 * Keeps what is explored in the URL, so that a reloaded or shared URL shows the same. Undo is separate from the
 * browser's history, which would get an entry for each step.
 */
export function useExploredAddress({ chart, profiles, search, state }: Explored): void {
  const navigate = useNavigate({ from: '/explore/$model' });
  const isHere = useIsCurrentPage('/explore/$model');
  useEffect(() => {
    const isFirst = JSON.stringify(chart) === JSON.stringify(firstChart(profiles));
    const timer = setTimeout(
      () =>
        isHere() &&
        void navigate({
          search: searchFromExplored({ chart: isFirst ? undefined : chart, find: search.trim(), state }),
          replace: true,
          resetScroll: false,
        }),
      200,
    );
    return () => clearTimeout(timer);
  }, [isHere, navigate, profiles, chart, search, state]);
}
