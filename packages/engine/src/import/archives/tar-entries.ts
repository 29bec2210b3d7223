import {
  blockBytes,
  readTarAttributes,
  readTarHeader,
  textOf,
  type TarAttributes,
  type TarHeader,
} from './tar-headers.ts';

/** Types whose entries are followed by no content, whatever size they have. */
const withoutContent = new Set(['1', '2', '3', '4', '5', '6']);
/** Attributes hold names and notes of file systems: more are meant to harm. */
const mostAttributeBytes = 2 ** 20;

/** An entry of a tar file. */
export interface TarEntry extends TarHeader {
  /** Its content. Read it before requesting the next entry, which skips the rest. */
  readonly body: AsyncIterable<Buffer>;
}

/**
 * Yields the entries of an uncompressed tar file, with the names and sizes that attributes give them. The time is
 * linear in its bytes.
 * @throws RangeError if it is damaged or incomplete; an error of the source
 */
export async function* entriesInTar(source: AsyncIterable<Buffer>): AsyncGenerator<TarEntry> {
  const bytes = new TarBytes(source);
  try {
    yield* entriesOf(bytes);
  } finally {
    await bytes.close();
  }
}

async function* entriesOf(bytes: TarBytes): AsyncGenerator<TarEntry> {
  let common: TarAttributes = {};
  let own: TarAttributes = {};
  for (;;) {
    const header = readTarHeader(await bytes.take(blockBytes));
    if (!header) break;
    if (!'xgLK'.includes(header.type)) {
      yield* withBody({ ...header, ...common, ...own }, bytes);
      own = {};
      continue;
    }
    if (header.size > mostAttributeBytes) throw new RangeError('attributes of an entry are too large');
    const value = await bytes.take(header.size);
    await bytes.skip(paddingAfter(header.size));
    if (header.type === 'g') common = { ...common, ...readTarAttributes(value) };
    else if (header.type === 'x') own = { ...own, ...readTarAttributes(value) };
    else if (header.type === 'L') own = { ...own, name: textOf(value, 0, value.length) };
  }
  if (readTarHeader(await bytes.take(blockBytes))) throw new RangeError('it goes on after its end');
  // A checksum stands at the end of the compressed bytes.
  await bytes.skip(Infinity);
}

async function* withBody(header: TarHeader, bytes: TarBytes): AsyncGenerator<TarEntry> {
  let left = withoutContent.has(header.type) ? 0 : header.size;
  const padding = paddingAfter(left);
  const body = (async function* () {
    for (; left > 0;) {
      const some = await bytes.some(left);
      if (!some) throw cutOff();
      left -= some.length;
      yield some;
    }
  })();
  yield { ...header, body };
  // A reader that gave up may still wait for a piece.
  await body.return(undefined);
  await bytes.skip(left + padding);
}

const paddingAfter = (size: number) => (blockBytes - (size % blockBytes)) % blockBytes;
const cutOff = () => new RangeError('it is cut off');

/** The bytes of a stream, read in pieces of any size. */
class TarBytes {
  readonly #source: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  async close(): Promise<void> {
    await this.#source.return?.();
  }

  /** Up to so many bytes; undefined at the end. */
  async some(max: number): Promise<Buffer | undefined> {
    while (this.#rest.length === 0) {
      const { done, value } = await this.#source.next();
      if (done) return undefined;
      this.#rest = value;
    }
    const some = this.#rest.subarray(0, max);
    this.#rest = this.#rest.subarray(some.length);
    return some;
  }

  /** @throws RangeError if there are fewer */
  async take(length: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    for (let left = length; left > 0; left -= parts.at(-1)!.length) {
      const some = await this.some(left);
      if (!some) throw cutOff();
      parts.push(some);
    }
    return parts.length === 1 ? parts[0]! : Buffer.concat(parts);
  }

  /** @param length Infinity skips the rest. @throws RangeError if there are fewer */
  async skip(length: number): Promise<void> {
    for (let left = length; left > 0;) {
      const some = await this.some(left);
      if (!some && left === Infinity) return;
      if (!some) throw cutOff();
      left -= some.length;
    }
  }
}
