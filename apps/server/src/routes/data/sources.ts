import type { SourceDetail, SourceSummary } from '@belvedere/api';
import type { ServerSource } from '@belvedere/document';
import { notFound, requireExtracts, requireRawAccess, sourcesRead } from '../../access/may.ts';
import type { Caller } from '../../access/caller.ts';
import type { NoteCall } from '../../auth/limits/note-calls.ts';
import type { QueryService } from '../../queries/query-service.ts';
import { resultRows, shownRows } from '../../queries/rows/result-rows.ts';
import { queryContextOf } from '../../queries/query-context.ts';
import { limitedRows, maxExportedRows } from '../../access/export-limit.ts';
import { exportSql } from '../../exports/export-sql.ts';
import { localeOf, sendExported } from '../dashboards/exports.ts';
import { ProblemError } from '../../problems.ts';
import { textHash } from '../../state/documents/revisions.ts';
import { isSameTarget, unconfirmedProblem } from '../../workspace/sources/source-access.ts';
import { changed, SourceWriter, sourceOf } from '../../workspace/sources/save-source.ts';
import { readSchema, openServer } from '../../workspace/sources/source-store.ts';
import type { SourceState } from '../../workspace/sources/source.ts';
import type { WorkspaceStore } from '../../workspace/workspace-store.ts';
import type { Handlers } from '../contract/mount-contract.ts';

type SourceHandlers = Pick<
  Handlers,
  | 'listSources'
  | 'getSource'
  | 'getSchema'
  | 'runSql'
  | 'exportSql'
  | 'testSource'
  | 'saveSource'
  | 'saveFileSource'
  | 'confirmSource'
  | 'retrySource'
>;

/**
 * Endpoints for databases and SQL.
 * @param requireConfirmation throws unless the caller gave the password recently, where there are accounts
 */
export function sourceRoutes(
  store: WorkspaceStore,
  queries: QueryService,
  note: NoteCall,
  requireConfirmation: (caller: Caller) => void,
): SourceHandlers {
  const writer = new SourceWriter(store);
  /** Returns a saved server source, as in its file. */
  const savedServer = (name: string): ServerSource | undefined => {
    const read = store.documents.sources.get(name)?.read;
    return read?.ok && read.value.kind !== 'sqlite' && read.value.kind !== 'duckdb' ? read.value : undefined;
  };
  const found = (name: string): SourceState => {
    const source = store.current.sources.get(name);
    if (!source) throw notFound({ kind: 'source', id: name });
    return source;
  };
  /** Returns the tables imported from a database file. */
  const filesOf = (name: string) =>
    [...store.current.tables.values()].filter(table => table.found.name === name);
  return {
    listSources: ({ granted }) => ({
      sources: [...granted().sources.values()].map(source => ({
        ...summary(source),
        ...(source.kind === 'sqlite' || source.kind === 'duckdb'
          ? { tables: filesOf(source.name).length }
          : {}),
      })),
    }),

    getSource: ({ params }): SourceDetail => {
      const source = found(params.name);
      const models = [...store.current.models.values()].filter(
        ({ model }) =>
          model.source === source.name ||
          filesOf(source.name).some(table => model.source === 'files' && table.name === model.table),
      );
      const server = savedServer(source.name);
      return {
        ...summary(source),
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
          ...filesOf(source.name).map(({ name, imported }) => ({
            called: name,
            isView: false,
            estimatedRows: imported?.profile.rows,
            columns: imported?.columns ?? [],
          })),
        ].map(({ called, isView, estimatedRows, columns }) => {
          const model = models.find(one => one.model.table === called)?.model.name;
          const overview =
            model && store.current.dashboards.has(`overview/${model}`) ? `overview/${model}` : undefined;
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
    },

    getSchema: ({ params: { name }, granted }) => {
      if (name === 'files')
        return {
          tables: byName(
            [...granted().tables.values()].flatMap(({ name: called, imported }) =>
              imported ? [schemaOf(called, imported.columns, imported.profile.rows)] : [],
            ),
          ),
        };
      const source = found(name);
      if (source.unconfirmed && source.tables.length === 0) throw unconfirmedProblem(source);
      // Models use the own names of a database file's tables, not those they were imported under.
      const own = filesOf(name).flatMap(({ name: called, imported }) =>
        imported
          ? [
              schemaOf(
                called.startsWith(`${name}_`) ? called.slice(name.length + 1) : called,
                imported.columns,
                imported.profile.rows,
              ),
            ]
          : [],
      );
      return {
        tables: byName([
          ...source.tables.map(({ called, columns, estimatedRows }) =>
            schemaOf(called, columns, estimatedRows),
          ),
          ...own,
        ]),
      };
    },

    runSql: async ({ params, body, caller, granted, signal }) => {
      requireRawAccess(caller, store.current);
      requireExtracts(params.name, body.sql, caller, store.current);
      const began = performance.now();
      const answer = await queries.runSql(
        params.name,
        body.sql,
        Math.min(
          ...sourcesRead(params.name, body.sql, store.current).map(id =>
            limitedRows(caller, { kind: 'source', id }, body, store.current),
          ),
        ),
        queryContextOf(granted(), undefined, caller, signal),
      );
      return {
        columns: answer.columns.map(({ name, type }) => ({ name, type })),
        rows: shownRows(resultRows(answer)),
        isCut: answer.isCut ?? false,
        ms: Math.round(performance.now() - began),
      };
    },

    exportSql: async ({ params, body, reply, caller, granted, signal, request }) => {
      requireRawAccess(caller, store.current);
      requireExtracts(params.name, body.sql, caller, store.current);
      await note({ caller, request }, 'data.export', `source ${params.name}`, `SQL, ${body.format}`);
      const { settings, limits } = store.current;
      const pieces = queries.streamSql(
        params.name,
        body.sql,
        queryContextOf(granted(), undefined, caller, signal),
      );
      return sendExported(
        reply,
        await exportSql(
          pieces,
          {
            source: params.name,
            sql: body.sql,
            format: body.format,
            locale: localeOf(body.locale, settings.locale),
            maxRows: limits.exportRows,
            ownRows: Math.min(
              ...sourcesRead(params.name, body.sql, store.current).map(id =>
                maxExportedRows(caller, { kind: 'source', id }, store.current),
              ),
            ),
          },
          signal,
        ),
      );
    },

    testSource: async ({ body }) => {
      const { password, label: _, source: name = '', ...typed } = body;
      const saved = password === '' ? savedServer(name) : undefined;
      const source = saved ? changed(saved, typed) : sourceOf(typed, undefined);
      const isSaved = saved !== undefined && isSameTarget(saved, source);
      // The server named in an unconfirmed file has not been reviewed here, so the saved password must not be
      // sent to it.
      if (isSaved && found(name).unconfirmed) throw unconfirmedProblem(found(name));
      return store.sources.contact(source, async () => {
        const engine = await openServer(name, source, store.folders.root, isSaved ? undefined : password);
        try {
          const {
            server: { version, warnings },
            tables,
          } = await readSchema(engine);
          return { server: version, warnings: [...warnings], tables: tables.length };
        } finally {
          await engine.close().catch(() => {});
        }
      });
    },

    saveSource: async ({ params, body, ifMatch, ...call }) => {
      requireConfirmation(call.caller);
      const { password, label, ...connection } = body;
      await writer.save(params.name, connection, { label, password, base: ifMatch });
      await note(call, 'source.save', `source ${params.name}`);
      return summary(found(params.name));
    },

    saveFileSource: async ({ params, body, ...call }) => {
      requireConfirmation(call.caller);
      await writer.saveFile(params.name, body);
      await note(call, 'source.save', `source ${params.name}`);
      return summary(found(params.name));
    },

    confirmSource: async ({ params, body, ...call }) => {
      requireConfirmation(call.caller);
      const source = found(params.name);
      if (!(await store.sources.confirm(source.name, body.content)))
        throw new ProblemError(
          'revision-conflict',
          `\`${source.file}\` changed in the meantime, and so did what it would do. Review it again.`,
        );
      await store.readAnew();
      await note(call, 'source.confirm', `source ${source.name}`);
      return summary(found(params.name));
    },

    retrySource: async ({ params }) => {
      found(params.name);
      await store.sources.retry(params.name);
      return summary(store.sources.states.get(params.name)!);
    },
  };
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

function summary({
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
