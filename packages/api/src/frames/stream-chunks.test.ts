import { expect, test } from 'vitest';
import { createClient } from '../client/client.ts';
import { encodeFrame, type Frame } from './frames.ts';
import { streamChunks } from './stream-chunks.ts';

/** A stream as Safari before 27 has it: without async iteration. */
function safariStream(source: UnderlyingDefaultSource<Uint8Array>): ReadableStream<Uint8Array> {
  const stream = new ReadableStream(source);
  Object.defineProperty(stream, Symbol.asyncIterator, { value: undefined });
  return stream;
}

const chunks = [Uint8Array.of(1), Uint8Array.of(2, 3)];

test('a stream without async iteration yields its chunks in order', async () => {
  const stream = safariStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
  const read: Uint8Array[] = [];
  for await (const chunk of streamChunks(stream)) read.push(chunk);
  expect(read).toEqual(chunks);
});

test('a reader that stops early cancels the stream', async () => {
  let isCancelled = false;
  const stream = safariStream({
    pull: controller => controller.enqueue(chunks[0]!),
    cancel: () => void (isCancelled = true),
  });
  for await (const _ of streamChunks(stream)) break;
  expect(isCancelled).toBe(true);
});

test('a failing stream throws its own error', async () => {
  const stream = safariStream({ start: controller => controller.error(new TypeError('network')) });
  await expect(streamChunks(stream).next()).rejects.toThrow('network');
});

test('the client reads responses from a stream without async iteration', async () => {
  const frames: Frame[] = [{ header: { kind: 'end', applied: {} } }];
  const body = safariStream({
    start(controller) {
      for (const bytes of frames.flatMap(encodeFrame)) controller.enqueue(bytes);
      controller.close();
    },
  });
  const response = new Response(null, { headers: { 'content-type': 'application/vnd.belvedere.frames' } });
  Object.defineProperty(response, 'body', { value: body });
  const client = createClient('', async () => response);
  const received: Frame[] = [];
  for await (const frame of await client.queryTiles({
    params: { id: 'sales' },
    body: { state: { page: 0, filters: {}, selections: {} } },
  })) {
    received.push(frame);
  }
  expect(received).toEqual(frames);
});
