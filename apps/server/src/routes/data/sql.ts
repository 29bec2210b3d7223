import { limitedRows, maxExportedRows } from '../../access/export-limit.ts';
import { requireExtracts, requireRawAccess, sourcesRead } from '../../access/may.ts';
import type { NoteCall } from '../../auth/limits/note-calls.ts';
import { exportSql } from '../../exports/export-sql.ts';
import { queryContextOf } from '../../queries/query-context.ts';
import type { QueryService } from '../../queries/query-service.ts';
import { resultRows, shownRows } from '../../queries/rows/result-rows.ts';
import type { WorkspaceStore } from '../../workspace/workspace-store.ts';
import type { Handlers } from '../contract/mount-contract.ts';
import { localeOf, sendExported } from '../dashboards/exports.ts';

/** Endpoints that run a user's SQL on a database or on the files, and export its rows. */
export function sqlRoutes(
  store: WorkspaceStore,
  queries: QueryService,
  note: NoteCall,
): Pick<Handlers, 'runSql' | 'exportSql'> {
  return {
    runSql: async ({ params, body, caller, granted, signal }) => {
      requireRawAccess(caller, store.current);
      requireExtracts(params.name, body.sql, caller, store.current);
      const began = performance.now();
      const result = await queries.runSql(
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
        columns: result.columns.map(({ name, type }) => ({ name, type })),
        rows: shownRows(resultRows(result)),
        isCut: result.isCut ?? false,
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
  };
}
