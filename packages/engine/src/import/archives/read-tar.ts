import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { readFileStart, streamRegularFile } from '../../regular-file.ts';
import { createGunzip, createZstdDecompress } from 'node:zlib';
import type { ArchiveEntry } from './archive-entry.ts';
import { entriesInTar, type TarEntry } from './tar-entries.ts';
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
  let entries = 0;
  try {
    for await (const entry of entriesInTar(counted)) {
      entries++;
      yield described(entry);
    }
  } catch (error) {
    if (error instanceof ImportError) throw error;
    throw notRead(file, error as Error);
  } finally {
    bytes.destroy();
  }
  if (entries === 0) throw notRead(file, new Error('it has no entries'));
}

function described({ name, type, body }: TarEntry): ArchiveEntry {
  const reason = kinds[type];
  return {
    name: type === folder && !name.endsWith('/') ? `${name}/` : name,
    ...(reason !== undefined && { reason }),
    open: () => Promise.resolve(Readable.from(body)),
  };
}

function notRead(file: string, error: Error): ImportError {
  return new ImportError(
    file,
    undefined,
    `This tar archive is damaged or incomplete: ${error.message.slice(0, 200)}. Download it again, or unpack it and put the files here.`,
  );
}
