import type { EventNote } from '@belvedere/api';
import type { DashboardFile } from '@belvedere/document';
import { gzipSync } from 'node:zlib';
import type { Caller } from '../access/caller.ts';
import { aboutLines } from '../exports/about-lines.ts';
import type { ExportWriter } from '../exports/formats/export-writer.ts';
import { changeableFilters, collectOfflineFilter, filterPairs } from '../exports/offline/offline-filters.ts';
import {
  collectOfflineParts,
  collectWorkspaceAssets,
  type OfflineParts,
} from '../exports/offline/offline-parts.ts';
import { ProblemError } from '../problems.ts';
import { drawThumbnail } from '../queries/tiles/draw-thumbnail.ts';
import type { QueryService } from '../queries/query-service.ts';
import { openForExport } from '../routes/dashboards/exports.ts';
import type { Workspace, WorkspaceDashboard } from '../workspace/workspace.ts';
import { publishedDashboard } from '../presenters/published-dashboard.ts';
import { filtersKey } from '@belvedere/api';
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
  const { dashboard: published, placeholders } = publishedDashboard({
    ...opened,
    document: opened.document as DashboardFile,
  });
  const pictures = { light: await picture('light'), dark: await picture('dark') };
  const filters = hasFilters ? await publishedFilters() : {};
  const about = (await aboutLines(context, context.dashboard.title, locale)).slice(2, -1);
  const data = add(
    'dashboard',
    'json',
    JSON.stringify({
      dashboard: published,
      about,
      results,
      indexes,
      comparisons,
      filters,
      images: renamed(images, placeholders),
      maps: renamed(maps, placeholders),
    }),
  );
  const folder = `d/${dashboard.id}/`;
  const { title, description } = published;
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
  const group = published.folder;
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
   * The files of each filter, and of pairs of them, by their fields and page. Filters that do not fit are left out,
   * and shown as fixed; pairs that do not are set one at a time.
   */
  async function publishedFilters(): Promise<Record<string, readonly Record<string, string>[]>> {
    const found: Record<string, readonly Record<string, string>[]> = {};
    const fields = changeableFilters(context);
    const publish = async (of: readonly [string] | readonly [string, string], most = Infinity) => {
      const pages = await collectOfflineFilter(context, of, opened.brokenTiles);
      const contents = pages?.map(({ cleared, index, comparisons: compared }) => ({
        index: packed(index),
        ...(cleared && { cleared: packed(cleared) }),
        ...(Object.keys(compared).length > 0 && {
          comparisons: packed(Buffer.from(JSON.stringify(compared))),
        }),
      }));
      const size = (contents ?? [])
        .flatMap(one => Object.values(one))
        .reduce((sum, content) => sum + content.length, 0);
      if (!contents || size > most || !sizes.hasRoomFor(size)) return;
      sizes.take(size);
      found[filtersKey(of)] = contents.map(one =>
        Object.fromEntries(Object.entries(one).map(([name, content]) => [name, add(name, 'bin', content)])),
      );
    };
    for (const field of fields) await publish([field]);
    const isFound = (field: string) => filtersKey([field]) in found;
    for (const pair of filterPairs(fields.filter(isFound))) await publish(pair, maxPairBytes);
    return found;
  }

  async function picture(theme: 'light' | 'dark'): Promise<string> {
    const { context: drawn } = await openForExport({ ...opening, isOffline: false }, services);
    const svg = await drawThumbnail(drawn, theme, root);
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
/** Largest size of what two filters show together. It is fetched once both are set. */
const maxPairBytes = 2 * 2 ** 20;

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
