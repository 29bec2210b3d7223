import { isMeasure, type MeasureEncoding, type Tile } from '@belvedere/document';
import { isTemporal } from '@belvedere/model';
import { takesAxis, takesLegend, type FieldFacts } from '@belvedere/query';
import { Popover, Select } from '@belvedere/ui';
import { X } from 'lucide-react';
import { useState } from 'react';
import { t } from '../../../messages/messages.ts';
import { useDropTarget } from '../../canvas/drag-and-drop.ts';
import { useEditing } from '../../state/editing.ts';
import type { FieldProfiles } from '../../encoding/field-profiles.ts';
import { words } from '../../messages/words.ts';
import {
  asItem,
  encodingOf,
  fieldOf,
  isLayer,
  itemsOf,
  shelfValue,
  withField,
  type Item,
  type Shelf,
} from '../../encoding/encoding-shelves.ts';
import { AxisOptions } from './AxisOptions.tsx';
import { FieldOptions } from './FieldOptions.tsx';
import { LegendOptions } from './LegendOptions.tsx';
import { LayerOptions, MeasureOptions } from './MeasureOptions.tsx';

interface ShelfFieldProps {
  readonly tile: Tile;
  readonly shelf: Shelf;
  readonly profiles: FieldProfiles;
  /** The tile with another item on this shelf. */
  readonly onChange: (tile: Tile, joins?: string) => void;
}

/** A shelf of a tile: its fields with their options. Takes dropped fields, and offers a list. */
export function ShelfField({ tile, shelf, profiles, onChange }: ShelfFieldProps) {
  const { dragged } = useEditing();
  const [isOver, setIsOver] = useState(false);
  const items = itemsOf(tile, shelf);
  const field = dragged && 'field' in dragged ? profiles.of(dragged.field) : undefined;
  const takes = field !== undefined && asItem(field, shelf) !== undefined;
  const isFull = items.length >= (shelf.max ?? 1);
  const set = (next: readonly Item[], joins?: string) => {
    const value = shelfValue(shelf, next);
    const { [shelf.key as 'title']: _, ...rest } = tile as Tile & { title?: string };
    onChange((value === undefined ? rest : { ...tile, [shelf.key]: value }) as Tile, joins);
  };
  const put = (name: string) => {
    const facet = profiles.of(name);
    const next = facet && withField(tile, shelf, facet);
    if (next) onChange(next);
  };
  const canRemove = (shelf.isNeeded ? items.length > (shelf.min ?? 1) : true) && items.length > 0;
  const fitting = profiles.fields.filter(
    candidate =>
      asItem(candidate, shelf) !== undefined &&
      !(shelf.max !== undefined && items.some(item => fieldOf(item) === candidate.name)),
  );
  // A sparkline nearly always runs along time.
  const isTime = ({ type }: FieldFacts) => isTemporal(type ?? 'other');
  const offered =
    shelf.key === 'spark' ? fitting.toSorted((a, b) => Number(isTime(b)) - Number(isTime(a))) : fitting;
  const name = words.shelves[shelf.key];
  const drop = useDropTarget({
    takes,
    onOver: () => setIsOver(true),
    onLeave: () => setIsOver(false),
    onDrop: () => field && put(field.name),
  });
  return (
    <div
      ref={drop}
      role="group"
      aria-label={name}
      data-shelf={shelf.key}
      className={`flex flex-col gap-1 rounded-control border border-dashed p-1.5 ${isOver && takes ? 'border-accent bg-accent-weak' : takes ? 'border-accent' : 'border-border-strong'}`}
    >
      <div className="flex h-6 items-center gap-2 px-0.5">
        <span className="min-w-0 flex-1 truncate text-11 text-text-2">{name}</span>
        {isFull && items.length > 0 && shelf.max !== undefined ? null : (
          <Select
            look="small"
            className="shrink-0"
            label={`${name}: ${words.tile.choose}`}
            placeholder={
              items.length === 0
                ? words.tile.drop
                : shelf.max === undefined
                  ? words.tile.change
                  : words.tile.more
            }
            value=""
            options={offered.map(candidate => ({ value: candidate.name, label: candidate.label }))}
            onChange={put}
          />
        )}
      </div>
      {items.map((item, i) => (
        <Chip
          key={`${fieldOf(item)}-${i}`}
          item={item}
          tile={tile}
          shelf={shelf}
          profiles={profiles}
          canRemove={canRemove}
          onRemove={() => set(items.filter((_, other) => other !== i))}
          onChange={(next, joins) => set(items.with(i, next), joins)}
        />
      ))}
    </div>
  );
}

interface ChipProps {
  readonly item: Item;
  readonly tile: Tile;
  readonly shelf: Shelf;
  readonly profiles: FieldProfiles;
  readonly canRemove: boolean;
  readonly onRemove: () => void;
  readonly onChange: (item: Item, joins?: string) => void;
}

function Chip({ item, tile, shelf, profiles, canRemove, onRemove, onChange }: ChipProps) {
  const name = fieldOf(item);
  const encoding = encodingOf(item);
  const field = profiles.of(name);
  const label = itemLabel(item, profiles.of);
  const look = `flex h-[26px] min-w-0 flex-1 items-center truncate rounded-control bg-accent-weak px-2 text-12 text-accent-text ${field || name === 'rows' ? '' : 'line-through'}`;
  return (
    <div className="flex items-center gap-1">
      {encoding ? (
        <Popover
          label={words.tile.options(label)}
          trigger={<span className="truncate">{label}</span>}
          triggerClassName={`${look} hover:opacity-80`}
          width="w-60"
        >
          <div className="flex flex-col gap-2.5">
            {isLayer(item) ? <LayerOptions layer={item} onChange={onChange} /> : null}
            {isMeasure(encoding) ? (
              <MeasureOptions
                encoding={encoding}
                field={field}
                tile={tile}
                onChange={(next, joins) => onChange(isLayer(item) ? { ...item, y: next } : next, joins)}
              />
            ) : (
              <FieldOptions
                encoding={encoding}
                field={field}
                tile={tile}
                channel={shelf.key}
                profiles={profiles}
                onChange={onChange}
              />
            )}
            {takesAxis(tile.kind, shelf.key) ? (
              <AxisOptions
                encoding={encoding}
                field={field}
                hasNumbers={tile.kind !== 'bar' || isMeasure(tile.y)}
                onChange={(next, joins) =>
                  onChange(isLayer(item) ? { ...item, y: next as MeasureEncoding } : next, joins)
                }
              />
            ) : null}
            {takesLegend(tile.kind, shelf.key) ? (
              <LegendOptions encoding={encoding} onChange={onChange} />
            ) : null}
          </div>
        </Popover>
      ) : (
        <span className={look}>{label}</span>
      )}
      {canRemove ? (
        <button
          type="button"
          aria-label={words.tile.remove(label)}
          onClick={onRemove}
          className="flex size-6 shrink-0 items-center justify-center rounded-control text-text-3 hover:bg-hover hover:text-text pointer-coarse:size-11"
        >
          <X size={13} aria-hidden />
        </button>
      ) : null}
    </div>
  );
}

/** The label of an item: its field, with the time unit or the aggregate. */
export function itemLabel(item: Item, of: (name: string) => FieldFacts | undefined): string {
  const encoding = encodingOf(item);
  const label = of(fieldOf(item))?.label ?? fieldOf(item);
  if (!encoding) return label;
  if (!isMeasure(encoding))
    return encoding.timeUnit ? `${label} · ${t.units[encoding.timeUnit] ?? encoding.timeUnit}` : label;
  if ('measure' in encoding) return label;
  return `${words.field.aggregates[encoding.aggregate]}${encoding.field === undefined ? '' : ` · ${label}`}`;
}
