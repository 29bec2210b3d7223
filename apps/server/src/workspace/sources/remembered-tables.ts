import type { SourceFile } from '@belvedere/document';
import { readRegularFile } from '@belvedere/engine';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { SourceTable } from './source.ts';

/** Keeps the tables of sources in files, for the time until they are connected again. */
export class RememberedTables {
  readonly #folder: string;
  #drafts = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Returns a source's tables, as long as it connects to the same database as then. */
  async read(name: string, { connection }: SourceFile): Promise<readonly SourceTable[]> {
    try {
      const text = String(await readRegularFile(this.#fileOf(name)));
      const kept = JSON.parse(text) as { connection: unknown; tables: SourceTable[] };
      return JSON.stringify(kept.connection) === JSON.stringify(connection) ? kept.tables : [];
    } catch {
      return [];
    }
  }

  async write(name: string, { connection }: SourceFile, tables: readonly SourceTable[]): Promise<void> {
    const file = this.#fileOf(name);
    // The same source may be saved twice at once, hence unique names.
    const draft = `${file}.${++this.#drafts}.part`;
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    await writeFile(draft, JSON.stringify({ connection, tables }));
    await rename(draft, file);
  }

  #fileOf(name: string): string {
    return path.join(this.#folder, `${name}.json`);
  }
}
