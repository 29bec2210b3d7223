import { DuckDBInstance } from '@duckdb/node-api';
import { writeFileSync } from 'node:fs';
import { text } from '../import/sql-text.ts';

/** What an engine may use and reach. */
export interface Sandbox {
  readonly memoryBytes: number;
  readonly threads: number;
  readonly spillFolder: string;
  /** Folders whose files may be read, written and attached. Never a folder that other people put files in. */
  readonly folders: readonly string[];
  /** Files outside those folders that may be read and attached, and nothing else. */
  readonly files?: readonly string[];
}

type Settings = Readonly<Record<string, string>>;

/**
 * Opens a DuckDB that reaches no file but those of its sandbox, no network and no extension, and whose settings are locked.
 * Every engine of ours is opened by this, or by `sandboxStatements` where the driver is not used.
 * @param database a file in one of the sandbox's folders to write tables to; without it they are kept in memory
 * @param settings beside those of `duckdbSettings`
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

/** Settings that our own statements change later, and that let nobody reach anything. */
const harmlessSettings = ['enable_progress_bar', 'enable_progress_bar_print', 'preserve_insertion_order'];

/** What closes an engine that was opened with `duckdbSettings`: nothing else can be reached, and settings are locked. */
export function sandboxStatements({ folders, files = [] }: Pick<Sandbox, 'folders' | 'files'>): string[] {
  return [
    `set allowed_directories = [${folders.map(folder => text(`${folder}/`)).join(', ')}]`,
    `set allowed_paths = [${files.map(text).join(', ')}]`,
    `set allowed_configs = [${harmlessSettings.map(text).join(', ')}]`,
    "set TimeZone = 'UTC'",
    'set enable_external_access = false',
    'set lock_configuration = true',
  ];
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

/** Lets the kernel, when memory runs out, end this process before the server. */
export function volunteerForOutOfMemory(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '800');
  } catch {
    // Only Linux has it; elsewhere the memory limit alone must do.
  }
}
