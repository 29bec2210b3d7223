import { readRegularFile } from '@belvedere/engine';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Past this number of files, the oldest are forgotten. */
const maxNames = 10_000;

/**
 * Remembers uploaded data files by name and size. Their imports have stricter limits than those of files that
 * the owner put there (SAFETY 35). A file replaced by hand has another size.
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

  /** Must be called before the file is moved among the data, so that no scan finds it first. */
  async add(name: string, size: number): Promise<void> {
    const written = this.#writing.then(async () => {
      const sizes = await this.sizes();
      if (sizes.get(name) === size) return;
      await mkdir(path.dirname(this.#file), { recursive: true, mode: 0o700 });
      const latest = [...sizes, [name, size] as const].slice(-maxNames);
      await writeFile(`${this.#file}.part`, JSON.stringify(Object.fromEntries(latest)), { mode: 0o600 });
      await rename(`${this.#file}.part`, this.#file);
    });
    this.#writing = written.catch(() => {});
    await written;
  }
}
