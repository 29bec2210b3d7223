import { type DocumentKind, type DocumentOf, type DocumentProblem, type ReadDocument, type WorkspaceFile } from '@belvedere/document';
import { constants } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import path from 'node:path';
import type { DocumentReader } from './document-reader.ts';

/** A document's file, and what was read in it. */
export interface DocumentText<K extends DocumentKind> {
  readonly file: string;
  readonly text: string;
  readonly updated: string;
  readonly read: ReadDocument<DocumentOf<K>>;
}

export type Translations = ReadonlyMap<string, { readonly file: string; readonly read: ReadDocument<DocumentOf<'translation'>> }>;

/** The documents of a workspace's folder, read and checked: what is wrong with each stands beside what is right. */
export interface Documents {
  readonly settings: WorkspaceFile;
  readonly problems: readonly DocumentProblem[];
  readonly models: ReadonlyMap<string, DocumentText<'model'>>;
  readonly sources: ReadonlyMap<string, { readonly file: string; readonly read: ReadDocument<DocumentOf<'source'>> }>;
  /** How tables are to be read, by their names. */
  readonly readings: ReadonlyMap<string, { readonly file: string; readonly read: ReadDocument<DocumentOf<'table'>> }>;
  /** A dashboard's texts in other languages: by its id, then by language. */
  readonly translations: ReadonlyMap<string, Translations>;
  readonly dashboards: ReadonlyMap<string, DocumentText<'dashboard'>>;
  /** Of row policies, by their files. */
  readonly tests: readonly { readonly file: string; readonly read: ReadDocument<DocumentOf<'test'>> }[];
}

const yaml = /\.ya?ml$/;

export async function readDocuments(root: string, reader: DocumentReader): Promise<Documents> {
  const { settings, problems } = await readSettings(root, (text, file) => reader.read('workspace', text, file));
  const models = new Map<string, DocumentText<'model'>>();
  for (const { id, file, text, updated } of await documentsIn(root, 'models')) models.set(id, { file, text, updated, read: await reader.read('model', text, file) });
  const sources = new Map<string, { file: string; read: ReadDocument<DocumentOf<'source'>> }>();
  for (const { id, file, text } of await documentsIn(root, 'sources')) sources.set(id, { file, read: await reader.read('source', text, file) });
  const readings = new Map<string, { file: string; read: ReadDocument<DocumentOf<'table'>> }>();
  for (const { id, file, text } of await documentsIn(root, 'tables')) readings.set(id, { file, read: await reader.read('table', text, file) });
  const tests = await Promise.all((await documentsIn(root, 'tests')).map(async ({ file, text }) => ({ file, read: await reader.read('test', text, file) })));
  const dashboards = new Map<string, DocumentText<'dashboard'>>();
  const translations = new Map<string, Map<string, { file: string; read: ReadDocument<DocumentOf<'translation'>> }>>();
  const found = await documentsIn(root, 'dashboards');
  const ids = new Set(found.map(({ id }) => id));
  for (const { id, file, text, updated } of found) {
    const [, of, language] = /^(.+)\.([a-z]{2})$/.exec(id) ?? [];
    // `delays.de.yaml` beside `delays.yaml` is its German; alone it is a dashboard of that name.
    if (of === undefined || !ids.has(of)) dashboards.set(id, { file, text, updated, read: await reader.read('dashboard', text, file) });
    else translations.set(of, (translations.get(of) ?? new Map<string, { file: string; read: ReadDocument<DocumentOf<'translation'>> }>()).set(language!, { file, read: await reader.read('translation', text, file) }));
  }
  return { settings, problems, models, sources, readings, translations, dashboards, tests };
}

/** What holds for the whole workspace; nothing where its file is not there, or has errors. */
export async function readSettings(root: string, read: (text: string, file: string) => ReadDocument<WorkspaceFile> | Promise<ReadDocument<WorkspaceFile>>): Promise<Pick<Documents, 'settings' | 'problems'>> {
  const found = await readText(path.join(root, 'belvedere.yaml'));
  const settings = found && (await read(found.text, 'belvedere.yaml'));
  return { settings: settings?.ok ? settings.value : {}, problems: settings && !settings.ok ? settings.problems : [] };
}

async function documentsIn(root: string, folder: string) {
  const entries = await readdir(path.join(root, folder), { withFileTypes: true, recursive: true }).catch(() => []);
  const files = entries.filter(entry => entry.isFile() && yaml.test(entry.name) && !entry.name.startsWith('.')).map(entry => path.join(entry.parentPath, entry.name)).toSorted();
  const read = await Promise.all(
    files.map(async full => {
      const content = await readText(full);
      const relative = path.relative(path.join(root, folder), full).split(path.sep).join('/');
      return content && { id: relative.replace(yaml, ''), file: `${folder}/${relative}`, ...content };
    }),
  );
  return read.filter(document => document !== undefined);
}

/** A regular file's text: no links are followed, and a file too large to be a document is cut where the reader will refuse it. */
export async function readText(file: string): Promise<{ text: string; updated: string } | undefined> {
  let handle;
  try {
    handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW);
    const stats = await handle.stat();
    if (!stats.isFile() || stats.nlink > 1) return undefined;
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(Math.min(stats.size, 300 * 1024)), 0, Math.min(stats.size, 300 * 1024), 0);
    return { text: buffer.subarray(0, bytesRead).toString('utf8'), updated: stats.mtime.toISOString() };
  } catch {
    return undefined;
  } finally {
    await handle?.close();
  }
}
