import { isDatabaseFile, type TableFile } from '@belvedere/document';
import { discover, FirstLines, type DiscoveredTable, type SkippedFile } from '@belvedere/engine';
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { namedTables } from '../documents/named-tables.ts';
import type { Documents } from '../documents/read-documents.ts';
import type { ExtractStore } from '../sources/extract-store.ts';
import type { SourceStore } from '../sources/source-store.ts';
import type { UploadedFiles } from '../sources/uploaded-files.ts';
import type { WorkspaceFolders } from '../workspace-folders.ts';
import { DataOutside } from './data-entries.ts';

/** The tables that files make, and the files that are none. */
export interface TablesAndFiles {
  readonly tables: readonly DiscoveredTable[];
  readonly skippedFiles: readonly SkippedFile[];
}

type SourceDocument = Documents['sources'] extends ReadonlyMap<string, infer Text> ? Text : never;

const nothing: TablesAndFiles = { tables: [], skippedFiles: [] };

/** Finds the tables of a workspace: of its data folder, its sources' database files, and its extracts. */
export class TableDiscovery {
  readonly #folders: WorkspaceFolders;
  readonly #sources: Pick<SourceStore, 'states'>;
  readonly #extracts: Pick<ExtractStore, 'found'>;
  readonly #uploaded: Pick<UploadedFiles, 'sizes'>;
  readonly #firstLines = new FirstLines();
  readonly #dataOutside = new DataOutside();

  constructor(
    folders: WorkspaceFolders,
    sources: Pick<SourceStore, 'states'>,
    extracts: Pick<ExtractStore, 'found'>,
    uploaded: Pick<UploadedFiles, 'sizes'>,
  ) {
    this.#folders = folders;
    this.#sources = sources;
    this.#extracts = extracts;
    this.#uploaded = uploaded;
  }

  /** @param documents with the sources, the tables' import options, and the names that tables must keep */
  async find(documents: Documents): Promise<TablesAndFiles> {
    const importOptions = importOptionsIn(documents);
    const inData = await this.#inDataFolder(documents, importOptions);
    const inSources = await Promise.all(
      [...documents.sources].map(([name, source]) => this.#inSource(name, source, importOptions)),
    );
    const extracts = await this.#extracts.found();
    const outside = await this.#dataOutside.find(this.#folders, documents);
    return {
      tables: [...inData.tables, ...inSources.flatMap(one => one.tables), ...extracts],
      skippedFiles: [...outside, ...[inData, ...inSources].flatMap(one => one.skippedFiles)],
    };
  }

  async #inDataFolder(
    documents: Documents,
    importOptions: ReadonlyMap<string, TableFile>,
  ): Promise<TablesAndFiles> {
    const { data } = this.#folders;
    const found = await discover(data, {
      importOptions,
      named: namedTables(documents),
      firstLines: this.#firstLines,
    }).catch((error: NodeJS.ErrnoException) => unreadable(data, error));
    const uploaded = await this.#uploaded.sizes();
    const isUploaded = ({ files: [file], bytes }: DiscoveredTable) =>
      path.dirname(file!) === data && uploaded.get(path.basename(file!)) === bytes;
    return {
      ...found,
      tables: found.tables.map(table => (isUploaded(table) ? { ...table, isUploaded: true } : table)),
    };
  }

  /** The table of a database file that a source names. Servers have none. */
  async #inSource(
    name: string,
    { read }: SourceDocument,
    importOptions: ReadonlyMap<string, TableFile>,
  ): Promise<TablesAndFiles> {
    if (!read.ok || !isDatabaseFile(read.value) || this.#sources.states.get(name)?.state !== 'ready')
      return nothing;
    const named = path.resolve(this.#folders.root, read.value.connection.path);
    // A linked file was confirmed as the link's target.
    const file = await realpath(named).catch(() => named);
    const {
      tables: [table],
      skippedFiles: [skipped],
    } = await discover(file, { importOptions }).catch(() => nothing);
    if (table) return { tables: [{ ...table, name }], skippedFiles: [] };
    const reason = `The source \`${name}\` uses this file. ${skipped?.reason ?? 'File not found.'}`;
    return { tables: [], skippedFiles: [{ file, reason }] };
  }
}

function unreadable(data: string, { code = 'an error' }: NodeJS.ErrnoException): TablesAndFiles {
  const reason = `Could not read this, so there are no tables: the system reported ${code}.`;
  return { tables: [], skippedFiles: [{ file: data, reason }] };
}

/** The import options of tables by name. A file that only decides about relationships has none. */
function importOptionsIn({ tableFiles }: Documents): ReadonlyMap<string, TableFile> {
  return new Map(
    [...tableFiles].flatMap(([name, { read }]) => {
      if (!read.ok) return [];
      const { relationships, ...options } = read.value;
      return Object.keys(options).length > 1 || relationships === undefined ? [[name, options] as const] : [];
    }),
  );
}
