import type { Documents } from './read-documents.ts';

/** The tables of files that models and dashboards name, also such with errors in them: what they stand on must not go. */
export function namedTables({ models, dashboards }: Pick<Documents, 'models' | 'dashboards'>): Set<string> {
  const valuesOf = (key: string, text: string) =>
    [
      ...text.matchAll(
        new RegExp(`(?:^|[\\s{,])${key}:[ \\t]*(?:"([^"\\n]*)"|'([^'\\n]*)'|([^\\s,}#]+))`, 'gm'),
      ),
    ].map(([, ...values]) => values.find(value => value !== undefined)!);
  // A table that nobody has made a model of is a model of its own name.
  const ofDashboards = [...dashboards.values()].flatMap(({ text }) => valuesOf('model', text));
  const ofModels = [...models.values()].flatMap(({ text, read }) => [
    ...valuesOf('table', text),
    ...(read.ok && read.value.sql !== undefined ? wordsOf(read.value.sql) : []),
  ]);
  return new Set([...ofDashboards, ...ofModels]);
}

function wordsOf(sql: string): string[] {
  return [...sql.matchAll(/"((?:[^"]|"")+)"|[\p{L}_][\p{L}\p{N}_]*/gu)].map(
    ([word, quoted]) => quoted?.replaceAll('""', '"') ?? word.toLowerCase(),
  );
}
