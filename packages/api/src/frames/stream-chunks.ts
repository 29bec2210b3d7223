/**
 * Yields the chunks of a stream in order. Safari before version 27 has no async iteration of streams, so this
 * uses a reader. A caller that stops early cancels the stream.
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
    // Cancelling a failed stream rejects with the error that `read` has already thrown.
    if (!hasEnded) await reader.cancel().catch(() => {});
    reader.releaseLock();
  }
}
