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
 * Counts tests, and lists by name what passed only the second time, since it may still be a rare fault.
 *
 * @param repeated of the second run of the failed files, if there was one
 */
export function summarize(result, repeated) {
  if (!result) return { passed: 0, failed: 1, lines: ['The tests did not finish.'] };
  const lines = slowest(result.files);
  const failedFiles = result.files.filter(hasFailed);
  const failures = failedFiles.flatMap(file => {
    const names = file.assertionResults.filter(hasFailed).map(({ fullName }) => `${file.name}: ${fullName}`);
    // A file that does not load has no failed tests of its own.
    return names.length > 0 ? names : [file.name];
  });
  const isMended = repeated?.success === true;
  if (isMended) lines.push('Passed only when they ran a second time:', ...failures.map(name => `  ${name}`));
  const counted = isMended
    ? [...result.files.filter(file => !hasFailed(file)), ...repeated.files]
    : result.files;
  const passed = counted.flatMap(file => file.assertionResults.filter(({ status }) => status === 'passed'));
  // An error outside of all tests fails a run without a failed file.
  const failed = isMended ? 0 : Math.max(failures.length, result.success ? 0 : 1);
  return { passed: passed.length, failed, lines };
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
