import { buildSite } from '@belvedere/server';
import { Command, InvalidArgumentError } from 'commander';
import {
  again,
  pathHelp,
  readLocale,
  wholeNumber,
  withStateUrl,
  withTrust,
  workspaceAt,
  type CommonOptions,
  type StateUrlOption,
  type TrustOption,
} from '../arguments.ts';
import { print, printProgress } from '../output.ts';
import { pagesFolder } from '../project.ts';

interface Options extends CommonOptions, TrustOption, StateUrlOption {
  readonly dashboard?: readonly string[];
  readonly as?: string;
  readonly title?: string;
  readonly locale?: string;
  readonly base?: string;
  readonly url?: string;
  readonly filters: boolean;
  readonly maxSize: number;
}

const megabyte = 2 ** 20;
/** Larger pages load slowly on a phone. */
const largePage = 5 * megabyte;

export const build = withStateUrl(withTrust(new Command('build')))
  .description('build a static site of dashboards, which any web server or GitHub Pages can serve')
  .argument('<out>', 'folder of the site; its earlier contents are replaced')
  .argument('[path]', pathHelp)
  .option(
    '-d, --dashboard <id>',
    'a dashboard to publish, repeatable; default: all saved dashboards, or the overviews if there are none',
    again,
  )
  .option('--as <person>', 'publish the rows of this user from `tests/`; needed for row policies')
  .option('--title <title>', 'title of the site; default: the title of the workspace')
  .option('--locale <tag>', 'locale for language and number formats: de-CH', readLocale)
  .option('--base <path>', 'path of the site on its server: /dashboards/; default: relative links', readBase)
  .option('--url <address>', 'public address of the site, for link previews and sitemap.xml', readUrl)
  .option('--no-filters', 'publish only what the filters of the dashboards let through, and keep them fixed')
  .option('--max-size <megabytes>', 'largest size of a page', wholeNumber(1, 2000), 50)
  .action(async (out: string, given: string | undefined, options: Options) => {
    const { dashboard, as, title, locale, base, url, filters, maxSize, trust = false, stateUrl } = options;
    const site = await buildSite(
      await workspaceAt(given, { trust, stateUrl }),
      {
        out,
        maxBytes: maxSize * megabyte,
        hasFilters: filters,
        pagesFolder,
        ...(dashboard && { dashboards: dashboard }),
        ...(as !== undefined && { as }),
        ...(title !== undefined && { title }),
        ...(locale !== undefined && { locale }),
        ...(base !== undefined && { base }),
        ...(url !== undefined && { url }),
      },
      printProgress(options),
    );
    const kept = site.pages.filter(({ isKept }) => isKept).length;
    const written = site.pages.length - kept;
    const warnings = site.pages
      .filter(({ bytes }) => bytes > largePage)
      .map(({ dashboard: id, bytes }) => `warning: \`${id}\` has ${size(bytes)} and loads slowly on phones.`);
    const width = Math.max(...site.pages.map(page => page.dashboard.length));
    await print(
      {
        lines: site.pages.map(
          ({ dashboard: id, bytes, isKept }) =>
            `${id.padEnd(width)}  ${size(bytes).padStart(8)}  ${isKept ? 'kept' : 'written'}`,
        ),
        json: { folder: site.folder, bytes: site.bytes, written, kept, pages: site.pages, warnings },
        note: [...warnings, `${written} written, ${kept} kept. ${size(site.bytes)} in ${site.folder}`].join(
          '\n',
        ),
      },
      options,
    );
  });

function size(bytes: number): string {
  return bytes < megabyte ? `${Math.ceil(bytes / 1024)} kB` : `${(bytes / megabyte).toFixed(1)} MB`;
}

function readBase(text: string): string {
  if (!/^\/([\w.~-]+\/)*$/.test(text))
    throw new InvalidArgumentError(
      'Expected a path that begins and ends with a slash, such as /dashboards/.',
    );
  return text;
}

function readUrl(text: string): string {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username || url.password)
    throw new InvalidArgumentError('Expected an address such as https://example.org/dashboards/.');
  return url.href.endsWith('/') ? url.href : `${url.href}/`;
}
