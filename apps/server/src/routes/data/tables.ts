import type { TableSummary } from '@belvedere/api';
import { writeDocument, type TableFile } from '@belvedere/document';
import type { ImportReport } from '@belvedere/engine';
import { isOnDemand } from '@belvedere/model';
import path from 'node:path';
import { limitedRows } from '../../access/export-limit.ts';
import { requireRawAccess } from '../../access/may.ts';
import type { QueryService } from '../../queries/query-service.ts';
import { resultRows, shownRows } from '../../queries/rows/result-rows.ts';
import { queryContextOf } from '../../queries/query-context.ts';
import { ProblemError } from '../../http/problems.ts';
import { openQuestions } from '../../presenters/import-warnings.ts';
import { replaceFile } from '../../workspace/documents/create-file.ts';
import { writeEditorSchemas } from '../../workspace/documents/editor-schemas.ts';
import type { RowAppender } from '../../workspace/sources/row-appender.ts';
import type { UploadStore } from '../../workspace/sources/upload-store.ts';
import { withoutFormula } from '../../exports/formats/write-csv.ts';
import type { WorkspaceStore } from '../../workspace/workspace-store.ts';
import type { TableState } from '../../workspace/workspace.ts';
import type { Call, Handlers } from '../contract/mount-contract.ts';

export function tableRoutes(
  store: WorkspaceStore,
  queries: QueryService,
  uploads: UploadStore,
  appender: RowAppender,
  addSample: (() => Promise<void>) | undefined,
): Pick<
  Handlers,
  | 'listTables'
  | 'addSample'
  | 'getTable'
  | 'getTableRows'
  | 'appendRows'
  | 'setImportOptions'
  | 'previewImportOptions'
  | 'cancelImport'
  | 'retryImport'
  | 'getRejectedRows'
  | 'getUpload'
  | 'putUpload'
> {
  const found = (name: string, { granted }: Pick<Call, 'granted'>): TableState => {
    const table = granted().tables.get(name);
    if (!table) throw new ProblemError('not-found', `Table \`${name}\` not found, or not shared with you.`);
    return table;
  };
  const relative = (file: string) => store.shownFile(file, path.dirname(store.folders.data));
  const summary = (table: TableState): TableSummary => {
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
      bytes: table.found.bytes,
      files: table.found.files.slice(0, 50).map(relative),
      ...(model && { model: model.model.name }),
      ...(table.problem && { problem: table.problem }),
    };
  };
  return {
    listTables: ({ granted }) => ({
      tables: [...granted().tables.values()].map(summary).toSorted((a, b) => (a.name < b.name ? -1 : 1)),
      skippedFiles: [...granted().skippedFiles],
    }),

    getTable: ({ params, caller, granted }) => {
      requireRawAccess(caller, store.current);
      const table = found(params.table, { granted });
      const { imported } = table;
      return {
        ...summary(table),
        ...(table.found.reading && { importOptions: withoutVersion(table.found.reading) }),
        profile: imported
          ? imported.profile.columns.map(column => ({ ...column, top: [...column.top] }))
          : [],
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
                ...(misfit.file !== undefined && { file: relative(misfit.file) }),
              })),
            })),
            rejected: imported.report.rejected.map(row => ({ ...row, file: relative(row.file) })),
          },
        }),
      };
    },

    addSample: async () => {
      if (!addSample) throw new ProblemError('not-found', 'This server has no sample.');
      const { tables, dashboards } = store.current;
      if (tables.size > 0 || dashboards.size > 0)
        throw new ProblemError('request-invalid', 'The sample can only be added to an empty workspace.');
      await addSample();
      await store.readAnew();
      return {};
    },

    setImportOptions: async ({ params, body, granted }) => {
      const { found: file } = found(params.table, { granted });
      const { root } = store.folders;
      const below = `tables/${file.name}.yaml`;
      const before = store.documents.readings.get(file.name)?.read;
      const relationships = before?.ok ? before.value.relationships : undefined;
      const options = { version: 1, ...body, ...(relationships && { relationships }) } as const;
      await replaceFile(root, below.split('/'), writeDocument(options, 'table', below));
      await writeEditorSchemas(root);
      await store.readAnew();
      return { file: below };
    },

    previewImportOptions: async ({ params, body, caller, granted, signal }) => {
      // What is counted depends on all rows.
      requireRawAccess(caller, store.current);
      const { found: file } = found(params.table, { granted });
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
      stopped: store.cancelImport(found(params.table, { granted }).name),
    }),
    retryImport: ({ params, granted }) => ({
      begun: store.retryImport(found(params.table, { granted }).name),
    }),

    getUpload: ({ params, query }) => uploads.state({ ...params, ...query }),
    putUpload: async ({ params, query, request }) => {
      if (!(request.body instanceof Uint8Array))
        throw new ProblemError('request-invalid', 'Send a piece of a file as `application/octet-stream`.');
      if (query.offset + request.body.length === query.size)
        await store.uploaded.add(params.name, query.size);
      return uploads.put({ ...params, ...query }, query.offset, request.body, query.replaces);
    },

    appendRows: ({ params, request }) => {
      if (!(request.body instanceof Uint8Array))
        throw new ProblemError(
          'request-invalid',
          'Send rows as `application/x-ndjson`: one JSON object per line.',
        );
      return appender.append(params.table, request.body, idempotencyKey(request.headers['idempotency-key']));
    },

    getRejectedRows: ({ params, reply, caller, granted }) => {
      requireRawAccess(caller, store.current);
      const { imported, name } = found(params.table, { granted });
      const rows = imported?.report.rejected ?? [];
      const lines = [
        ['file', 'line', 'column', 'reason', 'text'],
        ...rows.map(row => [
          relative(row.file),
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

    getTableRows: async ({ params, query, caller, granted, signal }) => {
      requireRawAccess(caller, store.current);
      const table = found(params.table, { granted });
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
      const queryContext = queryContextOf(store.current, undefined, caller, signal);
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
  };
}

function withoutVersion({ version: _, ...reading }: TableFile): Omit<TableFile, 'version'> {
  return reading;
}

/** @throws ProblemError for one that is too long, or not printable ASCII */
function idempotencyKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  if (typeof header === 'string' && /^[\x21-\x7e]{1,200}$/.test(header)) return header;
  throw new ProblemError(
    'request-invalid',
    'The `Idempotency-Key` header is invalid. Use 1 to 200 letters, digits and symbols, such as a UUID.',
  );
}

/** Quotes a CSV cell and prevents formulas. */
function csvCell(text: string): string {
  return `"${withoutFormula(text).replaceAll('"', '""').replaceAll('\0', '')}"`;
}
