import type { Readable } from 'node:stream';

/**
 * Yields the rows of a stream in ClickHouse's TabSeparated format. `\N` is null; a backslash escapes
 * characters that would end a cell or row. `received` gets the size of each chunk before it is parsed. A
 * stream that breaks off throws; a last line without a line end is one that broke off.
 */
export async function* rowsOfTsv(
  stream: Readable,
  received: (bytes: number) => void = () => {},
): AsyncGenerator<(string | null)[]> {
  const decoder = new TextDecoder();
  /** The start of an incomplete row, which may span many chunks. */
  let begun: string[] = [];
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    received(chunk.length);
    const text = decoder.decode(chunk, { stream: true });
    let start = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
      yield [...begun, text.slice(start, end)].join('').split('\t').map(cell);
      begun = [];
      start = end + 1;
    }
    if (start < text.length) begun.push(text.slice(start));
  }
  if (begun.length > 0) throw new Error('The result ended in the middle of a row.');
}

function cell(text: string): string | null {
  if (text === '\\N') return null;
  return text.includes('\\') ? text.replace(/\\(.)/gs, (_, mark: string) => marks[mark] ?? mark) : text;
}

const marks: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', 0: '\0' };
