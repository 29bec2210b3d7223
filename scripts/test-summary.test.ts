import { expect, test } from 'vitest';
import { repeatableFiles, summarize } from './test-summary.mjs';

const file = (name: string, ...statuses: readonly ('passed' | 'failed')[]) => ({
  name,
  status: statuses.includes('failed') ? 'failed' : 'passed',
  assertionResults: statuses.map((status, i) => ({ status, fullName: `fact ${i + 1}` })),
  startTime: 0,
  endTime: 1000,
});
const run = (...files: readonly ReturnType<typeof file>[]) => ({
  success: files.every(({ status }) => status === 'passed'),
  files,
});
const broken = { ...file('e2e/app/a.test.ts'), status: 'failed' };

test('failed journeys and tests of databases run a second time', () => {
  expect(
    repeatableFiles(run(file('e2e/app/a.test.ts', 'failed', 'passed'), file('packages/b', 'passed'))),
  ).toEqual(['e2e/app/a.test.ts']);
  expect(repeatableFiles(run(broken))).toEqual(['e2e/app/a.test.ts']);
  expect(repeatableFiles(run(file('e2e/engines/a.test.ts', 'failed')))).toEqual(['e2e/engines/a.test.ts']);
});

test.each([
  ['all tests passed', run(file('e2e/app/a.test.ts', 'passed'))],
  ['a unit failed beside a journey', run(file('e2e/app/a.test.ts', 'failed'), file('packages/b', 'failed'))],
  ['a test of the engine failed', run(file('packages/engine/src/a.test.ts', 'failed'))],
  ['many journeys failed', run(...Array.from({ length: 6 }, (_, i) => file(`e2e/app/${i}`, 'failed')))],
  ['the run did not finish', undefined],
])('nothing runs a second time if %s', (_, result) => {
  expect(repeatableFiles(result)).toEqual([]);
});

test('a test that passed in one of two runs counts as passed, and is named', () => {
  const first = run(file('e2e/app/a.test.ts', 'passed', 'failed'), file('packages/b', 'passed'));
  const named = ['Passed in only one of two runs:', '  e2e/app/a.test.ts: fact 2'];
  expect(summarize(first, run(file('e2e/app/a.test.ts', 'passed', 'passed')))).toEqual({
    passed: 3,
    failed: 0,
    lines: named,
  });
  expect(summarize(first, run(file('e2e/app/a.test.ts', 'failed', 'passed')))).toEqual({
    passed: 3,
    failed: 0,
    lines: ['Passed in only one of two runs:', '  e2e/app/a.test.ts: fact 1', '  e2e/app/a.test.ts: fact 2'],
  });
  expect(summarize(run(broken), run(file('e2e/app/a.test.ts', 'passed')))).toMatchObject({
    passed: 1,
    failed: 0,
    lines: ['Passed in only one of two runs:', '  e2e/app/a.test.ts'],
  });
});

test('tests of one name are counted one by one', () => {
  const facts = file('a', 'passed', 'passed');
  const alike = {
    ...facts,
    assertionResults: facts.assertionResults.map(one => ({ ...one, fullName: 'x' })),
  };
  expect(summarize(run(alike), undefined)).toMatchObject({ passed: 2, failed: 0 });
});

test.each([
  ['failed both times', run(file('e2e/a', 'passed', 'failed')), run(file('e2e/a', 'passed', 'failed')), 1, 1],
  ['failed and did not run again', run(file('b', 'passed', 'failed', 'failed')), undefined, 1, 2],
  ['did not load', run(broken, file('b', 'passed')), undefined, 1, 1],
  ['did not load either time', run(broken, file('b', 'passed')), run(broken), 1, 1],
  [
    'passed beside an error outside of all tests',
    { ...run(file('b', 'passed')), success: false },
    undefined,
    1,
    1,
  ],
  ['did not finish', undefined, undefined, 0, 1],
])('a run fails if a file %s', (_, first, second, passed, failed) => {
  expect(summarize(first, second)).toMatchObject({ passed, failed });
});
