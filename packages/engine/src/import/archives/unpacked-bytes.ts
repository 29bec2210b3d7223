import type { DiscoveredTable } from '../discovery/discovered-table.ts';
import { ImportError } from '../report.ts';

const [mebibyte, gibibyte] = [2 ** 20, 2 ** 30];
/** Each value of a table counts as this many bytes, however small its compressed form is. */
const bytesOfValue = 8;

/** Limits for the unpacked size of a file: a multiple of its own size, but at least a fixed size. */
const bounds = {
  /** SAFETY 35. */
  uploaded: { times: 20, minBytes: gibibyte },
  /** Local files of the owner have a wide limit, which only stops decompression bombs. */
  own: { times: 1000, minBytes: 4 * gibibyte },
} as const;

/**
 * Counts the bytes produced from a file or folder, and stops the import beyond a limit that no real file
 * reaches.
 */
export class UnpackedBytes {
  readonly #found: Pick<DiscoveredTable, 'files' | 'bytes' | 'isUploaded'>;
  readonly maxBytes: number;
  #count = 0;

  constructor(found: Pick<DiscoveredTable, 'files' | 'bytes' | 'isUploaded'>) {
    const { times, minBytes } = found.isUploaded ? bounds.uploaded : bounds.own;
    this.#found = found;
    this.maxBytes = Math.max(minBytes, times * found.bytes);
  }

  /** @throws ImportError beyond the limit */
  add(bytes: number): void {
    this.#count += bytes;
    if (this.#count > this.maxBytes) throw this.tooMany();
  }

  /** Counts a table by the size its file declares, before it is read. @throws ImportError beyond the limit */
  addCells(cells: number): void {
    this.add(cells * bytesOfValue);
  }

  /** Whether a table of this many values is still within the limit. */
  hasRoomFor(cells: number): boolean {
    return this.#count + cells * bytesOfValue <= this.maxBytes;
  }

  get isPast(): boolean {
    return this.#count > this.maxBytes;
  }

  tooMany(): ImportError {
    const { files, bytes, isUploaded } = this.#found;
    const kind = isUploaded ? 'an uploaded file' : 'a file';
    return new ImportError(
      files[0]!,
      undefined,
      `Unpacked, this file of ${sized(bytes)} has more than ${sized(this.maxBytes)}, the maximum for ${kind} of its size. ` +
        'Nothing was imported. If the file is correct, split it into several files.',
    );
  }
}

function sized(bytes: number): string {
  const [unit, name] =
    bytes >= gibibyte ? [gibibyte, 'GiB'] : bytes >= mebibyte ? [mebibyte, 'MiB'] : [1024, 'KiB'];
  return `${Math.ceil(bytes / unit).toLocaleString('en')} ${name}`;
}
