import { didYouMean, offeredIn, type DocumentProblem } from '@belvedere/document';
import type { PolicySubject } from '@belvedere/model';
import type { Documents } from './documents/read-documents.ts';

/** Returns the users of policy tests, and the tests' errors. Each user is defined once. */
export function policyTestUsers(
  tests: Documents['tests'],
  models: ReadonlySet<string>,
): { people: ReadonlyMap<string, PolicySubject>; problems: readonly DocumentProblem[] } {
  const people = new Map<string, PolicySubject>();
  const described = new Map<string, string>();
  const problems: DocumentProblem[] = [];
  const report = (
    file: string,
    read: Documents['tests'][number]['read'],
    path: readonly PropertyKey[],
    message: string,
  ) => {
    const suggestion = offeredIn(message);
    problems.push({
      code: 'document.invalid',
      file,
      path: path.map(String).join('.'),
      ...read.locate(path),
      message,
      ...(suggestion !== undefined && { suggestion }),
    });
  };
  for (const { file, read } of tests) {
    if (!read.ok) {
      problems.push(...read.problems);
      continue;
    }
    for (const [name, { groups = [], attributes = {} }] of Object.entries(read.value.people ?? {})) {
      const before = described.get(name);
      if (before !== undefined)
        report(
          file,
          read,
          ['people', name],
          `\`${name}\` is already defined in ${before}. Remove one of the two.`,
        );
      else people.set(name, { groups, attributes });
      described.set(name, before ?? file);
    }
  }
  for (const { file, read } of tests) {
    for (const [i, { as, model }] of (read.ok ? (read.value.tests ?? []) : []).entries()) {
      if (!people.has(as))
        report(
          file,
          read,
          ['tests', i, 'as'],
          `Unknown user \`${as}\` in \`people\`${didYouMean(as, [...people.keys()])}`,
        );
      if (!models.has(model))
        report(
          file,
          read,
          ['tests', i, 'model'],
          `There is no model \`${model}\`${didYouMean(model, [...models])}`,
        );
    }
  }
  return { people, problems };
}
