import { isOnDemand } from '@belvedere/model';
import { limitedRows } from '../../../access/export-limit.ts';
import { requireRawAccess } from '../../../access/may.ts';
import { withoutFormula } from '../../../exports/formats/write-csv.ts';
import { ProblemError } from '../../../http/problems.ts';
import { presentTable, presentTableDetail, shownTableFile } from '../../../presenters/present-table.ts';
import { queryContextOf } from '../../../queries/query-context.ts';
import type { QueryService } from '../../../queries/query-service.ts';
import { resultRows, shownRows } from '../../../queries/rows/result-rows.ts';
import type { WorkspaceStore } from '../../../workspace/workspace-store.ts';
import type { Handlers } from '../../contract/mount-contract.ts';
import { findTable } from './find-table.ts';

/** Endpoints that list tables and read their rows and import reports. */
export function tableReadingRoutes(
  store: WorkspaceStore,
  queries: QueryService,
): Pick<Handlers, 'listTables' | 'getTable' | 'getTableRows' | 'getRejectedRows'> {
  return {
    listTables: ({ granted }) => ({
      tables: [...granted().tables.values()]
        .map(table => presentTable(table, store))
        .toSorted((a, b) => (a.name < b.name ? -1 : 1)),
      skippedFiles: [...granted().skippedFiles],
    }),

    getTable: ({ params, caller, granted }) => {
      requireRawAccess(caller, store.current);
      return presentTableDetail(findTable(params.table, granted), store);
    },

    getTableRows: async ({ params, query, caller, granted, signal }) => {
      requireRawAccess(caller, store.current);
      const table = findTable(params.table, granted);
      const model = [...store.current.models.values()].find(
        candidate =>
          candidate.model.source === 'files' &&
          candidate.model.table === table.name &&
          Object.values(candidate.model.dimensions).length > 0,
      );
      if (!model)
        throw new ProblemError('still-reading', `The table \`${table.name}\` is still being imported.`);
      const dimensions = Object.values(model.model.dimensions)
        .filter(dimension => !isOnDemand(dimension))
        .slice(0, 100);
      const queryContext = {
        ...queryContextOf(store.current, undefined, caller, signal),
        allowsPart: true as const,
      };
      const answer = await queries.run(
        {
          kind: 'rows',
          model: model.model.name,
          dimensions: dimensions.map(({ name }) => name),
          where: { kind: 'everything' },
          limit: limitedRows(caller, { kind: 'model', id: model.model.name }, query, store.current),
        },
        queryContext,
      );
      return {
        columns: dimensions.map(({ name, label, type, format }) => ({
          name,
          label,
          type,
          ...(format !== undefined && { format }),
        })),
        rows: shownRows(resultRows(answer)),
        total: table.imported?.profile.rows ?? 0,
      };
    },

    getRejectedRows: ({ params, reply, caller, granted }) => {
      requireRawAccess(caller, store.current);
      const { imported, name } = findTable(params.table, granted);
      const rows = imported?.report.rejected ?? [];
      const lines = [
        ['file', 'line', 'column', 'reason', 'text'],
        ...rows.map(row => [
          shownTableFile(row.file, store),
          String(row.line),
          row.column ?? '',
          row.reason,
          row.text ?? '',
        ]),
      ];
      return reply
        .header('content-type', 'text/csv; charset=utf-8')
        .header('content-disposition', `attachment; filename="${name.replace(/[^\w.-]/g, '_')}-rejected.csv"`)
        .send(`${lines.map(line => line.map(csvCell).join(',')).join('\r\n')}\r\n`);
    },
  };
}

/** Quotes a CSV cell and prevents formulas. */
function csvCell(text: string): string {
  return `"${withoutFormula(text).replaceAll('"', '""').replaceAll('\0', '')}"`;
}
