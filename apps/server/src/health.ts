import { diskError, folderError } from './disk-errors.ts';
import { problemOfStorage } from './storage-problem.ts';
import { mayWrite } from './workspace/documents/create-file.ts';

/** Parts that do not work at this moment, while the others do (SAFETY 43). */
export interface HealthState {
  readonly degraded?: readonly ('disk' | 'records')[];
  /** Why nothing can be saved. */
  readonly saving?: string;
  /** What happened to the records of an earlier run. */
  readonly records?: string;
}

/**
 * What `/readyz` says of storage. It is found out anew each time, so that a disk with room again is well again.
 */
export class Health {
  readonly #folders: { readonly root: string; readonly state: string };
  readonly #damage: string | undefined;

  /** @param damage what happened to the state database when it was opened */
  constructor(folders: { readonly root: string; readonly state: string }, damage: string | undefined) {
    this.#folders = folders;
    this.#damage = damage;
  }

  state(): HealthState {
    const saving = this.#saving();
    const degraded = [
      ...(saving === undefined ? [] : ['disk' as const]),
      ...(this.#damage === undefined ? [] : ['records' as const]),
    ];
    return {
      ...(degraded.length > 0 && { degraded }),
      ...(saving !== undefined && { saving }),
      ...(this.#damage !== undefined && { records: this.#damage }),
    };
  }

  #saving(): string | undefined {
    const { root, state } = this.#folders;
    try {
      mayWrite(root);
    } catch (error) {
      return (error as Error).message;
    }
    const reason = diskError(state) ?? folderError(root);
    return reason && problemOfStorage(reason).message;
  }
}
