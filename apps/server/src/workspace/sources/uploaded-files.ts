import { readRegularFile } from '@belvedere/engine';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Of more files the first ones are forgotten. */
const mostNames = 10_000;

/**
 * Remembers which data files were sent to the server, by their names and sizes: what comes of them has narrower bounds than what comes of
 * files that the owner put there himself (SAFETY 35). A file that has been replaced by hand has another size.
 */
export class UploadedFiles {
  readonly #file: string;
  #writing: Promise<unknown> = Promise.resolve();

  constructor(state: string) {
    this.#file = path.join(state, 'uploaded.json');
  }

  /** Sizes in bytes, by name. */
  async sizes(): Promise<ReadonlyMap<string, number>> {
    try {
      return new Map(
        Object.entries(JSON.parse(String(await readRegularFile(this.#file))) as Record<string, number>),
      );
    } catch {
      return new Map();
    }
  }

  /** To be called before the file is among the data, so that no look at it comes first. */
  async add(name: string, size: number): Promise<void> {
    const written = this.#writing.then(async () => {
      const sizes = await this.sizes();
      if (sizes.get(name) === size) return;
      await mkdir(path.dirname(this.#file), { recursive: true, mode: 0o700 });
      const latest = [...sizes, [name, size] as const].slice(-mostNames);
      await writeFile(`${this.#file}.part`, JSON.stringify(Object.fromEntries(latest)), { mode: 0o600 });
      await rename(`${this.#file}.part`, this.#file);
    });
    this.#writing = written.catch(() => {});
    await written;
  }
}
