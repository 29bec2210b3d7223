import type { DiscoveredTable } from './discovered-table.ts';
import { ImportError } from './report.ts';

const [mebibyte, gibibyte] = [2 ** 20, 2 ** 30];
/** A value of a table counts as this many bytes, however well a file of few bytes packs it. */
const bytesOfValue = 8;

/** How much a file may become when it is unpacked: so many times its own size, and so much in any case. */
const bounds = {
  /** SAFETY 35. */
  uploaded: { times: 20, leastBytes: gibibyte },
  /** What the owner puts here himself has no bound but that it must not fill the machine by a trick. */
  own: { times: 1000, leastBytes: 4 * gibibyte },
} as const;

/** Counts what becomes of one file, or one folder of files, and stops it where that is more than the file can mean. */
export class UnpackedBytes {
  readonly #found: Pick<DiscoveredTable, 'files' | 'bytes' | 'isUploaded'>;
  readonly most: number;
  #count = 0;

  constructor(found: Pick<DiscoveredTable, 'files' | 'bytes' | 'isUploaded'>) {
    const { times, leastBytes } = found.isUploaded ? bounds.uploaded : bounds.own;
    this.#found = found;
    this.most = Math.max(leastBytes, times * found.bytes);
  }

  /** @throws ImportError past the bound */
  add(bytes: number): void {
    this.#count += bytes;
    if (this.#count > this.most) throw this.tooMany();
  }

  /** Counts a table by what its file says of it, before it is read. @throws ImportError past the bound */
  addCells(cells: number): void {
    this.add(cells * bytesOfValue);
  }

  /** Whether a table of so many values may still be made. */
  hasRoomFor(cells: number): boolean {
    return this.#count + cells * bytesOfValue <= this.most;
  }

  get isPast(): boolean {
    return this.#count > this.most;
  }

  tooMany(): ImportError {
    const { files, bytes, isUploaded } = this.#found;
    const kind = isUploaded ? 'an uploaded file' : 'a file';
    return new ImportError(
      files[0]!,
      undefined,
      `Unpacked, this file of ${sized(bytes)} has more than ${sized(this.most)}, the maximum for ${kind} of its size. ` +
        'Nothing was imported. If the file is correct, split it into several files.',
    );
  }
}

function sized(bytes: number): string {
  const [unit, name] =
    bytes >= gibibyte ? [gibibyte, 'GiB'] : bytes >= mebibyte ? [mebibyte, 'MiB'] : [1024, 'KiB'];
  return `${Math.ceil(bytes / unit).toLocaleString('en')} ${name}`;
}
