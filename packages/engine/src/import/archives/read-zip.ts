import { fromFdPromise, getFileNameLowLevel, type Entry, type ZipFile } from 'yauzl';
import { openRegularFile } from '../../regular-file.ts';
import type { ArchiveEntry } from './archive-entry.ts';
import { ImportError } from '../report.ts';

/** Compression methods of ZIP files that are not supported. */
const methods: Readonly<Record<number, string>> = {
  9: 'Deflate64',
  12: 'BZIP2',
  14: 'LZMA',
  93: 'Zstandard',
  95: 'XZ',
  98: 'PPMd',
  99: 'AES encryption',
};
const link = 0o120_000;
const [plain, unsaid, typeBits] = [0o100_000, 0, 0o170_000];

/**
 * Yields the entries of a ZIP file's central directory, in order.
 * @throws ImportError if it is not a ZIP file
 */
export async function* entriesOfZip(file: string): AsyncGenerator<ArchiveEntry> {
  const handle = await openRegularFile(file);
  try {
    const zip = await opened(file, () =>
      fromFdPromise(handle.fd, {
        lazyEntries: true,
        autoClose: false,
        decodeStrings: false,
        validateEntrySizes: true,
      }),
    );
    for (let entry = await next(file, zip); entry; entry = await next(file, zip)) yield described(zip, entry);
  } finally {
    await handle.close();
  }
}

async function opened<T>(file: string, open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    throw notRead(file, error as Error);
  }
}

function next(file: string, zip: ZipFile): Promise<Entry | undefined> {
  return new Promise((resolve, reject) => {
    const settle = (done: () => void) => {
      zip.removeAllListeners();
      done();
    };
    zip.once('entry', (entry: Entry) => settle(() => resolve(entry)));
    zip.once('end', () => settle(() => resolve(undefined)));
    zip.once('error', (error: Error) => settle(() => reject(notRead(file, error))));
    zip.readEntry();
  });
}

function described(zip: ZipFile, entry: Entry): ArchiveEntry {
  const name = getFileNameLowLevel(entry.generalPurposeBitFlag, entry.fileNameRaw, entry.extraFields, false);
  const reason = reasonOf(entry);
  return { name, ...(reason !== undefined && { reason }), open: () => zip.openReadStreamPromise(entry) };
}

function reasonOf(entry: Entry): string | undefined {
  // Archives made on Unix contain the file mode.
  const type = (entry.externalFileAttributes >>> 16) & typeBits;
  if (type === link) return 'It is a symbolic link, and links are not followed.';
  if (type !== plain && type !== unsaid && type !== 0o040_000) return 'It is not a regular file.';
  if (entry.isEncrypted())
    return 'It is encrypted. Unpack the archive with its password and put the files here.';
  if (entry.canDecodeFileData()) return undefined;
  const method = methods[entry.compressionMethod] ?? `method ${entry.compressionMethod}`;
  return `Its compression method (${method}) is not supported. Unpack the archive and put the files here, or compress them with Deflate.`;
}

function notRead(file: string, error: Error): ImportError {
  return new ImportError(
    file,
    undefined,
    `This ZIP archive is damaged or incomplete: ${error.message.slice(0, 200)}. Download it again, or unpack it and put the files here.`,
  );
}
