import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { access, mkdir, open, rm } from 'node:fs/promises';
import path from 'node:path';
import { ProblemError } from '../../http/problems.ts';
import { userStateFolder } from '../user-state.ts';

/**
 * Confirmed sources of a workspace, as files in the user's state directory, so that a workspace from
 * elsewhere cannot bring its own confirmations.
 */
export class Confirmations {
  readonly #root: string;
  readonly #confirmsAll: boolean;

  /** @param confirmsAll treats every source as confirmed, without saving that */
  constructor(root: string, confirmsAll: boolean) {
    this.#root = root;
    this.#confirmsAll = confirmsAll;
  }

  async has(source: string, content: string): Promise<boolean> {
    return this.#confirmsAll || this.#isKept(source, content);
  }

  /**
   * @returns whether it was unconfirmed before. @throws ProblemError `state-unavailable` if it cannot be
   * saved
   */
  async add(source: string, content: string): Promise<boolean> {
    if (await this.#isKept(source, content)) return false;
    try {
      const folder = await confirmationsFolder(this.#root);
      if (folder === undefined) throw new Error('the user’s state directory is inside the workspace');
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const file = await open(this.#fileIn(folder, source, content), 'w', 0o600);
      try {
        await file.writeFile(
          `${JSON.stringify({ workspace: this.#root, source, at: new Date().toISOString() })}\n`,
        );
        await file.sync();
      } finally {
        await file.close();
      }
      return true;
    } catch (error) {
      throw new ProblemError(
        'state-unavailable',
        `Could not save the confirmation of \`${source}\`: ${(error as Error).message}`,
        { cause: error },
      );
    }
  }

  async remove(source: string, content: string): Promise<void> {
    const folder = await confirmationsFolder(this.#root);
    if (folder !== undefined) await rm(this.#fileIn(folder, source, content), { force: true });
  }

  async #isKept(source: string, content: string): Promise<boolean> {
    const folder = await confirmationsFolder(this.#root);
    return (
      folder !== undefined &&
      access(this.#fileIn(folder, source, content), constants.R_OK).then(
        () => true,
        () => false,
      )
    );
  }

  #fileIn(folder: string, source: string, content: string): string {
    return path.join(
      folder,
      createHash('sha256')
        .update(JSON.stringify([this.#root, source, content]))
        .digest('hex'),
    );
  }
}

/** Undefined if the user's state directory lies in the workspace. */
async function confirmationsFolder(root: string): Promise<string | undefined> {
  const folder = await userStateFolder(root);
  return folder === undefined ? undefined : path.join(folder, 'confirmed-sources');
}
