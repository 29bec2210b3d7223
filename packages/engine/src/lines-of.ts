import { StringDecoder } from 'node:string_decoder';

/**
 * The lines of a stream in UTF-8, without line ends. Node's `readline` also divides at U+2028 and U+2029, which
 * JSON has in texts.
 */
export async function* linesOf(bytes: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8');
  let parts: string[] = [];
  for await (const piece of bytes) {
    const [first, ...others] = decoder.write(piece).split('\n');
    parts.push(first!);
    for (const next of others) {
      yield parts.join('').replace(/\r$/, '');
      parts = [next];
    }
  }
  const last = parts.join('') + decoder.end();
  if (last !== '') yield last;
}
