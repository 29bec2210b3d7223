import { gzipSync } from 'node:zlib';
import { ProblemError } from '../http/problems.ts';
import { hashedName } from './site-assets.ts';

/**
 * Adds up what the tiles of a page take. All of them are measured before a page is refused, so that the largest is
 * named; only a page of several times the limit is given up while it is being made.
 */
export class SizeLimit {
  readonly #dashboard: string;
  readonly #maxBytes: number;
  readonly #sizes = new Map<string, number>();
  #total = 0;

  constructor(dashboard: string, maxBytes: number) {
    this.#dashboard = dashboard;
    this.#maxBytes = maxBytes;
  }

  add(tile: string, bytes: number): void {
    this.#sizes.set(tile, (this.#sizes.get(tile) ?? 0) + bytes);
    this.#total += bytes;
    if (this.#total > this.#maxBytes * tolerated) this.check();
  }

  /** Whether a part that the page can do without leaves half of the room. */
  hasRoomFor(bytes: number): boolean {
    return bytes <= (this.#maxBytes - this.#total) / 2;
  }

  /** Counts a part that belongs to no tile. */
  take(bytes: number): void {
    this.#total += bytes;
  }

  /** @throws ProblemError */
  check(bytes = this.#total): void {
    if (bytes <= this.#maxBytes) return;
    const [largest, size] = [...this.#sizes].toSorted(([, a], [, b]) => b - a)[0] ?? ['', 0];
    throw new ProblemError(
      'request-invalid',
      `The page of \`${this.#dashboard}\` is larger than ${megabytes(this.#maxBytes)}. ` +
        `Its largest tile, \`${largest}\`, takes ${megabytes(size)}. ` +
        'Filter that tile, make its axes coarser, or raise --max-size.',
    );
  }
}

const tolerated = 8;

function megabytes(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(bytes < 2 ** 20 ? 2 : 1)} MB`;
}

const packedBefore = new WeakMap<Uint8Array, Uint8Array>();

/** Compressed, since not every server compresses what it sends. */
export function packed(bytes: Uint8Array): Uint8Array {
  const found = packedBefore.get(bytes) ?? gzipSync(bytes, { level: 9 });
  packedBefore.set(bytes, found);
  return found;
}

/** The files of a page, each under a name that a hash of its content is part of. */
export class PageFiles {
  readonly contents = new Map<string, Uint8Array | string>();

  /** @returns the file's name, without its folder */
  add(name: string, ending: string, content: Uint8Array | string): string {
    const file = hashedName(name, ending, content);
    this.contents.set(file, content);
    return file.slice('assets/'.length);
  }

  get bytes(): number {
    return [...this.contents.values()].reduce((sum, content) => sum + Buffer.byteLength(content), 0);
  }
}
