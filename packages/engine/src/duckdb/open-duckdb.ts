import { DuckDBInstance } from '@duckdb/node-api';
import { writeFileSync } from 'node:fs';
import { text, withoutPatterns } from '../import/sql-text.ts';

/** The resources and files that an engine may use. */
export interface Sandbox {
  readonly memoryBytes: number;
  readonly threads: number;
  readonly spillFolder: string;
  /**
   * Folders whose files may be read, written and attached. Never a folder that contains other users' files.
   */
  readonly folders: readonly string[];
  /** Individual files outside those folders that may be read and attached. */
  readonly files?: readonly string[];
}

type Settings = Readonly<Record<string, string>>;

/**
 * Opens a DuckDB that can access only the files of its sandbox, no network and no extensions, and whose
 * settings are locked. All engines are opened by this function, or by `sandboxStatements` where the driver is
 * not used.
 * @param database a file to write tables to, in one of the sandbox's folders; by default tables are kept in
 * memory
 * @param settings in addition to those of `duckdbSettings`
 */
export async function openSandbox(
  sandbox: Sandbox,
  database = ':memory:',
  settings: Settings = {},
): Promise<DuckDBInstance> {
  const instance = await DuckDBInstance.create(database, { ...duckdbSettings(sandbox), ...settings });
  const connection = await instance.connect();
  try {
    for (const statement of sandboxStatements(sandbox)) await connection.run(statement);
  } catch (error) {
    instance.closeSync();
    throw error;
  } finally {
    connection.closeSync();
  }
  return instance;
}

/** Settings that our own statements change later. None of them gives access to anything. */
const harmlessSettings = ['enable_progress_bar', 'enable_progress_bar_print', 'preserve_insertion_order'];

/**
 * Statements that lock an engine opened with `duckdbSettings`: they restrict its files and lock its settings.
 */
export function sandboxStatements({ folders, files = [] }: Pick<Sandbox, 'folders' | 'files'>): string[] {
  return [
    `set allowed_directories = [${bothForms(folders.map(folder => `${folder}/`))}]`,
    `set allowed_paths = [${bothForms(files)}]`,
    `set allowed_configs = [${harmlessSettings.map(text).join(', ')}]`,
    "set TimeZone = 'UTC'",
    'set enable_external_access = false',
    'set lock_configuration = true',
  ];
}

/** Paths as they are, and as they are written where patterns are expected. The engine checks both. */
function bothForms(paths: readonly string[]): string {
  const forms = new Set([...paths, ...paths.map(withoutPatterns)]);
  return [...forms].map(text).join(', ');
}

export function duckdbSettings({
  memoryBytes,
  threads,
  spillFolder,
}: Omit<Sandbox, 'folders' | 'files'>): Settings {
  const nowhere = `${spillFolder}/none`;
  return {
    threads: String(threads),
    memory_limit: `${Math.floor(memoryBytes / 2 ** 20)}MiB`,
    temp_directory: spillFolder,
    max_temp_directory_size: '8GB',
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    allow_community_extensions: 'false',
    allow_unsigned_extensions: 'false',
    allow_persistent_secrets: 'false',
    secret_directory: nowhere,
    extension_directory: nowhere,
    home_directory: nowhere,
    default_null_order: 'nulls_last',
    preserve_insertion_order: 'false',
  };
}

/** Makes the kernel kill this process before the server when memory runs out. */
export function volunteerForOutOfMemory(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '800');
  } catch {
    // Only Linux supports this. Other systems rely on the memory limit alone.
  }
}
