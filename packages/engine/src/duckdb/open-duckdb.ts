import { DuckDBInstance } from '@duckdb/node-api';
import { writeFileSync } from 'node:fs';

export interface Sandbox {
  readonly memoryBytes: number;
  readonly threads: number;
  readonly spillFolder: string;
  /** Folders that trusted code may still attach files from after the lock. */
  readonly readable: readonly string[];
}

/** Opens an in-memory DuckDB that reaches no file but those in `readable`, no network, no extension, and whose settings are locked. */
export async function openSandbox(sandbox: Sandbox): Promise<DuckDBInstance> {
  const instance = await DuckDBInstance.create(':memory:', duckdbSettings(sandbox));
  const connection = await instance.connect();
  const folders = sandbox.readable.map(folder => `'${folder.replaceAll("'", "''")}/'`);
  await connection.run(`set allowed_directories = [${folders.join(', ')}]`);
  await connection.run("set TimeZone = 'UTC'");
  await connection.run('set enable_external_access = false');
  await connection.run('set lock_configuration = true');
  connection.closeSync();
  return instance;
}

export function duckdbSettings({ memoryBytes, threads, spillFolder }: Omit<Sandbox, 'readable'>): Record<string, string> {
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
