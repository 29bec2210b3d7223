import { streamRegularFile } from '../regular-file.ts';

/**
 * Counts a CSV file's records without the engine that reads it: lines that are not empty, line ends inside quotes not counted.
 * It is the other side of the books: records must equal rows kept plus rows rejected.
 */
export async function countRecords(file: string, skipLines: number, quote: string, escape: string): Promise<number> {
  const quoteByte = quote.length === 1 ? quote.charCodeAt(0) : -1;
  const escapeByte = escape.length === 1 && escape !== quote ? escape.charCodeAt(0) : -1;
  let records = 0;
  let isQuoted = false;
  let isEscaped = false;
  let isFieldStart = true;
  let hasContent = false;
  let toSkip = skipLines;
  for await (const chunk of (await streamRegularFile(file, { highWaterMark: 1 << 20 })) as AsyncIterable<Buffer>) {
    for (let i = 0; i < chunk.length; i++) {
      const byte = chunk[i]!;
      if (toSkip > 0) {
        if (byte === 10) toSkip--;
        continue;
      }
      if (isEscaped) isEscaped = false;
      else if (byte === escapeByte && isQuoted) isEscaped = true;
      else if (byte === quoteByte && (isQuoted || isFieldStart)) isQuoted = !isQuoted;
      else if (byte === 10 && !isQuoted) {
        if (hasContent) records++;
        hasContent = false;
        isFieldStart = true;
        continue;
      }
      if (byte !== 13) hasContent = true;
      // A quote opens only at a field's start, after whatever separates fields here; `"` right after `"` closes and reopens.
      isFieldStart = byte === 44 || byte === 59 || byte === 9 || byte === 124 || byte === 32 || (byte === quoteByte && !isQuoted);
    }
  }
  return records + (hasContent ? 1 : 0);
}
