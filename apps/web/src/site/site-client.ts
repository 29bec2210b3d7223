import type { DashboardState, OfflineComparison, Search } from '@belvedere/api';
import { filtersKey, stateFromSearch } from '@belvedere/api';
import { areasOnAxes } from '@belvedere/crossfilter';
import type { Box } from '@belvedere/query';
import { combinationsOf, filterAxis, framesIn, type OfflineParts } from '../offline/offline-client.ts';
import type { OfflineFilters } from '../offline/OfflineFilterPill.tsx';
import type { SiteDashboard } from './site-data.ts';

/** Fetches a dashboard's parts from the files beside its data. @param address of its data, absolute */
export function siteParts(data: SiteDashboard, address: string): OfflineParts {
  const fetched = new Map<string, Promise<Uint8Array>>();
  const bytesOf = (file: string | undefined): Promise<Uint8Array> => {
    if (file === undefined) return Promise.resolve(new Uint8Array());
    const found = fetched.get(file) ?? unpacked(new URL(file, address));
    fetched.set(file, found);
    // Asked for again, it is fetched again.
    found.catch(() => fetched.delete(file));
    return found;
  };
  const comparisonsIn = async (file: string | undefined) => {
    const bytes = await bytesOf(file);
    if (bytes.length === 0) return {};
    return JSON.parse(new TextDecoder().decode(bytes)) as Record<string, OfflineComparison>;
  };
  const partsIn = async (files: { readonly index: string; readonly comparisons?: string }) => {
    const [index, comparisons] = await Promise.all([bytesOf(files.index), comparisonsIn(files.comparisons)]);
    return { index, comparisons };
  };
  return {
    dashboard: data.dashboard,
    page: page => bytesOf(data.results[page]),
    index: tile => bytesOf(data.indexes[tile]?.file),
    comparisons: tile => comparisonsIn(data.comparisons[tile]),
    filter: async (fields, page) => {
      const key = filtersKey(fields);
      const files = Object.hasOwn(data.filters, key) ? data.filters[key]![page] : undefined;
      if (!files) return undefined;
      const [parts, cleared] = await Promise.all([
        partsIn(files),
        bytesOf(files.cleared ?? data.results[page]),
      ]);
      return { ...parts, cleared };
    },
    combinations: page => {
      const found = data.combinations[page];
      if (!found) return undefined;
      const { fields, defaults, selections } = found;
      return {
        fields,
        defaults,
        filter: async () => {
          const [parts, cleared] = await Promise.all([partsIn(found), bytesOf(found.cleared)]);
          return { ...parts, cleared };
        },
        selection: tile => {
          const files = Object.hasOwn(selections, tile) ? selections[tile] : undefined;
          return files && { fields: files.fields, parts: () => partsIn(files) };
        },
      };
    },
  };
}

async function unpacked(url: URL): Promise<Uint8Array> {
  const response = await fetch(url);
  if (!response.ok || !response.body) throw new Error(`${url.pathname}: ${response.status}`);
  const stream = response.body.pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** A state that an address asks for, as far as the site can show it. */
export interface SiteState {
  readonly state: DashboardState;
  /** Fields of filters in the address that cannot be applied. */
  readonly refused: readonly string[];
}

/** The filters whose results were computed for the site, alone and together. */
export function siteFilters({ filters }: SiteDashboard, parts: OfflineParts): OfflineFilters {
  const { filter } = parts;
  return {
    fields: Object.keys(filters).filter(key => !key.includes(' ')),
    mayCombine: (fields, page) =>
      combinationsOf(parts, page, fields) !== undefined || Object.hasOwn(filters, filtersKey(fields)),
    maySelect: (tile, fields, page) => combinationsOf(parts, page, fields)?.selection(tile) !== undefined,
    axis: async (field, page) => {
      const found = await filter?.([field], page);
      return found && (await filterAxis(found));
    },
  };
}

/**
 * Reads the state of an address. A filter that was not computed becomes a selection on a tile along its field: the
 * other tiles show the same.
 */
export async function siteState(
  search: Search,
  parts: OfflineParts,
  indexes: SiteDashboard['indexes'],
): Promise<SiteState> {
  const { dashboard, index, filter } = parts;
  const { state: requested } = stateFromSearch(search);
  const pages = dashboard.document!.pages;
  const page = Math.min(requested.page, pages.length - 1);
  const isThere = (tile: string) => pages.some(one => tile in one.tiles);
  const selection = Object.entries(requested.selections).find(([tile]) => isThere(tile));
  const state = { page, filters: {}, selections: selection ? Object.fromEntries([selection]) : {} };
  const refused = Object.keys(requested.filters);
  if (refused.length === 0) return { state, refused };
  const combinations = combinationsOf(parts, page, refused);
  const isTogether = selection ? combinations?.selection(selection[0]) : combinations;
  if (isTogether || (!selection && (await filter?.(refused, page))))
    return { state: { ...state, filters: requested.filters }, refused: [] };
  const [field] = refused;
  const condition = field === undefined ? undefined : requested.filters[field];
  if (selection || refused.length !== 1 || field === undefined || !condition) return { state, refused };
  const box: Box = { [field]: condition };
  for (const tile of Object.keys(pages[page]!.tiles)) {
    const { fields } = indexes[tile] ?? {};
    if (fields?.length !== 1 || fields[0] !== field) continue;
    const frames = await Array.fromAsync(framesIn(await index(tile)));
    const isExact = frames.every(
      ({ header }) =>
        header.kind !== 'index' || areasOnAxes(header.brush, [box], header.unbound) !== undefined,
    );
    if (isExact) return { state: { ...state, selections: { [tile]: [box] } }, refused: [] };
  }
  return { state, refused };
}
