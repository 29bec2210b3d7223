// A worker thread that writes one file after another.
import { parentPort } from 'node:worker_threads';
import type { WriteJob, WriteReply } from './export-writer.ts';

parentPort!.on('message', (job: WriteJob) => void reply(job));

async function reply(job: WriteJob): Promise<void> {
  try {
    const bytes = await write(job);
    parentPort!.postMessage({ bytes } satisfies WriteReply, [bytes.buffer as ArrayBuffer]);
  } catch (error) {
    parentPort!.postMessage({ error: error as Error } satisfies WriteReply);
  }
}

// Each format loads only its own library.
async function write(job: WriteJob): Promise<Uint8Array> {
  switch (job.kind) {
    case 'png':
      return (await import('./write-png.ts')).writePng(job.svg, job.scale, job.fonts);
    case 'pdf':
      return (await import('./write-pdf.ts')).writePdf(job.title, job.pages, job.fonts, job.locale);
  }
}
