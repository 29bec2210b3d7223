import type { Tile, TileKind } from '@belvedere/document';
import { formatNumber } from '@belvedere/chart';
import { labelsBeyondReading, missingField, convertTile } from '@belvedere/query';
import { Button, LazyBoundary, lazyComponent } from '@belvedere/ui';
import { useId, useState } from 'react';
import { locale } from '../../../messages/messages.ts';
import { starterTile, type FieldProfiles } from '../../encoding/field-profiles.ts';
import { allKinds, dataKinds, kindIcons } from '../../encoding/kinds.ts';
import { words } from '../../messages/words.ts';
import { shelvesOf } from '../../encoding/encoding-shelves.ts';

const KindPreviews = lazyComponent(() =>
  import('../../previews/KindPreviews.tsx').then(module => module.default),
);

interface KindsProps {
  readonly kinds?: readonly TileKind[];
  readonly tile: Tile;
  readonly profiles: FieldProfiles | undefined;
  /** Shows previews of all kinds that fit the tile's fields. */
  readonly hasPreviews?: boolean;
  /** The kinds have their names under their icons. */
  readonly hasNames?: boolean;
  readonly onKind: (tile: Tile) => void;
}

/**
 * The same fields as other kinds; those that lack one of theirs are grey and say which, those of too many
 * labels are pale and say so.
 */
export function ChartKinds({
  tile,
  profiles,
  kinds = allKinds,
  hasPreviews = false,
  hasNames = false,
  onKind,
}: KindsProps) {
  const [isOpen, setIsOpen] = useState(false);
  const [pointed, setPointed] = useState<TileKind>();
  const note = useId();
  const as = (kind: TileKind) => tileAs(tile, kind, profiles);
  const possible = dataKinds.flatMap(kind => {
    const next = as(kind);
    return next && (kind === tile.kind || tooMany(next, profiles) === undefined) ? [next] : [];
  });
  const problem = pointed && problemOf(tile, pointed, as(pointed), profiles);
  const name = hasNames ? undefined : words.kinds[pointed ?? tile.kind];
  return (
    <>
      <div
        className={`grid gap-1 ${hasNames ? 'grid-cols-[repeat(auto-fill,minmax(72px,1fr))] max-lg:flex max-lg:overflow-x-auto max-lg:p-0.5' : 'grid-cols-[repeat(auto-fill,minmax(32px,1fr))]'}`}
        role="group"
        aria-label={words.tile.showAs}
      >
        {kinds.map(kind => {
          const Icon = kindIcons[kind];
          const next = as(kind);
          const isIt = kind === tile.kind;
          const fault = problemOf(tile, kind, next, profiles);
          const ask = () => setPointed(kind);
          const release = () => setPointed(undefined);
          return (
            <button
              key={kind}
              type="button"
              aria-label={words.kinds[kind]}
              title={fault ?? words.kinds[kind]}
              aria-pressed={isIt}
              // Not `disabled`, so that keyboard and touch users can read what the kind lacks.
              aria-disabled={!next}
              aria-describedby={pointed === kind && fault !== undefined ? note : undefined}
              onPointerEnter={ask}
              onPointerLeave={event => event.pointerType === 'mouse' && release()}
              onFocus={ask}
              onBlur={release}
              onClick={() => (next ? !isIt && onKind(next) : ask())}
              className={`flex flex-col items-center justify-center gap-0.5 rounded-control border ${hasNames ? 'h-[52px] min-w-0 px-0.5 max-lg:w-[72px] max-lg:shrink-0' : 'h-8 pointer-coarse:h-11'} ${isIt ? 'border-accent bg-accent-weak text-accent-text' : !next ? 'cursor-default border-border text-text-2 opacity-35' : `hover:border-border-strong hover:text-text ${fault === undefined ? 'border-border text-text-2' : 'border-dashed border-border text-text-3'}`}`}
            >
              <Icon size={15} strokeWidth={1.75} aria-hidden />
              {hasNames ? (
                <span className="max-w-full truncate text-11" aria-hidden>
                  {words.kinds[kind]}
                </span>
              ) : null}
            </button>
          );
        })}
      </div>
      <p id={note} className="min-h-4 truncate text-11 leading-4 text-text-2">
        {problem ?? name}
      </p>
      {hasPreviews && profiles && possible.length > 1 ? (
        <Button look="quiet" className="justify-center text-12" onPress={() => setIsOpen(true)}>
          {words.tile.previews}
        </Button>
      ) : null}
      {isOpen && profiles ? (
        <LazyBoundary fallback={null}>
          <KindPreviews
            tile={tile}
            profiles={profiles}
            candidates={possible}
            onChoose={next => {
              setIsOpen(false);
              if (next.kind !== tile.kind) onKind(next);
            }}
            onClose={() => setIsOpen(false)}
          />
        </LazyBoundary>
      ) : null}
    </>
  );
}

/** Why a kind is not offered, or not advised. */
function problemOf(
  tile: Tile,
  kind: TileKind,
  next: Tile | undefined,
  profiles: FieldProfiles | undefined,
): string | undefined {
  const name = words.kinds[kind];
  if (!next)
    return profiles && shelvesOf[tile.kind].length > 0
      ? words.tile.missing(name, words.tile.missingFields[missingField(tile, kind, profiles.of)])
      : words.tile.cannot(name);
  const labels = tooMany(next, profiles);
  return labels === undefined
    ? undefined
    : words.tile.tooMany(name, formatNumber(labels, 'integer', locale, 'label'));
}

const tooMany = (tile: Tile, profiles: FieldProfiles | undefined) =>
  profiles && labelsBeyondReading(tile, profiles.of);

/**
 * A tile's fields as another kind; a starter tile of that kind if it has none. Undefined if the kind lacks a
 * required field.
 */
function tileAs(tile: Tile, kind: TileKind, profiles: FieldProfiles | undefined): Tile | undefined {
  if (kind === tile.kind) return tile;
  const made = profiles && convertTile(tile, kind, profiles.of);
  if (made || shelvesOf[tile.kind].length > 0) return made;
  const start = starterTile(kind, profiles);
  return (
    start &&
    ({
      ...start,
      ...(tile.title !== undefined && { title: tile.title }),
      ...(tile.at && { at: tile.at }),
    } as Tile)
  );
}
