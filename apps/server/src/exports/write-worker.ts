// A worker thread that writes one file and ends.
import { parentPort, workerData } from 'node:worker_threads';
import type { WriteJob } from './export-writer.ts';

const job = workerData as WriteJob;
const bytes = await write();
parentPort!.postMessage(bytes, [bytes.buffer as ArrayBuffer]);

// Each format loads only its own library.
async function write(): Promise<Uint8Array> {
  switch (job.kind) {
    case 'png':
      return (await import('./write-png.ts')).writePng(job.svg, job.scale, job.fonts);
    case 'pdf':
      return (await import('./write-pdf.ts')).writePdf(job.title, job.pages, job.fonts, job.locale);
  }
}
