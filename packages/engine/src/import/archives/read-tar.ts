import { createTarDecoder, type TarHeader } from 'modern-tar';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { readFileStart, streamRegularFile } from '../../regular-file.ts';
import { createGunzip, createZstdDecompress } from 'node:zlib';
import type { ArchiveEntry } from './archive-entry.ts';
import type { UnpackedBytes } from './unpacked-bytes.ts';
import { ImportError } from '../report.ts';

const kinds: Readonly<Record<string, string>> = {
  link: 'It is a hard link to another entry, and links are not followed.',
  symlink: 'It is a symbolic link, and links are not followed.',
  'character-device': 'It is a device, not a file.',
  'block-device': 'It is a device, not a file.',
  fifo: 'It is a pipe, not a file.',
};

/**
 * Yields the entries of a tar file, plain or compressed by gzip or Zstandard. All decompressed bytes are
 * counted.
 * @throws ImportError if it is not such a file
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
  let entries = 0;
  try {
    const decoded = (Readable.toWeb(counted) as ReadableStream<Uint8Array>).pipeThrough(
      createTarDecoder({ strict: true }) as ReadableWritablePair<Decoded, Uint8Array>,
    );
    for await (const { header, body } of decoded) {
      entries++;
      yield* described(header, body);
    }
  } catch (error) {
    if (error instanceof ImportError) throw error;
    throw notRead(file, error as Error);
  } finally {
    bytes.destroy();
  }
  if (entries === 0) throw notRead(file, new Error('it has no entries'));
}

interface Decoded {
  readonly header: TarHeader;
  readonly body: ReadableStream<Uint8Array>;
}

async function* described(header: TarHeader, body: ReadableStream<Uint8Array>): AsyncGenerator<ArchiveEntry> {
  const { name, type = 'file' } = header;
  const isOpened = { value: false };
  const open = () => {
    isOpened.value = true;
    return Promise.resolve(Readable.fromWeb(body as never));
  };
  const reason = kinds[type];
  yield {
    name: type === 'directory' && !name.endsWith('/') ? `${name}/` : name,
    ...(reason !== undefined && { reason }),
    open,
  };
  // The parser yields the next entry after this one has been read.
  if (!isOpened.value) await body.cancel();
}

function notRead(file: string, error: Error): ImportError {
  return new ImportError(
    file,
    undefined,
    `This tar archive is damaged or incomplete: ${error.message.slice(0, 200)}. Download it again, or unpack it and put the files here.`,
  );
}
