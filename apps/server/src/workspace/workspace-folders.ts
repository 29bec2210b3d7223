/** The folders of a workspace, as full paths. */
export interface WorkspaceFolders {
  /** The folder of the documents, which may not exist yet. */
  readonly root: string;
  /** The data: a folder or a single file. */
  readonly data: string;
  readonly tables: string;
  /** Remembered tables of sources, and stored secrets. */
  readonly state: string;
}
