import { tilesShown, type GridBox } from '@belvedere/document';
import { Button } from '@belvedere/ui';
import { EyeOff } from 'lucide-react';
import { useCallback, useEffect, useRef, useSyncExternalStore, type PointerEvent } from 'react';
import { useSize } from '../../dashboard/chart/use-size.ts';
import { useLoadUnreached } from '../../live/use-load-unreached.ts';
import { words } from '../messages/words.ts';
import { Flags } from '../presence/Flags.tsx';
import { setKey, tilePath, tilesOf } from '../state/commands.ts';
import { run, useEditing, useEditor } from '../state/editing.ts';
import { rowPitch, type CanvasGrid } from './canvas-grid.ts';
import { CanvasOverlays } from './CanvasOverlays.tsx';
import { EditableTile, tileName } from './EditableTile.tsx';
import { EmptyCanvas } from './EmptyCanvas.tsx';
import { gap, gridColumns } from './layout.ts';
import { useCanvasDrop } from './use-canvas-drop.ts';
import { useCanvasKeys } from './use-canvas-keys.ts';
import { useRubberBand } from './use-rubber-band.ts';
import { useTileDrag } from './use-tile-drag.ts';
import { useTileMoves } from './use-tile-moves.ts';

/** Room to drop things below the last tile. */
const spareRows = 10;

/** The page's tiles on their grid, to be dragged, resized, selected and walked through. */
export function Canvas() {
  const { editor, dragged } = useEditing();
  const document = useEditor(editor, state => state.document);
  const page = useEditor(editor, state => state.page);
  const selected = useEditor(editor, state => state.selected);
  const shown = useEditor(editor, state => state.shown);
  useLoadUnreached(shown.live);
  const frame = useRef<HTMLDivElement>(null);
  const size = useSize(frame);
  const tiles = tilesOf(document, page);
  const moves = useTileMoves(tiles);
  const { saved, preview, boxes } = moves;
  const pitch = ((size?.width ?? 0) + gap) / gridColumns;
  const isNarrow = (size?.width ?? 1000) < 560;
  const grid: CanvasGrid = { pitch, isNarrow };
  const rows = Math.max(12, ...Object.values(boxes).map(box => box[1] + box[3])) + spareRows;

  const label = (id: string, box: GridBox) =>
    words.canvas.tile(tileName(id, document, tiles[id]!, shown), box[0] + 1, box[1] + 1, box[2], box[3]);
  const keys = useCanvasKeys(moves, frame, tiles, label);
  const band = useRubberBand(frame, saved, grid);
  const { putDown } = keys;
  const { end } = band;
  const stop = useCallback(() => {
    end();
    putDown();
  }, [end, putDown]);
  const drag = useTileDrag(moves, grid, stop);
  const { isDragging } = drag;
  const cancel = () => {
    drag.cancel();
    stop();
  };
  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    // The button was released outside the window.
    if ((band.band || isDragging()) && event.buttons === 0) return cancel();
    if (band.band) band.draw(band.band, event);
    else drag.drag(event);
  };
  const onPointerUp = (event: PointerEvent<HTMLElement>) => (band.band ? band.end() : drag.release(event));

  const { dropAt, drop } = useCanvasDrop(frame, saved, grid);
  const setFrame = useCallback(
    (element: HTMLDivElement | null) => {
      frame.current = element;
      return drop(element);
    },
    [drop],
  );
  const onTitle = useCallback(
    (id: string, title: string) =>
      void run(editor, words.steps.title, {
        edits: [setKey([...tilePath(editor.state.page, id), 'title'], title)],
      }),
    [editor],
  );
  const onFocus = useCallback(
    (id: string) => {
      if (!isDragging() && !editor.state.selected.includes(id)) editor.select(id);
    },
    [editor, isDragging],
  );
  const stableKey = useLatest(keys.onKey);
  const isFieldDragged = dragged !== undefined && 'field' in dragged;

  // Tiles whose condition does not hold are listed above the canvas, and drawn while they are selected.
  const seen = useSyncExternalStore(shown.live.store.subscribe, () =>
    tilesShown(document, page, shown.live.state).join(),
  );
  const hidden = Object.keys(tiles).filter(id => tiles[id]!.showIf && !seen.split(',').includes(id));
  const order = Object.keys(tiles)
    .filter(id => !hidden.includes(id) || selected.includes(id))
    .toSorted((a, b) => saved[a]![1] - saved[b]![1] || saved[a]![0] - saved[b]![0]);
  return (
    <>
      {hidden.length > 0 ? (
        <div
          role="group"
          aria-label={words.canvas.hidden}
          className="mb-2 flex flex-wrap items-center gap-1.5 text-12 text-text-2"
        >
          {words.canvas.hidden}
          {hidden.map(id => (
            <Button key={id} aria-pressed={selected.includes(id)} onPress={() => editor.select(id)}>
              <EyeOff size={13} aria-hidden />
              {tileName(id, document, tiles[id]!, shown)}
            </Button>
          ))}
        </div>
      ) : null}
      <div
        ref={setFrame}
        role="group"
        aria-label={words.canvas.label}
        data-testid="canvas"
        className={`relative ${isNarrow ? 'flex flex-col gap-3' : ''}`}
        style={
          isNarrow
            ? undefined
            : {
                height: rows * rowPitch - gap,
                backgroundImage: 'radial-gradient(var(--border-strong) 1px, transparent 1px)',
                backgroundSize: `${pitch}px ${rowPitch}px`,
                backgroundPosition: `${-gap / 2 - pitch / 2}px ${-gap / 2 - rowPitch / 2}px`,
              }
        }
        onPointerDown={band.begin}
        onPointerMove={onPointerMove}
        onPointerUp={onPointerUp}
        onPointerCancel={cancel}
      >
        {order.map(id => {
          const box = boxes[id] ?? saved[id]!;
          const isMoving = preview !== undefined && selected.includes(id);
          return (
            <div
              key={id}
              className={
                isNarrow
                  ? 'relative shrink-0'
                  : `absolute ${isMoving ? 'z-20 opacity-90' : 'transition-[left,top,width,height] duration-200 motion-reduce:transition-none'} ${selected.includes(id) ? 'z-10' : ''}`
              }
              style={
                isNarrow
                  ? { height: tiles[id]!.kind === 'kpi' ? 116 : 300 }
                  : {
                      left: box[0] * pitch,
                      top: box[1] * rowPitch,
                      width: box[2] * pitch - gap,
                      height: box[3] * rowPitch - gap,
                    }
              }
            >
              <Flags position={id} />
              <EditableTile
                id={id}
                tile={tiles[id]!}
                shown={shown}
                label={label(id, box)}
                isSelected={selected.includes(id)}
                isLifted={keys.lifted?.id === id}
                isOnly={selected.length === 1 && selected[0] === id}
                hasHandles={!isNarrow}
                onGrab={drag.onGrab}
                onKey={stableKey}
                onFocus={onFocus}
                onTitle={onTitle}
                isFieldDragged={isFieldDragged}
              />
            </div>
          );
        })}
        <CanvasOverlays grid={grid} preview={preview} selected={selected} band={band.band} dropAt={dropAt} />
        {Object.keys(tiles).length === 0 ? <EmptyCanvas /> : null}
        <p className="sr-only" aria-live="assertive">
          {keys.said}
        </p>
      </div>
    </>
  );
}

/** A function that stays the same while it calls the latest one, so that tiles are not rendered again. */
function useLatest<A extends readonly unknown[]>(work: (...args: A) => void): (...args: A) => void {
  const latest = useRef(work);
  useEffect(() => {
    latest.current = work;
  });
  return useCallback((...args: A) => latest.current(...args), []);
}
