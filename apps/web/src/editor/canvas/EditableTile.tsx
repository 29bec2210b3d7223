import type { Chosen, DashboardFile, Tile, TileFile } from '@belvedere/document';
import {
  memo,
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
  type KeyboardEvent,
  type PointerEvent,
} from 'react';
import { tileTitle } from '../../dashboard/tiles/describe.ts';
import { chosenIn, tileVisibleTo } from '../../dashboard/tiles/resolved-dashboard.ts';
import { TileView } from '../../dashboard/tiles/TileView.tsx';
import { t } from '../../messages/messages.ts';
import { DropZones } from './DropZones.tsx';
import { tileIn, type Shown } from './canvas-state.ts';
import type { Edge } from './layout.ts';
import { generatedTitle } from '../encoding/generated-title.ts';
import { focusTileText } from '../inspector/tile/focus-tile-text.ts';
import { words } from '../messages/words.ts';

export interface EditableTileProps {
  readonly id: string;
  /** The tile in the text; the server's version of it is drawn. */
  readonly tile: Tile;
  readonly shown: Shown;
  readonly label: string;
  readonly isSelected: boolean;
  readonly isLifted: boolean;
  /** Selected, and no other is. */
  readonly isOnly: boolean;
  /** It can be resized by its edges. */
  readonly hasHandles: boolean;
  readonly onGrab: (event: PointerEvent<HTMLElement>, id: string, edge?: Edge) => void;
  readonly onKey: (event: KeyboardEvent<HTMLElement>, id: string) => void;
  readonly onFocus: (id: string) => void;
  readonly onTitle: (id: string, title: string) => void;
  /** A field is being dragged, which it may take. */
  readonly isFieldDragged: boolean;
}

const nothing = () => {};
const headerHeight = 48;
/** A tile with fewer pixels in view counts as not seen. */
const minSeen = 60;
const handles: readonly (readonly [Edge, string])[] = [
  ['e', 'top-1/2 -end-1.5 -translate-y-1/2 cursor-ew-resize'],
  ['s', 'start-1/2 -bottom-1.5 -translate-x-1/2 cursor-ns-resize'],
  ['w', 'top-1/2 -start-1.5 -translate-y-1/2 cursor-ew-resize'],
  ['n', 'start-1/2 -top-1.5 -translate-x-1/2 cursor-ns-resize'],
  ['se', '-end-1.5 -bottom-1.5 cursor-nwse-resize'],
];

/** A tile as viewers see it, under a cover that is grabbed, lifted and resized in its place. */
export const EditableTile = memo(function EditableTile(props: EditableTileProps) {
  const {
    id,
    tile,
    shown,
    label,
    isSelected,
    isLifted,
    isOnly,
    hasHandles,
    onGrab,
    onKey,
    onFocus,
    onTitle,
    isFieldDragged,
  } = props;
  const [isNaming, setIsNaming] = useState(false);
  const model = shown.dashboard.models.find(
    ({ name }) => name === (tile.model ?? shown.dashboard.document?.model),
  );
  const title = tile.title ?? generatedTitle(tile, one => tileTitle(one, model));
  const cover = useRef<HTMLDivElement>(null);
  // Scrolls to a tile that was selected in the text, added below the view or restored by undo. Visible tiles
  // do not move.
  useEffect(() => {
    if (!isOnly || !cover.current) return;
    const { top, bottom } = cover.current.getBoundingClientRect();
    if (bottom < headerHeight || top > window.innerHeight - minSeen)
      cover.current.scrollIntoView({
        block: 'center',
        behavior: matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth',
      });
  }, [isOnly]);
  return (
    <>
      <div inert className="as-picture size-full">
        <Picture id={id} shown={shown} />
      </div>
      <div
        ref={cover}
        role="button"
        tabIndex={0}
        aria-label={label}
        aria-pressed={isSelected}
        aria-description={isLifted ? words.canvas.lifted : undefined}
        data-edit={id}
        className={`absolute inset-0 touch-none rounded-tile outline-offset-2 ${isSelected ? 'ring-2 ring-accent' : 'hover:ring-1 hover:ring-border-strong'} ${isLifted ? 'shadow-float' : ''} cursor-grab active:cursor-grabbing`}
        onPointerDown={event => onGrab(event, id)}
        onKeyDown={event => onKey(event, id)}
        onFocus={() => onFocus(id)}
        onDoubleClick={() => {
          const name = () => setIsNaming(true);
          if (tile.kind === 'text') focusTileText(name);
          else name();
        }}
      />
      {isFieldDragged ? <DropZones id={id} tile={tile} /> : null}
      {isNaming ? (
        <input
          aria-label={words.canvas.titleOf}
          defaultValue={title}
          autoFocus
          className="absolute inset-x-2 top-2 h-[30px] rounded-control border border-accent bg-surface px-2 text-13 font-semibold text-text"
          onFocus={event => event.currentTarget.select()}
          onBlur={event => {
            setIsNaming(false);
            if (event.currentTarget.value !== title) onTitle(id, event.currentTarget.value);
          }}
          onKeyDown={event => {
            event.stopPropagation();
            if (event.key === 'Enter') event.currentTarget.blur();
            if (event.key === 'Escape') {
              event.currentTarget.value = title;
              event.currentTarget.blur();
            }
          }}
        />
      ) : null}
      {isOnly && hasHandles
        ? handles.map(([edge, position]) => (
            <div
              key={edge}
              data-edge={edge}
              title={words.canvas.resize[edge]}
              className={[
                'absolute z-10 size-3 touch-none rounded-[3px] border-2 border-accent bg-surface pointer-coarse:size-5',
                position,
              ].join(' ')}
              onPointerDown={event => onGrab(event, id, edge)}
            />
          ))
        : null}
    </>
  );
});

/** The tile as the server resolved it last. */
function Picture({ id, shown }: { readonly id: string; readonly shown: Shown }) {
  const liveTile = shown.live.tile(id);
  const { status } = useSyncExternalStore(liveTile.onView, liveTile.getView);
  const chosen = chosenIn(shown.live.state);
  const tile = useMemo(() => {
    const written = tileIn(shown.dashboard, id);
    return (
      written &&
      tileVisibleTo(shown.dashboard.document!, written, shown.dashboard.models, JSON.parse(chosen) as Chosen)
    );
  }, [shown, id, chosen]);
  const broken = shown.dashboard.brokenTiles[id];
  const hasNoQuery = tile?.kind === 'image' || tile?.kind === 'control' || tile?.kind === 'text';
  const isReady = tile !== undefined && (status !== 'loading' || broken !== undefined || hasNoQuery);
  const [ready, setReady] = useState(tile && { tile, shown });
  if (isReady && ready?.shown !== shown) setReady({ tile, shown });
  const drawn = isReady ? { tile, shown } : ready;
  if (!drawn) return <div className="size-full rounded-tile border border-border bg-surface" />;
  const { document, models, state } = drawn.shown.dashboard;
  if (state === 'importing' && (status === 'failed' || status === 'loading'))
    return (
      <div
        role="status"
        className="flex size-full items-center justify-center rounded-tile border border-border bg-surface text-12 text-text-2"
      >
        {t.dashboard.importingTitle}
      </div>
    );
  if (drawn.tile.kind === 'control')
    return (
      <div className="flex size-full items-center">
        <span className="inline-flex h-[30px] items-center rounded-control border border-border bg-surface px-2.5 text-13 text-text-2">
          {drawn.tile.title ??
            models
              .flatMap(model => model.dimensions)
              .find(field => field.name === (drawn.tile as { field: string }).field)?.label ??
            drawn.tile.field}
        </span>
      </div>
    );
  return (
    <TileView
      id={id}
      tile={drawn.tile}
      live={drawn.shown.live}
      models={models}
      dashboardModel={document?.model}
      adjustment={undefined}
      compare={undefined}
      state={drawn.tile.kind === 'table' ? drawn.shown.live.state : undefined}
      broken={drawn.shown.dashboard.brokenTiles[id]}
      isLarge={false}
      onLarge={nothing}
      onSelected={nothing}
      onAdjust={nothing}
      onFilters={nothing}
      onGo={nothing}
      onReset={nothing}
      staleness={undefined}
    />
  );
}

/** The name of a tile: its title, or what it shows. */
export function tileName(
  id: string,
  document: DashboardFile,
  tile: TileFile,
  { dashboard, live }: Shown,
): string {
  try {
    return (
      tileTitle(
        tileVisibleTo(document, tile, dashboard.models, live.state),
        dashboard.models.find(model => model.name === (tile.model ?? dashboard.document?.model)),
      ) || words.kinds[tile.kind]
    );
  } catch {
    return tile.title ?? id;
  }
}
