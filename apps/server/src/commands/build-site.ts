import { owner } from '../access/caller.ts';
import { ExportWriter } from '../exports/formats/export-writer.ts';
import { ProblemError, problemFrom } from '../http/problems.ts';
import { dashboardContext, tilesOnPage } from '../queries/dashboard-query-context.ts';
import { queryContextOf } from '../queries/query-context.ts';
import type { QueryService } from '../queries/query-service.ts';
import { queryTile } from '../queries/tiles/query-tile.ts';
import { localeOf } from '../routes/dashboards/exports.ts';
import { buildDashboardPage, type BuiltPage } from '../site/dashboard-page.ts';
import { pagesBefore, recordPages } from '../site/pages-before.ts';
import { publicReader, refuseProtected } from '../site/public-reader.ts';
import { readSiteAssets } from '../site/site-assets.ts';
import { siteFolder, writeSiteFolder } from '../site/site-folder.ts';
import { encoded, escaped, linksFrom, notFoundHtml, siteHtml, type Site } from '../site/site-html.ts';
import type { ResolvedWorkspace } from '../workspace/resolve-workspace.ts';
import type { WorkspaceStore } from '../workspace/workspace-store.ts';
import { modelsNamed, type Workspace, type WorkspaceDashboard } from '../workspace/workspace.ts';
import { notFound } from './not-found.ts';
import { notesIn } from './render-dashboard.ts';
import { refuseUnconfirmed } from './unconfirmed-sources.ts';
import type { Progress } from './progress.ts';
import { withWorkspace } from './with-workspace.ts';

export interface SiteRequest {
  readonly out: string;
  /** IDs of dashboards; by default all saved ones, or the overviews if none is saved. */
  readonly dashboards?: readonly string[];
  /** A user of `tests/`, whose rows are published. */
  readonly as?: string;
  readonly title?: string;
  readonly locale?: string;
  readonly base?: string;
  readonly url?: string;
  /** Whether readers can set filters; the data outside of their defaults is then published, too. */
  readonly hasFilters: boolean;
  /** Largest size of a page with its data. */
  readonly maxBytes: number;
  readonly pagesFolder: string;
}

interface SitePageResult {
  readonly dashboard: string;
  /** Its folder in the site. */
  readonly path: string;
  readonly bytes: number;
  readonly isKept: boolean;
  /** False for a page whose definition and data are those of the build before. */
  readonly isQueried: boolean;
}

export interface SiteResult {
  readonly folder: string;
  readonly pages: readonly SitePageResult[];
  /** Of the whole site, with what pages share. */
  readonly bytes: number;
}

/**
 * Writes dashboards as a folder of static pages, which any web server can serve.
 * @throws ProblemError before anything is replaced, if a dashboard has errors or may not be published
 */
export async function buildSite(
  location: ResolvedWorkspace,
  request: SiteRequest,
  onProgress: (progress: Progress) => void = () => {},
): Promise<SiteResult> {
  const folder = await siteFolder(request.out, [location.root, location.data]);
  const models = ({ dashboards }: Workspace) => {
    const found = request.dashboards?.map(id => dashboards.get(id));
    return found?.every(one => one?.document && one.state !== 'importing')
      ? found.flatMap(one => modelsNamed(one!.document!))
      : undefined;
  };
  return withWorkspace(location, { models, onProgress, isRepeatable: true }, async ({ store, queries }) => {
    const { current } = store;
    const dashboards = chosenDashboards(current, request.dashboards);
    refuseUnconfirmed(
      current,
      dashboards.flatMap(({ id, document }) =>
        document ? modelsNamed(document) : [id.replace(/^overview\//, '')],
      ),
    );
    refuseBroken(dashboards);
    const caller = publicReader(current, request.as);
    if (request.as === undefined) refuseProtected(dashboards, current);
    const site: Site = {
      title: request.title ?? current.settings.title ?? 'Dashboards',
      locale: localeOf(request.locale, current.settings.locale),
      base: request.base,
      url: request.url,
      assets: await readSiteAssets(request.pagesFolder),
    };
    const writer = new ExportWriter();
    const pages: BuiltPage[] = [];
    const { state } = store.folders;
    const before = await pagesBefore(state, folder);
    const unqueried = new Set<string>();
    for (const [done, dashboard] of dashboards.entries()) {
      onProgress({ kind: 'building', done, of: dashboards.length });
      pages.push(
        await buildDashboardPage({
          site,
          caller,
          dashboard,
          workspace: current,
          queries,
          notes: await notesIn(location, store.documents.dashboards.get(dashboard.id)?.file),
          root: store.folders.root,
          writer,
          hasFilters: request.hasFilters,
          maxBytes: request.maxBytes,
          before: async (id, inputs) => {
            const page = await before(id, inputs);
            if (page) unqueried.add(id);
            return page;
          },
        }),
      );
    }
    await refuseFailed(pages, store, queries);
    const files = siteFiles(site, pages);
    const kept = await writeSiteFolder(folder, files);
    await recordPages(state, folder, pages);
    return {
      folder,
      pages: pages.map(({ id, folder: path, bytes, files: own }) => ({
        dashboard: id,
        path,
        bytes,
        isQueried: !unqueried.has(id),
        isKept: [...own.keys()].every(file => kept.has(file)),
      })),
      bytes: [...files.values()].reduce((sum, content) => sum + Buffer.byteLength(content), 0),
    };
  });
}

/** @throws ProblemError for an unknown dashboard, or if there are none */
function chosenDashboards(
  { dashboards }: Workspace,
  wanted: readonly string[] | undefined,
): WorkspaceDashboard[] {
  const byId = (a: WorkspaceDashboard, b: WorkspaceDashboard) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
  if (wanted) {
    const found = [...new Set(wanted)].map(id => {
      const dashboard = dashboards.get(id);
      if (!dashboard) throw notFound('dashboard', id, [...dashboards.keys()]);
      return dashboard;
    });
    return found.toSorted(byId);
  }
  const all = [...dashboards.values()].toSorted(byId);
  const saved = all.filter(({ origin }) => origin === 'saved');
  if (all.length === 0) throw new ProblemError('not-found', 'There are no dashboards to publish.');
  return saved.length > 0 ? saved : all;
}

/** @throws ProblemError with the errors of all dashboards as file:line:column */
function refuseBroken(dashboards: readonly WorkspaceDashboard[]): void {
  const problems = dashboards.flatMap(dashboard => dashboard.problems);
  if (problems.length > 0)
    throw new ProblemError(
      'document-invalid',
      problems.map(({ file, line, column, message }) => `${file}:${line}:${column}: ${message}`).join('\n'),
    );
  const unready = dashboards.find(({ document, state }) => !document || state !== 'ready');
  if (unready)
    throw new ProblemError(
      'document-invalid',
      `\`${unready.id}\` cannot be published: its data could not be imported. \`belvedere check\` prints the reason.`,
    );
}

/** @throws ProblemError for tiles whose queries failed, as file:line:column */
async function refuseFailed(
  pages: readonly BuiltPage[],
  { current, documents }: WorkspaceStore,
  queries: QueryService,
): Promise<void> {
  const lines: string[] = [];
  for (const { id, failed } of pages)
    for (const { page, tile, message } of failed) {
      const document = documents.dashboards.get(id);
      const at = document?.read.ok ? document.read.locate(['pages', page, 'tiles', tile]) : undefined;
      const place = document && at ? `${document.file}:${at.line}:${at.column}` : id;
      lines.push(`${place}: \`${tile}\`: ${(await ownersMessage(id, page, tile)) ?? message}`);
    }
  if (lines.length > 0) throw new ProblemError('document-invalid', lines.join('\n'));

  /** The message without what is kept from viewers; undefined where the query fails for viewers alone. */
  async function ownersMessage(id: string, page: number, tile: string): Promise<string | undefined> {
    const dashboard = current.dashboards.get(id);
    const queryContext = queryContextOf(current, dashboard?.document, owner);
    const context = dashboardContext(dashboard, { page, filters: {}, selections: {} }, queryContext, queries);
    const spec = tilesOnPage(context).find(([one]) => one === tile)?.[1];
    return (
      spec &&
      queryTile(context, tile, spec, 'both').then(
        () => undefined,
        (error: unknown) => problemFrom(error).detail,
      )
    );
  }
}

function siteFiles(site: Site, pages: readonly BuiltPage[]): Map<string, Uint8Array | string> {
  const { title, locale, url } = site;
  const link = linksFrom(site, '');
  const files = new Map<string, Uint8Array | string>(site.assets.files);
  for (const page of pages) for (const [file, content] of page.files) files.set(file, content);
  files.set(
    'index.html',
    siteHtml(site, {
      folder: '',
      title,
      picture: pages[0]?.pictures.light,
      data: {
        kind: 'home',
        site: title,
        locale,
        dashboards: pages.map(({ title: name, description, group, folder, pictures }) => ({
          title: name,
          ...(description !== undefined && { description }),
          folder: group,
          address: link(folder),
          pictures: { light: link(pictures.light), dark: link(pictures.dark) },
        })),
      },
      plain: `<ul>\n${pages.map(page => `<li><a href="${link(page.folder)}">${escaped(page.title)}</a></li>`).join('\n')}\n</ul>`,
    }),
  );
  files.set('404.html', notFoundHtml(site));
  // GitHub Pages leaves out some files without it.
  files.set('.nojekyll', '');
  if (url !== undefined) {
    const addresses = ['', ...pages.map(({ folder }) => folder)].map(
      folder => `<url><loc>${(url + encoded(folder)).replaceAll('&', '&amp;')}</loc></url>`,
    );
    files.set(
      'sitemap.xml',
      [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
        ...addresses,
        '</urlset>\n',
      ].join('\n'),
    );
    files.set('robots.txt', `User-agent: *\nAllow: /\nSitemap: ${url}sitemap.xml\n`);
  }
  return files;
}
