import { createHash } from 'node:crypto';
import type { SiteAssets } from './site-assets.ts';

/** What all pages of a site have in common. */
export interface Site {
  readonly title: string;
  readonly locale: string;
  /** The path of the site on its server, `/dashboards/`; without it, links are relative. */
  readonly base?: string | undefined;
  /** The public address of the site, with a slash at its end. */
  readonly url?: string | undefined;
  readonly assets: SiteAssets;
}

export interface SiteHtmlPage {
  /** Its folder in the site, with a slash at its end; empty for Home. */
  readonly folder: string;
  readonly title: string;
  readonly description?: string | undefined;
  /** A picture for previews of links, by its path in the site. */
  readonly picture?: string | undefined;
  /** Files that its script fetches first. */
  readonly preloaded?: readonly string[];
  /** For the page's script. */
  readonly data: unknown;
  /** For browsers without scripts, and for search engines. */
  readonly plain: string;
}

/** The theme before the first paint: as chosen on this site before, or the system's. */
const themeScript =
  "try{var c=localStorage.getItem('belvedere-theme')}catch(e){}" +
  "document.documentElement.dataset.theme=c==='light'||c==='dark'?c:" +
  "matchMedia('(prefers-color-scheme: dark)').matches?'dark':'light'";

const policy = [
  "default-src 'none'",
  `script-src 'self' '${hashOf(themeScript)}'`,
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** Returns the HTML of a page of a site. */
export function siteHtml(site: Site, page: SiteHtmlPage): string {
  const { assets, locale, title, url } = site;
  const at = linksFrom(site, page.folder);
  const fullTitle = page.title === title ? title : `${page.title} · ${title}`;
  const tags = [
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    `<title>${escaped(fullTitle)}</title>`,
    ...(page.description ? [`<meta name="description" content="${escaped(page.description)}">`] : []),
    '<meta property="og:type" content="website">',
    `<meta property="og:title" content="${escaped(page.title)}">`,
    `<meta property="og:site_name" content="${escaped(title)}">`,
    ...(page.description ? [`<meta property="og:description" content="${escaped(page.description)}">`] : []),
    ...(url === undefined
      ? []
      : [
          `<link rel="canonical" href="${escaped(url + encoded(page.folder))}">`,
          `<meta property="og:url" content="${escaped(url + encoded(page.folder))}">`,
          ...(page.picture === undefined
            ? []
            : [
                `<meta property="og:image" content="${escaped(url + page.picture)}">`,
                '<meta name="twitter:card" content="summary_large_image">',
              ]),
        ]),
    // Without this element, React Aria inserts a style, which the policy forbids. Its rules are in `theme.css`.
    '<meta id="react-aria-pressable-style">',
    `<link rel="icon" type="image/svg+xml" href="${at(assets.icon)}">`,
    `<script>${themeScript}</script>`,
    `<script src="${at(assets.oldBrowserScript)}"></script>`,
    ...(assets.font === undefined
      ? []
      : [`<link rel="preload" as="font" type="font/woff2" crossorigin href="${at(assets.font)}">`]),
    ...assets.styles.map(file => `<link rel="stylesheet" href="${at(file)}">`),
    ...assets.imports.map(file => `<link rel="modulepreload" href="${at(file)}">`),
    ...(page.preloaded ?? []).map(file => `<link rel="preload" as="fetch" crossorigin href="${at(file)}">`),
    `<script type="module" src="${at(assets.script)}"></script>`,
  ];
  const data = JSON.stringify(page.data).replaceAll('<', '\\u003c');
  return `<!doctype html>
<html lang="${escaped(locale.slice(0, 2))}" data-theme="light" data-locale="${escaped(locale)}">
<head>
${tags.join('\n')}
</head>
<body class="bg-canvas">
<div id="root"></div>
<noscript>
<h1>${escaped(page.title)}</h1>
${page.plain}
</noscript>
<script type="application/json" id="belvedere-site">${data}</script>
</body>
</html>
`;
}

const notFoundTexts: Readonly<Record<string, readonly [title: string, text: string, home: string]>> = {
  en: ['Page not found', 'This page does not exist, or it is no longer published.', 'All dashboards'],
  de: [
    'Seite nicht gefunden',
    'Diese Seite gibt es nicht, oder sie wird nicht mehr veröffentlicht.',
    'Alle Dashboards',
  ],
  zh: ['页面未找到', '此页面不存在，或已不再发布。', '所有仪表板'],
};

/** Servers send this page for any address, so it refers to no other file but Home. */
export function notFoundHtml({ locale, title, base, url }: Site): string {
  const [heading, text, home] = notFoundTexts[locale.slice(0, 2)] ?? notFoundTexts['en']!;
  const style =
    ':root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:40em;margin:4em auto;padding:0 1em}';
  return `<!doctype html>
<html lang="${escaped(locale.slice(0, 2))}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src '${hashOf(style)}'; base-uri 'none'; form-action 'none'">
<meta name="robots" content="noindex">
<title>${escaped(`${heading} · ${title}`)}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${heading}</h1>
<p>${text}</p>
<p><a href="${escaped(base ?? (url === undefined ? '/' : new URL(url).pathname))}">${home}</a></p>
</main>
</body>
</html>
`;
}

/** Returns how a page of a folder links to a path of the site. */
export function linksFrom({ base }: Pick<Site, 'base'>, folder: string): (path: string) => string {
  const root = base ?? ('../'.repeat(folder.split('/').length - 1) || './');
  return path => escaped(root + encoded(path));
}

/** A path of the site as part of an address. */
export function encoded(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}

export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`);
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
