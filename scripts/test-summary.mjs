// What a test run comes to: counts, the slowest files, and which files run a second time.

const maxRepeated = 5;

/**
 * The files of failed tests in `e2e`, if only such tests failed, and few. They cross a browser or a database
 * server, sockets and a busy machine, of which each can stall once; a fault of the program fails again.
 *
 * @param result of a run: `success`, and of each file its `name` in the project, `status` and `assertionResults`
 */
export function repeatableFiles(result) {
  const failed = (result?.files ?? []).filter(hasFailed).map(({ name }) => name);
  const areRepeatable = failed.every(name => name.startsWith('e2e/'));
  return areRepeatable && failed.length <= maxRepeated ? failed : [];
}

/**
 * Counts tests, and lists by name what passed in only one of two runs, since it may still be a rare fault.
 * Nothing has failed that passed in one of them.
 *
 * @param repeated of the second run of the failed files, if there was one
 */
export function summarize(result, repeated) {
  if (!result) return { passed: 0, failed: 1, lines: ['The tests did not finish.'] };
  const runs = repeated ? [result, repeated] : [result];
  const files = new Set(runs.flatMap(run => run.files.map(file => file.name)));
  const statuses = runs.map(run => new Map(run.files.flatMap(statusesOf)));
  const names = [...new Set(statuses.flatMap(run => [...run.keys()]))];
  const has = (name, status) => statuses.some(run => run.get(name) === status);
  const passed = names.filter(name => has(name, 'passed'));
  const unsteady = passed.filter(name => has(name, 'failed'));
  const failed = names.filter(name => has(name, 'failed') && !has(name, 'passed'));
  const lines = slowest(result.files);
  if (unsteady.length > 0)
    lines.push('Passed in only one of two runs:', ...unsteady.map(name => `  ${name}`));
  // An error outside of all tests fails a run without a failed file.
  const isUnexplained = runs.some(run => !run.success && !run.files.some(hasFailed));
  return {
    passed: passed.filter(name => !files.has(name)).length,
    failed: Math.max(failed.length, isUnexplained ? 1 : 0),
    lines,
  };
}

/** The status of each test of a file by name, and of loading it: a file may fail without a failed test. */
function statusesOf(file) {
  const seen = new Map();
  const tests = file.assertionResults.map(({ fullName, status }) => {
    const times = (seen.get(fullName) ?? 0) + 1;
    seen.set(fullName, times);
    return [`${file.name}: ${fullName}${times > 1 ? ` (${times})` : ''}`, status];
  });
  const loads = !hasFailed(file) || file.assertionResults.some(hasFailed);
  return [[file.name, loads ? 'passed' : 'failed'], ...tests];
}

const hasFailed = ({ status }) => status === 'failed';

function slowest(files) {
  if (files.length <= 10) return [];
  const durations = files
    .map(({ name, startTime, endTime }) => [Math.round((endTime - startTime) / 1000), name])
    .toSorted(([a], [b]) => b - a);
  return [
    'The slowest files:',
    ...durations.slice(0, 10).map(([seconds, name]) => `${String(seconds).padStart(5)} s  ${name}`),
  ];
}
