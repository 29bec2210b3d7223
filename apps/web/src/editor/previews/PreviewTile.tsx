import type { Tile } from '@belvedere/document';
import { TileView } from '../../dashboard/tiles/TileView.tsx';
import type { Previews } from './use-tile-previews.ts';

const nothing = () => {};

/** A tile without interaction. */
export function PreviewTile({
  previews: { dashboard, live },
  name,
}: {
  readonly previews: Previews;
  readonly name: string;
}) {
  const tile = dashboard.document?.pages[0]?.tiles[name] as Tile | undefined;
  if (!tile) return null;
  return (
    <div inert className="as-picture size-full">
      <TileView
        id={name}
        tile={tile}
        live={live}
        models={dashboard.models}
        dashboardModel={dashboard.document?.model}
        adjustment={undefined}
        compare={undefined}
        state={tile.kind === 'table' ? live.state : undefined}
        broken={dashboard.brokenTiles[name]}
        isLarge={false}
        isOffline
        onLarge={nothing}
        onSelected={nothing}
        onAdjust={nothing}
        onFilters={nothing}
        onGo={nothing}
        onReset={nothing}
        staleness={undefined}
      />
    </div>
  );
}
