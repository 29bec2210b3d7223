import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '..');
const site = mkdtempSync(path.join(tmpdir(), 'belvedere-docs-'));
const pages = () =>
  readdirSync(site, { recursive: true, encoding: 'utf8' }).filter(file => file.endsWith('.html'));

beforeAll(() => {
  const vitepress = path.join(root, 'node_modules', 'vitepress', 'bin', 'vitepress.js');
  const build = spawnSync(process.execPath, [vitepress, 'build', 'docs', '--outDir', site], {
    cwd: root,
    encoding: 'utf8',
    // Vitest sets NODE_ENV to `test`, for which Vue's server build lacks a bundle.
    env: { ...process.env, NODE_ENV: 'production' },
  });
  expect(build.status, build.stdout + build.stderr).toBe(0);
});

afterAll(() => rmSync(site, { recursive: true, force: true }));

test('the site has a page of every Markdown file', () => {
  const docs = readdirSync(path.join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.md'))
    .map(file => file.replace(/README\.md$/, 'index.md').replace(/\.md$/, '.html'));
  expect(pages().toSorted()).toEqual([...docs, '404.html'].toSorted());
});

test('every link, anchor and picture of the site resolves to a file of it', () => {
  const anchors = new Map(
    pages().map(page => [
      path.join(site, page),
      new Set([...readFileSync(path.join(site, page), 'utf8').matchAll(/\sid="([^"]+)"/g)].map(id => id[1]!)),
    ]),
  );
  const dead = pages().flatMap(page => {
    const html = readFileSync(path.join(site, page), 'utf8');
    return [...html.matchAll(/<(?:a|img|script|link)\b[^>]*?\s(?:href|src)="([^"]+)"/g)]
      .map(match => match[1]!.replaceAll('&amp;', '&'))
      .filter(href => !/^(https?:|mailto:|data:)/.test(href))
      .filter(href => !leadsSomewhere(href, page, anchors))
      .map(href => `${page}: ${href}`);
  });
  expect([...new Set(dead)]).toEqual([]);
});

test('the sidebar has every page of the guide', () => {
  const home = readFileSync(path.join(site, 'index.html'), 'utf8');
  const guide = readdirSync(path.join(root, 'docs', 'guide')).filter(file => file.endsWith('.md'));
  const missing = guide.filter(file => !home.includes(`href="/guide/${file.replace(/\.md$/, '.html')}"`));
  expect(missing).toEqual([]);
});

test('search finds a page by its words', () => {
  const chunks = readdirSync(path.join(site, 'assets', 'chunks'));
  const index = chunks.find(file => file.startsWith('@localSearchIndex'));
  expect(readFileSync(path.join(site, 'assets', 'chunks', index!), 'utf8')).toContain('Connect a database');
});

function leadsSomewhere(href: string, page: string, anchors: ReadonlyMap<string, Set<string>>): boolean {
  const [address, anchor] = decodeURIComponent(href).split('#') as [string, string?];
  let file = address.startsWith('/')
    ? path.join(site, address)
    : path.resolve(site, path.dirname(page), address);
  if (address === '') file = path.join(site, page);
  if (existsSync(file) && statSync(file).isDirectory()) file = path.join(file, 'index.html');
  return existsSync(file) && (!anchor || !anchors.has(file) || anchors.get(file)!.has(anchor));
}
