import type { Tile } from '@belvedere/document';
import type { ComponentProps } from 'react';
import { filterOf, FilterPill } from '../../dashboard/filters/FilterBar.tsx';

type ControlTileProps = Omit<ComponentProps<typeof FilterPill>, 'filter'> & {
  readonly tile: Extract<Tile, { kind: 'control' }>;
};

/** A tile with a filter of the dashboard, or with one of its own. */
export function ControlTile({ tile, ...filtering }: ControlTileProps) {
  return (
    <div className="flex size-full items-center">
      <FilterPill {...filtering} filter={filterOf(tile, filtering.dashboard.document?.filters)} />
    </div>
  );
}
