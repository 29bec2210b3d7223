import { globSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { contract } from '@belvedere/api';
import { readDocument, TileFile } from '@belvedere/document';
import { functions } from '@belvedere/model';
import { expect, test } from 'vitest';
import { expressionsGuide } from './expressions-guide.ts';
import { permissionsPage } from './permissions-guide.ts';
import { problemTypes } from '@belvedere/api';

const docs = path.resolve(import.meta.dirname, '..', 'docs');
const read = (file: string) => readFileSync(path.join(docs, file), 'utf8');

test('every error code has its page, and every page its code', () => {
  const pages = readdirSync(path.join(docs, 'errors')).filter(page => page !== 'README.md');
  expect(pages.toSorted()).toEqual(
    Object.keys(problemTypes)
      .map(code => `${code}.md`)
      .toSorted(),
  );
  const listed = [...read('errors/README.md').matchAll(/^\| \[`([\w-]+)`\]\(([\w-]+\.md)\)/gm)];
  expect(listed.map(match => match[2])).toEqual(pages.toSorted());
  for (const page of pages) expect(read(`errors/${page}`)).toContain(`\n\n\`${page.slice(0, -3)}\``);
});

test('charts.md has a valid example of every tile kind', () => {
  const kinds = [...read('guide/charts.md').matchAll(/^```yaml\n(.*?)^```/gms)].flatMap(([, tiles]) => {
    const text = `version: 1\ntitle: Examples\nmodel: birdstrikes\npages:\n  - title: One\n    tiles:\n`;
    const document = readDocument('dashboard', text + tiles!.replaceAll(/^/gm, '      '), 'charts.md');
    if (!document.ok) expect(document.problems).toEqual([]);
    return [...tiles!.matchAll(/kind: (\w+)/g)].map(match => match[1]!);
  });
  expect(new Set(kinds)).toEqual(new Set(TileFile.options.map(tile => tile.shape.kind.value)));
});

test('the guide to expressions matches the table of functions', () => {
  expect(read('guide/expressions.md'), 'run `node scripts/expressions-guide.ts`').toBe(expressionsGuide());
  expect(read('guide/models.md')).toContain(`${Object.keys(functions).length} functions`);
});

test('the page of permissions matches the rules', () => {
  expect(read('how-it-works/permissions.md'), 'run `node scripts/permissions-guide.ts`').toBe(
    permissionsPage(),
  );
});

test('every link to a project file resolves', () => {
  const pages = [
    ...['README', 'CONTRIBUTING', 'SECURITY', 'CODE_OF_CONDUCT'].map(name => `../${name}.md`),
    ...readdirSync(docs, { recursive: true })
      .map(String)
      .filter(file => file.endsWith('.md')),
  ];
  const broken = pages.flatMap(page =>
    [...read(page).matchAll(/\]\(([^)#:]+)(#[^)]*)?\)/g)]
      .map(match => path.resolve(docs, path.dirname(page), match[1]!))
      .filter(target => !exists(target))
      .map(target => `${page}: ${target}`),
  );
  expect(broken).toEqual([]);
});

test('every file named in “How it works” exists', () => {
  const root = path.resolve(docs, '..');
  // As the page names them: `query/axis` for `packages/query/src/axis.ts`.
  const files = globSync(['apps/*/src/**', 'packages/*/src/**', 'scripts/*'], { cwd: root }).map(
    file => `/${file.replace(/^(?:packages|apps)\//, '').replace('/src/', '/')}`,
  );
  const named = [...read('how-it-works/README.md').matchAll(/`((?!apps\/)[a-z]+(?:[/-][a-z.-]+)+)`/g)];
  expect(named.length).toBeGreaterThan(20);
  const missing = named
    .map(match => match[1]!)
    .filter(name => !files.some(file => file.endsWith(`/${name}`) || file.includes(`/${name}.`)));
  expect(missing).toEqual([]);
});

test('every test named in shown-by.md exists', () => {
  const root = path.resolve(docs, '..');
  const tests = ['apps', 'packages', 'e2e', 'scripts'].flatMap(folder =>
    globSync(`${folder}/**/*.test.ts`, { cwd: root, exclude: name => name === 'node_modules' }),
  );
  const named = [...read('how-it-works/shown-by.md').matchAll(/`npm test -- ([^`]+)`/g)].flatMap(match =>
    match[1]!.split(' '),
  );
  expect(named.filter(name => !tests.some(test => test.includes(name)))).toEqual([]);
});

test('the paths in the API guide exist in the contract', () => {
  const named = [...read('guide/api.md').matchAll(/`POST (\/api\/[^` ]+)`/g)].map(match => match[1]!);
  const paths = Object.values(contract).map(endpoint => endpoint.path);
  expect(named.filter(name => !paths.includes(name as never))).toEqual([]);
});

function exists(file: string): boolean {
  try {
    readdirSync(path.dirname(file));
    return readdirSync(path.dirname(file)).includes(path.basename(file));
  } catch {
    return false;
  }
}
