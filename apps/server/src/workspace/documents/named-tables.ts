import type { Documents } from './read-documents.ts';

/**
 * Returns the file tables that models and dashboards name, including documents with errors. Such tables must
 * not be deleted.
 */
export function namedTables({ models, dashboards }: Pick<Documents, 'models' | 'dashboards'>): Set<string> {
  const valuesOf = (key: string, text: string) =>
    [
      ...text.matchAll(
        new RegExp(`(?:^|[\\s{,])${key}:[ \\t]*(?:"([^"\\n]*)"|'([^'\\n]*)'|([^\\s,}#]+))`, 'gm'),
      ),
    ].map(([, ...values]) => values.find(value => value !== undefined)!);
  // A table without a model has an inferred model of the same name.
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
