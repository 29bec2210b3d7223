import type { RelationshipFile } from '@belvedere/document';
import type { RelationshipDecision, RelationshipEnds } from '@belvedere/model';
import type { Documents } from '../documents/read-documents.ts';
import { extractName } from '../sources/extract-store.ts';

/** The relationships of a table that were decided by hand, and the file that says so. */
export interface TableDecisions {
  readonly source: string;
  readonly table: string;
  readonly file: string;
  readonly relationships: readonly RelationshipFile[];
  /** The database file whose tables its file names; they are among the files, under other names. */
  readonly database?: string;
  readonly locate: (path: readonly PropertyKey[]) => { readonly line: number; readonly column: number };
}

/** The file of a table's decisions, relative to the workspace; undefined if no file can have that name. */
export function decisionFile(source: string, table: string): string | undefined {
  if (!/^[\p{L}\p{N}_][\p{L}\p{N}_ .$-]{0,99}$/u.test(table)) return undefined;
  return source === 'files' ? `tables/${table}.yaml` : `tables/${source}/${table}.yaml`;
}

/**
 * `tables/orders.yaml` is of a file's table, `tables/warehouse/orders.yaml` of a database's.
 * @param isDatabaseFile whether a source is a file, whose tables are imported like other files
 */
export function decisionsIn(
  tableFiles: Documents['tableFiles'],
  isDatabaseFile: (source: string) => boolean,
): readonly TableDecisions[] {
  return [...tableFiles].flatMap(([id, { file, read }]) => {
    if (!read.ok || !read.value.relationships) return [];
    const slash = id.indexOf('/');
    const [source, table] = [slash < 0 ? 'files' : id.slice(0, slash), id.slice(slash + 1)];
    const { relationships } = read.value;
    const imported = (called: string) => extractName(source, called);
    return {
      file,
      ...(isDatabaseFile(source)
        ? {
            source: 'files',
            table: imported(table),
            database: source,
            relationships: relationships.map(one => ({ ...one, table: imported(one.table) })),
          }
        : { source, table, relationships }),
      locate: (path: readonly PropertyKey[]) => read.locate(path),
    };
  });
}

export function decisionsOf(all: readonly TableDecisions[], source: string): RelationshipDecision[] {
  return all
    .filter(one => one.source === source)
    .flatMap(({ table, relationships }) =>
      relationships.map(one => ({ ...endsOf(table, one), isUsed: one.use !== false })),
    );
}

/** The columns that a decision is about. */
export function endsOf(from: string, { table, on, between = {} }: RelationshipFile): RelationshipEnds {
  const [range] = Object.entries(between).map(([column, [begin, end]]) => ({ column, begin, end }));
  return {
    from: { table: from, columns: Object.keys(on) },
    to: { table, columns: Object.values(on) },
    ...(range && { between: range }),
  };
}
