// A worker thread that parses and edits documents, so that a slow one delays no requests.
import { editText, patchText, readContent } from '@belvedere/document';
import { parentPort } from 'node:worker_threads';
import type { DocumentJob, DocumentReply } from './document-reader.ts';

parentPort!.on('message', (job: DocumentJob) => parentPort!.postMessage(replyTo(job)));
parentPort!.postMessage({ kind: 'ready' } satisfies DocumentReply);

function replyTo(job: DocumentJob): DocumentReply {
  if (job.kind === 'read') return { kind: 'content', content: readContent(job.of, job.text, job.file) };
  try {
    return {
      kind: 'edited',
      text: job.kind === 'edit' ? editText(job.text, job.edits) : patchText(job.text, job.operations),
    };
  } catch (error) {
    return { kind: 'failed', message: (error as Error).message };
  }
}
