import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['packages/*/src/**/*.test.ts', 'apps/*/src/**/*.test.ts', 'scripts/*.test.ts', 'samples/*.test.ts', 'e2e/**/*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 240_000,
    // What becomes so in a moment is waited for: a machine that others use too may stand still for seconds, and time is measured in `bench`.
    expect: { poll: { timeout: 15_000 } },
    // The servers, engines and browsers of the tests share two cores: one file at a time is quicker than all at once.
    fileParallelism: false,
    pool: 'forks',
  },
});
