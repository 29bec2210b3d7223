import type { Level } from '@belvedere/api';
import type { Caller, Grants } from '../../access/caller.ts';
import type { Guest } from '../../access/guest.ts';
import { grantKey } from '../../access/may.ts';
import { hasPolicies } from '../../access/protected-tables.ts';
import type { Workspace } from '../../workspace/workspace.ts';

/** Whether a request comes from a guest's page: that of a public link, or one in another site's frame. */
export function isFromGuest(authorization: string | undefined): authorization is string {
  return /^Guest\b/i.test(authorization ?? '');
}

/** Returns the sealed token that a guest's request sends; undefined if it cannot be one. */
export function sealedTokenOf(authorization: string): string | undefined {
  return /^Guest +([\w:-]{20,8000})$/i.exec(authorization)?.[1];
}

/** Makes the callers that guests are: with the role viewer, and the level `view` on one dashboard. */
export class GuestCallers {
  readonly #workspace: () => Workspace;
  /** The same object for each dashboard, since what a caller sees is remembered by it. */
  readonly #grants = new Map<string, Grants>();

  constructor(workspace: () => Workspace) {
    this.#workspace = workspace;
  }

  /**
   * @param source the link or key. Its guests share the server with others as one user: who opens it often gets
   *   no more of it.
   */
  callerFor(name: string, source: string, guest: Guest): Caller {
    const { dashboard, view, tile, isStrict, exportRows, opening } = guest;
    const grants =
      this.#grants.get(dashboard) ??
      new Map<string, Level>([[grantKey({ kind: 'dashboard', id: dashboard }), 'view']]);
    this.#grants.set(dashboard, grants);
    const { attributes } = view;
    return {
      userId: `guest:${source}`,
      name,
      role: 'viewer',
      grants,
      rows: hasPolicies(this.#workspace()) ? { groups: [], attributes: attributes ?? {} } : 'all',
      guest: {
        dashboard,
        view,
        ...(tile !== undefined && { tile }),
        ...(isStrict && { isStrict }),
        ...(exportRows !== undefined && { exportRows }),
        opening,
      },
    };
  }
}
