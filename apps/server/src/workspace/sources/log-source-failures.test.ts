import { afterEach, expect, test, vi } from 'vitest';
import { logSourceFailures } from './log-source-failures.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

test('the failure of a source is logged once, on one line, and again after it has worked', () => {
  const lines: unknown[] = [];
  vi.spyOn(console, 'error').mockImplementation((_, ...said) => void lines.push(said.join(' ')));
  let tell = () => {};
  const store = {
    current: { sources: new Map() },
    subscribe: (listener: () => void) => ((tell = listener), tell),
  };
  const become = (message?: string) => {
    const problem = message === undefined ? undefined : { code: 'source-refused', message };
    store.current = { sources: new Map([['shop', { problem }]]) };
    tell();
  };
  logSourceFailures(store);
  for (const message of ['Refused.', 'Refused.', undefined, 'Refused.', 'The certificate\nhas expired.'])
    become(message);
  expect(lines).toEqual([
    'Source shop: Refused.',
    'Source shop: Refused.',
    'Source shop: The certificate has expired.',
  ]);
});
