import type { ModelSummary } from '@belvedere/api';
import type { Tile } from '@belvedere/document';
import { isTemporal, type DataType } from '@belvedere/model';
import { canBreakOut, canDrill, type Adjustment, type Box, type FieldFilter } from '@belvedere/query';
import type { MenuEntry } from '@belvedere/ui';
import { FilterX, Layers, ListFilter, Rows3, ZoomIn } from 'lucide-react';
import { t } from '../../../messages/messages.ts';

export const icon = { size: 15, 'aria-hidden': true } as const;

/** A tile, and the actions that change it or the filters of its dashboard. */
export interface TileAdjustments {
  readonly tile: Tile;
  readonly model: ModelSummary | undefined;
  readonly adjustment: Adjustment | undefined;
  readonly onAdjust: (adjustment: Adjustment | undefined) => void;
  readonly onFilters: (filters: Readonly<Record<string, FieldFilter>>) => void;
  readonly onRows: () => void;
}

/** The actions on a mark. */
export function markEntries(mark: Box, actions: TileAdjustments): readonly MenuEntry[] {
  const words = t.tile.mark;
  const excluded = exclusionOf(mark);
  return present(
    {
      id: 'keep',
      label: words.keepOnly,
      icon: <ListFilter {...icon} />,
      onAction: () => actions.onFilters(mark),
    },
    excluded && {
      id: 'exclude',
      label: words.exclude,
      icon: <FilterX {...icon} />,
      onAction: () => actions.onFilters(excluded),
    },
    drillEntry(mark, actions),
    breakDownEntry(actions),
    { id: 'rows', label: words.rows, icon: <Rows3 {...icon} />, onAction: actions.onRows },
  );
}

/** The entries that apply, in their order. */
export function present(...entries: readonly (MenuEntry | false | undefined)[]): MenuEntry[] {
  return entries.filter(entry => entry !== undefined && entry !== false);
}

/** Changes part of how a tile is shown. */
export function adjustWith({ adjustment, onAdjust }: TileAdjustments, change: Partial<Adjustment>): void {
  onAdjust({ ...adjustment, ...change });
}

/** Finds the type of a model's field. */
export function typesIn(model: ModelSummary | undefined): (field: string) => DataType | undefined {
  return field => model?.dimensions.find(dimension => dimension.name === field)?.type as DataType | undefined;
}

export function drillEntry(box: Box, actions: TileAdjustments): MenuEntry | undefined {
  const { tile, model, adjustment } = actions;
  if (!canDrill(tile, typesIn(model), model?.hierarchies)) return undefined;
  return {
    id: 'drill',
    label: t.tile.open,
    icon: <ZoomIn {...icon} />,
    onAction: () => adjustWith(actions, { drill: [...(adjustment?.drill ?? []), box] }),
  };
}

/** The fields that a chart can be broken down by. */
export function breakDownEntry(actions: TileAdjustments): MenuEntry | undefined {
  const { tile, model, adjustment } = actions;
  if (!canBreakOut(tile)) return undefined;
  const entries = (model?.dimensions ?? [])
    .filter(
      dimension =>
        !dimension.isHidden &&
        ['text', 'boolean'].includes(dimension.type) &&
        !isTemporal(dimension.type as DataType),
    )
    .slice(0, 40)
    .map(dimension => ({
      id: `by-${dimension.name}`,
      label: dimension.label,
      isChecked: adjustment?.color === dimension.name,
      onAction: () => adjustWith(actions, { color: dimension.name }),
    }));
  if (entries.length === 0) return undefined;
  return { id: 'break', label: t.tile.breakDown, icon: <Layers {...icon} />, entries };
}

/** The filter that excludes the values of a box. Undefined for a range, or for several fields. */
export function exclusionOf(box: Box): Readonly<Record<string, FieldFilter>> | undefined {
  if (Object.keys(box).length !== 1) return undefined;
  return Object.entries(box).flatMap(([field, condition]) =>
    'oneOf' in condition ? [{ [field]: { noneOf: [...condition.oneOf] } }] : [],
  )[0];
}
