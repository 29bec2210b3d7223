import { constants, type ReadStream, type Stats } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';

/** Why a path is not opened: it is a link, not a regular file, or a file with several names. */
export type Irregularity = 'link' | 'special' | 'hard links';

const reasons: Readonly<Record<Irregularity, string>> = {
  link: 'It is a symbolic link, and links are not followed. Put the file itself here.',
  special: 'It is not a regular file.',
  'hard links':
    'It has more than one hard link, so it could expose the content of another file. ' +
    'Replace it with a copy: copy it to a new name, then rename the copy.',
};

/** Thrown for a path that is not a regular file. The message says what to do. */
export class IrregularFileError extends Error {
  override readonly name = 'IrregularFileError';
  readonly irregularity: Irregularity;

  constructor(irregularity: Irregularity, options?: ErrorOptions) {
    super(reasons[irregularity], options);
    this.irregularity = irregularity;
  }
}

/**
 * Opens a file of the workspace for reading. The opened file is checked instead of its path, so that it
 * cannot be exchanged in between. Pipes, sockets and devices never block (SAFETY 39).
 * @param links `'follow'` for files that an administrator configures and other programs provide as links,
 * such as mounted secrets
 * @throws IrregularFileError for anything but a regular file with a single name
 */
export async function openRegularFile(
  file: string,
  links: 'refuse' | 'follow' = 'refuse',
): Promise<FileHandle> {
  const flags = constants.O_RDONLY | constants.O_NONBLOCK | (links === 'refuse' ? constants.O_NOFOLLOW : 0);
  const handle = await open(file, flags).catch((error: NodeJS.ErrnoException) => {
    const irregularity = refusals[error.code ?? ''];
    throw irregularity ? new IrregularFileError(irregularity, { cause: error }) : error;
  });
  const irregularity = irregularityOf(await handle.stat(), links);
  if (!irregularity) return handle;
  await handle.close();
  throw new IrregularFileError(irregularity);
}

/** System error codes for opening links and sockets. */
const refusals: Readonly<Record<string, Irregularity>> = {
  ELOOP: 'link',
  EMLINK: 'link',
  ENXIO: 'special',
  EOPNOTSUPP: 'special',
};

export type FileFacts = Pick<Stats, 'isFile' | 'isSymbolicLink'> & { readonly nlink: number | bigint };

/** The irregularity of a file, from its `stat` or `lstat`; undefined for a regular file. */
export function irregularityOf(
  stats: FileFacts,
  links: 'refuse' | 'follow' = 'refuse',
): Irregularity | undefined {
  if (stats.isSymbolicLink()) return 'link';
  if (!stats.isFile()) return 'special';
  return Number(stats.nlink) > 1 && links === 'refuse' ? 'hard links' : undefined;
}

/** Streams a regular file from its beginning. @throws IrregularFileError */
export async function streamRegularFile(
  file: string,
  options: { readonly highWaterMark?: number } = {},
): Promise<ReadStream> {
  return (await openRegularFile(file)).createReadStream({ ...options, start: 0 });
}

const pieceBytes = 1 << 20;

/**
 * Yields a regular file's bytes in order, in large buffers that are fast to scan. For small files it costs
 * much less than a stream.
 * @throws IrregularFileError
 */
export async function* chunksOf(file: string): AsyncGenerator<Buffer> {
  const handle = await openRegularFile(file);
  try {
    for (let size = Math.min(pieceBytes, (await handle.stat()).size + 1); ; size = pieceBytes) {
      const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(size), 0, size);
      if (bytesRead > 0) yield buffer.subarray(0, bytesRead);
      if (bytesRead < size) return;
    }
  } finally {
    await handle.close();
  }
}

/**
 * Reads a whole regular file.
 * @throws IrregularFileError, and RangeError for a file of more than `maxBytes` bytes
 */
export async function readRegularFile(
  file: string,
  { maxBytes = Infinity, links = 'refuse' }: ReadingBounds = {},
): Promise<Buffer> {
  const handle = await openRegularFile(file, links);
  try {
    const { size } = await handle.stat();
    if (size > maxBytes) throw new RangeError(`The file has ${size} bytes; the maximum is ${maxBytes}.`);
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

interface ReadingBounds {
  readonly maxBytes?: number;
  readonly links?: 'refuse' | 'follow';
}

/** The first bytes of a regular file, `maxBytes` at most. @throws IrregularFileError */
export async function readFileStart(file: string, maxBytes: number): Promise<Buffer> {
  const handle = await openRegularFile(file);
  try {
    const length = Math.min(maxBytes, (await handle.stat()).size);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}
