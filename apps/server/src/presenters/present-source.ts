import type { SourceDetail, SourceSummary } from '@belvedere/api';
import { isDatabaseFile, type ServerSource } from '@belvedere/document';
import { textHash } from '../state/documents/revisions.ts';
import type { SourceState } from '../workspace/sources/source.ts';
import type { WorkspaceStore } from '../workspace/workspace-store.ts';
import type { Workspace } from '../workspace/workspace.ts';

/** A saved server source, as in its file. */
export function savedServer(name: string, { documents }: WorkspaceStore): ServerSource | undefined {
  const read = documents.sources.get(name)?.read;
  return read?.ok && !isDatabaseFile(read.value) ? read.value : undefined;
}

/** The tables imported from a database file. */
export function importedTables(name: string, { tables }: Workspace) {
  return [...tables.values()].filter(table => table.found.name === name);
}

/** A source with its connection, its tables, and how new the data of its models is. */
export function presentSource(source: SourceState, store: WorkspaceStore): SourceDetail {
  const workspace = store.current;
  const files = importedTables(source.name, workspace);
  const models = [...workspace.models.values()].filter(
    ({ model }) =>
      model.source === source.name ||
      files.some(table => model.source === 'files' && table.name === model.table),
  );
  const server = savedServer(source.name, store);
  return {
    ...summarizeSource(source),
    ...(server && { connection: connectionOf(server, store.documents.sources.get(source.name)!.text) }),
    watermarks: models.flatMap(({ model: { name, label, watermark } }) => {
      const marked = source.watermarks.get(name);
      return watermark && marked
        ? [
            {
              model: name,
              label,
              expression: watermark.text,
              ...marked,
              value: typeof marked.value === 'bigint' ? String(marked.value) : marked.value,
            },
          ]
        : [];
    }),
    tableList: [
      ...source.tables,
      ...files.map(({ name, imported }) => ({
        called: name,
        isView: false,
        estimatedRows: imported?.profile.rows,
        columns: imported?.columns ?? [],
      })),
    ].map(({ called, isView, estimatedRows, columns }) => {
      const model = models.find(one => one.model.table === called)?.model.name;
      const overview =
        model && workspace.dashboards.has(`overview/${model}`) ? `overview/${model}` : undefined;
      return {
        name: called,
        isView,
        ...(estimatedRows !== undefined && { estimatedRows }),
        columns: columns.map(({ name, type }) => ({ name, type })),
        ...(model && { model }),
        ...(overview && { overview }),
      };
    }),
  };
}

/** The tables and columns of the files that a caller may query. */
export function presentFilesSchema({ tables }: Pick<Workspace, 'tables'>) {
  return {
    tables: byName(
      [...tables.values()].flatMap(({ name, imported }) =>
        imported ? [schemaOf(name, imported.columns, imported.profile.rows)] : [],
      ),
    ),
  };
}

/** The tables and columns of a source. Those of a database file have their own names, as in models of it. */
export function presentSourceSchema({ name, tables }: SourceState, workspace: Workspace) {
  const imported = importedTables(name, workspace).flatMap(({ name: called, imported: data }) => {
    const own = called.startsWith(`${name}_`) ? called.slice(name.length + 1) : called;
    return data ? [schemaOf(own, data.columns, data.profile.rows)] : [];
  });
  const listed = tables.map(({ called, columns, estimatedRows }) => schemaOf(called, columns, estimatedRows));
  return { tables: byName([...listed, ...imported]) };
}

function connectionOf(
  { connection: { host, port, database, user, password } }: ServerSource,
  text: string,
): NonNullable<SourceDetail['connection']> {
  return {
    host,
    ...(port !== undefined && { port }),
    database,
    user,
    hasPassword: password !== undefined,
    hash: textHash(text),
  };
}

/** A source as a list shows it. */
export function summarizeSource({
  name,
  label,
  kind,
  host,
  state,
  since,
  problem,
  server,
  tables,
  drift,
  unconfirmed,
  pausedFor,
}: SourceState): SourceSummary {
  return {
    name,
    label,
    kind,
    ...(host && { host }),
    state,
    since,
    ...(problem && { problem: { ...problem } }),
    ...(unconfirmed && { unconfirmed: { ...unconfirmed } }),
    ...(pausedFor !== undefined && { pausedFor }),
    ...(server && { server: server.version }),
    warnings: [...(server?.warnings ?? [])],
    tables: tables.length,
    drift: [...drift],
  };
}

function byName<T extends { readonly name: string }>(tables: readonly T[]): T[] {
  return tables.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function schemaOf(
  name: string,
  columns: readonly { readonly name: string; readonly type: string }[],
  rows: number | undefined,
) {
  return {
    name,
    ...(rows !== undefined && { rows }),
    columns: columns.map(column => ({ name: column.name, type: column.type })),
  };
}
