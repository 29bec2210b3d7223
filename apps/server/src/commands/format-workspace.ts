import { documentLimits, formatDocument, migrateDocument } from '@belvedere/document';
import path from 'node:path';
import { replaceFile } from '../workspace/documents/create-file.ts';
import type { ResolvedWorkspace } from '../workspace/resolve-workspace.ts';
import { documentFiles, readText } from '../workspace/documents/read-documents.ts';

/** Rewrites of documents: into the standard format, or into the current version. */
const rewritings = { format: formatDocument, migrate: migrateDocument };

/**
 * Rewrites every document of a folder without changing its meaning.
 * @param writes false only lists the files that would change
 * @returns the files that changed, or would
 */
export async function formatWorkspace(
  location: ResolvedWorkspace,
  rewriting: keyof typeof rewritings,
  writes: boolean,
): Promise<string[]> {
  const changed: string[] = [];
  for (const file of await documentFiles(location.root)) {
    const { text } = (await readText(path.join(location.root, file))) ?? {};
    if (text === undefined || text.length > documentLimits.bytes) continue;
    const rewritten = rewritings[rewriting](text);
    if (rewritten === text) continue;
    changed.push(file);
    if (writes) await replaceFile(location.root, file.split('/'), rewritten);
  }
  return changed;
}
