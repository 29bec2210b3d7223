import type { RelationshipFile, DocumentProblem } from '@belvedere/document';
import { didYouMean } from '@belvedere/document';
import type { RelationshipDecision } from '@belvedere/model';
import type { Documents } from '../documents/read-documents.ts';
import type { Workspace } from '../workspace.ts';

/** The relationships of a table that were decided by hand, and the file that says so. */
export interface TableDecisions {
  readonly source: string;
  readonly table: string;
  readonly file: string;
  readonly relationships: readonly RelationshipFile[];
  readonly locate: (path: readonly PropertyKey[]) => { readonly line: number; readonly column: number };
}

/** The file of a table's decisions, relative to the workspace; undefined if no file can have that name. */
export function decisionFile(source: string, table: string): string | undefined {
  if (!/^[\p{L}\p{N}_][\p{L}\p{N}_ .$-]{0,99}$/u.test(table)) return undefined;
  return source === 'files' ? `tables/${table}.yaml` : `tables/${source}/${table}.yaml`;
}

/** `tables/orders.yaml` is of a file's table, `tables/warehouse/orders.yaml` of a database's. */
export function decisionsIn(readings: Documents['readings']): readonly TableDecisions[] {
  return [...readings].flatMap(([id, { file, read }]) => {
    if (!read.ok || !read.value.relationships) return [];
    const slash = id.indexOf('/');
    return {
      source: slash < 0 ? 'files' : id.slice(0, slash),
      table: id.slice(slash + 1),
      file,
      relationships: read.value.relationships,
      locate: (path: readonly PropertyKey[]) => read.locate(path),
    };
  });
}

export function decisionsOf(all: readonly TableDecisions[], source: string): RelationshipDecision[] {
  return all
    .filter(one => one.source === source)
    .flatMap(({ table, relationships }) =>
      relationships.map(({ table: to, on, use = true }) => ({
        from: { table, columns: Object.keys(on) },
        to: { table: to, columns: Object.values(on) },
        isUsed: use,
      })),
    );
}

/** Decisions that name sources, tables or columns that do not exist, or that the data contradicts. */
export function problemsOfDecisions(
  all: readonly TableDecisions[],
  { tables, sources, relationships }: Pick<Workspace, 'tables' | 'sources' | 'relationships'>,
): DocumentProblem[] {
  return all.flatMap(({ source: name, table, file, relationships: decided, locate }) => {
    const problem = (path: readonly (string | number)[], message: string): DocumentProblem => ({
      code: 'document.invalid',
      file,
      path: path.join('.'),
      ...locate(path),
      message,
    });
    const source = sources.get(name);
    if (name !== 'files' && !source)
      return problem(
        ['relationships'],
        `There is no source \`${name}\`${didYouMean(name, [...sources.keys()])}`,
      );
    // While tables are read, or a source is not connected, nothing can be said about them.
    const columns = source
      ? new Map(source.tables.map(one => [one.called, one.columns.map(column => column.name)]))
      : new Map(
          [...tables].flatMap(([called, { imported }]) =>
            imported ? [[called, imported.columns.map(column => column.name)] as const] : [],
          ),
        );
    const isIncomplete = source
      ? source.tables.length === 0
      : [...tables.values()].some(
          one => !one.imported && one.state !== 'rejected' && one.state !== 'stopped',
        );
    if (isIncomplete) return [];
    const missing = (called: string, wanted: readonly string[]): string[] => {
      const known = columns.get(called);
      if (!known) return [`There is no table \`${called}\`${didYouMean(called, [...columns.keys()])}`];
      return wanted
        .filter(column => !known.includes(column))
        .map(column => `\`${called}\` has no column \`${column}\`${didYouMean(column, known)}`);
    };
    return decided.flatMap(({ table: to, on, use = true }, i) => {
      const [from, keys] = [Object.keys(on), Object.values(on)];
      const messages = [...missing(table, from), ...missing(to, keys)];
      const found = relationships
        .get(name)
        ?.find(
          one =>
            one.from.table === table &&
            one.to.table === to &&
            one.from.columns.join('\n') === from.join('\n') &&
            one.to.columns.join('\n') === keys.join('\n'),
        );
      if (use && messages.length === 0 && found?.reason === 'not unique')
        messages.push(
          `\`${to}.${keys.join(', ')}\` has values that occur more than once, so this relationship is not used: its rows would be counted several times.`,
        );
      return messages.map(message => problem(['relationships', i], message));
    });
  });
}
