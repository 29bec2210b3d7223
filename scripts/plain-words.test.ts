import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { allowedLongLines, countLongLines, longestLine } from './long-lines.ts';

const root = path.resolve(import.meta.dirname, '..');

/** Words that readers stumble over, and the field's own words for the same thing. */
const words: readonly (readonly [RegExp, instead: string])[] = [
  [/\b(take|takes|taken|taking|took) (\w+ )?away\b/i, 'export, download'],
  [/\btakings\b/i, 'downloads'],
  [/\b(told when|is told|are told|tells of|pointed at)\b/i, 'tooltip, is shown'],
  [/\bone below the other\b|\bside by side\b/i, 'rows, columns'],
  [/\bas (it was |they were |it is )?made\b/i, 'default, reset'],
  [/\banew\b/i, 'again; *ask anew* is refresh'],
  [/\b(its|their|whose|the) course\b/i, 'time series, trend'],
  [/\b(in|into|from|to) the bin\b|\bput(s)? into the bin\b/i, 'trash'],
  [/\b(bring|brings|brought|bringing) (\w+ ){0,3}back\b/i, 'restore'],
  [/\b(call|calls|called|calling) (\w+ )?off\b/i, 'cancel'],
  [/\bmend(s|ed|ing)?\b/i, 'fix'],
  [/\b(a|its|their|our|the) faults?\b|\bfault of\b/i, 'error, bug'],
  [/\bnot here\b/i, 'not found'],
  [/\bkept from (you|them|those|whom|its|their|people|readers)\b/i, 'forbidden, hidden'],
  [/\bwhat happened\b/i, 'event note'],
  [/\bbelongings\b/i, 'preferences, saved views'],
  [/\b(whoever|whomever|somebody|somebody’s|nobody|anybody|everybody)\b/i, 'the user, the viewer, no user'],
  [/\b(look|looks|looked|looking) (more )?closely\b|\bwhole again\b/i, 'zoom in, reset zoom'],
  [/\bopen(s|ed|ing)? (a|the) mark\b|\bopened marks\b/i, 'drill down'],
  [/\btwins?\b/i, 'table view'],
  [/\bhow (it|they|a file) (is|was|were|are) read\b/i, 'import options'],
  [/\b(for|on) a wall\b/i, 'kiosk mode, presentation mode'],
  [/\bby (itself|themselves|himself) alone\b/i, 'automatically'],
  [/\bgives? way\b/i, 'makes room'],
  [/\bthat there (is|are) not\b/i, 'unknown, missing'],
  [/(^|[.!?] )(Who|What|Where) (is|was|has|comes|stands|does|cannot)\b/, 'a named subject'],
];

/** Where such a word is right. Each entry needs its reason. */
const allowed: readonly { file: string; text: string; because: string }[] = [
  {
    file: 'docs/decisions/0012-pack-charted-columns-for-exact-results.md',
    text: 'side by side',
    because: 'cells lie so in memory; no layout of charts is meant',
  },
];

/** Words of comments that say neither who nor what. */
const vague = /\b(whoever|whomever|somebody|anew)\b/i;

/** Beginnings of names whose terms are others now (docs/guide/glossary.md), in either case. */
const formerTerms =
  'asker asked told taking takings taken answers flight course courses twin belongings turns guess';
const formerNames = new RegExp(`^(${formerTerms.replaceAll(' ', '|')})([A-Z]|$)`);

const sources = execFileSync('git', ['ls-files', 'apps', 'packages', 'e2e', 'bench', 'scripts'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter(file => /\.tsx?$/.test(file) && existsSync(path.join(root, file)));

/** English texts of the interface, mails and alerts. */
const catalogues = sources.filter(file =>
  /messages\/(?:[a-z-]+\/)?en\.ts$|\/chart-messages\.ts$|\/texts-en\.ts$|\/message-texts\.ts$/.test(file),
);

const pages = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CODE_OF_CONDUCT.md'].concat(
  readdirSync(path.join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.md'))
    .map(file => path.join('docs', file)),
);

describe('plain words', () => {
  test('the documentation has none of the words of the list', () => {
    expect(pages.flatMap(page => found(page, prose(read(page))))).toEqual([]);
  });

  test('the English interface has none of the words of the list', () => {
    expect(catalogues.length).toBeGreaterThan(10);
    expect(catalogues.flatMap(file => found(file, texts(read(file))))).toEqual([]);
  });

  test('titles of tests have none of them, and begin with a named subject', () => {
    const titled = sources.filter(
      file => /\.test\.tsx?$/.test(file) && !file.startsWith('scripts/plain-words'),
    );
    expect(
      titled.flatMap(file => {
        const titles = titlesIn(read(file));
        const unnamed = titles.filter(title => /^(what|who|whom|whoever|where)\b/i.test(title));
        return [...found(file, titles), ...unnamed.map(title => `${file}: “${title}”: a named subject`)];
      }),
    ).toEqual([]);
  });

  test('comments name their subject', () => {
    const programs = sources.filter(file => /^(apps|packages)\//.test(file) && !/\.test\.tsx?$/.test(file));
    expect(
      programs.flatMap(file =>
        [...read(file).matchAll(/(?<=^|\s)\/\/[^\n]*|\/\*[\s\S]*?\*\//g)].flatMap(([comment]) =>
          vague.test(comment) ? [`${file}: ${comment.slice(0, 100)}`] : [],
        ),
      ),
    ).toEqual([]);
  });

  test('no export has a former name', () => {
    const exported = sources.flatMap(file =>
      [...read(file).matchAll(/^export (?:async )?(?:function\*?|const|class|interface|type) (\w+)/gm)].map(
        ([, name]) => ({ file, name: name! }),
      ),
    );
    expect(exported.length).toBeGreaterThan(2000);
    const former = exported.filter(({ name }) => formerNames.test(name[0]!.toLowerCase() + name.slice(1)));
    expect(former).toEqual([]);
  });

  test('every exception is still needed', () => {
    const unneeded = allowed.filter(({ file, text }) => !read(file).includes(text));
    expect(unneeded).toEqual([]);
  });

  test('the list finds its words in prose, and not in code', () => {
    expect(found('x.md', prose('Files are taken away.\n\n`taken away`\n\n```\nanew\n```\n'))).toEqual([
      'x.md:1: “taken away”: export, download',
    ]);
  });
});

test(`no file has more lines over ${longestLine} characters than long-lines.json allows`, () => {
  const current = countLongLines();
  const allowedCounts = allowedLongLines();
  const grown = Object.entries(current).filter(([file, count]) => count > (allowedCounts[file] ?? 0));
  expect(grown).toEqual([]);
  const shrunk = Object.keys(allowedCounts).filter(file => (current[file] ?? 0) < allowedCounts[file]!);
  expect(shrunk, 'Lower the counts: node scripts/long-lines.ts').toEqual([]);
});

function found(file: string, lines: readonly string[]): string[] {
  return lines.flatMap((line, index) =>
    words.flatMap(([word, instead]) => {
      const match = word.exec(line)?.[0];
      if (!match || allowed.some(entry => entry.file === file && entry.text === match)) return [];
      return [`${file}:${index + 1}: “${match}”: ${instead}`];
    }),
  );
}

/** The lines of a page without its code, which may have names that are published. */
function prose(text: string): string[] {
  const blank = (code: string) => code.replace(/[^\n]/g, ' ');
  return text
    .replace(/^```.*?^```/gms, blank)
    .replace(/`[^`\n]*`/g, blank)
    .split('\n');
}

/** The titles of a file's tests and groups of tests. */
function titlesIn(source: string): string[] {
  const title = /\b(?:test|describe)(?:\.\w+)*(?:\([^'"`]*?\))?\(\s*(['"`])((?:\\.|(?!\1)[\s\S])*?)\1/g;
  return [...source.matchAll(title)].map(match => match[2]!);
}

/** The lines of a module with its texts alone. */
function texts(source: string): string[] {
  const text = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g;
  return source.split('\n').map(line => [...line.matchAll(text)].map(match => match[0]).join(' '));
}

function read(file: string): string {
  return readFileSync(path.join(root, file), 'utf8');
}
