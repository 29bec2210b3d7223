import { filtersKey, type NamedAxis } from '@belvedere/api';
import { collectCombinations } from '../exports/offline/offline-combinations.ts';
import { changeableFilters, collectOfflineFilter, filterPairs } from '../exports/offline/offline-filters.ts';
import type { DashboardContext } from '../queries/dashboard-query-context.ts';
import { packed, PageFiles, SizeLimit } from './page-files.ts';

/** A page whose filters can be set, and the files that show it under them. */
interface FilteredPage {
  readonly context: DashboardContext;
  readonly brokenTiles: Parameters<typeof collectCombinations>[3];
  readonly files: PageFiles;
  readonly sizes: SizeLimit;
}

/** Largest size of what filters show together, or beside a selection. It is fetched once it is needed. */
const maxTogetherBytes = 2 * 2 ** 20;

/**
 * The files of each filter, of all of them together on each page, and of pairs that are not among these. Filters
 * that do not fit are left out, and shown as fixed; combinations that do not cannot be set.
 */
export async function publishFilters(page: FilteredPage): Promise<{
  readonly filters: Record<string, readonly Record<string, string>[]>;
  readonly combinations: readonly (object | null)[];
}> {
  const { context, brokenTiles } = page;
  const found: Record<string, readonly Record<string, string>[]> = {};
  const fields = changeableFilters(context);
  const axes: NamedAxis[][] = context.dashboard.pages.map(() => []);
  const publish = async (of: readonly [string] | readonly [string, string], maxBytes = Infinity) => {
    const pages = await collectOfflineFilter(context, of, brokenTiles);
    const files = pages && published(page, pages.map(packedParts), maxBytes);
    if (!files) return;
    found[filtersKey(of)] = files;
    if (of.length === 1) for (const [i, one] of pages.entries()) axes[i]!.push(...one.axes);
  };
  for (const field of fields) await publish([field]);
  // One after the other, since each takes from the room that is left.
  const together: Awaited<ReturnType<typeof publishCombinations>>[] = [];
  for (const [i, of] of axes.entries()) together.push(await publishCombinations(page, i, of));
  const isTogether = (pair: readonly string[]) =>
    together.every(one => one && pair.every(field => one.fields.includes(field)));
  const offered = fields.filter(field => filtersKey([field]) in found);
  for (const pair of filterPairs(offered)) if (!isTogether(pair)) await publish(pair, maxTogetherBytes);
  return { filters: found, combinations: together };
}

async function publishCombinations(
  page: FilteredPage,
  pageIndex: number,
  axes: readonly NamedAxis[],
): Promise<{ readonly fields: readonly string[] } | null> {
  const { context, brokenTiles } = page;
  const found = await collectCombinations(context, pageIndex, axes, brokenTiles);
  const [files] = (found && published(page, [packedParts(found)], maxTogetherBytes)) ?? [];
  if (!found || !files) return null;
  const selections: Record<string, object> = {};
  for await (const { tile, fields, ...parts } of found.selections()) {
    const [of] = published(page, [packedParts(parts)], maxTogetherBytes) ?? [];
    if (of) selections[tile] = { ...of, fields };
  }
  return { fields: found.fields, defaults: found.defaults, ...files, selections } as {
    readonly fields: readonly string[];
  };
}

/** @returns the names of the files of each page; undefined if there is no room for them */
function published(
  { files, sizes }: FilteredPage,
  pages: readonly Readonly<Record<string, Uint8Array>>[],
  maxBytes: number,
): Record<string, string>[] | undefined {
  const size = pages.flatMap(one => Object.values(one)).reduce((sum, { length }) => sum + length, 0);
  if (size > maxBytes || !sizes.hasRoomFor(size)) return undefined;
  sizes.take(size);
  return pages.map(one =>
    Object.fromEntries(Object.entries(one).map(([name, content]) => [name, files.add(name, 'bin', content)])),
  );
}

/** The parts of what a page shows under filters, each compressed. */
function packedParts({
  cleared,
  index,
  comparisons,
}: {
  readonly cleared?: Uint8Array;
  readonly index: Uint8Array;
  readonly comparisons: object;
}): Record<string, Uint8Array> {
  return {
    index: packed(index),
    ...(cleared && { cleared: packed(cleared) }),
    ...(Object.keys(comparisons).length > 0 && {
      comparisons: packed(Buffer.from(JSON.stringify(comparisons))),
    }),
  };
}
