import { createReadStream } from 'node:fs';

/** Deeper than anybody writes, and not so deep that the engine's reader uses up its stack. */
export const deepestNesting = 1000;

/** The lines on which lists and objects lie in each other deeper than `deepestNesting`; of NDJSON, each line by itself. Brackets within texts are no lists. */
export async function linesNestedTooDeep(file: string, kind: 'json' | 'ndjson'): Promise<ReadonlySet<number>> {
  const lines = new Set<number>();
  let depth = 0;
  let line = 1;
  let isText = false;
  let isEscaped = false;
  for await (const chunk of createReadStream(file, { highWaterMark: 1 << 20 }) as AsyncIterable<Buffer>) {
    for (let i = 0; i < chunk.length; i++) {
      const byte = chunk[i]!;
      if (byte === newline) {
        // No text goes over a line's end in JSON, and what is torn in one line is not continued on the next.
        line++;
        isText = false;
        isEscaped = false;
        if (kind === 'ndjson') depth = 0;
      } else if (isText) {
        if (isEscaped) isEscaped = false;
        else if (byte === backslash) isEscaped = true;
        else if (byte === quote) isText = false;
      } else if (byte === quote) isText = true;
      else if (byte === openBrace || byte === openBracket) {
        if (++depth === deepestNesting + 1) lines.add(line);
      } else if (byte === closeBrace || byte === closeBracket) depth--;
    }
  }
  return lines;
}

const [newline, quote, backslash, openBracket, closeBracket, openBrace, closeBrace] = [...Buffer.from('\n"\\[]{}')] as [number, number, number, number, number, number, number];
