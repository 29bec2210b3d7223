import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { readFileStart, streamRegularFile } from '../../regular-file.ts';
import { createGunzip, createZstdDecompress } from 'node:zlib';
import type { ArchiveEntry } from './archive-entry.ts';
import {
  blockBytes,
  readTarAttributes,
  readTarHeader,
  textOf,
  type TarAttributes,
  type TarHeader,
} from './tar-headers.ts';
import type { UnpackedBytes } from './unpacked-bytes.ts';
import { ImportError } from '../report.ts';

/** Why entries of some types are not read. */
const kinds: Readonly<Record<string, string>> = {
  1: 'It is a hard link to another entry, and links are not followed.',
  2: 'It is a symbolic link, and links are not followed.',
  3: 'It is a device, not a file.',
  4: 'It is a device, not a file.',
  6: 'It is a pipe, not a file.',
  S: 'It is a sparse file, which is not supported.',
};
const folder = '5';
/** Types whose entries are followed by no content, whatever size they have. */
const withoutContent = new Set(['1', '2', '3', '4', '5', '6']);
/** Attributes hold names and notes of file systems: more are meant to harm. */
const mostAttributeBytes = 2 ** 20;

/**
 * Yields the entries of a tar file, plain or compressed by gzip or Zstandard. All decompressed bytes are
 * counted.
 * @throws ImportError if it is not such a file
 * @see https://pubs.opengroup.org/onlinepubs/9799919799/utilities/pax.html
 */
export async function* entriesOfTar(file: string, produced: UnpackedBytes): AsyncGenerator<ArchiveEntry> {
  const head = await readFileStart(file, 4);
  const unpack =
    head.readUInt16BE?.(0) === 0x1f8b
      ? createGunzip()
      : head.length === 4 && head.readUInt32LE(0) === 0xfd2fb528
        ? createZstdDecompress()
        : undefined;
  const counted = new Transform({
    transform(bytes: Buffer, _, done) {
      try {
        if (unpack) produced.add(bytes.length);
        done(null, bytes);
      } catch (error) {
        done(error as Error);
      }
    },
  });
  const bytes = await streamRegularFile(file, { highWaterMark: 1 << 20 });
  const piped = unpack ? pipeline(bytes, unpack, counted) : pipeline(bytes, counted);
  // The error of the pipe also ends the stream that is read below.
  piped.catch(() => {});
  const content = new TarBytes(counted);
  let entries = 0;
  try {
    for await (const header of headersIn(content)) {
      entries++;
      yield* described(header, content);
    }
  } catch (error) {
    if (error instanceof ImportError) throw error;
    throw notRead(file, error as Error);
  } finally {
    bytes.destroy();
  }
  if (entries === 0) throw notRead(file, new Error('it has no entries'));
}

/** Yields the headers of entries. Their content must be read or skipped before the next one is requested. */
async function* headersIn(bytes: TarBytes): AsyncGenerator<TarHeader> {
  let common: TarAttributes = {};
  let own: TarAttributes = {};
  for (;;) {
    const header = readTarHeader(await bytes.take(blockBytes));
    if (!header) break;
    if (!'xgLK'.includes(header.type)) {
      yield { ...header, ...common, ...own };
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

async function* described({ name, type, size }: TarHeader, bytes: TarBytes): AsyncGenerator<ArchiveEntry> {
  let left = withoutContent.has(type) ? 0 : size;
  const padding = paddingAfter(left);
  const body = (async function* () {
    for (; left > 0;) {
      const some = await bytes.some(left);
      if (!some) throw cutOff();
      left -= some.length;
      yield some;
    }
  })();
  const reason = kinds[type];
  yield {
    name: type === folder && !name.endsWith('/') ? `${name}/` : name,
    ...(reason !== undefined && { reason }),
    open: () => Promise.resolve(Readable.from(body)),
  };
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

  /** Up to so many bytes; undefined at the end. */
  async some(most: number): Promise<Buffer | undefined> {
    while (this.#rest.length === 0) {
      const { done, value } = await this.#source.next();
      if (done) return undefined;
      this.#rest = value;
    }
    const some = this.#rest.subarray(0, most);
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

function notRead(file: string, error: Error): ImportError {
  return new ImportError(
    file,
    undefined,
    `This tar archive is damaged or incomplete: ${error.message.slice(0, 200)}. Download it again, or unpack it and put the files here.`,
  );
}
