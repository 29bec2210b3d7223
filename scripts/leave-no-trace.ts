// Lets test files share a process: undoes what a file may have replaced for all of it. Vitest restores mocks.
import { afterAll, vi } from 'vitest';

const before = { ...process.env };

afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
  Object.assign(process.env, before);
});
