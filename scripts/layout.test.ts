import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '..');

/** The line the packages stand in: what each may use of ours (docs/how-it-works/README.md). */
const mayUse: Record<string, readonly string[]> = {
  document: [],
  alert: ['document'],
  model: ['document'],
  query: ['document', 'model'],
  sql: ['document', 'model', 'query'],
  engine: ['document', 'model', 'query', 'sql'],
  crossfilter: ['document', 'model', 'query'],
  chart: ['document', 'model', 'query'],
  api: ['document', 'model', 'query'],
  ui: [],
  embed: [],
  server: ['document', 'alert', 'model', 'query', 'sql', 'engine', 'crossfilter', 'chart', 'api'],
  web: ['document', 'alert', 'model', 'query', 'crossfilter', 'chart', 'api', 'ui', 'embed'],
  cli: ['api', 'server'],
};
/** Libraries with one home each. */
const homes: Record<string, readonly string[]> = {
  '@duckdb/node-api': ['engine'],
  koffi: ['engine'],
  yaml: ['document'],
  fastify: ['server'],
  kysely: ['server'],
  croner: ['server'],
  'react-aria-components': ['ui'],
  '@internationalized/date': ['ui'],
  'iconv-lite': ['engine'],
  '@e965/xlsx': ['engine'],
  yauzl: ['engine'],
  // The engine reads archives of data; the server writes and reads backups.
  'modern-tar': ['engine', 'server'],
  // The engine queries sources; the server keeps its records in PostgreSQL.
  pg: ['engine', 'server'],
  'pg-cursor': ['engine'],
  mysql2: ['engine'],
  '@clickhouse/client': ['engine'],
  '@uwdata/flechette': ['api', 'engine'],
  '@noble/hashes': ['api'],
  '@dagrejs/dagre': ['web'],
  'd3-scale': ['chart'],
  'd3-color': ['chart'],
  'd3-interpolate': ['chart'],
  'd3-shape': ['chart'],
  'd3-geo': ['chart'],
  'd3-hierarchy': ['chart'],
  'd3-sankey': ['chart'],
  'topojson-client': ['chart'],
  'world-atlas': ['chart'],
  'us-atlas': ['chart'],
  pdfkit: ['server'],
  '@resvg/resvg-js': ['server'],
  'write-excel-file': ['server'],
  fflate: ['server'],
  'hyparquet-writer': ['server'],
  zustand: ['web'],
  '@codemirror/lang-sql': ['web'],
  'sql-formatter': ['web'],
  tinykeys: ['web'],
  chokidar: ['server'],
  'node-diff3': ['document'],
  commander: ['cli'],
  'string-width': ['server'],
  '@modelcontextprotocol/server': ['server'],
  ...Object.fromEntries(
    ['autocomplete', 'commands', 'lang-yaml', 'language', 'lint', 'merge', 'search', 'state', 'view'].map(
      part => [`@codemirror/${part}`, ['web']],
    ),
  ),
};
const folders = ['packages', 'apps'].flatMap(kind =>
  readdirSync(path.join(root, kind)).map(name => ({ name, folder: path.join(root, kind, name) })),
);
const files = folders.flatMap(({ name, folder }) =>
  sourceFiles(path.join(folder, 'src')).map(file => ({
    owner: name,
    file,
    text: readFileSync(file, 'utf8'),
  })),
);

test('every package and app has its position in the order of layers', () => {
  expect(folders.map(({ name }) => name).toSorted()).toEqual(Object.keys(mayUse).toSorted());
});

test.each(folders)('$name imports only from lower layers, through their index', ({ name }) => {
  const wrong = files
    .filter(({ owner }) => owner === name)
    .flatMap(({ file, text }) =>
      importsOf(text).map(specifier => ({ file: path.relative(root, file), specifier })),
    )
    .filter(({ specifier }) => {
      const ours = /^@belvedere\/([a-z]+)(\/.*)?$/.exec(specifier);
      if (ours)
        return !mayUse[name]!.includes(ours[1]!) || (ours[2] !== undefined && ours[2] !== '/theme.css');
      const library = specifier.startsWith('@')
        ? specifier.split('/').slice(0, 2).join('/')
        : specifier.split('/')[0]!;
      return homes[library] !== undefined && !homes[library].includes(name);
    });
  expect(wrong).toEqual([]);
});

test.each(folders)('$name imports only what its package.json names', ({ name, folder }) => {
  const manifest = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as {
    dependencies?: object;
    devDependencies?: object;
  };
  const declared = new Set([
    ...Object.keys(manifest.dependencies ?? {}),
    ...Object.keys(manifest.devDependencies ?? {}).map(name => name.replace(/^@types\//, '')),
    'vitest',
    'fast-check',
  ]);
  const used = new Set(
    files
      .filter(({ owner }) => owner === name)
      .flatMap(({ text }) => importsOf(text))
      .filter(specifier => !specifier.startsWith('.') && !specifier.startsWith('node:'))
      .map(specifier =>
        specifier.startsWith('@') ? specifier.split('/').slice(0, 2).join('/') : specifier.split('/')[0]!,
      ),
  );
  expect([...used].filter(library => !declared.has(library))).toEqual([]);
});

test('every package and app is type-checked without Node, without a DOM, or without both', () => {
  const checkedBy = (config: string) => {
    const text = readFileSync(path.join(root, `tsconfig.${config}.json`), 'utf8');
    return [...text.matchAll(/"(?:packages|apps)\/(\w+)\/src"/g)].map(([, name]) => name!);
  };
  const [browser, server] = [checkedBy('browser'), checkedBy('server')];
  expect(new Set([...browser, ...server])).toEqual(new Set(Object.keys(mayUse)));
  const both = browser.filter(name => server.includes(name));
  expect(both.toSorted()).toEqual(['alert', 'api', 'chart', 'crossfilter', 'document', 'model', 'query']);
  // Whatever a package uses is checked in the same ways.
  for (const names of [browser, server])
    for (const name of names) expect(names).toEqual(expect.arrayContaining([...mayUse[name]!]));
});

describe('files', () => {
  test('have no cyclic imports', () => {
    const graph = new Map(
      files.map(({ file, text }) => [
        file,
        importsOf(text)
          .filter(specifier => specifier.startsWith('.'))
          .map(specifier => path.resolve(path.dirname(file), specifier)),
      ]),
    );
    expect(cycleIn(graph)?.map(file => path.relative(root, file))).toBeUndefined();
  });

  test('are in no catch-all folders', () => {
    const drawers = files.filter(({ file }) =>
      /(^|\/)(utils?|helpers?|common|misc|shared|types)(\/|\.tsx?$)/.test(path.relative(root, file)),
    );
    expect(drawers.map(({ file }) => file)).toEqual([]);
  });

  test('named index.ts exist only at the root of a package', () => {
    const inner = files.filter(
      ({ file }) => path.basename(file) === 'index.ts' && path.basename(path.dirname(file)) !== 'src',
    );
    expect(inner.map(({ file }) => file)).toEqual([]);
  });

  test('of the page import no values from files of endpoints, which would load Zod with the first page', () => {
    const endpoints = files.filter(({ file }) => file.includes('/api/src/endpoints/'));
    const values = new Set(
      endpoints.flatMap(({ text }) =>
        [...text.matchAll(/^export (?:const|function) (\w+)/gm)].map(([, name]) => name!),
      ),
    );
    expect(values.size).toBeGreaterThan(50);
    const imported = files
      .filter(({ owner, file }) => owner === 'web' && !file.endsWith('.test.ts'))
      .flatMap(({ file, text }) =>
        [...text.matchAll(/^import \{([^}]*)\} from '@belvedere\/api'/gm)].flatMap(([, names]) =>
          names!
            .split(',')
            .map(name => name.trim())
            .filter(name => values.has(name))
            .map(name => `${path.relative(root, file)}: ${name}`),
        ),
      );
    expect(imported).toEqual([]);
  });

  test('of packages for the browser need neither Node nor a DOM to decide what is drawn', () => {
    const pure = files.filter(
      ({ owner, file }) =>
        ['document', 'model', 'query', 'crossfilter', 'chart', 'api'].includes(owner) &&
        !file.endsWith('.test.ts'),
    );
    expect(
      pure
        .filter(({ text }) => /from 'node:|\bdocument\.(create|getElement|query)|\bwindow\./.test(text))
        .map(({ file }) => file),
    ).toEqual([]);
  });
});

test('package-lock.json is complete: with every optional dependency, without registry URLs', () => {
  const lock = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { optionalDependencies?: object; resolved?: string }>;
  };
  const missing = Object.entries(lock.packages).flatMap(([key, entry]) =>
    Object.keys(entry.optionalDependencies ?? {}).filter(
      name =>
        !lookedUp(key, name).some(folder => lock.packages[folder]) &&
        /darwin|linux|win32|freebsd|android/.test(name),
    ),
  );
  expect(missing).toEqual([]);
  expect(Object.values(lock.packages).filter(entry => entry.resolved?.startsWith('http'))).toEqual([]);
});

test('every dependency is pinned to one version', () => {
  const loose = [root, ...folders.map(({ folder }) => folder), path.join(root, 'samples')].flatMap(folder => {
    const manifest = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as {
      dependencies?: Record<string, string>;
      devDependencies?: Record<string, string>;
    };
    return Object.entries({ ...manifest.dependencies, ...manifest.devDependencies }).filter(
      ([, version]) => !/^\d/.test(version),
    );
  });
  expect(loose).toEqual([]);
});

function importsOf(text: string): string[] {
  return [
    ...text.matchAll(/(?:import|export)[^'";]*?from '([^']+)'|import '([^']+)'|import\('([^']+)'\)/g),
  ].map(match => (match[1] ?? match[2] ?? match[3])!);
}

function sourceFiles(folder: string): string[] {
  return readdirSync(folder).flatMap(name => {
    const file = path.join(folder, name);
    return statSync(file).isDirectory()
      ? sourceFiles(file)
      : /\.tsx?$/.test(name) && !name.endsWith('.d.ts')
        ? [file]
        : [];
  });
}

function cycleIn(graph: ReadonlyMap<string, readonly string[]>): string[] | undefined {
  const done = new Set<string>();
  const visit = (file: string, trail: readonly string[]): string[] | undefined => {
    if (trail.includes(file)) return [...trail.slice(trail.indexOf(file)), file];
    if (done.has(file)) return undefined;
    for (const next of graph.get(file) ?? []) {
      const cycle = visit(next, [...trail, file]);
      if (cycle) return cycle;
    }
    done.add(file);
    return undefined;
  };
  for (const file of graph.keys()) {
    const cycle = visit(file, []);
    if (cycle) return cycle;
  }
  return undefined;
}

/** Where Node looks for a package that the one at `key` imports: below it, then below each folder above. */
function lookedUp(key: string, name: string): string[] {
  const parts = `${key}/`.split(/(?=node_modules\/)/);
  return [...parts.keys()]
    .map(count => parts.slice(0, parts.length - count).join(''))
    .concat('')
    .map(folder => `${folder}node_modules/${name}`);
}
