/** The first entry of a backup: what it is. */
export const aboutName = 'backup.json';
/** The records of the state database, as lines of JSON. */
export const recordsName = 'state.jsonl';
/** Secrets of the instance, sealed or not, by their file names. */
export const secretsFolder = 'secrets/';
/** Everything in the workspace's folder. */
export const filesFolder = 'workspace/';
/** The last entry, with which the backup is complete. */
export const endName = 'end.json';

/** What a backup is. */
export interface BackupAbout {
  readonly format: 1;
  readonly program: string;
  readonly at: string;
  /** The newest migration of the state database; absent if there was none. */
  readonly migration?: string;
  readonly hasData: boolean;
}

export interface BackupEnd {
  /** Files in the workspace's folder. */
  readonly files: number;
}
