/** A batch is complete with this many lines or characters, or after this time. A request may have 1 MiB. */
const bounds = { lines: 5000, characters: 256 * 1024, ms: 1000 };

export interface LineBatch {
  /** The number of its first line in the stream, from 1. */
  readonly first: number;
  readonly lines: readonly string[];
}

/**
 * Groups the lines of a stream, so that a slow stream is passed on every second and a fast one in large pieces.
 * Batches of empty lines are left out.
 */
export async function* lineBatches(lines: AsyncIterable<string>, limits = bounds): AsyncGenerator<LineBatch> {
  const iterator = lines[Symbol.asyncIterator]();
  const read = () => {
    const line = iterator.next();
    // A stream may fail while a batch is passed on. The error is thrown once that is done.
    line.catch(() => {});
    return line;
  };
  let next = read();
  let number = 1;
  for (;;) {
    const first = await next;
    if (first.done) return;
    next = read();
    const batch = [first.value];
    let characters = first.value.length;
    const late = Promise.withResolvers<'late'>();
    const timer = setTimeout(() => late.resolve('late'), limits.ms);
    try {
      while (batch.length < limits.lines && characters < limits.characters) {
        const line = await Promise.race([next, late.promise]);
        if (line === 'late' || line.done || characters + line.value.length > limits.characters) break;
        next = read();
        batch.push(line.value);
        characters += line.value.length;
      }
    } finally {
      clearTimeout(timer);
    }
    if (batch.some(line => line.trim() !== '')) yield { first: number, lines: batch };
    number += batch.length;
  }
}
