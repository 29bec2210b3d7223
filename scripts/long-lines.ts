// Writes scripts/long-lines.json: run `node scripts/long-lines.ts` after shortening lines or renaming files.
// Refuses if the total has grown.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const listFile = path.join(import.meta.dirname, 'long-lines.json');

/**
 * Maximum length of a source line, in characters. The formatter wraps code at 110, but not comments or texts.
 */
export const longestLine = 140;

/** Returns the number of lines longer than `longestLine` per source file, omitting files without any. */
export function countLongLines(): Record<string, number> {
  const counts: [string, number][] = [];
  for (const file of sourceFiles()) {
    const lines = readFileSync(path.join(root, file), 'utf8').split('\n');
    const count = lines.filter(line => line.length > longestLine).length;
    if (count > 0) counts.push([file, count]);
  }
  return Object.fromEntries(counts);
}

/** Returns the counts that are currently allowed. */
export function allowedLongLines(): Record<string, number> {
  return JSON.parse(readFileSync(listFile, 'utf8')) as Record<string, number>;
}

function sourceFiles(): string[] {
  const patterns = ['*.ts', '*.tsx', '*.mjs', '*.js', '*.css'];
  const { stdout } = spawnSync('git', ['ls-files', '-co', '--exclude-standard', ...patterns], {
    cwd: root,
    encoding: 'utf8',
  });
  const files = [...new Set(stdout.split('\n'))].filter(file => file && existsSync(path.join(root, file)));
  return files.toSorted();
}

function sum(counts: Record<string, number>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}

if (process.argv[1] === import.meta.filename) {
  const counts = countLongLines();
  const before = existsSync(listFile) ? sum(allowedLongLines()) : Infinity;
  if (sum(counts) > before) {
    console.error(`There are ${sum(counts)} lines over ${longestLine} characters, ${before} before.`);
    process.exit(1);
  }
  writeFileSync(listFile, `${JSON.stringify(counts, null, 2)}\n`);
}
