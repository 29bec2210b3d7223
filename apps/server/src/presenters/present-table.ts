import type { TableDetail, TableSummary } from '@belvedere/api';
import type { TableFile } from '@belvedere/document';
import path from 'node:path';
import { shownFile } from '../workspace/tables/shown-file.ts';
import type { WorkspaceStore } from '../workspace/workspace-store.ts';
import type { TableState } from '../workspace/workspace.ts';
import { openQuestions } from './import-warnings.ts';

/** Returns a table's state, size and files, for lists. */
export function presentTable(table: TableState, store: WorkspaceStore): TableSummary {
  const model = [...store.current.models.values()].find(
    candidate => candidate.model.source === 'files' && candidate.model.table === table.name,
  );
  return {
    name: table.name,
    source: 'files',
    state: table.state,
    ...(table.percent !== undefined &&
      table.state === 'importing' && { percent: table.percent, ...(table.file && { file: table.file }) }),
    ...(table.imported && {
      rows: table.imported.profile.rows,
      columns: table.imported.columns.length,
      readAt: table.imported.readAt,
      rowsRejected: table.imported.report.rowsRejected,
      openQuestions: openQuestions(table.imported.report),
    }),
    ...(table.part && { part: table.part }),
    bytes: table.found.bytes,
    files: table.found.files.slice(0, 50).map(file => shownTableFile(file, store)),
    fileCount: table.found.files.length,
    ...(model && { model: model.model.name }),
    ...(table.problem && { problem: table.problem }),
  };
}

/** Returns a table with its options, its columns' profiles, and the report of its import. */
export function presentTableDetail(table: TableState, store: WorkspaceStore): TableDetail {
  const { imported } = table;
  return {
    ...presentTable(table, store),
    ...(table.found.reading && { importOptions: withoutVersion(table.found.reading) }),
    profile: imported ? imported.profile.columns.map(column => ({ ...column, top: [...column.top] })) : [],
    ...(imported && {
      report: {
        ...imported.report,
        notes: [...imported.report.notes],
        nulled: imported.report.nulled && [...imported.report.nulled],
        questions: imported.report.questions?.map(question => ({
          ...question,
          columns: [...question.columns],
        })),
        nearly: imported.report.nearly?.map(one => ({
          ...one,
          first: one.first.map(misfit => ({
            ...misfit,
            ...(misfit.file !== undefined && { file: shownTableFile(misfit.file, store) }),
          })),
        })),
        rejected: imported.report.rejected.map(row => ({ ...row, file: shownTableFile(row.file, store) })),
      },
    }),
  };
}

/** Returns a file of tables as the interface shows it: relative to the folder of the data. */
export function shownTableFile(file: string, store: WorkspaceStore): string {
  return shownFile(file, path.dirname(store.folders.data));
}

function withoutVersion({ version: _, ...reading }: TableFile): Omit<TableFile, 'version'> {
  return reading;
}
