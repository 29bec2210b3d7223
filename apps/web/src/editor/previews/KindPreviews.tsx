import type { Tile } from '@belvedere/document';
import { Modal } from '@belvedere/ui';
import { useEditing } from '../state/editing.ts';
import type { FieldProfiles } from '../encoding/field-profiles.ts';
import { words } from '../messages/words.ts';
import { PreviewTile } from './PreviewTile.tsx';
import { useTilePreviews } from './use-tile-previews.ts';

interface KindPreviewsProps {
  readonly tile: Tile;
  readonly profiles: FieldProfiles;
  /** The tile as each kind it can be. */
  readonly candidates: readonly Tile[];
  readonly onChoose: (tile: Tile) => void;
  readonly onClose: () => void;
}

/** A tile as every kind that fits its fields, with its own data. */
export default function KindPreviews({ tile, profiles, candidates, onChoose, onClose }: KindPreviewsProps) {
  const { editor } = useEditing();
  const { previews, error } = useTilePreviews(
    editor,
    profiles.name,
    Object.fromEntries(candidates.map(candidate => [candidate.kind, candidate])),
  );
  // Kinds that do not suit the data are left out, such as shares of averages.
  const possible = candidates.filter(({ kind }) => previews?.dashboard.brokenTiles[kind] === undefined);
  return (
    <Modal
      label={words.tile.previewsTitle}
      isOpen
      onOpenChange={isOpen => !isOpen && onClose()}
      className="max-w-5xl"
    >
      <div className="flex max-h-[85vh] flex-col gap-3 overflow-y-auto p-5">
        <h2 className="text-15 font-semibold">{words.tile.previewsTitle}</h2>
        {error ? (
          <p role="alert" className="text-bad">
            {error}
          </p>
        ) : null}
        <div
          role="group"
          aria-label={words.tile.previewsTitle}
          className="grid grid-cols-[repeat(auto-fill,minmax(220px,1fr))] gap-3"
        >
          {possible.map(candidate => (
            <div
              key={candidate.kind}
              data-kind={candidate.kind}
              className={`relative flex h-52 flex-col overflow-hidden rounded-tile border pb-[26px] ${candidate.kind === tile.kind ? 'border-accent ring-1 ring-accent' : 'border-border'}`}
            >
              <div className="min-h-0 flex-1">
                {previews ? <PreviewTile previews={previews} name={candidate.kind} /> : null}
              </div>
              <button
                type="button"
                aria-pressed={candidate.kind === tile.kind}
                onClick={() => onChoose(candidate)}
                className="absolute inset-0 flex items-end rounded-tile outline-offset-[-2px] hover:bg-accent/5"
              >
                <span className="w-full border-t border-border bg-surface px-2.5 py-1 text-start text-12 text-text-2">
                  {words.kinds[candidate.kind]}
                </span>
              </button>
            </div>
          ))}
        </div>
      </div>
    </Modal>
  );
}
