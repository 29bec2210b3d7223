import type { EventNote } from '@belvedere/api';
import type { DashboardFile } from '@belvedere/document';
import type { Caller } from '../access/caller.ts';
import { aboutLines } from '../exports/about-lines.ts';
import type { ExportWriter } from '../exports/formats/export-writer.ts';
import {
  collectOfflineParts,
  collectWorkspaceAssets,
  type OfflineParts,
} from '../exports/offline/offline-parts.ts';
import { publishedDashboard } from '../presenters/published-dashboard.ts';
import type { QueryService } from '../queries/query-service.ts';
import { drawThumbnail } from '../queries/tiles/draw-thumbnail.ts';
import { openForExport } from '../routes/dashboards/exports.ts';
import type { Workspace, WorkspaceDashboard } from '../workspace/workspace.ts';
import { packed, PageFiles, SizeLimit } from './page-files.ts';
import { publishFilters } from './page-filters.ts';
import { inputsOf } from './page-inputs.ts';
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
  const files = new PageFiles();
  const results = parts.pages.map(bytes => files.add('results', 'bin', packed(bytes)));
  const indexes = Object.fromEntries(
    Array.from(parts.indexes, ([tile, { bytes, fields }]) => [
      tile,
      { file: files.add('index', 'bin', packed(bytes)), fields },
    ]),
  );
  const comparisons = Object.fromEntries(
    Array.from(parts.comparisons).flatMap(([tile, of]) => {
      if (Object.keys(of).length === 0) return [];
      const content = packed(Buffer.from(JSON.stringify(of)));
      sizes.add(tile, content.length);
      return [[tile, files.add('comparison', 'bin', content)]];
    }),
  );
  const { dashboard: shown, placeholders } = publishedDashboard({
    ...opened,
    document: opened.document as DashboardFile,
  });
  const pictures = { light: await picture('light'), dark: await picture('dark') };
  // Previews of links are larger than thumbnails on Home.
  const preview = site.url === undefined ? undefined : await picture('light', true);
  const { filters, combinations } = hasFilters
    ? await publishFilters({ context, brokenTiles: opened.brokenTiles, files, sizes })
    : { filters: {}, combinations: [] };
  const about = (await aboutLines(context, context.dashboard.title, locale)).slice(2, -1);
  const data = files.add(
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
  files.contents.set(
    `${folder}index.html`,
    siteHtml(site, {
      folder,
      title,
      description,
      picture: preview,
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
  const { bytes } = files;
  sizes.check(bytes);
  const group = shown.folder;
  return {
    id: dashboard.id,
    title,
    description,
    group,
    folder,
    pictures,
    files: files.contents,
    bytes,
    inputs,
    failed: parts.failed,
  };

  async function picture(theme: 'light' | 'dark', hasTitles = false): Promise<string> {
    const { context: drawn } = await openForExport({ ...opening, isOffline: false }, services);
    const svg = await drawThumbnail(drawn, theme, opening.locale, root, { hasTitles });
    const png = await writer.write({ kind: 'png', svg, scale: 1, fonts: [] }, new AbortController().signal);
    return `assets/${files.add('picture', 'png', png)}`;
  }
}

function renamed<T>(
  found: Readonly<Record<string, T>>,
  placeholders: ReadonlyMap<string, string>,
): Record<string, T> {
  return Object.fromEntries(Object.entries(found).map(([file, one]) => [placeholders.get(file) ?? '', one]));
}
