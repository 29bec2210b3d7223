/**
 * The chunks of a stream, one after another. Safari before 27 has no async iteration of streams, so they are read through a reader.
 * A caller that stops early cancels the stream.
 */
export async function* streamChunks(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  let hasEnded = false;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      hasEnded = done;
      if (done) return;
      yield value;
    }
  } finally {
    // Cancelling a stream that has failed rejects with the error that `read` has thrown already.
    if (!hasEnded) await reader.cancel().catch(() => {});
    reader.releaseLock();
  }
}
