import type { Tile } from '@belvedere/document';
import type { ReactNode } from 'react';
import { heightClass } from './phone-height.ts';

interface DashboardGridProps {
  readonly tiles: Readonly<Record<string, Tile>>;
  /** The tile that is shown alone, if the page has it. */
  readonly large: string | undefined;
  readonly tileOf: (id: string, tile: Tile) => ReactNode;
}

/** The tiles of a page where its document has them, or one alone; below each other on a phone. */
export function DashboardGrid({ tiles, large, tileOf }: DashboardGridProps) {
  const all = Object.entries(tiles);
  const isAlone = large !== undefined && Object.hasOwn(tiles, large) && all.length > 1;
  return (
    <div
      data-grid
      className={
        isAlone
          ? 'h-[calc(100dvh-140px)]'
          : 'grid auto-rows-[28px] grid-cols-24 gap-3 pt-1 max-md:auto-rows-auto max-md:grid-cols-2'
      }
    >
      {all.map(([id, tile], i) => {
        if (isAlone && id !== large) return null;
        const content = tileOf(id, tile);
        if (content === null) return null;
        const at = tile.at ?? ([(i % 2) * 12, Math.floor(i / 2) * 8, 12, 8] as const);
        return (
          <div
            key={id}
            style={
              isAlone
                ? undefined
                : {
                    gridColumn: `${at[0] + 1} / span ${Math.min(at[2], 24 - at[0])}`,
                    gridRow: `${at[1] + 1} / span ${at[3]}`,
                  }
            }
            className={`min-w-0 ${isAlone ? 'h-full' : heightClass(tile)}`}
          >
            {content}
          </div>
        );
      })}
    </div>
  );
}
