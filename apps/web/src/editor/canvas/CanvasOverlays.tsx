import type { GridBox } from '@belvedere/document';
import { words } from '../messages/words.ts';
import { rowPitch, type CanvasGrid } from './canvas-grid.ts';
import { gap, referenceLinesFor, type Boxes } from './layout.ts';
import type { Band } from './use-rubber-band.ts';

interface CanvasOverlaysProps {
  readonly grid: CanvasGrid;
  /** The boxes while tiles are moved. */
  readonly preview: Boxes | undefined;
  readonly selected: readonly string[];
  readonly band: Band | undefined;
  /** Where a dragged field or kind would become a tile. */
  readonly dropAt: GridBox | undefined;
}

/** Alignment lines, the selection rectangle and the target of a drop, over the tiles. */
export function CanvasOverlays({ grid, preview, selected, band, dropAt }: CanvasOverlaysProps) {
  const { pitch, isNarrow } = grid;
  return (
    <>
      {preview && !isNarrow
        ? referenceLinesFor(preview, selected).map(({ along, at, from, below }) => (
            <span
              key={`${along}${at}`}
              aria-hidden
              data-guide={along}
              className="pointer-events-none absolute z-30 bg-accent"
              style={
                along === 'column'
                  ? {
                      left: at * pitch - gap / 2,
                      top: from * rowPitch,
                      width: 1,
                      height: (below - from) * rowPitch - gap,
                    }
                  : {
                      left: from * pitch,
                      top: at * rowPitch - gap / 2,
                      width: (below - from) * pitch - gap,
                      height: 1,
                    }
              }
            />
          ))
        : null}
      {band ? (
        <span
          aria-hidden
          data-testid="band"
          className="pointer-events-none absolute z-30 border border-accent bg-accent-weak/40"
          style={{
            left: Math.min(band.x, band.toX),
            top: Math.min(band.y, band.toY),
            width: Math.abs(band.toX - band.x),
            height: Math.abs(band.toY - band.y),
          }}
        />
      ) : null}
      {dropAt && !isNarrow ? (
        <div
          className="pointer-events-none absolute z-30 flex items-center justify-center rounded-tile border-2 border-dashed border-accent bg-accent-weak/60 text-13 text-accent-text"
          style={{
            left: dropAt[0] * pitch,
            top: dropAt[1] * rowPitch,
            width: dropAt[2] * pitch - gap,
            height: dropAt[3] * rowPitch - gap,
          }}
        >
          {words.canvas.drop}
        </div>
      ) : null}
    </>
  );
}
