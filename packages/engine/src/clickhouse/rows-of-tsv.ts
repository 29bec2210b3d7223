import type { Readable } from 'node:stream';

/**
 * Reads the rows of ClickHouse's TabSeparated format from a stream. `\N` is null; a backslash stands before what would end a cell or row.
 * A stream that breaks off throws; a last line without its end is one that broke off.
 */
export async function* rowsOfTsv(stream: Readable): AsyncGenerator<(string | null)[]> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    const text = rest + decoder.decode(chunk, { stream: true });
    let start = 0;
    for (let end = text.indexOf('\n', start); end >= 0; end = text.indexOf('\n', start)) {
      yield text.slice(start, end).split('\t').map(cell);
      start = end + 1;
    }
    rest = text.slice(start);
  }
  if (rest !== '') throw new Error('The answer broke off in the middle of a row.');
}

function cell(text: string): string | null {
  if (text === '\\N') return null;
  return text.includes('\\') ? text.replace(/\\(.)/gs, (_, mark: string) => marks[mark] ?? mark) : text;
}

const marks: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', 0: '\0' };
