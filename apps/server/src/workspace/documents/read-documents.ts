import type {
  AccessFile,
  DocumentKind,
  DocumentOf,
  DocumentProblem,
  ReadDocument,
  WorkspaceFile,
} from '@belvedere/document';
import { irregularityOf, IrregularFileError, openRegularFile } from '@belvedere/engine';
import { lstat, readdir } from 'node:fs/promises';
import path from 'node:path';
import type { DocumentReader } from './document-reader.ts';

/** A document's file and its parsed content. */
export interface DocumentText<K extends DocumentKind> {
  readonly file: string;
  readonly text: string;
  readonly updated: string;
  readonly read: ReadDocument<DocumentOf<K>>;
}

export type Translations = ReadonlyMap<
  string,
  { readonly file: string; readonly read: ReadDocument<DocumentOf<'translation'>> }
>;

/** The documents of a workspace, parsed and checked, each with its errors. */
export interface Documents {
  readonly settings: WorkspaceFile;
  /** The grants of `access.yaml` and the files in `access/`; none of a file that has errors. */
  readonly declaredGrants: NonNullable<AccessFile['grants']>;
  readonly problems: readonly DocumentProblem[];
  readonly models: ReadonlyMap<string, DocumentText<'model'>>;
  readonly sources: ReadonlyMap<string, DocumentText<'source'>>;
  /** The files of tables, by table name: import options, and decisions about relationships. */
  readonly tableFiles: ReadonlyMap<
    string,
    { readonly file: string; readonly read: ReadDocument<DocumentOf<'table'>> }
  >;
  /** A dashboard's translations: by its ID, then by language. */
  readonly translations: ReadonlyMap<string, Translations>;
  readonly dashboards: ReadonlyMap<string, DocumentText<'dashboard'>>;
  readonly alerts: ReadonlyMap<string, DocumentText<'alert'>>;
  readonly reports: ReadonlyMap<string, DocumentText<'report'>>;
  /** Tests of row policies, by file. */
  readonly tests: readonly { readonly file: string; readonly read: ReadDocument<DocumentOf<'test'>> }[];
}

const yaml = /\.ya?ml$/;

export async function readDocuments(root: string, reader: DocumentReader): Promise<Documents> {
  const { settings, problems } = await readSettings(root, (text, file) =>
    reader.read('workspace', text, file),
  );
  const named = new Map(
    await Promise.all(documentFolders.map(async folder => [folder, await namesIn(root, folder)] as const)),
  );
  const documentsIn = (folder: DocumentFolder) => readAll(root, folder, named.get(folder)!.files);
  const access = await readAccess(root, named.get('access')!.files, reader);
  const irregular = [
    ...(await irregularAt(root, 'belvedere.yaml')),
    ...(await irregularAt(root, 'access.yaml')),
    ...[...named.values()].flatMap(one => one.irregular),
  ];
  const textsIn = async <K extends DocumentKind>(folder: DocumentFolder, kind: K) => {
    const texts = new Map<string, DocumentText<K>>();
    for (const { id, file, text, updated } of await documentsIn(folder))
      texts.set(id, { file, text, updated, read: await reader.read(kind, text, file) });
    return texts;
  };
  const models = await textsIn('models', 'model');
  const sources = await textsIn('sources', 'source');
  const alerts = await textsIn('alerts', 'alert');
  const reports = await textsIn('reports', 'report');
  const tableFiles = new Map<string, { file: string; read: ReadDocument<DocumentOf<'table'>> }>();
  for (const { id, file, text } of await documentsIn('tables'))
    tableFiles.set(id, { file, read: await reader.read('table', text, file) });
  const tests = await Promise.all(
    (await documentsIn('tests')).map(async ({ file, text }) => ({
      file,
      read: await reader.read('test', text, file),
    })),
  );
  const dashboards = new Map<string, DocumentText<'dashboard'>>();
  const translations = new Map<
    string,
    Map<string, { file: string; read: ReadDocument<DocumentOf<'translation'>> }>
  >();
  const found = await documentsIn('dashboards');
  const ids = new Set(found.map(({ id }) => id));
  for (const { id, file, text, updated } of found) {
    const [, of, language] = /^(.+)\.([a-z]{2})$/.exec(id) ?? [];
    // `delays.de.yaml` beside `delays.yaml` is its German translation. Alone, it is a dashboard of that name.
    if (of === undefined || !ids.has(of))
      dashboards.set(id, { file, text, updated, read: await reader.read('dashboard', text, file) });
    else
      translations.set(
        of,
        (
          translations.get(of) ??
          new Map<string, { file: string; read: ReadDocument<DocumentOf<'translation'>> }>()
        ).set(language!, { file, read: await reader.read('translation', text, file) }),
      );
  }
  return {
    settings,
    declaredGrants: access.grants,
    problems: [...problems, ...access.problems, ...irregular.map(notRead)],
    models,
    sources,
    tableFiles,
    translations,
    dashboards,
    alerts,
    reports,
    tests,
  };
}

type Grants = Documents['declaredGrants'];

async function readAccess(
  root: string,
  files: readonly string[],
  reader: DocumentReader,
): Promise<{ readonly grants: Grants; readonly problems: readonly DocumentProblem[] }> {
  const top = await readText(path.join(root, 'access.yaml'));
  const texts = [
    ...(top ? [{ file: 'access.yaml', ...top }] : []),
    ...(await readAll(root, 'access', files)),
  ];
  const parts: Grants[] = [];
  const problems: DocumentProblem[] = [];
  for (const { file, text } of texts) {
    const read = await reader.read('access', text, file);
    if (!read.ok) problems.push(...read.problems);
    else if (read.value.grants) parts.push(read.value.grants);
  }
  return { grants: joined(parts), problems };
}

const noGrants: Grants = [];
const joinedBefore = new WeakMap<Grants, { readonly parts: readonly Grants[]; readonly all: Grants }>();

/** Returns the same list for the same parts: what callers may see is remembered by it. */
function joined(parts: readonly Grants[]): Grants {
  const [first, ...others] = parts;
  if (!first) return noGrants;
  if (others.length === 0) return first;
  const before = joinedBefore.get(first);
  if (before?.parts.length === parts.length && before.parts.every((part, i) => part === parts[i]))
    return before.all;
  const all = parts.flat();
  joinedBefore.set(first, { parts, all });
  return all;
}

function notRead({ file, reason }: IrregularDocument): DocumentProblem {
  return {
    code: 'document.invalid',
    file,
    path: '',
    line: 1,
    column: 1,
    message: `This document was not loaded. ${reason}`,
  };
}

/** Reads the workspace's settings; empty if the file is missing or invalid. */
export async function readSettings(
  root: string,
  read: (text: string, file: string) => ReadDocument<WorkspaceFile> | Promise<ReadDocument<WorkspaceFile>>,
): Promise<Pick<Documents, 'settings' | 'problems'>> {
  const found = await readText(path.join(root, 'belvedere.yaml'));
  const settings = found && (await read(found.text, 'belvedere.yaml'));
  return {
    settings: settings?.ok ? settings.value : {},
    problems: settings && !settings.ok ? settings.problems : [],
  };
}

export const documentFolders = [
  'access',
  'alerts',
  'dashboards',
  'models',
  'reports',
  'sources',
  'tables',
  'tests',
] as const;
type DocumentFolder = (typeof documentFolders)[number];

/** Returns the document files of a folder, valid or not, as sorted paths within it. */
export async function documentFiles(root: string): Promise<string[]> {
  const found = await Promise.all(documentFolders.map(folder => namesIn(root, folder)));
  const own = await readdir(root).catch((): string[] => []);
  return [
    ...['access.yaml', 'belvedere.yaml'].filter(file => own.includes(file)),
    ...found.flatMap(({ files }) => files),
  ].toSorted();
}

/** A link, pipe or similar at a document's or document folder's path, with a remedy. */
interface IrregularDocument {
  readonly file: string;
  readonly reason: string;
}

/** By their paths within the workspace. */
interface FolderDocuments {
  readonly files: readonly string[];
  readonly irregular: readonly IrregularDocument[];
}

async function namesIn(root: string, folder: DocumentFolder): Promise<FolderDocuments> {
  // `readdir` would follow a link.
  const top = await lstat(path.join(root, folder)).catch(() => undefined);
  if (!top?.isDirectory()) return { files: [], irregular: await irregularAt(root, folder) };
  const entries = await readdir(path.join(root, folder), { withFileTypes: true, recursive: true }).catch(
    () => [],
  );
  const documents = entries.filter(
    entry => !entry.isDirectory() && yaml.test(entry.name) && !entry.name.startsWith('.'),
  );
  const files = documents
    .map(entry => path.relative(root, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'))
    .toSorted();
  const irregular = (await Promise.all(files.map(file => irregularAt(root, file)))).flat();
  return { files: files.filter(file => !irregular.some(one => one.file === file)), irregular };
}

async function irregularAt(root: string, file: string): Promise<IrregularDocument[]> {
  const stats = await lstat(path.join(root, file)).catch(() => undefined);
  const irregularity = stats && irregularityOf(stats);
  return irregularity ? [{ file, reason: new IrregularFileError(irregularity).message }] : [];
}

async function readAll(root: string, folder: DocumentFolder, files: readonly string[]) {
  const read = await Promise.all(
    files.map(async file => {
      const content = await readText(path.join(root, file));
      return content && { id: file.slice(folder.length + 1).replace(yaml, ''), file, ...content };
    }),
  );
  return read.filter(document => document !== undefined);
}

/**
 * Reads a regular file's text without following links. Cuts a file that is too large for a document at a
 * length that the reader rejects.
 */
export async function readText(file: string): Promise<{ text: string; updated: string } | undefined> {
  let handle;
  try {
    handle = await openRegularFile(file);
    const stats = await handle.stat();
    const { buffer, bytesRead } = await handle.read(
      Buffer.alloc(Math.min(stats.size, 300 * 1024)),
      0,
      Math.min(stats.size, 300 * 1024),
      0,
    );
    return { text: buffer.subarray(0, bytesRead).toString('utf8'), updated: stats.mtime.toISOString() };
  } catch {
    return undefined;
  } finally {
    await handle?.close();
  }
}
