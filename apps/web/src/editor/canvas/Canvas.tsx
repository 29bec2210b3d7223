import { tilesShown, type GridBox } from '@belvedere/document';
import { suggestTile } from '@belvedere/query';
import { Button } from '@belvedere/ui';
import { EyeOff } from 'lucide-react';
import {
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
  type KeyboardEvent,
  type PointerEvent,
} from 'react';
import { useSize } from '../../dashboard/chart/use-size.ts';
import { addTile, positionEdits, setKey, tilePath, tilesOf, type Change } from '../state/commands.ts';
import { EditableTile, tileName } from './EditableTile.tsx';
import { useDropTarget } from './drag-and-drop.ts';
import { run, useEditing, useEditor } from '../state/editing.ts';
import { starterTile } from '../encoding/field-profiles.ts';
import {
  boxesIn,
  boxesOf,
  dropPosition,
  gap,
  gridColumns,
  referenceLinesFor,
  moveBoxes,
  position,
  resizeBox,
  rowHeight,
  type Boxes,
  type Edge,
} from './layout.ts';
import { words } from '../messages/words.ts';
import { Flags } from '../presence/Flags.tsx';

const rowPitch = rowHeight + gap;
/** Room to drop things below the last tile. */
const spareRows = 10;
const startsDraggingAt = 4;

/** From where the pointer went down to where it is. */
interface Band {
  readonly x: number;
  readonly y: number;
  readonly toX: number;
  readonly toY: number;
  /** What was chosen before, and stays so. */
  readonly with: readonly string[];
}

interface Grab {
  readonly id: string;
  readonly edge: Edge | undefined;
  readonly x: number;
  readonly y: number;
  readonly scrollY: number;
  readonly boxes: Boxes;
}

/** The page's tiles on their grid, to be dragged, resized, chosen and walked through. */
export function Canvas() {
  const { editor, dragged, facts } = useEditing();
  const document = useEditor(editor, state => state.document);
  const page = useEditor(editor, state => state.page);
  const selected = useEditor(editor, state => state.selected);
  const shown = useEditor(editor, state => state.shown);
  const frame = useRef<HTMLDivElement>(null);
  const size = useSize(frame);
  const tiles = tilesOf(document, page);
  const saved = useMemo(() => boxesOf(tiles), [tiles]);
  const [preview, setPreview] = useState<Boxes>();
  const [lifting, setLifted] = useState<{ readonly id: string; readonly from: Boxes }>();
  const [dropAt, setDropAt] = useState<GridBox>();
  /** What is being framed, in pixels of the page. */
  const [band, setBand] = useState<Band>();
  const [said, setSaid] = useState('');
  const grab = useRef<Grab | undefined>(undefined);
  const boxes = preview ?? saved;
  // Another window may have taken it out.
  const lifted = lifting && tiles[lifting.id] ? lifting : undefined;
  const pitch = ((size?.width ?? 0) + gap) / gridColumns;
  const isNarrow = (size?.width ?? 1000) < 560;
  const rows = Math.max(12, ...Object.values(boxes).map(box => box[1] + box[3])) + spareRows;

  /**
   * Puts tiles where they were moved to, on the page as it is by now: in another window some may have gone,
   * come or been moved meanwhile.
   */
  const commit = useCallback(
    (name: string, ids: readonly string[], moved: Boxes) => {
      const now = boxesOf(tilesOf(editor.state.document, editor.state.page));
      const wanted = Object.fromEntries(ids.flatMap(id => (now[id] && moved[id] ? [[id, moved[id]]] : [])));
      run(editor, name, { edits: positionEdits(editor.state.page, now, position(now, wanted)) });
    },
    [editor],
  );
  const movedWith = (id: string) => (editor.state.selected.includes(id) ? editor.state.selected : [id]);

  const onGrab = useCallback(
    (event: PointerEvent<HTMLElement>, id: string, edge?: Edge) => {
      if (event.button !== 0) return;
      const before = editor.state.selected;
      if (event.shiftKey || event.ctrlKey || event.metaKey)
        editor.select(...(before.includes(id) ? before.filter(other => other !== id) : [...before, id]));
      else if (!before.includes(id)) editor.select(id);
      if (edge) event.preventDefault();
      grab.current = {
        id,
        edge,
        x: event.clientX,
        y: event.clientY,
        scrollY: window.scrollY,
        boxes: boxesOf(tilesOf(editor.state.document, editor.state.page)),
      };
      event.currentTarget.setPointerCapture(event.pointerId);
    },
    [editor],
  );

  const putBack = useCallback(() => {
    grab.current = undefined;
    setBand(undefined);
    setPreview(undefined);
    setLifted(undefined);
  }, []);

  const dragTo = (event: PointerEvent<HTMLElement>): Boxes | undefined => {
    const from = grab.current;
    if (!from || isNarrow) return undefined;
    const [px, py] = [event.clientX - from.x, event.clientY - from.y + window.scrollY - from.scrollY];
    if (!preview && Math.hypot(px, py) < startsDraggingAt) return undefined;
    const [dx, dy] = [Math.round(px / pitch), Math.round(py / rowPitch)];
    return position(
      from.boxes,
      from.edge
        ? { [from.id]: resizeBox(from.boxes[from.id]!, from.edge, dx, dy) }
        : moveBoxes(from.boxes, movedWith(from.id), dx, dy),
    );
  };
  const pointIn = (event: PointerEvent<HTMLElement>) => {
    const { left, top } = frame.current!.getBoundingClientRect();
    return [event.clientX - left, event.clientY - top] as const;
  };
  const onBackground = (event: PointerEvent<HTMLElement>) => {
    if (event.target !== event.currentTarget || event.button !== 0) return;
    const isMore = event.shiftKey || event.ctrlKey || event.metaKey;
    if (!isMore) editor.select();
    // A finger on the background scrolls.
    if (isNarrow || event.pointerType === 'touch') return;
    const [x, y] = pointIn(event);
    setBand({ x, y, toX: x, toY: y, with: isMore ? editor.state.selected : [] });
    event.currentTarget.setPointerCapture(event.pointerId);
  };
  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    // The button was released outside the window.
    if ((band || grab.current) && event.buttons === 0) return putBack();
    if (band) {
      const [toX, toY] = pointIn(event);
      setBand({ ...band, toX, toY });
      const framed = boxesIn(saved, [
        Math.min(band.x, toX) / pitch,
        Math.min(band.y, toY) / rowPitch,
        Math.abs(toX - band.x) / pitch,
        Math.abs(toY - band.y) / rowPitch,
      ]);
      editor.select(...new Set([...band.with, ...framed]));
      return;
    }
    const after = dragTo(event);
    if (!after) return;
    setPreview(after);
    if (event.clientY > window.innerHeight - 48) window.scrollBy(0, 12);
    else if (event.clientY < 96) window.scrollBy(0, -12);
  };
  const onPointerUp = (event: PointerEvent<HTMLElement>) => {
    if (band) return setBand(undefined);
    const from = grab.current;
    grab.current = undefined;
    if (!from || !preview) {
      // A click on one of several chosen leaves it alone chosen.
      if (
        from &&
        !from.edge &&
        !event.shiftKey &&
        !event.ctrlKey &&
        !event.metaKey &&
        editor.state.selected.length > 1
      )
        editor.select(from.id);
      return;
    }
    commit(
      from.edge ? words.steps.resize : words.steps.move,
      from.edge ? [from.id] : movedWith(from.id),
      preview,
    );
    setPreview(undefined);
  };
  useEffect(() => {
    const onEscape = (event: globalThis.KeyboardEvent) => event.key === 'Escape' && grab.current && putBack();
    window.addEventListener('keydown', onEscape);
    return () => window.removeEventListener('keydown', onEscape);
  }, [putBack]);

  const label = (id: string, box: GridBox) =>
    words.canvas.tile(tileName(id, document, tiles[id]!, shown), box[0] + 1, box[1] + 1, box[2], box[3]);
  const onKey = (event: KeyboardEvent<HTMLElement>, id: string) => {
    const arrow = arrows[event.key];
    if (event.key === 'Enter' || (event.key === ' ' && !lifted)) {
      event.preventDefault();
      if (lifted) {
        commit(words.steps.move, movedWith(id), boxes);
        setSaid(`${words.canvas.positioned} ${label(id, boxes[id]!)}`);
        putBack();
      } else {
        editor.select(...(editor.state.selected.includes(id) ? editor.state.selected : [id]));
        setLifted({ id, from: saved });
        setSaid(words.canvas.lifted);
      }
    } else if (event.key === 'Escape' && lifted) {
      event.stopPropagation();
      putBack();
      setSaid(label(id, saved[id]!));
    } else if (arrow && lifted) {
      event.preventDefault();
      event.stopPropagation();
      const [dx, dy] = arrow;
      const wanted = event.shiftKey
        ? { [id]: resizeBox(boxes[id]!, 'se', dx, dy) }
        : moveBoxes(boxes, movedWith(id), dx, dy);
      // From where everything stood: what had to give way goes back once nothing is in its place.
      const after = position(lifted.from, {
        ...Object.fromEntries(movedWith(id).map(one => [one, boxes[one]!])),
        ...wanted,
      });
      setPreview(after);
      setSaid(label(id, after[id]!));
    } else if (arrow) {
      const next = nearest(boxes, id, arrow);
      if (next === undefined) return;
      event.preventDefault();
      frame.current?.querySelector<HTMLElement>(`[data-edit="${CSS.escape(next)}"]`)?.focus();
    }
  };

  const cellAt = (event: globalThis.PointerEvent): { column: number; row: number } => {
    const { left, top } = frame.current!.getBoundingClientRect();
    return {
      column: Math.max(0, Math.min(gridColumns - 1, Math.floor((event.clientX - left) / pitch))),
      row: Math.max(0, Math.floor((event.clientY - top) / rowPitch)),
    };
  };
  const draggedTile = () =>
    !dragged
      ? undefined
      : 'kind' in dragged
        ? starterTile(dragged.kind, facts)
        : facts?.of(dragged.field) && suggestTile([facts.of(dragged.field)!]);
  const onOver = (event: globalThis.PointerEvent) => {
    const tile = draggedTile();
    if (!tile) return;
    const box = dropPosition(saved, tile.kind, cellAt(event));
    setDropAt(before => (before?.join() === box.join() ? before : box));
  };
  const onDrop = (event: globalThis.PointerEvent) => {
    const tile = draggedTile();
    if (tile)
      run(editor, words.steps.add, addTile(editor.state.document, editor.state.page, tile, cellAt(event)));
  };
  const drop = useDropTarget({
    takes: dragged !== undefined,
    onOver,
    onLeave: () => setDropAt(undefined),
    onDrop,
  });
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
      if (!grab.current && !editor.state.selected.includes(id)) editor.select(id);
    },
    [editor],
  );
  const stableKey = useLatest(onKey);
  const isFieldDragged = dragged !== undefined && 'field' in dragged;

  // Tiles that are shown only under conditions lie over one another; the one that is chosen is always seen.
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
        onPointerDown={onBackground}
        onPointerMove={onPointerMove}
        onPointerUp={onPointerUp}
        onPointerCancel={putBack}
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
                isLifted={lifted?.id === id}
                isOnly={selected.length === 1 && selected[0] === id}
                hasHandles={!isNarrow}
                onGrab={onGrab}
                onKey={stableKey}
                onFocus={onFocus}
                onTitle={onTitle}
                isFieldDragged={isFieldDragged}
              />
            </div>
          );
        })}
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
        {Object.keys(tiles).length === 0 ? <Empty /> : null}
        <p className="sr-only" aria-live="assertive">
          {said}
        </p>
      </div>
    </>
  );
}

const arrows: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** The next tile in a direction: the one whose middle is nearest, what lies aside counting twice. */
function nearest(boxes: Boxes, id: string, [dx, dy]: readonly [number, number]): string | undefined {
  const middle = (box: GridBox) => [box[0] + box[2] / 2, (box[1] + box[3] / 2) * 0.7] as const;
  const [x, y] = middle(boxes[id]!);
  return Object.entries(boxes)
    .filter(([other]) => other !== id)
    .map(([other, box]) => {
      const [ox, oy] = middle(box);
      const along = (ox - x) * dx + (oy - y) * dy;
      const aside = Math.abs((ox - x) * dy) + Math.abs((oy - y) * dx);
      return { other, along, far: along + 2 * aside };
    })
    .filter(({ along }) => along > 0.5)
    .toSorted((a, b) => a.far - b.far)[0]?.other;
}

/** Nothing yet: what can be done about it. */
function Empty() {
  const { editor, facts } = useEditing();
  const starts = useMemo(() => {
    if (!facts) return [];
    return (['kpi', 'line', 'bar', 'table'] as const).flatMap(kind => {
      const tile = starterTile(kind, facts);
      return tile ? [{ kind, tile }] : [];
    });
  }, [facts]);
  const add = (change: (before: typeof editor.state.document) => Change) =>
    run(editor, words.steps.add, change(editor.state.document));
  return (
    <div className="absolute inset-x-0 top-6 mx-auto max-w-lg rounded-tile border border-dashed border-border-strong bg-surface px-6 py-8 text-center">
      <h2 className="text-15 font-semibold">{words.canvas.emptyTitle}</h2>
      <p className="mt-1 text-text-2">{words.canvas.emptyText}</p>
      <div className="mt-4 flex flex-wrap justify-center gap-2">
        {starts.map(({ kind, tile }) => (
          <Button key={kind} onPress={() => add(document => addTile(document, editor.state.page, tile))}>
            {words.kinds[kind]}
          </Button>
        ))}
      </div>
    </div>
  );
}

/**
 * A function that stays the same one and does what the latest would, so that tiles are not drawn again for
 * it.
 */
function useLatest<A extends readonly unknown[]>(work: (...args: A) => void): (...args: A) => void {
  const latest = useRef(work);
  useEffect(() => {
    latest.current = work;
  });
  return useCallback((...args: A) => latest.current(...args), []);
}
