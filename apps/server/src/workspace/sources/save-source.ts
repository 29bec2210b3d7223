import {
  isDatabaseFile,
  editText,
  readDocument,
  writeDocument,
  type Edit,
  type ServerSource,
  type SourceFile,
} from '@belvedere/document';
import { readFileStart } from '@belvedere/engine';
import type { NewFileConnection } from '@belvedere/api';
import { realpath, rename, unlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ProblemError } from '../../http/problems.ts';
import { textHash } from '../../state/documents/revisions.ts';
import { keepDataFolder } from '../documents/keep-data-folder.ts';
import { createFile, mayWrite, replaceFile, syncedFolder } from '../documents/create-file.ts';
import { storageProblem } from '../../operations/storage-problem.ts';
import { dropTyped, storeSecret } from './secrets.ts';
import { readText } from '../documents/read-documents.ts';
import { writeEditorSchemas } from '../documents/editor-schemas.ts';
import { accessOf, isSameTarget, targetOf, unconfirmedProblem } from './source-access.ts';
import type { WorkspaceFolders } from '../workspace-folders.ts';
import type { WorkspaceStore } from '../workspace-store.ts';

/** A connection as typed by the user. */
export interface TypedConnection {
  readonly kind: ServerSource['kind'];
  readonly host: string;
  readonly port?: number | undefined;
  readonly database: string;
  readonly user: string;
  readonly tls?: boolean | undefined;
}

/** Writes source files together with their typed secrets, both or neither. */
export class SourceWriter {
  readonly #store: WorkspaceStore;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(store: WorkspaceStore) {
    this.#store = store;
  }

  /**
   * Saves a connection, which confirms it, and reloads the workspace. A typed secret gets a new name, so only
   * the source's file, which references it, decides. Nothing has changed until that file is in place, and a
   * concurrent save then finds it changed.
   * @param base the hash of the text to change; undefined for a new source
   * @param password an empty one keeps the saved one, if the server and user stay the same
   * @throws ProblemError `revision-conflict` if the file has changed meanwhile, `document-invalid`,
   * `state-unavailable`
   */
  save(
    name: string,
    connection: TypedConnection,
    options: {
      readonly label?: string | undefined;
      readonly password: string;
      readonly base?: string | undefined;
    },
  ): Promise<void> {
    const saved = this.#turn.then(() => this.#save(name, connection, options));
    this.#turn = saved.catch(() => {});
    return saved;
  }

  /**
   * Saves a database file as a new source, which confirms it, and reloads the workspace.
   * @throws ProblemError `request-invalid` if there is no such file or it is of another kind,
   * `revision-conflict` for a name that is taken
   */
  saveFile(name: string, source: NewFileConnection): Promise<void> {
    const saved = this.#turn.then(() => this.#saveFile(name, source));
    this.#turn = saved.catch(() => {});
    return saved;
  }

  /**
   * Pauses or resumes a database server, by a line in its file, and reloads the workspace.
   * @param paused true, or the reason; undefined to resume
   * @throws ProblemError `request-invalid` for a database file, `document-invalid`, `state-unavailable`
   */
  pause(name: string, paused: true | string | undefined): Promise<void> {
    const saved = this.#turn.then(() => this.#pause(name, paused));
    this.#turn = saved.catch(() => {});
    return saved;
  }

  /**
   * Deletes a source's file and the password typed for it, and reloads the workspace, which closes its
   * connections. The database itself does not change.
   * @throws ProblemError `not-found`, `state-unavailable`
   */
  remove(name: string): Promise<void> {
    const removed = this.#turn.then(() => this.#remove(name));
    this.#turn = removed.catch(() => {});
    return removed;
  }

  async #remove(name: string): Promise<void> {
    const { root } = this.#store.folders;
    const file = this.#store.documents.sources.get(name)?.file ?? `sources/${name}.yaml`;
    mayWrite(root);
    const text = (await readText(path.join(root, file)))?.text;
    if (text === undefined)
      throw new ProblemError('not-found', `\`${file}\` does not exist, or was not shared with you.`);
    try {
      await unlink(path.join(root, file));
      await syncedFolder(root, path.join(root, path.dirname(file)));
    } catch (error) {
      throw storageProblem(error, `Could not remove \`${file}\``) ?? error;
    }
    const read = readDocument('source', text, file);
    if (read.ok && !isDatabaseFile(read.value))
      await dropTyped(read.value.connection.password, { root, source: name });
    await this.#store.reload();
  }

  async #pause(name: string, paused: true | string | undefined): Promise<void> {
    const { folders } = this.#store;
    const file = this.#store.documents.sources.get(name)?.file ?? `sources/${name}.yaml`;
    const disk = (await readText(path.join(folders.root, file)))?.text;
    const read = disk === undefined ? undefined : readDocument('source', disk, file);
    if (disk === undefined || !read?.ok)
      throw new ProblemError('document-invalid', `\`${file}\` cannot be edited here. Correct it by hand.`);
    if (isDatabaseFile(read.value))
      throw new ProblemError(
        'request-invalid',
        'A database file is imported, so there is nothing to pause. Only servers can be paused.',
      );
    const edit: Edit =
      paused === undefined
        ? { kind: 'remove', path: ['paused'] }
        : { kind: 'set', path: ['paused'], value: paused };
    if (paused === undefined && read.value.paused === undefined) return;
    await put(folders, file, disk, editText(disk, [edit]));
    await this.#store.refresh();
  }

  async #saveFile(name: string, { kind, label, path: given }: NewFileConnection): Promise<void> {
    const {
      folders: { root },
      confirmations,
    } = this.#store;
    const file = `sources/${name}.yaml`;
    if (this.#store.documents.sources.has(name)) throw takenName(name);
    await checkKind(kind, path.resolve(root, given), given);
    const source: SourceFile = { version: 1, kind, ...(label && { label }), connection: { path: given } };
    const access = await accessOf(source, root);
    const isNewlyConfirmed = access !== undefined && (await confirmations.add(name, access.content));
    try {
      await put(this.#store.folders, file, undefined, writeDocument(source, 'source', file));
    } catch (error) {
      if (isNewlyConfirmed) await confirmations.remove(name, access.content);
      throw error;
    }
    await writeEditorSchemas(root);
    await this.#store.reload();
  }

  async #save(
    name: string,
    connection: TypedConnection,
    { label, password, base }: Parameters<SourceWriter['save']>[2],
  ): Promise<void> {
    const {
      folders: { root },
      confirmations,
    } = this.#store;
    const file = this.#store.documents.sources.get(name)?.file ?? `sources/${name}.yaml`;
    const disk = (await readText(path.join(root, file)))?.text;
    const before = beforeChange(name, file, disk, base);
    const plain = before ? changed(before, connection) : sourceOf(connection, label);
    const { password: kept, ...rest } = plain.connection;
    const use = { root, source: name, target: targetOf(plain) };
    const inherited = password === '' && before && isSameTarget(before, plain) ? kept : undefined;
    // The server named in an unconfirmed file has not been reviewed here, so the saved password must not be
    // sent to it.
    if (
      before &&
      inherited !== undefined &&
      !(await confirmations.has(name, (await accessOf(before, root))!.content))
    )
      throw unconfirmedProblem({ label: before.label ?? name });
    const secret = password === '' ? undefined : await storeSecret(password, use);
    const reference = secret?.reference ?? inherited;
    const source = {
      ...plain,
      connection: { ...rest, ...(reference !== undefined && { password: reference }) },
    } as ServerSource;
    const { content } = (await accessOf(source, root))!;
    let isNewlyConfirmed = false;
    try {
      const text =
        disk === undefined ? writeDocument(source, 'source', file) : editText(disk, editsTo(source, label));
      isNewlyConfirmed = await confirmations.add(name, content);
      await put(this.#store.folders, file, disk, text);
    } catch (error) {
      await dropTyped(secret?.reference, use);
      if (isNewlyConfirmed) await confirmations.remove(name, content);
      throw error;
    }
    if (before && before.connection.password !== reference) await dropTyped(before.connection.password, use);
    await writeEditorSchemas(root);
    await this.#store.refresh();
  }
}

function takenName(name: string): ProblemError {
  return new ProblemError(
    'revision-conflict',
    `A source \`${name}\` already exists. Save under another name, or edit that one.`,
  );
}

/** What files of a kind contain at their beginning, and where. */
const signatures = {
  sqlite: { program: 'SQLite', at: 0, text: 'SQLite format 3' },
  duckdb: { program: 'DuckDB', at: 8, text: 'DUCK' },
} as const;

/** @throws ProblemError if there is no such file, or it is not a database of the kind */
async function checkKind(kind: keyof typeof signatures, full: string, given: string): Promise<void> {
  const { program, at, text } = signatures[kind];
  const start = await readFileStart(await realpath(full).catch(() => full), 64).catch((cause: unknown) => {
    throw new ProblemError('request-invalid', `There is no readable file at \`${given}\`.`, { cause });
  });
  if (start.toString('latin1', at, at + text.length) !== text)
    throw new ProblemError('request-invalid', `\`${given}\` is not a ${program} database.`);
}

/** Returns the source to change; undefined for a new one. @throws ProblemError */
function beforeChange(
  name: string,
  file: string,
  disk: string | undefined,
  base: string | undefined,
): ServerSource | undefined {
  if (base === undefined) {
    if (disk !== undefined) throw takenName(name);
    return undefined;
  }
  if (disk === undefined)
    throw new ProblemError(
      'revision-conflict',
      `\`${file}\` was deleted from the disk. Connect the database as a new source.`,
    );
  if (textHash(disk) !== base)
    throw new ProblemError(
      'revision-conflict',
      `\`${file}\` changed in the meantime, on the disk or in another window. Nothing was overwritten. Review it first.`,
      { version: textHash(disk) },
    );
  const read = readDocument('source', disk, file);
  if (!read.ok || isDatabaseFile(read.value))
    throw new ProblemError('document-invalid', `\`${file}\` cannot be edited here. Correct it by hand.`);
  return read.value;
}

/** Converts typed input to a source, without its password, which is stored separately. */
export function sourceOf(
  { kind, port, tls, host, database, user }: TypedConnection,
  label: string | undefined,
): ServerSource {
  return {
    version: 1,
    kind,
    ...(label && { label }),
    connection: {
      host,
      database,
      user,
      ...(port !== undefined && { port }),
      ...(tls !== undefined && { tls }),
    },
  } as ServerSource;
}

/** Returns a source with another connection. TLS and the secret keep their saved values if not given. */
export function changed(
  before: ServerSource,
  { kind, host, port, database, user, tls }: TypedConnection,
): ServerSource {
  if (kind !== before.kind)
    throw new ProblemError(
      'request-invalid',
      'The kind of a source cannot be changed. Connect the other database as a new source.',
    );
  const { port: _, ...others } = before.connection;
  return {
    ...before,
    connection: {
      ...others,
      host,
      database,
      user,
      ...(port !== undefined && { port }),
      ...(tls !== undefined && { tls }),
    },
  } as ServerSource;
}

/** Returns the edits that set a file's connection. Everything else in it stays, including comments. */
function editsTo({ connection }: ServerSource, label: string | undefined): Edit[] {
  const { port, password, tls, ...named } = connection;
  const put = (path: Edit['path'], value: unknown): Edit =>
    value === undefined ? { kind: 'remove', path } : { kind: 'set', path, value };
  return [
    ...Object.entries({ ...named, port, password, tls }).map(([key, value]) =>
      put(['connection', key], value),
    ),
    ...(label ? [put(['label'], label)] : []),
  ];
}

/**
 * Writes a source's file. Reverts it if the write cannot be confirmed on disk, so that a reported failure has
 * no effect.
 */
async function put(
  folders: WorkspaceFolders,
  file: string,
  disk: string | undefined,
  text: string,
): Promise<void> {
  const { root } = folders;
  const below = file.split('/');
  try {
    await keepDataFolder(folders);
    await (disk === undefined ? createFile(root, below, text) : replaceFile(root, below, text));
  } catch (error) {
    const full = path.join(root, file);
    const isTaken = error instanceof ProblemError && error.type === 'revision-conflict';
    if (!isTaken && text !== disk && (await readText(full))?.text === text)
      await takeBack(full, disk).catch(() => {});
    throw error;
  }
}

async function takeBack(full: string, disk: string | undefined): Promise<void> {
  if (disk === undefined) return unlink(full);
  const draft = path.join(path.dirname(full), `.${path.basename(full)}.${process.pid}.part`);
  await writeFile(draft, disk);
  await rename(draft, full);
}
