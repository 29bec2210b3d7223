// The documentation as a site: `npm run docs`. Pages stay readable as files, so links name files and folders
// begin with README.md.
import fs from 'node:fs';
import path from 'node:path';

const docs = path.resolve(import.meta.dirname, '..');
const root = path.dirname(docs);

/** Files outside of docs/ that pages link to, such as pictures of the gallery. The build copies them. */
const copied = new Set();

const section = (text, folder, pages) => ({
  text,
  items: pages.map(page => ({
    text: titleOf(`${folder}/${page}.md`),
    link: page === 'README' ? `/${folder}/` : `/${folder}/${page}`,
  })),
});

/** The guide's pages, in the order of the work: data, models, dashboards, use, automation. */
const guide = [
  'first-dashboard',
  'import',
  'databases',
  'scale',
  'models',
  'relationships',
  'expressions',
  'policies',
  'editing',
  'dashboards',
  'charts',
  'explore',
  'export',
  'publish',
  'command-line',
  'api',
  'assistants',
  'people',
  'sign-in',
  'two-factor',
  'proxies',
  'sharing',
  'links',
  'embed',
  'channels',
  'comments',
  'alerts',
  'reports',
  'access-tokens',
  'state-database',
  'backup',
  'live-data',
  'limits',
  'glossary',
];

export default {
  title: 'Belvedere',
  description: 'Linked, interactive dashboards over files and databases, kept as readable text',
  base: process.env['DOCS_BASE'] ?? '/',
  outDir: path.join(root, '.cache', 'docs'),
  cacheDir: path.join(root, '.cache', 'vitepress'),
  cleanUrls: false,
  ignoreDeadLinks: false,
  rewrites: { 'README.md': 'index.md', ':folder/README.md': ':folder/index.md' },
  markdown: { config: markdown => markdown.core.ruler.push('links-of-the-site', adaptLinks) },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    sidebar: [
      section('Guide', 'guide', guide),
      section('How it works', 'how-it-works', [
        'README',
        'permissions',
        'security',
        'security-inventory',
        'performance',
        'performance-log',
        'shown-by',
      ]),
      { text: 'Reference', items: [errorsAndDecisions('errors'), errorsAndDecisions('decisions')] },
    ],
  },
  buildEnd(site) {
    for (const file of copied) {
      const target = path.join(site.outDir, 'files', file);
      fs.mkdirSync(path.dirname(target), { recursive: true });
      fs.copyFileSync(path.join(root, file), target);
    }
  },
};

function errorsAndDecisions(folder) {
  return { text: titleOf(`${folder}/README.md`), link: `/${folder}/` };
}

function titleOf(page) {
  return fs.readFileSync(path.join(docs, page), 'utf8').split('\n', 1)[0].replace(/^# /, '');
}

/**
 * Points links to README.md at the folder's index and links out of docs/ at the copy of their file, and keeps
 * Vue from reading code.
 */
function adaptLinks({ tokens, env }) {
  for (const token of tokens.flatMap(block => block.children ?? [])) {
    if (token.type === 'code_inline') token.attrSet('v-pre', '');
    const href = token.type === 'link_open' ? token.attrGet('href') : null;
    if (!href || /^(\w+:|#|\/)/.test(href)) continue;
    const target = path.resolve(docs, path.dirname(env.relativePath), href.replace(/#.*/, ''));
    if (target.startsWith(docs + path.sep)) {
      token.attrSet('href', href.replace(/README\.md(?=#|$)/, 'index.md'));
    } else {
      const file = path.relative(root, target);
      if (!fs.statSync(target).isFile()) throw new Error(`${env.relativePath} links to the folder ${file}.`);
      copied.add(file);
      token.attrSet('href', `/files/${file}`);
      token.attrSet('target', '_self');
    }
  }
}
