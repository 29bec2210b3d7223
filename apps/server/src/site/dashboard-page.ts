import { filtersKey, type EventNote, type NamedAxis } from '@belvedere/api';
import type { DashboardFile } from '@belvedere/document';
import { gzipSync } from 'node:zlib';
import type { Caller } from '../access/caller.ts';
import { aboutLines } from '../exports/about-lines.ts';
import type { ExportWriter } from '../exports/formats/export-writer.ts';
import { collectCombinations } from '../exports/offline/offline-combinations.ts';
import { changeableFilters, collectOfflineFilter, filterPairs } from '../exports/offline/offline-filters.ts';
import {
  collectOfflineParts,
  collectWorkspaceAssets,
  type OfflineParts,
} from '../exports/offline/offline-parts.ts';
import { ProblemError } from '../http/problems.ts';
import { drawThumbnail } from '../queries/tiles/draw-thumbnail.ts';
import type { QueryService } from '../queries/query-service.ts';
import { openForExport } from '../routes/dashboards/exports.ts';
import type { Workspace, WorkspaceDashboard } from '../workspace/workspace.ts';
import { publishedDashboard } from '../presenters/published-dashboard.ts';
import { inputsOf } from './page-inputs.ts';
import { hashedName } from './site-assets.ts';
import { escaped, linksFrom, siteHtml, type Site } from './site-html.ts';

export interface BuiltPage {
  readonly id: string;
  readonly title: string;
  readonly description: string | undefined;
  /** The folder of its dashboard among the others, for Home. */
  readonly group: string;
  /** Its folder in the site, with a slash at its end. */
  readonly folder: string;
  readonly pictures: { readonly light: string; readonly dark: string };
  /** Its own files: those that pages share are not among them. */
  readonly files: ReadonlyMap<string, Uint8Array | string>;
  readonly bytes: number;
  /** A hash of all that it was made of; undefined if that can change unseen. */
  readonly inputs: string | undefined;
  readonly failed: OfflineParts['failed'];
}

interface PageRequest {
  readonly site: Site;
  readonly caller: Caller;
  readonly dashboard: WorkspaceDashboard;
  readonly workspace: Workspace;
  readonly queries: QueryService;
  readonly notes: readonly EventNote[];
  readonly root: string;
  readonly writer: ExportWriter;
  /** Whether its filters can be set. */
  readonly hasFilters: boolean;
  /** Largest size of the page with its data. */
  readonly maxBytes: number;
  /** Finds the page as an earlier build made it of the same inputs. */
  readonly before: (id: string, inputs: string) => Promise<BuiltPage | undefined>;
}

/**
 * Queries a dashboard and writes its page of a site.
 * @throws ProblemError `request-invalid` if it is larger than `maxBytes`, with the name of the largest tile
 */
export async function buildDashboardPage(request: PageRequest): Promise<BuiltPage> {
  const { site, caller, dashboard, workspace, queries, notes, root, writer, hasFilters, maxBytes } = request;
  const { locale } = site;
  const opening = {
    caller,
    dashboard,
    state: { page: 0, filters: {}, selections: {} },
    workspace,
    language: locale.slice(0, 2),
    locale,
  };
  const services = { queries, notesOf: async () => notes };
  const { context, opened } = await openForExport({ ...opening, isOffline: true }, services);
  const { images, maps } = await collectWorkspaceAssets(context, root);
  const inputs = inputsOf(context, opened, site, [
    images,
    maps,
    caller.rows,
    // Filters that do not fit are left out.
    hasFilters && maxBytes,
  ]);
  const before = inputs === undefined ? undefined : await request.before(dashboard.id, inputs);
  if (before && before.bytes <= maxBytes) return before;
  const sizes = new SizeLimit(dashboard.id, maxBytes);
  const parts = await collectOfflineParts(context, opened, {
    maxIndexBytes: Infinity,
    onBytes: (tile, bytes) => sizes.add(tile, packed(bytes).length),
  });
  sizes.check();
  const files = new Map<string, Uint8Array | string>();
  const add = (name: string, ending: string, content: Uint8Array | string) => {
    const file = hashedName(name, ending, content);
    files.set(file, content);
    return file.slice('assets/'.length);
  };
  const results = parts.pages.map(bytes => add('results', 'bin', packed(bytes)));
  const indexes = Object.fromEntries(
    Array.from(parts.indexes, ([tile, { bytes, fields }]) => [
      tile,
      { file: add('index', 'bin', packed(bytes)), fields },
    ]),
  );
  const comparisons = Object.fromEntries(
    Array.from(parts.comparisons).flatMap(([tile, of]) => {
      if (Object.keys(of).length === 0) return [];
      const content = packed(Buffer.from(JSON.stringify(of)));
      sizes.add(tile, content.length);
      return [[tile, add('comparison', 'bin', content)]];
    }),
  );
  const { dashboard: shown, placeholders } = publishedDashboard({
    ...opened,
    document: opened.document as DashboardFile,
  });
  const pictures = { light: await picture('light'), dark: await picture('dark') };
  const { filters, combinations } = hasFilters ? await publishedFilters() : { filters: {}, combinations: [] };
  const about = (await aboutLines(context, context.dashboard.title, locale)).slice(2, -1);
  const data = add(
    'dashboard',
    'json',
    JSON.stringify({
      dashboard: shown,
      about,
      results,
      indexes,
      comparisons,
      filters,
      combinations,
      images: renamed(images, placeholders),
      maps: renamed(maps, placeholders),
    }),
  );
  const folder = `d/${dashboard.id}/`;
  const { title, description } = shown;
  const link = linksFrom(site, folder);
  files.set(
    `${folder}index.html`,
    siteHtml(site, {
      folder,
      title,
      description,
      picture: pictures.light,
      preloaded: [data, ...results.slice(0, 1)].map(file => `assets/${file}`),
      data: {
        kind: 'dashboard',
        site: site.title,
        locale,
        root: link(''),
        dashboard: link(`assets/${data}`),
      },
      plain: `<p><a href="${link('')}">${escaped(site.title)}</a></p>`,
    }),
  );
  const bytes = [...files.values()].reduce((sum, content) => sum + Buffer.byteLength(content), 0);
  sizes.check(bytes);
  const group = shown.folder;
  return {
    id: dashboard.id,
    title,
    description,
    group,
    folder,
    pictures,
    files,
    bytes,
    inputs,
    failed: parts.failed,
  };

  /**
   * The files of each filter, of all of them together on each page, and of pairs that are not among these. Filters
   * that do not fit are left out, and shown as fixed; combinations that do not cannot be set.
   */
  async function publishedFilters(): Promise<{
    readonly filters: Record<string, readonly Record<string, string>[]>;
    readonly combinations: readonly (object | null)[];
  }> {
    const found: Record<string, readonly Record<string, string>[]> = {};
    const fields = changeableFilters(context);
    const axes: NamedAxis[][] = context.dashboard.pages.map(() => []);
    const publish = async (of: readonly [string] | readonly [string, string], most = Infinity) => {
      const pages = await collectOfflineFilter(context, of, opened.brokenTiles);
      const files = pages && published(pages.map(packedParts), most);
      if (!files) return;
      found[filtersKey(of)] = files;
      if (of.length === 1) for (const [page, one] of pages.entries()) axes[page]!.push(...one.axes);
    };
    for (const field of fields) await publish([field]);
    // One after the other, since each takes from the room that is left.
    const together: Awaited<ReturnType<typeof publishedCombinations>>[] = [];
    for (const [page, of] of axes.entries()) together.push(await publishedCombinations(page, of));
    const isTogether = (pair: readonly string[]) =>
      together.every(one => one && pair.every(field => one.fields.includes(field)));
    const offered = fields.filter(field => filtersKey([field]) in found);
    for (const pair of filterPairs(offered)) if (!isTogether(pair)) await publish(pair, maxTogetherBytes);
    return { filters: found, combinations: together };
  }

  async function publishedCombinations(
    page: number,
    axes: readonly NamedAxis[],
  ): Promise<{ readonly fields: readonly string[] } | null> {
    const found = await collectCombinations(context, page, axes, opened.brokenTiles);
    const [files] = (found && published([packedParts(found)], maxTogetherBytes)) ?? [];
    if (!found || !files) return null;
    const selections: Record<string, object> = {};
    for await (const { tile, fields, ...parts } of found.selections()) {
      const [of] = published([packedParts(parts)], maxTogetherBytes) ?? [];
      if (of) selections[tile] = { ...of, fields };
    }
    return { fields: found.fields, defaults: found.defaults, ...files, selections } as {
      readonly fields: readonly string[];
    };
  }

  /** @returns the names of the files of each page; undefined if there is no room for them */
  function published(
    pages: readonly Readonly<Record<string, Uint8Array>>[],
    most: number,
  ): Record<string, string>[] | undefined {
    const size = pages.flatMap(one => Object.values(one)).reduce((sum, { length }) => sum + length, 0);
    if (size > most || !sizes.hasRoomFor(size)) return undefined;
    sizes.take(size);
    return pages.map(one =>
      Object.fromEntries(Object.entries(one).map(([name, content]) => [name, add(name, 'bin', content)])),
    );
  }

  async function picture(theme: 'light' | 'dark'): Promise<string> {
    const { context: drawn } = await openForExport({ ...opening, isOffline: false }, services);
    const svg = await drawThumbnail(drawn, theme, opening.locale, root);
    const png = await writer.write({ kind: 'png', svg, scale: 1, fonts: [] }, new AbortController().signal);
    return `assets/${add('picture', 'png', png)}`;
  }
}

/**
 * Adds up what the tiles of a page take. All of them are measured before a page is refused, so that the largest is
 * named; only a page of several times the limit is given up while it is being made.
 */
class SizeLimit {
  readonly #dashboard: string;
  readonly #maxBytes: number;
  readonly #sizes = new Map<string, number>();
  #total = 0;

  constructor(dashboard: string, maxBytes: number) {
    this.#dashboard = dashboard;
    this.#maxBytes = maxBytes;
  }

  add(tile: string, bytes: number): void {
    this.#sizes.set(tile, (this.#sizes.get(tile) ?? 0) + bytes);
    this.#total += bytes;
    if (this.#total > this.#maxBytes * tolerated) this.check();
  }

  /** Whether a part that the page can do without leaves half of the room. */
  hasRoomFor(bytes: number): boolean {
    return bytes <= (this.#maxBytes - this.#total) / 2;
  }

  /** Counts a part that belongs to no tile. */
  take(bytes: number): void {
    this.#total += bytes;
  }

  /** @throws ProblemError */
  check(bytes = this.#total): void {
    if (bytes <= this.#maxBytes) return;
    const [largest, size] = [...this.#sizes].toSorted(([, a], [, b]) => b - a)[0] ?? ['', 0];
    throw new ProblemError(
      'request-invalid',
      `The page of \`${this.#dashboard}\` is larger than ${megabytes(this.#maxBytes)}. ` +
        `Its largest tile, \`${largest}\`, takes ${megabytes(size)}. ` +
        'Filter that tile, make its axes coarser, or raise --max-size.',
    );
  }
}

const tolerated = 8;
/** Largest size of what filters show together, or beside a selection. It is fetched once it is needed. */
const maxTogetherBytes = 2 * 2 ** 20;

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

function megabytes(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(bytes < 2 ** 20 ? 2 : 1)} MB`;
}

const packedBefore = new WeakMap<Uint8Array, Uint8Array>();

/** Compressed, since not every server compresses what it sends. */
function packed(bytes: Uint8Array): Uint8Array {
  const found = packedBefore.get(bytes) ?? gzipSync(bytes, { level: 9 });
  packedBefore.set(bytes, found);
  return found;
}

function renamed<T>(
  found: Readonly<Record<string, T>>,
  placeholders: ReadonlyMap<string, string>,
): Record<string, T> {
  return Object.fromEntries(Object.entries(found).map(([file, one]) => [placeholders.get(file) ?? '', one]));
}
