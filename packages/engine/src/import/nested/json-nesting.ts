import { streamRegularFile } from '../../regular-file.ts';

/** Deeper than any real document, and shallow enough for the stack of the engine's reader. */
export const deepestNesting = 1000;

const newline = 0x0a;
const [quote, backslash] = [0x22, 0x5c];
/** The change of depth for each byte outside of strings. */
const steps = new Int8Array(256);
for (const open of '[{') steps[open.charCodeAt(0)] = 1;
for (const close of ']}') steps[close.charCodeAt(0)] = -1;

/**
 * The lines on which lists and objects are nested deeper than `deepestNesting`. In NDJSON, each line is
 * checked separately. Brackets inside strings do not count.
 */
export async function linesNestedTooDeep(
  file: string,
  kind: 'json' | 'ndjson',
): Promise<ReadonlySet<number>> {
  const lines = new Set<number>();
  let depth = 0;
  let line = 1;
  let isLineStart = true;
  let isText = false;
  let isEscaped = false;
  for await (const chunk of (await streamRegularFile(file, {
    highWaterMark: 1 << 20,
  })) as AsyncIterable<Buffer>) {
    for (let start = 0; start < chunk.length;) {
      const next = chunk.indexOf(newline, start);
      const end = next < 0 ? chunk.length : next;
      // A shorter record cannot be nested that deep, so most records are skipped.
      if (kind === 'json' || !isLineStart || next < 0 || end - start > deepestNesting)
        look(chunk, start, end);
      isLineStart = next >= 0;
      start = end + 1;
      if (next < 0) continue;
      // JSON strings do not contain line breaks, and a broken record does not continue on the next line.
      line++;
      isText = false;
      isEscaped = false;
      if (kind === 'ndjson') depth = 0;
    }
  }
  return lines;

  function look(chunk: Buffer, start: number, end: number): void {
    for (let i = start; i < end; i++) {
      const byte = chunk[i]!;
      if (isText) {
        if (isEscaped) isEscaped = false;
        else if (byte === backslash) isEscaped = true;
        else if (byte === quote) isText = false;
      } else if (byte === quote) isText = true;
      else if (steps[byte] !== 0) {
        depth += steps[byte]!;
        if (depth > deepestNesting) lines.add(line);
      }
    }
  }
}
