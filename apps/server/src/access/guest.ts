import type { GuestView } from '@belvedere/api';
import type { DashboardFile } from '@belvedere/document';
import type { FieldFilter } from '@belvedere/query';
import { createHash } from 'node:crypto';
import { ProblemError } from '../http/problems.ts';
import type { WorkspaceDashboard } from '../workspace/workspace.ts';

/** A caller without an account, who sees one dashboard as far as a public link or a signed token shows it. */
export interface Guest {
  /** The dashboard's ID. */
  readonly dashboard: string;
  readonly view: GuestView;
  /** The only tile that is shown; all of them if absent. */
  readonly tile?: string;
  /** Whether a condition of the view that a tile's model has no field for hides the tile. */
  readonly isStrict?: true;
  /** How many rows of a table an export may have, if the user who made the link has a limit. */
  readonly exportRows?: number;
  /** Names this opening of the link, whose requests are limited by themselves. */
  readonly opening: string;
}

/**
 * Returns a dashboard as its guests have it: with the pages and filters of their link, and without ways to
 * other dashboards. Its revision differs from the dashboard's own and from that of other links, since results
 * are cached by it.
 */
export function guestDashboard(
  dashboard: WorkspaceDashboard,
  { view, tile }: Pick<Guest, 'view' | 'tile'>,
): WorkspaceDashboard {
  const { document, translations, ...rest } = dashboard;
  const digest = createHash('sha256')
    .update(JSON.stringify([view, tile]))
    .digest('hex')
    .slice(0, 16);
  const shown = document?.pages.flatMap((page, i) =>
    (view.pages === undefined || view.pages.includes(page.title)) &&
    (tile === undefined || Object.hasOwn(page.tiles, tile))
      ? [i]
      : [],
  );
  const own = (one: DashboardFile) => guestDocument(one, shown ?? [], view, tile);
  return {
    ...rest,
    // Without any of its pages there is nothing left to see.
    ...(document && shown && shown.length > 0 && { document: own(document) }),
    ...(translations && {
      translations: new Map([...translations].map(([language, one]) => [language, own(one)] as const)),
    }),
    revision: `${dashboard.revision} ${digest}`,
  };
}

function guestDocument(
  document: DashboardFile,
  shown: readonly number[],
  view: GuestView,
  only: string | undefined,
): DashboardFile {
  const { filters } = document;
  return {
    ...document,
    ...(filters && {
      filters: filters.map(filter => {
        const rule = Object.hasOwn(view.filters, filter.field) ? view.filters[filter.field] : undefined;
        if (rule === undefined) return { ...filter, locked: true };
        if (rule.change === 'any') return filter;
        const { default: _, ...others } = filter;
        return {
          ...others,
          ...(rule.value !== null && { default: rule.value }),
          locked: filter.locked === true || rule.change === 'no',
        };
      }),
    }),
    pages: shown.flatMap(i => {
      const page = document.pages[i];
      if (!page) return [];
      const tiles = Object.entries(page.tiles)
        .filter(([id]) => only === undefined || id === only)
        .map(([id, { opens: _, ...tile }]) => [id, tile]);
      return { ...page, tiles: Object.fromEntries(tiles) as typeof page.tiles };
    }),
  };
}

/**
 * The conditions that apply to a guest, whatever else they filter by: the limits of filters that they may
 * change, and the fixed values of fields that the dashboard has no filter for.
 *
 * @param offered the dashboard's filters, where a fixed value is the filter's own
 */
export function guestConditions(
  guest: Guest | undefined,
  offered: readonly { readonly field: string }[],
): readonly (readonly [string, FieldFilter])[] {
  return Object.entries(guest?.view.filters ?? {}).flatMap(([field, rule]) => {
    if (rule.change === 'any' || rule.value === null) return [];
    const isFilters = rule.change === 'no' && offered.some(one => one.field === field);
    return isFilters ? [] : [[field, rule.value] as const];
  });
}

/**
 * @param notApplied fields of conditions for which a model has no field
 * @throws ProblemError if a guest must not see its rows without them
 */
export function requireApplied(guest: Guest | undefined, notApplied: ReadonlySet<string>): void {
  if (!guest?.isStrict) return;
  const isMissing = Object.entries(guest.view.filters).some(
    ([field, { change }]) => change !== 'any' && notApplied.has(field),
  );
  if (isMissing) throw new ProblemError('not-allowed', 'You don’t have permission to view this tile.');
}
