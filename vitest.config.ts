import { defineConfig, type TestUserConfig } from 'vitest/config';

const engines = 'e2e/engines/*.test.ts';

/** Tests that run beside one another, or one file after another, after those of the group before. */
const group = (name: string, groupOrder: number, test: TestUserConfig) => ({
  extends: true as const,
  test: { name, sequence: { groupOrder }, ...test },
});

/** One seed for everybody, so that a run that passed passes again; `npm run test:long` draws a new one. */
const seed = process.env['BELVEDERE_SEED'] ?? '42';

export default defineConfig({
  test: {
    testTimeout: 120_000,
    hookTimeout: 240_000,
    // What becomes so in a moment is waited for: a machine that others use too may stand still for seconds, and time is measured in `bench`.
    expect: { poll: { timeout: 60_000 } },
    pool: 'forks',
    env: { BELVEDERE_SEED: seed },
    setupFiles: ['scripts/random-seed.ts'],
    projects: [
      group('units', 0, {
        include: [
          'packages/*/src/**/*.test.ts',
          'apps/*/src/**/*.test.ts',
          'scripts/*.test.ts',
          'samples/*.test.ts',
        ],
        maxWorkers: 2,
      }),
      // What databases do to those who ask them is mostly waited for.
      group('engines', 1, { include: [engines], maxWorkers: 3 }),
      // One file's servers and browsers leave two cores idle half of the time: two at once take three fifths as long, more share what there is.
      group('journeys', 2, { include: ['e2e/**/*.test.ts'], exclude: [engines], maxWorkers: 2 }),
    ],
  },
});
