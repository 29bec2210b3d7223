import { freeName, nameFrom, type TableFile } from '@belvedere/document';
import type { Dirent } from 'node:fs';
import { lstat } from 'node:fs/promises';
import path from 'node:path';
import { irregularityOf } from '../../regular-file.ts';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { FirstLines, type FirstLine } from '../csv/first-lines.ts';
import type { SkippedFile } from '../report.ts';
import { DataFolders, inGroups, maxFiles } from './data-folders.ts';
import { multiTableKinds, type DiscoveredTable, type FileKind } from './discovered-table.ts';
import { isAboutData, kindOfFile, reasonNotRead, withoutPacking } from './file-kinds.ts';
import { numberedName, stemOf } from './file-name-columns.ts';
import { matcherOf } from './file-pattern.ts';
import { groupSimilarFiles, mayBeAlike, type SimilarFiles } from './group-files.ts';
import { tableFingerprint, withTakenNames } from './table-fingerprint.ts';

/** The longest that patterns are compared at once, ms: the server answers between. */
const maxTurnMs = 10;

/** Settings of a workspace for the search. */
export interface DiscoveryOptions {
  /** Import options of tables, by table name. */
  readonly importOptions?: ReadonlyMap<string, TableFile>;
  /** Tables that models and dashboards refer to. A file with such a name stays a separate table. */
  readonly named?: ReadonlySet<string>;
  /** A cache that is kept between searches. */
  readonly firstLines?: FirstLines;
}

/**
 * Finds the tables in a folder, or in one file. Each file directly inside is a table, except similar CSV
 * files (`groupSimilarFiles`). A folder of numbered files of one kind, or with Hive partitions, is one table.
 * Other folders are searched.
 */
export async function discover(
  root: string,
  options: DiscoveryOptions = {},
): Promise<{ tables: DiscoveredTable[]; skippedFiles: SkippedFile[] }> {
  const search = new TableSearch(root, options);
  await search.run();
  return { tables: withTakenNames(search.tables), skippedFiles: search.folders.skippedFiles };
}

/** Files that form one table, whose name is not free for others. */
interface TableFiles {
  readonly name: string;
  readonly kind: FileKind;
  readonly files: readonly string[];
  readonly isHive?: boolean;
}

/** A search for tables below a folder. */
class TableSearch {
  readonly tables: DiscoveredTable[] = [];
  readonly folders = new DataFolders();
  readonly #root: string;
  readonly #importOptions: ReadonlyMap<string, TableFile>;
  readonly #named: ReadonlySet<string>;
  readonly #firstLines: FirstLines;
  readonly #names = new Set<string>();
  /** Files that import options assign to a table. */
  readonly #claimed = new Set<string>();
  #seen = 0;

  constructor(root: string, { importOptions, named, firstLines }: DiscoveryOptions) {
    this.#root = root;
    this.#importOptions = importOptions ?? new Map();
    this.#named = named ?? new Set();
    this.#firstLines = firstLines ?? new FirstLines();
  }

  async run(): Promise<void> {
    const stats = await lstat(this.#root);
    if (!stats.isDirectory()) {
      if (this.folders.isKept(this.#root, stats)) await this.#addFile(this.#root, '');
      return;
    }
    const assigned = await this.#assignedFiles();
    await this.#visitFolder(this.#root, '', path.basename(path.resolve(this.#root)));
    for (const table of assigned) await this.#add(table);
    if (this.#seen > maxFiles)
      this.folders.skip(
        this.#root,
        `This folder has more than ${maxFiles.toLocaleString('en')} files; the rest are skipped. Open a subfolder, or combine files.`,
      );
  }

  /** Tables whose files are given by import options. They keep their names, whatever else is found. */
  async #assignedFiles(): Promise<TableFiles[]> {
    const patterns = [...this.#importOptions].flatMap(([name, { files }]) =>
      files === undefined || files === 'separate' ? [] : [{ name, pattern: files }],
    );
    if (patterns.length === 0) return [];
    const candidates = (await this.folders.dataFilesBelow(this.#root)).map(file => ({
      file,
      name: path.relative(this.#root, file).split(path.sep).join('/'),
    }));
    const tables: TableFiles[] = [];
    let turnBegan = performance.now();
    for (const { name, pattern } of patterns) {
      const matches = matcherOf(pattern);
      const files: string[] = [];
      for (const candidate of candidates) {
        if (!this.#claimed.has(candidate.file) && matches(candidate.name)) files.push(candidate.file);
        // A folder from elsewhere can have thousands of files and hundreds of patterns.
        if (performance.now() - turnBegan < maxTurnMs) continue;
        await nextTurn();
        turnBegan = performance.now();
      }
      const kind = kindOfTogether(files);
      if (kind === undefined) {
        this.folders.skip(
          path.join(this.#root, pattern),
          `\`tables/${name}.yaml\` combines these files into one table. ${files.length === 0 ? 'No file matches: correct `files`.' : 'The files of one table must have the same type, and cannot be workbooks or databases: narrow `files`.'}`,
        );
        continue;
      }
      for (const file of files) this.#claimed.add(file);
      this.#names.add(name);
      tables.push({ name, kind, files });
    }
    return tables;
  }

  /**
   * @param prefix precedes every table name
   * @param own the folder's own table name
   */
  async #visitFolder(folder: string, prefix: string, own: string): Promise<void> {
    const entries = (await this.folders.entriesOf(folder)).filter(
      entry => !this.#claimed.has(path.join(folder, entry.name)),
    );
    const similar = await this.#similarFiles(folder, entries, prefix, own);
    const isSimilar = new Set(similar.flatMap(({ files }) => files));
    for (const entry of entries) {
      if (++this.#seen > maxFiles) return;
      const full = path.join(folder, entry.name);
      if (isSimilar.has(full)) continue;
      if (entry.isDirectory()) await this.#visitSubfolder(full, prefix + entry.name);
      else if (entry.isFile()) await this.#addFile(full, prefix);
      else
        await lstat(full).then(
          stats => this.folders.isKept(full, stats),
          () => false,
        );
    }
    // Added last, so that the names of single files take precedence.
    for (const { name, files } of similar)
      await this.#add({ name: this.#freeName(name), kind: 'csv', files });
  }

  /** A folder is one table if its files are numbered or partitions; else its files are searched. */
  async #visitSubfolder(folder: string, name: string): Promise<void> {
    const files = (await this.folders.dataFilesBelow(folder)).filter(file => !this.#claimed.has(file));
    const isHive = files.length > 0 && files.every(file => isPartition(path.relative(folder, file)));
    const isApart = this.#importOptions.get(nameFrom(name))?.files === 'separate';
    const isOne = isHive ? new Set(files.map(kindOfFile)).size === 1 : areNumbered(folder, files) && !isApart;
    if (!isOne) return this.#visitFolder(folder, `${name}_`, name);
    this.#seen += files.length;
    await this.#add({ name: this.#freeName(name), kind: kindOfFile(files[0]!)!, files, isHive });
  }

  /** The CSV files of a folder that form tables together. */
  async #similarFiles(
    folder: string,
    entries: readonly Dirent[],
    prefix: string,
    own: string,
  ): Promise<SimilarFiles[]> {
    const data = entries
      .filter(entry => entry.isFile() && kindOfFile(entry.name) !== undefined && !isAboutData(entry.name))
      .map(entry => path.join(folder, entry.name));
    const csv = mayBeAlike(data.filter(file => kindOfFile(file) === 'csv'));
    const files = await inGroups(csv, async file => ({ file, line: await this.#firstLine(file) }));
    return groupSimilarFiles(files, files.length === data.length).flatMap(({ name, files: alike }) => {
      const whole = name === '' ? own : prefix + name;
      const isApart =
        this.#importOptions.get(nameFrom(whole))?.files === 'separate' ||
        alike.some(file => this.#isNamed(prefix + stemOf(file)));
      return isApart ? [] : [{ name: whole, files: alike }];
    });
  }

  #isNamed(name: string): boolean {
    return this.#named.has(nameFrom(name)) || this.#importOptions.has(nameFrom(name));
  }

  async #firstLine(file: string): Promise<FirstLine | undefined> {
    const stats = await lstat(file, { bigint: true }).catch(() => undefined);
    return stats && irregularityOf(stats) === undefined
      ? this.#firstLines.of(file, `${stats.size} ${stats.mtimeNs}`)
      : undefined;
  }

  async #addFile(file: string, prefix: string): Promise<void> {
    const reason = reasonNotRead(withoutPacking(path.basename(file)));
    if (reason !== undefined) {
      if (reason !== '') this.folders.skip(file, reason);
      return;
    }
    await this.#add({ name: this.#freeName(prefix + stemOf(file)), kind: kindOfFile(file)!, files: [file] });
  }

  #freeName(name: string): string {
    return freeName(name, this.#names);
  }

  async #add({ name, kind, files, isHive = false }: TableFiles): Promise<void> {
    const regular = await this.folders.regularFiles(files);
    if (regular.length === 0) return;
    const reading = this.#importOptions.get(name);
    this.tables.push({
      name,
      ...(reading && { reading }),
      kind,
      files: regular.map(({ file }) => file),
      isHive,
      bytes: regular.reduce((sum, { stats }) => sum + Number(stats.size), 0),
      fingerprint: tableFingerprint(kind, isHive, regular, reading),
    });
  }
}

/** The kind of files that can form one table; undefined if they cannot. */
function kindOfTogether(files: readonly string[]): FileKind | undefined {
  const [kind, ...otherKinds] = new Set(files.map(file => kindOfFile(file)!));
  return kind !== undefined && otherKinds.length === 0 && (files.length === 1 || !multiTableKinds.has(kind))
    ? kind
    : undefined;
}

/** Whether all folders of a path are Hive partitions such as `year=2024`. */
function isPartition(file: string): boolean {
  return path
    .dirname(file)
    .split(path.sep)
    .every(part => /^[^=]+=.*$/.test(part));
}

/** Whether the files are parts of one table: several of one kind, whose names differ by numbers only. */
function areNumbered(folder: string, files: readonly string[]): boolean {
  return (
    files.length > 1 &&
    files.every(file => path.dirname(file) === folder) &&
    kindOfTogether(files) !== undefined &&
    new Set(files.map(numberedName)).size === 1
  );
}
