import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { globSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { build, defineConfig, type Plugin } from 'vite';

const server = 'http://127.0.0.1:4600';

/** The oldest supported browsers, as Vite names them: `safari17.4`. */
const target = (
  JSON.parse(readFileSync(path.join(import.meta.dirname, '..', '..', 'package.json'), 'utf8')) as {
    browserslist: readonly string[];
  }
).browserslist.map(line => line.replace(' >= ', '').replace('ios_saf', 'ios'));

/**
 * Says so in browsers that are too old. It stands in each page, since such a browser may not run what comes
 * after it.
 */
const oldBrowserScript = readFileSync(
  path.join(import.meta.dirname, 'public', 'old-browser.js'),
  'utf8',
).replace(/^\/\/.*\n/gm, '');

/**
 * What every screen needs comes in a few files: each costs a kilobyte of headers and a turn of its own,
 * however small it is. What only some
 * dashboards or screens need stays apart, to be fetched by them.
 */
const late =
  /\/query\/src\/phrases\/|\/web\/src\/shell\/(CommandPalette|use-results|rank-results)\.tsx?$|\/chart\/src\/(pivot|data-table)\.ts$|\/marks\/(boxplot|calendar|candlestick|funnel|gauge|map|pie|radar|sankey|sunburst|treemap|tree|waterfall)\.ts$/;
/**
 * What only the editor needs of the packages that every screen uses: texts, their shapes and checks,
 * suggestions.
 */
const forEditing =
  /\/packages\/(document\/src\/(?!completion\/closest-name|labels|text-measures|measure-name|resolve-dashboard)|query\/src\/tiles\/(suggest-tile|convert-tile|label-limits|axis-of-field|field-facts)|model\/src\/(infer-|expression\/))/;
/** What one language alone has: it comes with its words. */
const ofLanguages = /\/packages\/api\/src\/problems-(de|zh)\.ts$/;
/**
 * What is imported when it is needed. Gathered with what every screen needs it would come with it, and so
 * would all that it needs.
 */
const whenNeeded = new Set(
  globSync(['src/**/*.{ts,tsx}', '../../packages/ui/src/*.tsx'], { cwd: import.meta.dirname })
    .map(file => path.join(import.meta.dirname, file))
    .flatMap(file =>
      Array.from(readFileSync(file, 'utf8').matchAll(/\bimport\('(\.[^']+)'\)/g), ([, to]) =>
        path.resolve(path.dirname(file), to!),
      ),
    ),
);
const together = [
  {
    name: 'ours',
    test: (id: string) =>
      /\/packages\/(document|model|query|crossfilter|api|chart)\/src\/|\/packages\/ui\/src\/(Button|Chip|lazy|Menu|Modal|Popover|Tabs)\.tsx|\/apps\/web\/src\/(messages\/(en|messages)|data\/|url\/|live\/|shell\/|uploads\/|screens\/ErrorScreens|dashboard\/)|\/lucide-react\/dist\/esm\/(?!icons\/)|\/lucide-react\/dist\/esm\/icons\/(chevron-(down|left|right)|arrow-(up|down)|search|bookmark|pencil)\./.test(
        id,
      ) &&
      !late.test(id) &&
      !forEditing.test(id) &&
      !ofLanguages.test(id) &&
      !whenNeeded.has(id) &&
      !id.endsWith('.json'),
  },
  {
    name: 'react',
    test: /\/node_modules\/(react|react-dom|scheduler|@tanstack|zustand|use-sync-external-store|@uwdata)\//,
  },
  // A table has boxes to tick in what it opens, and nothing else of a form.
  { name: 'checkbox', test: /\/packages\/ui\/src\/Checkbox\.tsx/ },
  {
    name: 'aria',
    test: (id: string) =>
      /\/node_modules\/(react-aria|react-aria-components|react-stately|@internationalized\/string)\//.test(
        id,
      ) && !/menu|calendar|date|listbox|gridlist|collection|selection|autocomplete|combobox/i.test(id),
  },
];

export default defineConfig({
  root: import.meta.dirname,
  plugins: [
    react(),
    tailwindcss(),
    oldBrowsers(),
    fontAhead(),
    shortened(),
    offlinePage(),
    sitePages(),
    embedScript(),
  ],
  // `ascii`, since a script with a letter beyond Latin takes two bytes a letter in a browser, all of it.
  build: {
    target,
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1200,
    rolldownOptions: { output: { charset: 'ascii', codeSplitting: { groups: together } } },
  },
  // `npm run dev`: what is not a page is asked of the server, in the server's own name, since it lets nobody
  // else in.
  server: {
    proxy: Object.fromEntries(
      ['/api', '/open', '/healthz'].map(route => [
        route,
        { target: server, changeOrigin: true, headers: { origin: server } },
      ]),
    ),
  },
});

/**
 * Browsers without modules may not know the hashes either by which the CSP allows a script in the page. They
 * fetch the same script.
 */
function oldBrowsers(): Plugin {
  return {
    name: 'old-browsers',
    transformIndexHtml: () => [
      { tag: 'script', children: oldBrowserScript, injectTo: 'head' },
      { tag: 'script', attrs: { nomodule: true, src: '/old-browser.js' }, injectTo: 'head' },
    ],
  };
}

/**
 * The font of every text comes with the style that names it: who waits for the first text lays the page out
 * twice, and draws its charts twice.
 */
function fontAhead(): Plugin {
  return {
    name: 'font-ahead',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (_, { bundle }) => {
        const font = Object.keys(bundle!).find(name =>
          /\/inter-latin-wght-normal-[\w-]+\.woff2$/.test(name),
        )!;
        return [
          {
            tag: 'link',
            attrs: { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: '', href: `/${font}` },
            injectTo: 'head',
          },
        ];
      },
    },
  };
}

/** Beside each text file its shorter forms, made once here, so that the server only has to send them. */
function shortened(): Plugin {
  return {
    name: 'shortened',
    apply: 'build',
    closeBundle() {
      const assets = path.join(import.meta.dirname, 'dist', 'assets');
      for (const name of readdirSync(assets).filter(file => /\.(js|css)$/.test(file))) {
        const text = readFileSync(path.join(assets, name));
        writeFileSync(path.join(assets, `${name}.br`), brotliCompressSync(text));
        writeFileSync(path.join(assets, `${name}.gz`), gzipSync(text, { level: 9 }));
      }
    },
  };
}

/**
 * The page that dashboards are taken away as: all of it in one script and one style sheet, fonts included, to
 * be put into a file.
 */
function offlinePage(): Plugin {
  return {
    name: 'offline-page',
    apply: 'build',
    async closeBundle() {
      await build({
        configFile: false,
        root: import.meta.dirname,
        logLevel: 'error',
        plugins: [react(), tailwindcss()],
        build: {
          target,
          outDir: path.join('dist', 'offline'),
          emptyOutDir: true,
          copyPublicDir: false,
          assetsInlineLimit: 10_000_000,
          cssCodeSplit: false,
          chunkSizeWarningLimit: 5000,
          rolldownOptions: {
            input: path.join(import.meta.dirname, 'src', 'offline', 'offline.tsx'),
            output: {
              format: 'iife',
              codeSplitting: false,
              entryFileNames: 'offline.js',
              assetFileNames: 'offline.[ext]',
            },
          },
        },
      });
    },
  };
}

/**
 * The pages of static sites (`belvedere build`): scripts, styles and fonts in files that refer to each other
 * relatively, and a list of them by which the server finds the first.
 */
function sitePages(): Plugin {
  return {
    name: 'site-pages',
    apply: 'build',
    async closeBundle() {
      await build({
        configFile: false,
        root: import.meta.dirname,
        base: './',
        logLevel: 'error',
        plugins: [react(), tailwindcss()],
        build: {
          target,
          outDir: path.join('dist', 'site'),
          emptyOutDir: true,
          copyPublicDir: false,
          assetsInlineLimit: 0,
          chunkSizeWarningLimit: 5000,
          manifest: 'manifest.json',
          modulePreload: { polyfill: false },
          rolldownOptions: {
            input: path.join(import.meta.dirname, 'src', 'site', 'site.tsx'),
            output: {
              charset: 'ascii',
              entryFileNames: '[name]-[hash].js',
              chunkFileNames: '[name]-[hash].js',
              assetFileNames: '[name]-[hash].[ext]',
            },
          },
        },
      });
    },
  };
}

/** The script with which other sites show dashboards: it defines `<belvedere-dashboard>`. */
function embedScript(): Plugin {
  return {
    name: 'embed-script',
    apply: 'build',
    async closeBundle() {
      await build({
        configFile: false,
        root: path.join(import.meta.dirname, '..', '..', 'packages', 'embed'),
        logLevel: 'error',
        build: {
          target,
          outDir: path.join(import.meta.dirname, 'dist'),
          emptyOutDir: false,
          copyPublicDir: false,
          rolldownOptions: {
            input: path.join(import.meta.dirname, '..', '..', 'packages', 'embed', 'src', 'element.ts'),
            output: { format: 'iife', codeSplitting: false, entryFileNames: 'embed.js' },
          },
        },
      });
    },
  };
}
