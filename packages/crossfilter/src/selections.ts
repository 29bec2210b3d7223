import type { DashboardFile } from '@belvedere/document';
import type { Model } from '@belvedere/model';
import { allOf, anyOf, everything, filterOn, type Box, type Clock, type Filter } from '@belvedere/query';

/** The selection of each tile: rows in any of its boxes. A tile without a selection is absent. */
export type Selections = Readonly<Record<string, readonly Box[]>>;

export const nothingSelected: Selections = {};

/** Replaces the tile's selection by `boxes`. Without boxes the tile has no selection. */
export function select(selections: Selections, tile: string, boxes: readonly Box[]): Selections {
  const { [tile]: _, ...others } = selections;
  return boxes.length === 0 ? others : { ...others, [tile]: boxes };
}

/** Adds a box, or removes it when it is selected already (a second Shift-click). */
export function toggle(selections: Selections, tile: string, box: Box): Selections {
  const boxes = selections[tile] ?? [];
  const without = boxes.filter(other => !isSameBox(other, box));
  return select(selections, tile, without.length < boxes.length ? without : [...boxes, box]);
}

export function clear(selections: Selections, tile?: string): Selections {
  return tile === undefined ? nothingSelected : select(selections, tile, []);
}

/** Whether two boxes have the same conditions, regardless of the order of their fields. */
export function isSameBox(a: Box, b: Box): boolean {
  const fields = Object.keys(a);
  return (
    fields.length === Object.keys(b).length &&
    fields.every(
      field =>
        Object.hasOwn(b, field) &&
        (a[field] === b[field] || JSON.stringify(a[field]) === JSON.stringify(b[field])),
    )
  );
}

/** For each tile that does not listen to all others, the tiles whose selections bind it. */
export type SelectionScope = Readonly<Record<string, readonly string[]>>;

export function listeningIn(dashboard: Pick<DashboardFile, 'pages'> | undefined): SelectionScope {
  const tiles = (dashboard?.pages ?? []).flatMap(page => Object.entries(page.tiles));
  const isSource = (id: string) => tiles.find(([other]) => other === id)?.[1].selects !== false;
  const sources = tiles.map(([id]) => id).filter(isSource);
  return Object.fromEntries(
    tiles.flatMap(([id, { listens }]) =>
      listens === undefined && sources.length === tiles.length
        ? []
        : [[id, listens === undefined ? sources : (listens || []).filter(isSource)] as const],
    ),
  );
}

export function listensTo(listening: SelectionScope, tile: string, other: string): boolean {
  return tile !== other && (!Object.hasOwn(listening, tile) || listening[tile]!.includes(other));
}

/** The selections that bind one tile: those of the tiles it listens to, and never its own. */
export function selectionsFor(selections: Selections, tile: string, listening: SelectionScope): Selections {
  return Object.fromEntries(
    Object.entries(selections).filter(([other]) => listensTo(listening, tile, other)),
  );
}

/**
 * Converts selections to a filter on a model. A box on a field that the model lacks does not bind there;
 * `notApplied` then lists the field.
 */
export function selectionFilter(
  selections: Selections,
  model: Model,
  clock: Clock,
): { readonly filter: Filter; readonly notApplied: readonly string[] } {
  const notApplied = new Set<string>();
  const filters = Object.values(selections).map(boxes => {
    const filtered = boxes.map(box => {
      const conditions = Object.entries(box).map(
        ([field, condition]) => [field, filterOn(model, field, condition, clock)] as const,
      );
      for (const [field, filter] of conditions) if (!filter) notApplied.add(field);
      return allOf(conditions.flatMap(([, filter]) => filter ?? []));
    });
    return filtered.some(filter => filter.kind === 'everything') ? everything : anyOf(filtered);
  });
  return { filter: allOf(filters), notApplied: [...notApplied] };
}
