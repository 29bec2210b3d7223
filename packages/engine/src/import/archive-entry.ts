import type { Readable } from 'node:stream';

/** Something in an archive. */
export interface ArchiveEntry {
  /** As the archive has it: it may lead anywhere. */
  readonly name: string;
  /** Why it cannot be read, where it is no plain file. */
  readonly reason?: string;
  /** Its bytes, unpacked; to be asked for before the next entry. */
  readonly open: () => Promise<Readable>;
}
