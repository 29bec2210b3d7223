import { diskError, folderError } from './disk-errors.ts';
import { problemOfStorage } from './storage-problem.ts';
import { mayWrite } from '../workspace/documents/create-file.ts';

/** Parts that fail at the moment while the others work (SAFETY 43). */
export interface HealthState {
  readonly degraded?: readonly ('disk' | 'records' | OtherPart)[];
  /** Why saves fail. */
  readonly saving?: string;
  /** Damage of the previous state database. */
  readonly records?: string;
  /** Why other parts fail. */
  readonly others?: Readonly<Partial<Record<OtherPart, string>>>;
}

/** Parts that fail without failing the server. */
type OtherPart = 'audit-log' | 'certificate' | 'clean-up';

/**
 * The storage part of `/readyz`. It is checked on each request, so that it recovers as soon as the disk does.
 */
export class Health {
  readonly #folders: { readonly root: string; readonly state: string };
  readonly #damage: string | undefined;
  readonly #others: () => Readonly<Record<OtherPart, string | undefined>>;

  /**
   * @param damage damage of the state database found when it was opened
   * @param others returns why other parts fail now
   */
  constructor(
    folders: { readonly root: string; readonly state: string },
    damage: string | undefined,
    others: () => Readonly<Record<OtherPart, string | undefined>>,
  ) {
    this.#folders = folders;
    this.#damage = damage;
    this.#others = others;
  }

  state(): HealthState {
    const saving = this.#saving();
    const others = (Object.entries(this.#others()) as [OtherPart, string | undefined][]).flatMap(
      ([part, why]) => (why === undefined ? [] : [[part, why] as const]),
    );
    const degraded = [
      ...(saving === undefined ? [] : ['disk' as const]),
      ...(this.#damage === undefined ? [] : ['records' as const]),
      ...others.map(([part]) => part),
    ];
    return {
      ...(degraded.length > 0 && { degraded }),
      ...(saving !== undefined && { saving }),
      ...(this.#damage !== undefined && { records: this.#damage }),
      ...(others.length > 0 && { others: Object.fromEntries(others) }),
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
