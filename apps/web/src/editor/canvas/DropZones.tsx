import type { Tile } from '@belvedere/document';
import type { FieldFacts } from '@belvedere/query';
import { useMemo, useState } from 'react';
import { tileTitle } from '../../dashboard/tiles/describe.ts';
import {
  isRowCount,
  itemsOf,
  placementOf,
  placementsOf,
  type Placement,
} from '../encoding/encoding-shelves.ts';
import { fieldProfilesOf, isStarter } from '../encoding/field-profiles.ts';
import { withFollowingTitle } from '../encoding/generated-title.ts';
import { itemLabel } from '../inspector/field/ShelfField.tsx';
import { words } from '../messages/words.ts';
import { tilePath } from '../state/commands.ts';
import { run, useEditing, useEditor } from '../state/editing.ts';
import { useDropTarget } from './drag-and-drop.ts';

/** The zones of a tile for the dragged field: one for each shelf, and around them the default shelf. */
export function DropZones({ id, tile }: { readonly id: string; readonly tile: Tile }) {
  const { editor, models, profiles, dragged } = useEditing();
  const document = useEditor(editor, state => state.document);
  const page = useEditor(editor, state => state.page);
  const [over, setOver] = useState<string>();
  const model = models.find(candidate => candidate.name === (tile.model ?? document.model));
  const name = dragged && 'field' in dragged ? dragged.field : undefined;
  const own = useMemo(() => model && fieldProfilesOf(model, profiles?.profile), [model, profiles]);
  const field = name === undefined ? undefined : own?.of(name);
  const zones = useMemo(() => (field ? placementsOf(tile, field) : []), [tile, field]);
  const best = useMemo(
    () =>
      field &&
      placementOf(tile, field, measure => isRowCount(measure) || (own !== undefined && isStarter(tile, own))),
    [tile, field, own],
  );
  const put = (placement: Placement) =>
    run(editor, words.steps.field, {
      edits: [
        {
          kind: 'set',
          path: tilePath(page, id),
          value: withFollowingTitle(tile, placement.tile, one => tileTitle(one, model)),
        },
      ],
      selects: [id],
    });
  const drop = useDropTarget({
    takes: best !== undefined,
    onOver: () => setOver(around),
    onLeave: () => setOver(undefined),
    onDrop: () => best && put(best),
  });
  if (!best) return null;
  return (
    <div
      ref={drop}
      data-testid="drop-zones"
      className={`absolute inset-0 z-20 flex flex-col gap-1.5 rounded-tile bg-surface/80 p-2 ring-2 ring-accent transition-opacity ${over === undefined ? 'opacity-0' : ''}`}
    >
      <p
        className={`flex min-h-6 flex-1 items-center justify-center truncate rounded-control border border-dashed px-2 text-13 ${over === around ? 'border-accent bg-accent-weak font-medium text-accent-text' : 'border-transparent text-text-2'}`}
      >
        <span className="truncate">{effectOf(tile, best, name => own?.of(name))}</span>
      </p>
      {zones.length > 1 ? (
        <div className="grid grid-cols-[repeat(auto-fit,minmax(72px,1fr))] gap-1">
          {zones.map(zone => (
            <Zone
              key={zone.shelf.key}
              name={words.shelves[zone.shelf.key]}
              isOver={over === zone.shelf.key || (over === around && best.shelf.key === zone.shelf.key)}
              onOver={() => setOver(zone.shelf.key)}
              onLeave={() => setOver(undefined)}
              onDrop={() => put(zone)}
            />
          ))}
        </div>
      ) : null}
    </div>
  );
}

/** The tile itself, around its zones. */
const around = 'around';

interface ZoneProps {
  readonly name: string;
  readonly isOver: boolean;
  readonly onOver: () => void;
  readonly onLeave: () => void;
  readonly onDrop: () => void;
}

function Zone({ name, isOver, onOver, onLeave, onDrop }: ZoneProps) {
  const drop = useDropTarget({ takes: true, onOver, onLeave, onDrop });
  return (
    <div
      ref={drop}
      data-zone={name}
      className={`flex h-8 min-w-0 items-center justify-center rounded-control border border-dashed px-1 text-12 pointer-coarse:h-11 ${isOver ? 'border-accent bg-accent-weak text-accent-text' : 'border-border-strong bg-surface text-text'}`}
    >
      <span className="truncate">{name}</span>
    </div>
  );
}

/** Describes a drop: `Replace Rows`, `Add to Color`. */
function effectOf(
  tile: Tile,
  { shelf, replaces }: Placement,
  of: (name: string) => FieldFacts | undefined,
): string {
  const items = itemsOf(tile, shelf);
  const replaced = replaces ?? (items.length >= (shelf.max ?? 1) ? items.at(-1) : undefined);
  return replaced === undefined
    ? words.canvas.addTo(words.shelves[shelf.key])
    : words.canvas.replace(itemLabel(replaced, of));
}
