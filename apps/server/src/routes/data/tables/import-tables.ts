import { writeDocument } from '@belvedere/document';
import type { ImportReport } from '@belvedere/engine';
import { requireRawAccess } from '../../../access/may.ts';
import { replaceFile } from '../../../workspace/documents/create-file.ts';
import { writeEditorSchemas } from '../../../workspace/documents/editor-schemas.ts';
import type { WorkspaceStore } from '../../../workspace/workspace-store.ts';
import type { Handlers } from '../../contract/mount-contract.ts';
import { findTable } from './find-table.ts';

/** Endpoints for import options, and for running imports. */
export function tableImportRoutes(
  store: WorkspaceStore,
): Pick<Handlers, 'setImportOptions' | 'previewImportOptions' | 'cancelImport' | 'retryImport'> {
  return {
    setImportOptions: async ({ params, body, granted }) => {
      const { found: file } = findTable(params.table, granted);
      const { root } = store.folders;
      const below = `tables/${file.name}.yaml`;
      const before = store.documents.tableFiles.get(file.name)?.read;
      const relationships = before?.ok ? before.value.relationships : undefined;
      const options = { version: 1, ...body, ...(relationships && { relationships }) } as const;
      await replaceFile(root, below.split('/'), writeDocument(options, 'table', below));
      await writeEditorSchemas(root);
      await store.reload();
      return { file: below };
    },

    previewImportOptions: async ({ params, body, caller, granted, signal }) => {
      // What is counted depends on all rows.
      requireRawAccess(caller, store.current);
      const { found: file } = findTable(params.table, granted);
      const reports = await store.previewImport(file, { version: 1, ...body }, signal);
      const sum = (count: (report: ImportReport) => number) =>
        reports.reduce((total, report) => total + count(report), 0);
      return {
        rowsKept: sum(({ rowsKept }) => rowsKept),
        rowsRejected: sum(({ rowsRejected }) => rowsRejected),
        nulled: reports.flatMap(({ nulled }) => nulled ?? []),
      };
    },

    cancelImport: ({ params, granted }) => ({
      stopped: store.tables.cancelImport(findTable(params.table, granted).name),
    }),

    retryImport: ({ params, granted }) => ({
      begun: store.tables.retryImport(findTable(params.table, granted).name),
    }),
  };
}
