import type { Dashboard, Tile } from '@belvedere/document';
import type { CSSProperties, ReactNode } from 'react';
import { heightClass } from '../../dashboard/tiles/phone-height.ts';
import { kioskRows } from './kiosk.ts';
import { positionIn } from './tile-positions.ts';

interface PageGridProps {
  readonly page: Dashboard['pages'][number];
  /** The tile that is shown alone, if it is on the page. */
  readonly large: string | undefined;
  readonly isKiosk: boolean;
  readonly children: (id: string, tile: Tile) => ReactNode;
}

/** Places the tiles of a page on its grid, or shows one of them alone. In kiosk mode they fill the screen. */
export function PageGrid({ page, large, isKiosk, children }: PageGridProps) {
  const tiles = Object.entries(page.tiles);
  const shown = large && Object.hasOwn(page.tiles, large) ? tiles.filter(([id]) => id === large) : tiles;
  return (
    <div
      data-grid
      className={
        shown.length < tiles.length
          ? `${isKiosk ? 'min-h-0 flex-1' : 'h-[calc(100dvh-140px)]'} print:h-[640px]`
          : `grid grid-cols-24 gap-3 pt-1 max-md:auto-rows-auto max-md:grid-cols-2 ${isKiosk ? 'min-h-0 flex-1 md:gap-y-0 md:[grid-template-rows:var(--rows)]' : 'auto-rows-[28px]'}`
      }
      style={
        isKiosk
          ? ({
              '--rows': kioskRows(
                tiles.map(([, tile], i) => ({ isFigure: tile.kind === 'kpi', at: positionIn(tile, i) })),
              ),
            } as CSSProperties)
          : undefined
      }
    >
      {shown.map(([id, tile], i) => {
        const at = positionIn(tile, i);
        const position =
          shown.length < tiles.length
            ? undefined
            : {
                gridColumn: `${at[0] + 1} / span ${Math.min(at[2], 24 - at[0])}`,
                gridRow: `${at[1] + 1} / span ${at[3]}`,
              };
        return (
          <div
            key={id}
            style={position}
            className={`min-w-0 ${isKiosk ? 'md:pb-3' : ''} ${shown.length < tiles.length ? 'h-full' : heightClass(tile)}`}
          >
            {children(id, tile)}
          </div>
        );
      })}
    </div>
  );
}
