import type { Tile, TileKind } from '@belvedere/document';
import { withTableCalculation } from '@belvedere/query';
import { Button, LazyBoundary, lazyComponent } from '@belvedere/ui';
import { useState } from 'react';
import { starterTile, type FieldProfiles } from '../encoding/field-profiles.ts';
import { allKinds, dataKinds, kindIcons } from '../encoding/kinds.ts';
import { words } from '../messages/words.ts';
import { shelvesOf } from '../encoding/encoding-shelves.ts';

const KindPreviews = lazyComponent(() =>
  import('../previews/KindPreviews.tsx').then(module => module.default),
);

interface KindsProps {
  readonly kinds?: readonly TileKind[];
  readonly tile: Tile;
  readonly facts: FieldProfiles | undefined;
  /** All that it can be shown as can be looked at with its data. */
  readonly hasPreviews?: boolean;
  readonly onKind: (tile: Tile) => void;
}

/** The same fields as other kinds; those that lack one of theirs are grey. */
export function ChartKinds({ tile, facts, kinds = allKinds, hasPreviews = false, onKind }: KindsProps) {
  const [isOpen, setIsOpen] = useState(false);
  const as = (kind: TileKind) => tileAs(tile, kind, facts);
  const possible = dataKinds.flatMap(kind => as(kind) ?? []);
  return (
    <>
      <div
        className="grid grid-cols-[repeat(auto-fill,minmax(32px,1fr))] gap-1"
        role="group"
        aria-label={words.tile.showAs}
      >
        {kinds.map(kind => {
          const Icon = kindIcons[kind];
          const next = as(kind);
          const isIt = kind === tile.kind;
          return (
            <button
              key={kind}
              type="button"
              aria-label={words.kinds[kind]}
              title={next ? words.kinds[kind] : words.tile.cannot(words.kinds[kind])}
              aria-pressed={isIt}
              disabled={!next}
              onClick={() => next && !isIt && onKind(next)}
              className={`flex h-8 items-center justify-center rounded-control border pointer-coarse:h-11 ${isIt ? 'border-accent bg-accent-weak text-accent-text' : 'border-border text-text-2 hover:border-border-strong hover:text-text'} disabled:opacity-35`}
            >
              <Icon size={15} strokeWidth={1.75} aria-hidden />
            </button>
          );
        })}
      </div>
      {hasPreviews && facts && possible.length > 1 ? (
        <Button look="quiet" className="justify-center text-12" onPress={() => setIsOpen(true)}>
          {words.tile.previews}
        </Button>
      ) : null}
      {isOpen && facts ? (
        <LazyBoundary fallback={null}>
          <KindPreviews
            tile={tile}
            facts={facts}
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

/** A tile's fields as another kind; one that has none begins anew. Undefined where the kind lacks a field it needs. */
function tileAs(tile: Tile, kind: TileKind, facts: FieldProfiles | undefined): Tile | undefined {
  if (kind === tile.kind) return tile;
  const made = facts && withTableCalculation(tile, kind, facts.of);
  if (made || shelvesOf[tile.kind].length > 0) return made;
  const start = starterTile(kind, facts);
  return (
    start &&
    ({
      ...start,
      ...(tile.title !== undefined && { title: tile.title }),
      ...(tile.at && { at: tile.at }),
    } as Tile)
  );
}
