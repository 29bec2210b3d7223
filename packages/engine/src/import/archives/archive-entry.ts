import type { Readable } from 'node:stream';

/** An entry of an archive. */
export interface ArchiveEntry {
  /** The name in the archive. It may be any path, including one outside of the archive. */
  readonly name: string;
  /** Why the entry cannot be read, if it is not a regular file. */
  readonly reason?: string;
  /** Opens the unpacked content. Call it before requesting the next entry. */
  readonly open: () => Promise<Readable>;
}
