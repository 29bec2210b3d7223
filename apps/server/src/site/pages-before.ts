import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { BuiltPage } from './dashboard-page.ts';
import { hashOf } from './site-assets.ts';

interface PageRecord extends Omit<BuiltPage, 'files' | 'failed' | 'inputs'> {
  readonly inputs: string;
  /** Hashes of its files, by their paths. */
  readonly files: Readonly<Record<string, string>>;
}

/**
 * The record of a site's pages. It is kept with the workspace and not in the site: who can change a site shall not
 * decide which of its pages are built again.
 */
function recordFile(state: string, folder: string): string {
  return path.join(state, 'sites', `${hashOf(folder)}.json`);
}

/**
 * Reads the pages of an earlier build, with what they were made of.
 * @param state the folder of the workspace's caches
 * @param folder of the site
 * @returns finds a page that was made of the same inputs, and whose files are as they were written
 */
export async function pagesBefore(
  state: string,
  folder: string,
): Promise<(id: string, inputs: string) => Promise<BuiltPage | undefined>> {
  const text = await readFile(recordFile(state, folder), 'utf8').catch(() => '{}');
  const records = readRecords(text);
  return async (id, inputs) => {
    const record = Object.hasOwn(records, id) ? records[id] : undefined;
    if (record?.inputs !== inputs) return undefined;
    const files = new Map<string, Uint8Array>();
    for (const [file, hash] of Object.entries(record.files)) {
      const bytes = await readFile(path.join(folder, ...file.split('/'))).catch(() => undefined);
      if (!bytes || hashOf(bytes) !== hash) return undefined;
      files.set(file, bytes);
    }
    return { ...record, files, failed: [] };
  };
}

/** Writes what the next build reads with `pagesBefore`. */
export async function recordPages(state: string, folder: string, pages: readonly BuiltPage[]): Promise<void> {
  const records = pages.flatMap(({ files, failed: _, ...page }) =>
    page.inputs === undefined
      ? []
      : [
          [
            page.id,
            {
              ...page,
              files: Object.fromEntries([...files].map(([file, content]) => [file, hashOf(content)])),
            },
          ] as const,
        ],
  );
  const file = recordFile(state, folder);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, JSON.stringify(Object.fromEntries(records)));
}

/** A file that was changed or cut is as good as none: its pages are queried again. */
function readRecords(text: string): Readonly<Record<string, PageRecord>> {
  try {
    const found: unknown = JSON.parse(text);
    const entries = Object.entries(found as Record<string, PageRecord>).filter(
      ([, page]) => typeof page.inputs === 'string' && typeof page.files === 'object',
    );
    return Object.fromEntries(entries);
  } catch {
    return {};
  }
}
