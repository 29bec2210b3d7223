import { ProblemError } from '../../../http/problems.ts';
import type { RowAppender } from '../../../workspace/sources/row-appender.ts';
import type { UploadStore } from '../../../workspace/sources/upload-store.ts';
import type { WorkspaceStore } from '../../../workspace/workspace-store.ts';
import type { Handlers } from '../../contract/mount-contract.ts';

/** Endpoints by which data arrives: uploads, appended rows and the sample. */
export function dataArrivalRoutes(
  store: WorkspaceStore,
  uploads: UploadStore,
  appender: RowAppender,
  addSample: (() => Promise<void>) | undefined,
): Pick<Handlers, 'getUpload' | 'putUpload' | 'appendRows' | 'addSample'> {
  return {
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

    addSample: async () => {
      if (!addSample) throw new ProblemError('not-found', 'This server has no sample.');
      const { tables, dashboards } = store.current;
      if (tables.size > 0 || dashboards.size > 0)
        throw new ProblemError('request-invalid', 'The sample can only be added to an empty workspace.');
      await addSample();
      await store.reload();
      return {};
    },
  };
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
