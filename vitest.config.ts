import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { defineConfig, type TestUserConfig } from 'vitest/config';
import { LongestFirst } from './scripts/longest-first.ts';

const engine = 'packages/engine/src/**/*.test.ts';
const databases = 'e2e/engines/**/*.test.ts';
const units = [
  'packages/*/src/**/*.test.ts',
  'apps/*/src/**/*.test.ts',
  'scripts/*.test.ts',
  'samples/*.test.ts',
];
/** Unit tests that replace a module, which would stay replaced for the next file of the same process. */
const mocks = globSync(units, { cwd: import.meta.dirname })
  .map(file => file.split(path.sep).join('/'))
  .filter(file => readFileSync(path.join(import.meta.dirname, file), 'utf8').includes('vi.mock('));

/**
 * Files that share a process: its start, and the modules that most files load, took half of a unit test's time
 * and a second or two of each journey's.
 */
const shared = {
  isolate: false,
  setupFiles: ['scripts/random-seed.ts', 'scripts/leave-no-trace.ts'],
} satisfies TestUserConfig;
const ofServers = {
  ...shared,
  setupFiles: [...shared.setupFiles, 'scripts/quick-passwords.ts'],
} satisfies TestUserConfig;

/** Tests that run beside one another, or one file after another, after those of the group before. */
const group = (name: string, groupOrder: number, test: TestUserConfig) => ({
  extends: true as const,
  test: { name, sequence: { groupOrder }, ...test },
});

/** One seed for everybody, so that a run that passed passes again; `npm run test:long` draws a new one. */
const seed = process.env['BELVEDERE_SEED'] ?? '42';

export default defineConfig({
  test: {
    testTimeout: 240_000,
    hookTimeout: 240_000,
    // What becomes so in a moment is waited for: a machine that others use too may stand still for seconds,
    // and time is measured in `bench`.
    expect: { poll: { timeout: 120_000 } },
    pool: 'forks',
    env: { BELVEDERE_SEED: seed },
    sequence: { sequencer: LongestFirst },
    setupFiles: ['scripts/random-seed.ts'],
    projects: [
      group('units', 0, {
        include: units,
        exclude: [engine, ...mocks],
        maxWorkers: 2,
        ...shared,
      }),
      group('mocks', 0, { include: mocks, maxWorkers: 2 }),
      // Imports and column indexes over real DuckDB files, in processes of their own.
      group('engine', 0, { include: [engine], maxWorkers: 2 }),
      // Tests of database servers mostly wait for them, and a journey's server and browser use more than a core.
      // Both kinds beside one another, three files at once, keep two cores busy. A fourth only makes each step slow.
      group('databases', 1, { include: [databases], maxWorkers: 3, ...ofServers }),
      group('journeys', 1, {
        include: ['e2e/**/*.test.ts'],
        exclude: [databases],
        maxWorkers: 3,
        ...ofServers,
      }),
    ],
  },
});
